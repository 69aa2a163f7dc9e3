// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What Redis says of a key: whose lock it is, and why it stopped being so.
#include <QCoreApplication>

#include <cmath>
#include <vector>

#include "core/trace/wording.h"
#include "ui/bridge/text.h"
#include "ui/timeline/glyphs.h"
#include "ui/timeline/paint/frame.h"

namespace lockscope::ui {

namespace {

class OwnerPainter {
    Q_DECLARE_TR_FUNCTIONS(Timeline)

public:
    OwnerPainter(const PaintFrame& frame, const Band& band)
        : m_frame(frame), m_style(frame.style), m_painter(frame.painter), m_band(band),
          m_lane(frame.lanes().keys[static_cast<std::size_t>(band.index)]),
          m_tracks(frame.data.keys()[static_cast<std::size_t>(band.index)]), m_inset(m_style.px(4)),
          m_middle(std::round(frame.y(band.top + band.height / 2))),
          m_badge(std::min<double>(m_style.px(18), band.height - 2 * m_inset - 2)) {}

    void paint() {
        const SpanTrack& track = m_tracks.owners;
        walkSpans(track, m_frame.scale, m_frame.from, m_frame.until, m_style.least,
                  [&](const SpanMark& mark) {
                      const OwnerSpan& span = m_lane.owners[track.source(mark.worst)];
                      if (mark.count() > 1)
                          paintFolded(mark, span);
                      else if (span.grant == kNone)
                          paintNobody(mark, span);
                      else
                          paintOwner(mark, span);
                  });
        paintOutages();
        paintTicks();
    }

private:
    const Grant& grant(const OwnerSpan& span) const {
        return m_frame.data.analysis().grants[static_cast<std::size_t>(span.grant)];
    }
    QRectF bar(double x0, double x1) const {
        x0 = m_frame.left(x0);
        return {x0, m_frame.y(m_band.top) + m_inset, std::max(1.0, m_frame.right(x1) - x0),
                m_band.height - 2 * m_inset};
    }
    double edge() const { return std::min(m_frame.area.right(), m_frame.scale.x(m_frame.until)); }

    void paintFolded(const SpanMark& mark, const OwnerSpan& worst) {
        if (worst.grant == kNone) return;
        const ActorIndex actor = grant(worst).actor;
        const QRectF rect = bar(mark.x0, mark.x1);
        const bool one = m_tracks.owners.uniform(mark.begin, mark.end);
        m_painter.fillRect(rect, one ? m_style.actor(m_frame.trace(), actor) : m_style.color(Role::DimText));
        m_style.fill(m_painter, rect, Pattern::Folded, m_style.color(Role::Lane), 0);
        const QString text = tr("×%1 owners").arg(mark.count());
        const double x0 = std::max(rect.left(), m_frame.area.left());
        const double room = std::min(rect.right(), edge()) - x0;
        const double width = m_style.width(text, TextFace::Smallest);
        if (room > width + 4 * m_style.pad)
            paintPlate(m_frame, x0 + (room - width) / 2, m_middle, text, TextFace::Smallest,
                       m_style.color(Role::Lane), m_style.color(Role::Text));
    }

    void paintNobody(const SpanMark& mark, const OwnerSpan& span) {
        const double begin = std::max({mark.x0, m_frame.area.left(), m_capEnd});
        const double end = std::min(mark.x1, edge());
        if (span.lingering) {
            // The key still lies in memory though nobody owns the lock: a hollow body of it.
            const QRectF rect = bar(mark.x0, mark.x1).adjusted(0, m_style.px(5), 0, -m_style.px(5));
            paintOutline(m_painter, rect, 1, m_style.color(Role::DimText));
        }
        const QString word = span.lingering ? tr("dead key") : tr("nobody");
        const double width = m_style.width(word, TextFace::Caption);
        if (end - begin < std::max(m_style.nobodyFrom, width + 2 * m_style.pad)) return;
        m_painter.setPen(m_style.color(Role::DimText));
        m_style.drawText(m_painter, begin + (end - begin - width) / 2, m_middle, word, TextFace::Caption);
    }

