// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/glyphs.h"

#include <QPainter>
#include <QPainterPathStroker>

#include <algorithm>
#include <array>

namespace lockscope::ui {

namespace {

// Every path below lives in a box of 16 × 16.
constexpr double kBox = 16;

QPainterPath stroked(const QPainterPath& line, double width) {
    QPainterPathStroker stroker;
    stroker.setWidth(width);
    stroker.setCapStyle(Qt::RoundCap);
    stroker.setJoinStyle(Qt::RoundJoin);
    return stroker.createStroke(line);
}

QPainterPath clock() {
    QPainterPath line;
    line.addEllipse(QPointF(8, 8), 6.2, 6.2);
    line.moveTo(8, 4.2);
    line.lineTo(8, 8);
    line.lineTo(10.8, 9.6);
    return stroked(line, 1.7);
}

QPainterPath bin() {
    QPainterPath line;
    line.moveTo(2.5, 4);
    line.lineTo(13.5, 4);
    line.moveTo(6.2, 3.8);
    line.lineTo(6.2, 2);
    line.lineTo(9.8, 2);
    line.lineTo(9.8, 3.8);
    line.moveTo(4, 4.4);
    line.lineTo(4.8, 14);
    line.lineTo(11.2, 14);
    line.lineTo(12, 4.4);
    line.moveTo(8, 7);
    line.lineTo(8, 11.4);
    return stroked(line, 1.6);
}

QPainterPath down() {
    QPainterPath line;
    line.moveTo(8, 2);
    line.lineTo(8, 13);
    line.moveTo(3.5, 8.8);
    line.lineTo(8, 13.4);
    line.lineTo(12.5, 8.8);
    return stroked(line, 2.1);
}

QPainterPath over() {
    QPainterPath bar;
    bar.addRect(2, 11, 12, 3);
    QPainterPath line;
    line.moveTo(2.5, 8.5);
    line.cubicTo(4, 1.5, 11, 1.5, 12.6, 7.6);
    line.moveTo(9.2, 6.2);
    line.lineTo(12.8, 8.2);
    line.lineTo(14.4, 4.4);
    return bar.united(stroked(line, 1.8));
}

QPainterPath bolt() {
    QPainterPath path;
    path.moveTo(9.5, 1);
    path.lineTo(3, 9.2);
    path.lineTo(7.4, 9.2);
    path.lineTo(6, 15);
    path.lineTo(13, 6.4);
    path.lineTo(8.4, 6.4);
    path.closeSubpath();
    return path;
}

QPainterPath cross(double width) {
    QPainterPath line;
    line.moveTo(3.5, 3.5);
    line.lineTo(12.5, 12.5);
    line.moveTo(12.5, 3.5);
    line.lineTo(3.5, 12.5);
    return stroked(line, width);
}

QPainterPath question() {
    QPainterPath line;
    line.moveTo(4.6, 5.2);
    line.cubicTo(4.8, 0.8, 11.8, 0.8, 11.6, 5.2);
    line.cubicTo(11.4, 7.6, 8, 7.8, 8, 10.4);
    QPainterPath dot;
    dot.addEllipse(QPointF(8, 13.8), 1.4, 1.4);
    return stroked(line, 2.1).united(dot);
}

QPainterPath pauseBars() {
    QPainterPath path;
    path.addRect(3.5, 2.5, 3.4, 11);
    path.addRect(9.1, 2.5, 3.4, 11);
    return path;
}

const QPainterPath& pathOf(Sign glyph) {
    static const std::array<QPainterPath, 9> paths{clock(),    bin(),      down(),     over(),     bolt(),
                                                   cross(2.6), cross(6.0), question(), pauseBars()};
    return paths[static_cast<std::size_t>(glyph)];
}

} // namespace

Sign glyphFor(EndReason reason) {
    switch (reason) {
    case EndReason::Deleted:
    case EndReason::DeadlineInPast:
        return Sign::Bin;
    case EndReason::Evicted:
        return Sign::Down;
    case EndReason::Overwritten:
        return Sign::Over;
    case EndReason::Flushed:
    case EndReason::LostInFailover:
    case EndReason::LostAtRestart:
        return Sign::Bolt;
    case EndReason::LeaseEnded:
    case EndReason::None:
        break;
    }
    return Sign::Clock;
}

void drawGlyph(QPainter& painter, Sign glyph, const QRectF& in, const QColor& color) {
    const double side = std::min(in.width(), in.height());
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.translate(in.center() - QPointF(side / 2, side / 2));
    painter.scale(side / kBox, side / kBox);
    painter.fillPath(pathOf(glyph), color);
    painter.restore();
}

QPainterPath diamondShape(const QPointF& centre, double size) {
    const double half = size / 2;
    QPainterPath path;
    path.moveTo(centre.x(), centre.y() - half);
    path.lineTo(centre.x() + half, centre.y());
    path.lineTo(centre.x(), centre.y() + half);
    path.lineTo(centre.x() - half, centre.y());
    path.closeSubpath();
    return path;
}

} // namespace lockscope::ui
