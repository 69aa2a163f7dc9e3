// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/paint/frame.h"

namespace lockscope::ui {

void paintOutline(QPainter& painter, const QRectF& rect, double width, const QColor& color) {
    if (rect.width() <= 2 * width || rect.height() <= 2 * width) {
        painter.fillRect(rect, color);
        return;
    }
    painter.fillRect(QRectF(rect.left(), rect.top(), rect.width(), width), color);
    painter.fillRect(QRectF(rect.left(), rect.bottom() - width, rect.width(), width), color);
    painter.fillRect(QRectF(rect.left(), rect.top(), width, rect.height()), color);
    painter.fillRect(QRectF(rect.right() - width, rect.top(), width, rect.height()), color);
}

void paintAhead(const PaintFrame& frame, const QRectF& rect) {
    const int line = std::max(1, frame.style.px(2));
    frame.painter.setBrush(Qt::NoBrush);
    frame.painter.setPen(QPen(frame.style.color(Role::Text), line, Qt::DashLine, Qt::FlatCap, Qt::MiterJoin));
    const double inset = line / 2.0;
    frame.painter.drawRect(rect.adjusted(inset, inset, -inset, -inset));
}

void paintPlate(const PaintFrame& frame, double x, double middle, const QString& text, TextFace face,
                const QColor& ground, const QColor& ink) {
    const double width = frame.style.width(text, face);
    const double height = frame.style.lineHeight(face);
    const double edge = frame.style.px(3);
    frame.painter.fillRect(QRectF(x - edge, middle - height / 2, width + 2 * edge, height), ground);
    frame.painter.setPen(ink);
    frame.style.drawText(frame.painter, x, middle, text, face);
}

void paintBands(const PaintFrame& frame) {
    const double end = std::min(frame.area.right(), frame.scale.x(frame.trace().horizon));
    const double begin = std::max(frame.area.left(), frame.scale.x(Instant{}));
    // What lies below is not clean: the ground is painted wherever no lane will be, a pixel further rather
    // than one too few.
    const auto ground = [&](double x0, double y0, double x1, double y1) {
        if (x1 > x0 && y1 > y0)
            frame.painter.fillRect(QRectF(x0, y0, x1 - x0, y1 - y0).toAlignedRect(),
                                   frame.style.color(Role::Window));
    };
    double y = frame.area.top();
    for (const Band& band : frame.layout.bands()) {
        if (!frame.visible(band) || end <= begin) continue;
        const double top = frame.y(band.top) + 1;
        const double bottom = frame.y(band.bottom()) - 1;
        ground(frame.area.left(), y, frame.area.right(), top);
        ground(frame.area.left(), top, begin + 1, bottom);
        ground(end - 1, top, frame.area.right(), bottom);
        if (band.stripRows > 0)
            ground(begin, frame.y(band.stripTop) - frame.style.px(2) - 1, end, frame.y(band.stripTop) + 1);
        y = bottom;
    }
    ground(frame.area.left(), y, frame.area.right(), frame.area.bottom());
    for (const Band& band : frame.layout.bands())
        if (frame.visible(band) && end > begin) {
            const double lane = band.stripRows > 0 ? band.stripTop - frame.style.px(2) : band.bottom();
            const QColor& colour = frame.style.color(Role::Lane);
            frame.painter.fillRect(QRectF(begin, frame.y(band.top), end - begin, lane - band.top), colour);
            if (band.stripRows > 0)
                frame.painter.fillRect(
                    QRectF(begin, frame.y(band.stripTop), end - begin, band.bottom() - band.stripTop),
                    colour);
        }
}

void paintLanes(const PaintFrame& frame) {
    for (const Band& band : frame.layout.bands()) {
        if (!frame.visible(band)) continue;
        switch (band.kind) {
        case BandKind::Actor:
            paintDoes(frame, band);
            paintThinks(frame, band);
            paintStrip(frame, band);
            break;
        case BandKind::Key:
            paintOwners(frame, band);
            break;
        case BandKind::Resource:
            paintResource(frame, band);
            break;
        case BandKind::Ttl:
            paintTtl(frame, band);
            break;
        }
    }
    // Arrows and violations go from lane to lane, so they come after all lanes.
    if (frame.parts.arrows)
        for (const Band& band : frame.layout.bands())
            if (band.kind == BandKind::Actor) paintRequests(frame, band);
    paintFaults(frame);
    paintViolations(frame);
}

} // namespace lockscope::ui
