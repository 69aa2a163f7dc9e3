// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Two runs in one picture: the ghost of the run before, a little lower and under the new one; and outlines
// around what a run beside this one does not have.
#include <cmath>

#include "ui/timeline/paint/frame.h"
#include "ui/timeline/prepared_difference.h"

namespace lockscope::ui {

namespace {

constexpr double kGhostAlpha = 0.35;
constexpr double kLower = 4; ///< design pixels

/// Walks over the boxes in which a run differs. Lines (waiting, dead) have no body that could stand apart.
class DifferenceWalk {
public:
    DifferenceWalk(const PaintFrame& frame, const PreparedDifference& difference)
        : m_frame(frame), m_difference(difference) {}

    /// draw(rectangle, actor, whether the bar is filled)
    template <typename Draw>
    void boxes(Draw draw) const {
        for (const Band& band : m_frame.layout.bands()) {
            const auto index = static_cast<std::size_t>(band.index);
            if (!m_frame.visible(band)) continue;
            if (band.kind == BandKind::Actor) {
                actorBoxes(band, m_difference.actors()[index], draw);
            } else if (band.kind == BandKind::Key) {
                const PreparedDifference::Key& key = m_difference.keys()[index];
                const double inset = m_frame.style.px(4);
                walk(key.owners, band.top + inset, band.height - 2 * inset,
                     [&](std::uint32_t source, const QRectF& rect) {
                         const OwnerSpan& span = key.lane->owners[source];
                         draw(rect, ownerOf(span), !span.nobodyHome);
                     });
            }
        }
    }

private:
    template <typename Draw>
    void walk(const SpanTrack& track, double top, double height, Draw draw) const {
        walkSpans(track, m_frame.scale, m_frame.from, m_frame.until, m_frame.style.least,
                  [&](const SpanMark& mark) {
                      // What is too narrow to be a box would only be dirt.
                      if (mark.x1 - mark.x0 < 2 * m_frame.style.least) return;
                      const double x0 = m_frame.left(mark.x0);
                      draw(track.source(mark.worst),
                           QRectF(x0, m_frame.y(top), m_frame.right(mark.x1) - x0, height));
                  });
    }

    template <typename Draw>
    void actorBoxes(const Band& band, const PreparedDifference::Actor& actor, Draw draw) const {
        if (actor.lane == nullptr) return;
        const double inset = band.dense ? 1 : m_frame.style.px(2);
        for (std::size_t row = 0; row < actor.does.size(); ++row) {
            const int at = std::min(static_cast<int>(row), band.doesRows - 1);
            walk(actor.does[row], band.doesTop(at) + inset, band.doesRow - 2 * inset,
                 [&](std::uint32_t source, const QRectF& rect) {
                     const DoesKind kind = actor.lane->does[source].kind;
                     const bool works = kind == DoesKind::Work || kind == DoesKind::Compute;
                     if (works || kind == DoesKind::Paused) draw(rect, actor.lane->actor, works);
                 });
        }
        const double thick = m_frame.style.px(4);
        for (std::size_t row = 0; row < actor.thinks.size(); ++row) {
            const double middle = band.thinksMiddle(std::min(static_cast<int>(row), band.thinksRows - 1));
            walk(actor.thinks[row], middle - thick / 2, thick, [&](std::uint32_t source, const QRectF& rect) {
                const ThinksSpan& span = actor.lane->thinks[source];
                if (!span.unknown) draw(rect, actor.lane->actor, !span.frozen);
            });
        }
    }

    ActorIndex ownerOf(const OwnerSpan& span) const {
        return m_difference.run().analysis.grants[static_cast<std::size_t>(span.grant)].actor;
    }

    const PaintFrame& m_frame;
    const PreparedDifference& m_difference;
};

} // namespace

void paintGhost(const PaintFrame& frame, const PreparedDifference& was) {
    const Trace& trace = *was.run().trace;
    DifferenceWalk(frame, was).boxes([&](QRectF rect, ActorIndex actor, bool filled) {
        rect.translate(0, frame.style.px(kLower));
        QColor color = frame.style.actor(trace, actor);
        if (filled) {
            QColor body = color;
            body.setAlphaF(kGhostAlpha);
            frame.painter.fillRect(rect, body);
        }
        frame.painter.setPen(QPen(color, 1, Qt::DashLine));
        frame.painter.setBrush(Qt::NoBrush);
        frame.painter.drawRect(rect.adjusted(0.5, 0.5, -0.5, -0.5));
    });
}

void paintApart(const PaintFrame& frame, const PreparedDifference& mine, Instant first) {
    const QColor ink = frame.style.color(Role::Text);
    const double line = frame.style.px(2);
    DifferenceWalk(frame, mine).boxes([&](const QRectF& rect, ActorIndex, bool) {
        paintOutline(frame.painter, rect.adjusted(-line, -line, line, line), line, ink);
    });
    if (first < frame.from || first > frame.until) return;
    // Where they part: a dashed line through all lanes.
    const double x = std::round(frame.scale.x(first));
    frame.painter.setPen(QPen(ink, 1, Qt::DashLine));
    frame.painter.drawLine(QPointF(x + 0.5, frame.area.top()), QPointF(x + 0.5, frame.area.bottom()));
}

} // namespace lockscope::ui
