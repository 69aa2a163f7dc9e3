// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What the canvas draws on its layers. The lanes have painters of their own (paint/).
#include <cmath>

#include "ui/timeline/canvas.h"
#include "ui/timeline/paint/frame.h"
#include "ui/timeline/passing.h"
#include "ui/timeline/prepared_difference.h"
#include "ui/timeline/time_text.h"

namespace lockscope::ui {

void TimelineCanvas::drawBands(QPainter& painter) {
    const QColor ground = m_style.color(Role::Window);
    if (!m_data) return painter.fillRect(rect(), ground);
    painter.fillRect(QRect(0, 0, width(), m_rulerHeight), ground);
    painter.setClipRect(QRectF(0, m_rulerHeight, width(), height() - m_rulerHeight));
    const PaintFrame frame{scene(), painter};
    paintBands(frame);
    paintBreakGrounds(frame);
}

void TimelineCanvas::drawLanes(QPainter& painter) {
    if (!m_data) return;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, false);
    const PaintFrame frame{scene(), painter};
    if (m_ghost) paintGhost(frame, *m_ghost);
    paintLanes(frame);
    if (m_apart) paintApart(frame, *m_apart, m_parting);
    paintBreakCuts(frame);
    if (m_veilDrawn != kNever) paintVeil(frame);
    if (m_veilDrawn != kNever) {
        const Scene now = scene();
        const double x = std::max(now.scale.x(m_veilDrawn), 0.0);
        const double w = m_style.width(m_veilCaption, TextFace::LaneBold);
        if (!m_veilCaption.isEmpty() && w + 2 * m_style.pad < width() - x)
            paintPlate(PaintFrame{now, painter}, x + (width() - x - w) / 2,
                       now.area.center().y() + m_style.px(56), m_veilCaption, TextFace::LaneBold,
                       m_style.color(Role::Lane), m_style.color(Role::DimText));
    }
    painter.restore();
}

/// The learner's interventions, numbered, on the ruler. Where several share a place the flag says how many.
void TimelineCanvas::drawFlags(QPainter& painter) {
    if (!m_data) return;
    const Scene now = scene();
    paintRulerBreaks(PaintFrame{now, painter});
    const PointTrack& track = m_data->interventions();
    const double width = m_style.px(16);
    const double height = m_style.px(14);
    const double bottom = m_rulerHeight;
    walkPoints(track, now.scale, now.from, now.until, width, [&](const PointMark& mark) {
        const double x = std::round(now.scale.x(track.at(mark.begin)));
        const QString text = mark.count() > 1 ? QStringLiteral("×%1").arg(mark.count())
                                              : QString::number(track.source(mark.begin) + 1);
        const double wide = std::max(width, m_style.width(text, TextFace::Smallest) + m_style.px(10));
        const bool selected = m_selection.kind == Selection::Kind::Intervention && mark.count() == 1 &&
                              m_selection.index == static_cast<int>(track.source(mark.begin));
        const QColor ground = m_style.color(selected ? Role::Focus : Role::Text);
        QPainterPath flag;
        flag.moveTo(x, bottom - height);
        flag.lineTo(x + wide - m_style.px(4), bottom - height);
        flag.lineTo(x + wide, bottom - height / 2);
        flag.lineTo(x + wide - m_style.px(4), bottom);
        flag.lineTo(x, bottom);
        flag.closeSubpath();
        painter.setRenderHint(QPainter::Antialiasing);
        painter.fillPath(flag, ground);
        painter.setRenderHint(QPainter::Antialiasing, false);
        painter.setPen(m_style.color(Role::Window));
        m_style.drawText(painter, x + m_style.px(4), bottom - height / 2, text, TextFace::Smallest);
    });
}

