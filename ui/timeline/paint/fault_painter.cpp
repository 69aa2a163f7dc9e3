// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What the learner has done, on the lane it concerns: the edges of a pause and of a stall as grips, the wall
// of a cut-off, and a pin for everything that happens at an instant.
#include <QCoreApplication>

#include <cmath>

#include "ui/fault_shapes.h"
#include "ui/timeline/fault_marks.h"
#include "ui/timeline/paint/frame.h"
#include "ui/timeline/time_text.h"

namespace lockscope::ui {

namespace {

class FaultPainter {
    Q_DECLARE_TR_FUNCTIONS(FaultPainter)

public:
    explicit FaultPainter(const PaintFrame& frame)
        : m_frame(frame), m_style(frame.style), m_painter(frame.painter), m_ink(m_style.color(Role::Text)) {}

    void paint() {
        for (const FaultMark& mark : faultMarks(m_frame)) {
            if (mark.rect.bottom() < m_frame.area.top()) continue;
            if (!mark.stretch)
                paintPin(mark);
            else if (told(mark).at > m_frame.trace().reached)
                paintPlanned(mark);
            else if (mark.kind == InterventionKind::Partition)
                paintWall(mark);
            if (mark.stretch) paintGrips(mark);
        }
    }

private:
    const TraceIntervention& told(const FaultMark& mark) const {
        return m_frame.trace().interventions[static_cast<std::size_t>(mark.fault)];
    }

    /// A bar at each edge that can be taken hold of, with a groove for the finger.
    void paintGrips(const FaultMark& mark) {
        if (mark.rect.width() < m_style.px(24)) return;
        const double line = m_style.px(2);
        const double high = std::min<double>(mark.rect.height(), m_style.px(14));
        const double top = std::round(mark.rect.center().y() - high / 2);
        const auto groove = [&](double x) {
            m_painter.fillRect(
                QRectF(std::round(x) - line - m_style.px(1), top - 1, 2 * line + m_style.px(2), high + 2),
                m_style.color(Role::Lane));
            m_painter.fillRect(QRectF(std::round(x) - line / 2, top, line, high), m_ink);
        };
        if (mark.x0 >= m_frame.area.left()) groove(mark.rect.left() + m_style.px(1));
        if (mark.endShown && mark.x1 <= m_frame.area.right()) groove(mark.rect.right() - m_style.px(1));
    }

    /// Time has not got there yet.
    void paintPlanned(const FaultMark& mark) {
        paintAhead(m_frame, mark.rect);
        const QString text = tr("for %1").arg(durationText(told(mark).length));
        const double width = m_style.width(text, TextFace::Smallest);
        if (mark.rect.width() < width + m_style.px(28)) return;
        m_painter.setPen(m_ink);
        m_style.drawText(m_painter, mark.rect.left() + (mark.rect.width() - width) / 2,
                         mark.rect.center().y(), text, TextFace::Smallest);
    }

    /// Nothing passes between the actor and Redis.
    void paintWall(const FaultMark& mark) {
        m_painter.fillRect(mark.rect, m_style.color(Role::Lane));
        m_style.fill(m_painter, mark.rect, Pattern::Pinstripe, m_ink, mark.x0);
        paintOutline(m_painter, mark.rect, std::max(1, m_style.px(1)), m_ink);
        const QString full =
            mark.endShown ? tr("cut off %1").arg(durationText(told(mark).length)) : tr("cut off");
        for (const QString& text : {full, tr("cut off")}) {
            const double width = m_style.width(text, TextFace::Smallest);
            if (mark.rect.width() < width + m_style.px(28)) continue;
            paintPlate(m_frame, mark.rect.left() + (mark.rect.width() - width) / 2, mark.rect.center().y(),
                       text, TextFace::Smallest, m_style.color(Role::Lane), m_ink);
            return;
        }
    }

    /// A small flag with the sign of its kind; hollow if it had no effect.
    void paintPin(const FaultMark& mark) {
        const bool applied = told(mark).applied;
        const QColor ground = applied ? m_ink : m_style.color(Role::Lane);
        const QColor sign = applied ? m_style.color(Role::Window) : m_ink;
        const Band& band = m_frame.layout.bands()[static_cast<std::size_t>(mark.band)];
        const double line = std::max(1, m_style.px(2));
        const double pole = band.kind == BandKind::Actor ? band.doesRow * band.doesRows : band.height;
        m_painter.fillRect(QRectF(mark.rect.left(), mark.rect.top(), line, pole), m_ink);
        m_painter.fillRect(mark.rect, ground);
        if (!applied) paintOutline(m_painter, mark.rect, line, m_ink);
        const double side = mark.rect.width() - 2 * m_style.px(1.5);
        m_style.drawMark(m_painter, mark.rect.center(), side,
                         markKey(Mark::Fault, static_cast<int>(side),
                                 static_cast<quint32>(mark.kind) * 2 + (applied ? 1 : 0)),
                         [&](QPainter& painter, const QRectF& box) {
                             painter.scale(box.width() / 16, box.height() / 16);
                             painter.fillPath(faultShape(mark.kind), sign);
                         });
    }

    const PaintFrame& m_frame;
    const TimelineStyle& m_style;
    QPainter& m_painter;
    QColor m_ink;
};

} // namespace

void paintFaults(const PaintFrame& frame) {
    FaultPainter(frame).paint();
}

} // namespace lockscope::ui