    void paintOwner(const SpanMark& mark, const OwnerSpan& span) {
        const ActorIndex actor = grant(span).actor;
        const QColor fill = m_style.actor(m_frame.trace(), actor);
        const QRectF rect = bar(mark.x0, std::max(mark.x1, mark.x0 + m_style.least));
        if (span.nobodyHome) {
            m_painter.fillRect(rect, m_style.color(Role::Window));
            paintOutline(m_painter, rect, m_style.px(2), fill);
        } else {
            m_painter.fillRect(rect, fill);
            if (actor >= 0 && Look::actorColourRepeats(actor)) {
                const double line = m_style.px(2);
                if (rect.width() > 6 * line)
                    paintOutline(m_painter, rect.adjusted(line, line, -line, -line), line,
                                 m_style.color(Role::Lane));
            }
        }
        const double taken = paintCap(mark, span);
        paintOwnerText(mark, span, taken);
    }

    /// The sign and the word for why the ownership ended: behind the bar if the next owner leaves room, else
    /// inside at its end. Comes back with the pixels it took from the bar.
    double paintCap(const SpanMark& mark, const OwnerSpan& span) {
        m_capEnd = 0;
        if (span.end == EndReason::None || span.until > m_frame.until) return 0;
        const double side = m_style.px(14);
        const double pad = m_style.px(4);
        const QString word = qstr(wordFor(span.end));
        const double width = m_style.width(word, TextFace::Caption);
        const double next = nextOwner(mark.end);
        const Sign glyph = glyphFor(span.end);
        double x = mark.x1 + pad + m_style.px(2);
        if (next - x >= side + pad) {
            const QColor ink = m_style.color(Role::Text);
            drawGlyph(m_painter, glyph, QRectF(x, m_middle - side / 2, side, side), ink);
            m_capEnd = x + side + pad;
            if (next - m_capEnd < width + pad) return 0;
            // The tick for the key's removal must not go through the word.
            if (const double gone = lingersUntil(mark.end); gone > m_capEnd - pad && gone < m_capEnd + width)
                m_capEnd = gone + 2 * pad;
            if (next - m_capEnd < width + pad) return 0;
            m_painter.setPen(ink);
            m_style.drawText(m_painter, m_capEnd, m_middle, word, TextFace::Caption);
            m_capEnd += width + 2 * pad;
            return 0;
        }
        const double room = mark.x1 - std::max(mark.x0, m_frame.area.left());
        if (room < m_badge + side + 4 * pad) return 0; // whose it is comes before why it ended
        const ActorIndex actor = grant(span).actor;
        const QColor ink =
            span.nobodyHome ? m_style.color(Role::Text) : m_style.onActor(m_frame.trace(), actor);
        x = mark.x1 - side - pad;
        drawGlyph(m_painter, glyph, QRectF(x, m_middle - side / 2, side, side), ink);
        if (room < side + width + m_badge + 8 * pad || covered(x - pad - width, x)) return side + 2 * pad;
        m_painter.setPen(ink);
        m_style.drawText(m_painter, x - pad - width, m_middle, word, TextFace::Caption);
        return side + width + 4 * pad;
    }

    /// Where a dead key that lies behind an owner's bar leaves the memory; left of all if there is none.
    double lingersUntil(std::size_t i) const {
        const SpanTrack& track = m_tracks.owners;
        const bool lingers = i < track.size() && m_lane.owners[track.source(i)].lingering;
        return lingers ? m_frame.scale.x(track.until(i)) : m_frame.area.left() - 1;
    }

    /// Where the next owner begins, or the end of what may be drawn.
    double nextOwner(std::size_t i) const {
        const SpanTrack& track = m_tracks.owners;
        // Between two owners lie at most a dead key and an empty stretch.
        for (; i < track.size() && track.from(i) < m_frame.until; ++i)
            if (m_lane.owners[track.source(i)].grant != kNone)
                return std::min(m_frame.scale.x(track.from(i)), edge());
        return edge();
    }

