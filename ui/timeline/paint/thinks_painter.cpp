// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What an actor thinks: a bracket for as long as it takes itself for the holder.
#include <QCoreApplication>

#include <cmath>

#include "ui/timeline/glyphs.h"
#include "ui/timeline/paint/frame.h"

namespace lockscope::ui {

namespace {

class ThinksPainter {
    Q_DECLARE_TR_FUNCTIONS(Timeline)

public:
    ThinksPainter(const PaintFrame& frame, const Band& band)
        : m_frame(frame), m_style(frame.style), m_painter(frame.painter), m_band(band),
          m_lane(frame.lanes().actors[static_cast<std::size_t>(band.index)]),
          m_tracks(frame.data.actors()[static_cast<std::size_t>(band.index)]),
          m_color(m_style.actor(frame.trace(), m_lane.actor)), m_thick(m_style.px(4)) {}

    void paint() {
        for (int row = 0; row < m_band.thinksRows; ++row) {
            const SpanTrack& track = m_tracks.thinks[static_cast<std::size_t>(row)];
            walkSpans(
                track, m_frame.scale, m_frame.from, m_frame.until, m_style.least,
                [&](const SpanMark& mark) { paintSpan(mark, m_lane.thinks[track.source(mark.worst)], row); });
        }
        paintFlags();
    }

private:
    const Claim& claim(int index) const {
        return m_frame.data.analysis().claims[static_cast<std::size_t>(index)];
    }

    void paintSpan(const SpanMark& mark, const ThinksSpan& span, int row) {
        const double middle = m_frame.y(m_band.thinksMiddle(row));
        const double x0 = m_frame.left(mark.x0);
        const double x1 = std::max(m_frame.right(mark.x1), x0 + 1);
        const QRectF line(x0, std::round(middle - m_thick / 2), x1 - x0, m_thick);
        if (span.unknown) {
            paintUnknown(mark, span, middle, row);
        } else if (span.dormant) {
            paintOutline(m_painter, line, 1, m_color);
        } else if (span.frozen) {
            m_style.fill(m_painter, line, Pattern::HalfDash, m_color, mark.x0);
        } else {
            m_painter.fillRect(line, m_color);
            if (mark.count() > 1)
                m_style.fill(m_painter, line, Pattern::Folded, m_style.color(Role::Lane), 0);
        }
        if (!span.unknown && mark.count() == 1 && !m_band.dense) paintEnds(mark, span, middle);
    }

    /// The upright ends of the bracket: only where the claim itself begins and ends, not where a freeze cuts
    /// it.
    void paintEnds(const SpanMark& mark, const ThinksSpan& span, double middle) {
        const Claim& c = claim(span.claim);
        const double height = m_band.thinksRow;
        const double width = m_style.px(2);
        const double y = std::round(middle - height / 2);
        if (span.from == c.from) m_painter.fillRect(QRectF(mark.x0, y, width, height), m_color);
        if (span.until == c.until) m_painter.fillRect(QRectF(mark.x1 - width, y, width, height), m_color);
    }

    void paintUnknown(const SpanMark& mark, const ThinksSpan& span, double middle, int row) {
        const double size = m_style.px(10);
        const double x0 = m_frame.left(mark.x0);
        m_style.fill(m_painter, QRectF(x0, std::round(middle - size / 2), m_frame.right(mark.x1) - x0, size),
                     Pattern::Rings, m_style.color(Role::Unknown), mark.x0);
        const bool resolved = span.until < m_frame.trace().reached;
        if (!resolved || mark.count() > 1 || span.request == kNone || span.until > m_frame.until) return;
        const RequestTimes& times = m_frame.data.analysis().requests[static_cast<std::size_t>(span.request)];
        const QString was = times.executed == kNever ? tr("it was: lost")
                            : times.failed           ? tr("it was: an error")
                            : times.refusal          ? tr("it was: refused")
                            : times.grant != kNone   ? tr("it was: granted")
                                                     : tr("it was: executed");
        const double bracket = m_style.px(8);
        const double thick = m_style.px(2);
        const QColor ink = m_style.color(Role::Unknown);
        m_painter.fillRect(QRectF(mark.x1, std::round(middle - thick / 2), bracket, thick), ink);
        m_painter.fillRect(QRectF(mark.x1 + bracket - thick, std::round(middle - size / 2), thick, size),
                           ink);
        const double x = mark.x1 + bracket + m_style.px(6);
        const SpanTrack& track = m_tracks.thinks[static_cast<std::size_t>(row)];
        const double next =
            mark.end < track.size() ? m_frame.scale.x(track.from(mark.end)) : m_frame.area.right();
        if (x + m_style.width(was, TextFace::Smallest) + m_style.px(3) > next) return; // its tooltip says so
        paintPlate(m_frame, x, middle, was, TextFace::Smallest, m_style.color(Role::Lane),
                   m_style.color(Role::Text));
    }

    void paintFlags() {
        const double width = m_style.px(8);
        const double height = m_style.px(7);
        walkPoints(
            m_tracks.flags, m_frame.scale, m_frame.from, m_frame.until, width, [&](const PointMark& mark) {
                const double bottom = m_frame.y(m_band.thinksTop + m_band.thinksRow * m_band.thinksRows);
                const double top = bottom - std::max<double>(m_band.thinksRow, m_style.px(12));
                QPainterPath flag;
                flag.moveTo(mark.x, top);
                flag.lineTo(mark.x + width, top + height / 2);
                flag.lineTo(mark.x, top + height);
                flag.closeSubpath();
                m_painter.fillRect(QRectF(mark.x - 1, top, m_style.px(1.5), bottom - top),
                                   m_style.color(Role::Text));
                m_painter.setRenderHint(QPainter::Antialiasing);
                m_painter.fillPath(flag, m_style.color(Role::Text));
                m_painter.setRenderHint(QPainter::Antialiasing, false);
            });
    }

    const PaintFrame& m_frame;
    const TimelineStyle& m_style;
    QPainter& m_painter;
    const Band& m_band;
    const ActorLane& m_lane;
    const ActorTracks& m_tracks;
    QColor m_color;
    double m_thick;
};

} // namespace

void paintThinks(const PaintFrame& frame, const Band& band) {
    ThinksPainter(frame, band).paint();
}

} // namespace lockscope::ui
