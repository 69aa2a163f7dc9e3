// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The what-if strip under an actor's lane: where a pause would add something, a row for each invariant.
#include <cmath>

#include "ui/timeline/paint/frame.h"
#include "ui/timeline/strip.h"
#include "ui/timeline/time_text.h"

namespace lockscope::ui {

void fillStripRow(const PaintFrame& frame, const QRectF& rect, std::size_t row) {
    const QColor& ink = frame.style.color(Role::Violation);
    if (row == 0) {
        frame.painter.fillRect(rect, ink);
        return;
    }
    frame.painter.fillRect(QRectF(rect.left(), rect.top(), rect.width(), frame.style.px(1)), ink);
    frame.style.fill(frame.painter, rect, row == 1 ? Pattern::Hatch : Pattern::Dots, ink, 0);
}

namespace {

class StripPainter {
public:
    StripPainter(const PaintFrame& frame, const Band& band)
        : m_frame(frame), m_style(frame.style), m_painter(frame.painter), m_band(band),
          m_actor(frame.lanes().actors[static_cast<std::size_t>(band.index)].actor),
          m_begin(std::max(frame.area.left(), frame.scale.x(Instant{}))),
          m_end(std::min(frame.area.right(), frame.scale.x(frame.until))) {}

    void paint() {
        if (m_end <= m_begin) return;
        if (m_frame.strip == nullptr) {
            for (int row = 0; row < m_band.stripRows; ++row)
                paintBaseline(static_cast<std::size_t>(row));
            return;
        }
        for (std::size_t row = 0; row < m_frame.strip->rows.size(); ++row)
            paintRow(row);
        paintFlags();
    }

private:
    QRectF rowRect(std::size_t row, double x0, double x1) const {
        const double gap = m_style.px(1);
        return {x0, m_frame.y(stripRowTop(m_band, row)), x1 - x0, m_band.stripRow - gap};
    }

    /// Not known yet.
    void paintBaseline(std::size_t row) {
        const QRectF rect = rowRect(row, m_begin, m_end);
        const double line = m_style.px(2);
        m_painter.fillRect(QRectF(rect.left(), rect.bottom() - line, rect.width(), line),
                           m_style.color(Role::Hairline));
    }

    void paintRow(std::size_t row) {
        if (m_frame.strip->rows[row].brokenAnyway) {
            const QRectF rect = rowRect(row, m_begin, m_end);
            m_painter.fillRect(QRectF(rect.left(), std::floor(rect.center().y()), rect.width(), 1),
                               m_style.color(Role::DimText));
        }
        double painted = m_begin; // regions too close to be told apart make one mark
        for (const StripMark& mark : stripMarks(m_frame, m_actor, row)) {
            const double x0 = std::max(m_frame.left(mark.x0), painted);
            const double x1 = m_frame.right(mark.x1);
            if (x1 > x0) fillStripRow(m_frame, rowRect(row, x0, x1), row);
            painted = std::max(painted, x1);
            if (mark.narrow) m_slivers.push_back({mark, row});
        }
    }

    /// What is drawn wider than it is says how wide it is.
    void paintFlags() {
        std::stable_sort(m_slivers.begin(), m_slivers.end(),
                         [](const Sliver& a, const Sliver& b) { return a.mark.x0 < b.mark.x0; });
        double free = m_begin;
        const double middle = m_frame.y(m_band.stripTop + m_band.stripRow * m_band.stripRows / 2);
        for (const Sliver& sliver : m_slivers) {
            if (sliver.mark.x0 < free) continue;
            const Duration width = sliver.mark.region.until - sliver.mark.region.from;
            const QString text = durationText(width);
            const double x = sliver.mark.x1 + m_style.px(6);
            const double end = x + m_style.width(text, TextFace::Smallest) + m_style.px(4);
            if (end > m_end) continue; // its tooltip says so
            const double line = m_style.px(1);
            const double high = m_style.lineHeight(TextFace::Smallest);
            const QRectF plate(x - m_style.px(3), std::round(middle - high / 2), end - x + m_style.px(2),
                               high);
            m_painter.fillRect(plate, m_style.color(Role::Window));
            paintOutline(m_painter, plate, line, m_style.color(Role::Violation));
            const double y = rowRect(sliver.row, 0, 0).center().y();
            m_painter.fillRect(QRectF(sliver.mark.x1, std::floor(y), plate.left() - sliver.mark.x1, line),
                               m_style.color(Role::Violation));
            m_painter.setPen(m_style.color(Role::Text));
            m_style.drawText(m_painter, x, middle, text, TextFace::Smallest);
            free = plate.right() + m_style.px(2);
        }
    }

    struct Sliver {
        StripMark mark;
        std::size_t row;
    };
    const PaintFrame& m_frame;
    const TimelineStyle& m_style;
    QPainter& m_painter;
    const Band& m_band;
    ActorIndex m_actor;
    double m_begin;
    double m_end;
    std::vector<Sliver> m_slivers;
};

} // namespace

void paintStrip(const PaintFrame& frame, const Band& band) {
    if (band.stripRows > 0) StripPainter(frame, band).paint();
}

} // namespace lockscope::ui