/// Selection and hover: an outline just outside of the mark, so that it hides nothing of it.
void TimelineCanvas::drawHighlights(QPainter& painter) {
    if (!m_data) return;
    const Scene now = scene();
    const QColor focus = m_style.color(Role::Focus);
    const double line = m_style.px(2);
    const double gap = m_style.px(1);
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setClipRect(now.area);
    for (const QRectF& mark : marksOf(now, m_selection)) {
        const double edge = line + gap;
        paintOutline(painter, mark.adjusted(-edge, -edge, edge, edge), line, focus);
    }
    if (m_hover.onMark() && m_hover.what != Hit::What::Flag)
        paintOutline(painter, m_hover.rect.adjusted(-1, -1, 1, 1), 1, m_style.color(Role::Text));
    drawStripLens(PaintFrame{now, painter});
}

void TimelineCanvas::paintEvent(QPaintEvent*) {
    if (!qFuzzyCompare(bufferDevicePixelRatio(), devicePixelRatioF())) { // it came to another screen
        applyLook();
        return;
    }
    freshenLanes();
    QCPPainter painter(this);
    if (!painter.isActive()) return;
    mPaintBuffers.first()->draw(&painter);
    drawMoving(painter);
}

/// What moves without the run changing.
void TimelineCanvas::drawMoving(QPainter& painter) {
    for (const auto draw : {&TimelineCanvas::drawHighlights, &TimelineCanvas::drawPassing,
                            &TimelineCanvas::drawPlayhead, &TimelineCanvas::drawHand}) {
        painter.save();
        (this->*draw)(painter);
        painter.restore();
    }
}

void TimelineCanvas::drawPassing(QPainter& painter) {
    if (!m_data) return;
    const Scene now = scene();
    painter.setClipRect(now.area);
    m_passing->paint(PaintFrame{now, painter});
}

void TimelineCanvas::drawPlayhead(QPainter& painter) {
    if (!m_data) return;
    const Scene now = scene();
    const double x = now.scale.x(m_playhead);
    if (x < -1 || x > width() + 1) return;
    const QColor ink = m_style.color(Role::Text);
    const double line = m_style.px(2);
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.fillRect(QRectF(std::round(x - line / 2), m_rulerHeight - m_style.px(6), line, height()), ink);
    // Where pixels tell microseconds apart, an instant on a whole millisecond still needs no more than three
    // digits.
    int decimals = now.scale.decimals(m_playhead);
    // A long gap of step view has coarse pixels, but times are told as truly as those of the events around.
    if (m_stepView && micros(m_playhead) % 100'000 != 0) decimals = std::max(decimals, 3);
    const bool wholeMs = micros(m_playhead) % 1000 == 0;
    const QString time = instantText(m_playhead, wholeMs ? std::min(decimals, 3) : decimals);
    const double wide = m_style.width(time, TextFace::Time) + 2 * m_style.px(6);
    const double high = m_style.lineHeight(TextFace::Time) + m_style.px(2);
    const double left = std::clamp(x - wide / 2, 0.0, std::max(0.0, width() - wide));
    painter.fillRect(QRectF(std::round(left), 0, std::ceil(wide), high), ink);
    // The handle's tip points at the instant, also where the handle cannot stand over it.
    QPainterPath tip;
    tip.moveTo(x - m_style.px(5), high);
    tip.lineTo(x + m_style.px(5), high);
    tip.lineTo(x, high + m_style.px(5));
    tip.closeSubpath();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillPath(tip, ink);
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(m_style.color(Role::Window));
    m_style.drawText(painter, std::round(left) + m_style.px(6), high / 2, time, TextFace::Time);
}

void TimelineCanvas::paintTo(QCPPainter& painter, double ratio) {
    m_style.rebuild(ratio);
    setHover({});
    toPainter(&painter, width(), height());
    // What is selected, and where the keys are, is the window's business.
    for (const auto draw : {&TimelineCanvas::drawPassing, &TimelineCanvas::drawPlayhead}) {
        painter.save();
        (this->*draw)(painter);
        painter.restore();
    }
    m_style.rebuild(devicePixelRatioF());
}

} // namespace lockscope::ui