    void paintOwnerText(const SpanMark& mark, const OwnerSpan& span, double taken) {
        const Grant& g = grant(span);
        const double begin = std::max(mark.x0, m_frame.area.left());
        const double end = std::min(mark.x1, edge()) - taken;
        if (end - begin < m_badge + m_style.px(2)) return;
        const QColor ink =
            span.nobodyHome ? m_style.color(Role::Text) : m_style.onActor(m_frame.trace(), g.actor);
        double x = begin + m_style.px(4);
        if (end - begin < m_badge + 2 * m_style.px(4)) x = begin + (end - begin - m_badge) / 2;
        const double side = m_badge;
        m_style.drawBadge(m_painter, QPointF(x + side / 2, m_middle), static_cast<int>(side), m_frame.trace(),
                          g.actor, 0, !span.nobodyHome);
        x += side + m_style.px(5);
        const QString name = g.actor >= 0
                                 ? qstr(m_frame.trace().actors[static_cast<std::size_t>(g.actor)].name)
                                 : tr("somebody outside");
        std::vector<QString> texts;
        if (span.others > 0) {
            texts.push_back(tr("%1 and %n more", nullptr, span.others).arg(name));
            texts.push_back(tr("+%1").arg(span.others));
        }
        const QString fence = g.fence >= 0 ? QString::number(g.fence) : QString();
        if (span.nobodyHome) {
            texts.push_back(tr("nobody home · %1").arg(name));
            texts.push_back(tr("nobody home"));
        } else if (!fence.isEmpty()) {
            texts.push_back(tr("%1 · fence %2").arg(name, fence));
            texts.push_back(tr("fence %1").arg(fence));
            texts.push_back(fence);
        } else {
            texts.push_back(name);
        }
        m_painter.setPen(ink);
        for (const QString& text : texts) {
            const double width = m_style.width(text, TextFace::Lane);
            if (x + width + m_style.px(4) > end) continue;
            m_style.drawText(m_painter, x, m_middle, text, TextFace::Lane);
            return;
        }
    }

    /// Whether an outage lies over a part of this stretch.
    bool covered(double x0, double x1) const {
        return m_tracks.outages.touches(m_frame.scale.at(x0), m_frame.scale.at(x1));
    }

    /// While the server answers nothing, whom it would call the owner is covered, for nobody can know.
    void paintOutages() {
        walkSpans(m_tracks.outages, m_frame.scale, m_frame.from, m_frame.until, m_style.least,
                  [&](const SpanMark& mark) {
                      const QRectF rect = bar(mark.x0, std::max(mark.x1, mark.x0 + m_style.least))
                                              .adjusted(0, -m_style.px(2), 0, m_style.px(2));
                      const QColor ink = m_style.color(Role::DimText);
                      m_painter.fillRect(rect, m_style.color(Role::Lane));
                      m_style.fill(m_painter, rect, Pattern::CrossHatch, ink, 0);
                      paintOutline(m_painter, rect, 1, ink);
                      const OutageSpan& span = m_lane.outages[m_tracks.outages.source(mark.worst)];
                      const QString why = qstr(m_frame.trace().text(span.why));
                      const double x0 = std::max(rect.left(), m_frame.area.left());
                      const double room = std::min(rect.right(), edge()) - x0;
                      for (const QString& text : {tr("cannot answer: %1").arg(why), tr("cannot answer")}) {
                          const double width = m_style.width(text, TextFace::Caption);
                          if (room < width + 2 * m_style.pad) continue;
                          paintPlate(m_frame, x0 + (room - width) / 2, m_middle, text, TextFace::Caption,
                                     m_style.color(Role::Lane), m_style.color(Role::Text));
                          return;
                      }
                  });
    }

    /// The lease's end is a solid tick, the key's removal a hollow one; they are two things and can lie
    /// apart.
    void paintTicks() {
        const double width = m_style.px(3);
        const QRectF row(0, m_frame.y(m_band.top), 0, m_band.height);
        const QColor ink = m_style.color(Role::Text);
        walkPoints(m_tracks.removals, m_frame.scale, m_frame.from, m_frame.until, width,
                   [&](const PointMark& mark) {
                       const QRectF tick(mark.x - m_style.px(2.5), row.top(), m_style.px(5), row.height());
                       m_painter.fillRect(tick, m_style.color(Role::Lane));
                       paintOutline(m_painter, tick, std::max(1.0, m_style.px(1) * 1.0), ink);
                   });
        walkPoints(m_tracks.leaseEnds, m_frame.scale, m_frame.from, m_frame.until, width,
                   [&](const PointMark& mark) {
                       m_painter.fillRect(QRectF(mark.x - width / 2, row.top(), width, row.height()), ink);
                   });
    }

    const PaintFrame& m_frame;
    const TimelineStyle& m_style;
    QPainter& m_painter;
    const Band& m_band;
    const KeyLane& m_lane;
    const KeyTracks& m_tracks;
    double m_inset;
    double m_middle;
    double m_badge;
    double m_capEnd = 0; ///< right end of the last cap, so that "nobody" keeps clear of it
};

} // namespace

void paintOwners(const PaintFrame& frame, const Band& band) {
    OwnerPainter(frame, band).paint();
}

} // namespace lockscope::ui
