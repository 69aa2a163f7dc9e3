// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The instant at which something breaks: a diamond where it was done, a line to everybody it concerns. These
// marks fold, but they never vanish: a folded one shows the worst and how many there are.
#include <algorithm>
#include <cmath>

#include "ui/timeline/glyphs.h"
#include "ui/timeline/paint/frame.h"

namespace lockscope::ui {

namespace {

class ViolationPainter {
public:
    explicit ViolationPainter(const PaintFrame& frame)
        : m_frame(frame), m_style(frame.style), m_painter(frame.painter),
          m_color(m_style.color(Role::Violation)) {}

    void paint(const PointTrack& track, const Band& home) {
        const Instant from = m_frame.scale.at(m_frame.area.left() - m_style.diamond);
        walkPoints(track, m_frame.scale, from, m_frame.until, m_style.diamond, [&](const PointMark& mark) {
            const Violation& worst = m_frame.data.run().violations[track.source(mark.worst)];
            paintLine(worst, home, mark.x);
            paintDiamond(mark, home);
        });
    }

private:
    double markY(const Band& home) const { return m_frame.y(home.top); }

    void paintLine(const Violation& violation, const Band& home, double x) {
        double top = markY(home);
        double bottom = m_frame.y(home.bottom());
        for (const ActorIndex actor : violation.actors) {
            const Band* band = m_frame.layout.actorBand(actor);
            if (band == nullptr) continue;
            top = std::min(top, m_frame.y(band->top));
            bottom = std::max(bottom, m_frame.y(band->bottom()));
        }
        const double width = m_style.diamondLine;
        m_painter.fillRect(QRectF(std::round(x - width / 2), top, width, bottom - top), m_color);
    }

    void paintDiamond(const PointMark& mark, const Band& home) {
        const QPointF centre(mark.x, markY(home));
        // A rim in the window's colour sets it off from the hatch.
        const double rim = m_style.px(2);
        const double side = m_style.diamond + 2 * rim;
        m_style.drawMark(m_painter, centre, side,
                         markKey(Mark::Diamond, static_cast<int>(side), m_color.rgba()),
                         [&](QPainter& painter, const QRectF& box) {
                             painter.fillPath(diamondShape(box.center(), side), m_style.color(Role::Window));
                             painter.fillPath(diamondShape(box.center(), m_style.diamond), m_color);
                         });
        if (mark.count() < 2) return;
        paintPlate(m_frame, mark.x + m_style.diamond / 2 + m_style.px(5), centre.y(),
                   QStringLiteral("×%1").arg(mark.count()), TextFace::Smallest, m_color,
                   m_style.color(Role::OnViolation));
    }

    const PaintFrame& m_frame;
    const TimelineStyle& m_style;
    QPainter& m_painter;
    QColor m_color;
};

} // namespace

void paintViolations(const PaintFrame& frame) {
    ViolationPainter painter(frame);
    for (const Band& band : frame.layout.bands()) {
        if (band.kind == BandKind::Actor)
            painter.paint(frame.data.actors()[static_cast<std::size_t>(band.index)].violations, band);
        else if (band.kind == BandKind::Key)
            painter.paint(frame.data.keys()[static_cast<std::size_t>(band.index)].violations, band);
    }
    if (!frame.layout.bands().empty())
        painter.paint(frame.data.looseViolations(), frame.layout.bands().front());
}

} // namespace lockscope::ui
