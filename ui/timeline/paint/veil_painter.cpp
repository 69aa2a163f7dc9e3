// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What lies after an open question: covered, and seen to be covered.
#include "ui/timeline/glyphs.h"
#include "ui/timeline/paint/frame.h"

namespace lockscope::ui {

void paintVeil(const PaintFrame& frame) {
    const double x = std::max(frame.scale.x(frame.veil), frame.area.left());
    if (x >= frame.area.right()) return;
    const TimelineStyle& style = frame.style;
    const QRectF cover(x, frame.area.top(), frame.area.right() - x, frame.area.height());
    frame.painter.fillRect(cover, style.color(Role::Lane));
    style.fill(frame.painter, cover, Pattern::Veil, style.color(Role::Hairline), 0);
    frame.painter.fillRect(QRectF(x, cover.top(), style.px(2), cover.height()), style.color(Role::DimText));
    const double side = std::min({style.px(56) * 1.0, cover.width() * 0.6, cover.height() * 0.6});
    if (side < style.px(10)) return;
    QRectF sign(0, 0, side, side);
    sign.moveCenter(cover.center());
    frame.painter.setRenderHint(QPainter::Antialiasing);
    frame.painter.setPen(Qt::NoPen);
    frame.painter.setBrush(style.color(Role::Lane));
    frame.painter.drawEllipse(sign.center(), side * 0.8, side * 0.8);
    frame.painter.setRenderHint(QPainter::Antialiasing, false);
    drawGlyph(frame.painter, Sign::Question, sign, style.color(Role::DimText));
}

} // namespace lockscope::ui
