// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What PTTL would say: a saw-tooth that falls one second a second, and a flat roof where there is no
// deadline.
#include <QCoreApplication>

#include <array>
#include <cmath>

#include "ui/timeline/paint/frame.h"

namespace lockscope::ui {

namespace {

class TtlPainter {
    Q_DECLARE_TR_FUNCTIONS(Timeline)

public:
    TtlPainter(const PaintFrame& frame, const Band& band)
        : m_frame(frame), m_style(frame.style), m_painter(frame.painter),
          m_lane(frame.lanes().keys[static_cast<std::size_t>(band.index)]),
          m_tracks(frame.data.keys()[static_cast<std::size_t>(band.index)]), m_scale(frame, band) {}

    void paint() {
        paintScale();
        const SpanTrack& track = m_tracks.ttl;
        walkSpans(track, m_frame.scale, m_frame.from, m_frame.until, m_style.least,
                  [&](const SpanMark& mark) {
                      const TtlSegment& segment = m_lane.ttl[track.source(mark.worst)];
                      if (mark.count() > 1)
                          paintFolded(mark, segment);
                      else if (segment.unlimited)
                          paintUnlimited(mark, segment);
                      else
                          paintSegment(mark, segment);
                  });
    }

private:
    double clip(double x) const {
        return std::clamp(x, m_frame.area.left() - 20,
                          std::min(m_frame.area.right() + 20, m_frame.scale.x(m_frame.until)));
    }
    QColor color(const TtlSegment& segment) const {
        if (segment.grant == kNone) return m_style.color(Role::DimText);
        const Grant& grant = m_frame.data.analysis().grants[static_cast<std::size_t>(segment.grant)];
        return m_style.actor(m_frame.trace(), grant.actor);
    }

    void paintScale() {
        const double x0 = std::max(m_frame.area.left(), m_frame.scale.x(Instant{}));
        const double x1 = std::min(m_frame.area.right(), m_frame.scale.x(m_frame.trace().horizon));
        for (const double part : {0.0, 0.5, 1.0})
            m_painter.fillRect(
                QRectF(x0, std::round(m_scale.y(m_scale.most * part)), std::max(0.0, x1 - x0), 1),
                m_style.color(Role::Hairline));
    }

    void paintSegment(const SpanMark& mark, const TtlSegment& segment) {
        const double x0 = clip(mark.x0);
        const double x1 = clip(mark.x1);
        if (x1 <= x0) return;
        // The curve is straight in time; in pixels it bends where the axis does.
        const auto left = [&](double x) {
            const Instant at = std::clamp(m_frame.scale.at(x), segment.from, segment.until);
            return static_cast<double>((segment.left - (at - segment.from)).count());
        };
        m_painter.setRenderHint(QPainter::Antialiasing);
        m_painter.setPen(Qt::NoPen);
        double from = x0;
        eachBend(segment, [&](double bend) {
            bend = std::round(bend); // pieces that meet between pixels would show a seam
            if (bend - from < 1 || bend >= x1) return;
            paintPiece(segment, from, left(from), bend, left(bend));
            from = bend;
        });
        paintPiece(segment, from, left(from), x1, left(x1));
        m_painter.setRenderHint(QPainter::Antialiasing, false);
        // The upright side of the tooth: where the deadline was set.
        const double y0 = m_scale.y(left(x0));
        if (mark.x0 >= m_frame.area.left())
            m_painter.fillRect(QRectF(std::round(x0), y0, m_style.px(2), m_scale.bottom - y0),
                               color(segment));
    }

    /// A straight piece; `left` in µs.
    void paintPiece(const TtlSegment& segment, double x0, double left0, double x1, double left1) {
        const double y0 = m_scale.y(left0);
        const double y1 = m_scale.y(left1);
        const double line = m_style.px(2);
        m_painter.setBrush(m_style.color(Role::Hairline));
        const std::array<QPointF, 4> body{QPointF(x0, m_scale.bottom), QPointF(x0, y0), QPointF(x1, y1),
                                          QPointF(x1, m_scale.bottom)};
        m_painter.drawConvexPolygon(body.data(), 4);
        m_painter.setBrush(color(segment));
        const std::array<QPointF, 4> edge{QPointF(x0, y0 - line / 2), QPointF(x1, y1 - line / 2),
                                          QPointF(x1, y1 + line / 2), QPointF(x0, y0 + line / 2)};
        m_painter.drawConvexPolygon(edge.data(), 4);
    }

    /// Where the axis changes its scale within what is in sight of a segment, a pixel or more apart.
    template <typename Draw>
    void eachBend(const TtlSegment& segment, Draw draw) const {
        const std::vector<Instant>& bends = m_frame.scale.map().bends();
        const Instant until = std::min(segment.until, m_frame.until);
        auto bend = std::upper_bound(bends.begin(), bends.end(), std::max(segment.from, m_frame.from));
        while (bend != bends.end() && *bend < until) {
            const double x = m_frame.scale.x(*bend);
            draw(x);
            bend = std::lower_bound(bend + 1, bends.end(), m_frame.scale.at(x + 1));
        }
    }

    void paintUnlimited(const SpanMark& mark, const TtlSegment& segment) {
        const double x0 = clip(mark.x0);
        const double x1 = clip(mark.x1);
        const double line = m_style.px(2);
        const double roof = m_scale.bottom - m_scale.high;
        m_painter.fillRect(QRectF(x0, roof, x1 - x0, m_scale.high), m_style.color(Role::Hairline));
        m_style.fill(m_painter, QRectF(x0, roof, x1 - x0, line), Pattern::Dashes, color(segment), mark.x0);
        const QString word = tr("no time limit");
        const double begin = std::max(x0, m_frame.area.left());
        const double width = m_style.width(word, TextFace::Caption);
        if (x1 - begin < width + 2 * m_style.pad) return;
        m_painter.setPen(m_style.color(Role::Text));
        m_style.drawText(m_painter, begin + m_style.pad, roof + m_scale.high / 2, word, TextFace::Caption);
    }

    void paintFolded(const SpanMark& mark, const TtlSegment& worst) {
        const double x0 = clip(mark.x0);
        const double high = worst.unlimited ? m_scale.most : static_cast<double>(worst.left.count());
        m_painter.fillRect(QRectF(x0, m_scale.y(high), clip(mark.x1) - x0, m_scale.bottom - m_scale.y(high)),
                           m_style.color(Role::Hairline));
        m_style.fill(m_painter,
                     QRectF(x0, m_scale.y(high), clip(mark.x1) - x0, m_scale.bottom - m_scale.y(high)),
                     Pattern::Folded, m_style.color(Role::DimText), 0);
    }

    const PaintFrame& m_frame;
    const TimelineStyle& m_style;
    QPainter& m_painter;
    const KeyLane& m_lane;
    const KeyTracks& m_tracks;
    TtlScale m_scale;
};

} // namespace

void paintTtl(const PaintFrame& frame, const Band& band) {
    TtlPainter(frame, band).paint();
}

} // namespace lockscope::ui
