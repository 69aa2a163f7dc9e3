// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Where the axis is broken: a zigzag through the ground of the lanes, a cut in the edge of every row, so that
// it is seen on long bars too, and a double slash on the ruler.
#include <cmath>

#include "ui/timeline/paint/frame.h"
#include "ui/timeline/step_time.h"

namespace lockscope::ui {

namespace {

constexpr double kLeastGap = 20; ///< design pixels that a gap needs for the mark

template <typename Draw>
void eachBreak(const PaintFrame& frame, Draw draw) {
    const double least = frame.style.px(kLeastGap) * frame.scale.range().size() / frame.scale.width();
    for (const TimeBreak& gap : breaksWithin(frame.scale.map(), frame.scale.range(), least))
        if (gap.until <= frame.veil)
            draw(std::round((frame.scale.x(gap.from) + frame.scale.x(gap.until)) / 2));
}

} // namespace

void paintBreakGrounds(const PaintFrame& frame) {
    const TimelineStyle& style = frame.style;
    const double width = style.px(10);
    const double bottom = std::min(frame.area.bottom(), frame.y(frame.layout.height()));
    eachBreak(frame, [&](double x) {
        const QRectF strip(x - width / 2, frame.area.top(), width, bottom - frame.area.top());
        style.fill(frame.painter, strip, Pattern::Zigzag, style.color(Role::Hairline), strip.left());
    });
}

void paintBreakCuts(const PaintFrame& frame) {
    const TimelineStyle& style = frame.style;
    const double side = style.px(8);
    eachBreak(frame, [&](double x) {
        for (const Band& band : frame.layout.bands())
            if (frame.visible(band))
                paintSlashes(frame, QRectF(x - side / 2, frame.y(band.top) - side / 2, side, side));
    });
}

void paintRulerBreaks(const PaintFrame& frame) {
    const double side = frame.style.px(9);
    eachBreak(frame, [&](double x) {
        paintSlashes(frame, QRectF(x - side / 2, frame.area.top() - side, side, side));
    });
}

void paintSlashes(const PaintFrame& frame, const QRectF& box) {
    const double lean = box.width() * 0.4;
    const double apart = box.width() * 0.5;
    frame.painter.fillRect(box, frame.style.color(Role::Window));
    frame.painter.setRenderHint(QPainter::Antialiasing);
    frame.painter.setPen(QPen(frame.style.color(Role::Text), frame.style.px(1.5)));
    for (const double x : {box.left(), box.left() + apart})
        frame.painter.drawLine(QPointF(x, box.bottom()), QPointF(x + lean, box.top()));
    frame.painter.setRenderHint(QPainter::Antialiasing, false);
}

} // namespace lockscope::ui
