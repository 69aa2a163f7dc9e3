// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/fault_shapes.h"

#include <cmath>

#include "ui/strokes.h"

namespace lockscope::ui {

namespace {

QPainterPath box(double x, double y, double width, double height) {
    QPainterPath path;
    path.addRect(QRectF(x, y, width, height));
    return path;
}

/// An arrow along y from `from` to the head at `to`.
QPainterPath arrow(double y, double from, double to, bool head = true) {
    QPainterPath path = strokes({QLineF(from, y, to, y)}, 2);
    if (!head) return path;
    const double back = to + (from < to ? -4 : 4);
    return path | strokes({QLineF(to, y, back, y - 3.5), QLineF(to, y, back, y + 3.5)}, 2);
}

QPainterPath cross(double x, double y, double half, double width = 2) {
    return strokes(
        {QLineF(x - half, y - half, x + half, y + half), QLineF(x - half, y + half, x + half, y - half)},
        width);
}

QPainterPath ring(double x, double y, double radius, double width) {
    QPainterPath path;
    path.addEllipse(QPointF(x, y), radius, radius);
    QPainterPathStroker stroker;
    stroker.setWidth(width);
    return stroker.createStroke(path);
}

/// A clock face with its hands at three.
QPainterPath clock(double x, double y, double radius) {
    return ring(x, y, radius, 1.6) |
           strokes({QLineF(x, y - radius * 0.6, x, y), QLineF(x, y, x + radius * 0.5, y)}, 1.6);
}

/// Two discs one above the other: a server that stores.
QPainterPath server() {
    return box(2, 3, 8, 4) | box(2, 9, 8, 4);
}

QPainterPath restart() {
    QPainterPath ring;
    const QRectF outer(2.5, 2.5, 11, 11);
    ring.arcMoveTo(outer, 60);
    ring.arcTo(outer, 60, 290);
    QPainterPathStroker stroker;
    stroker.setWidth(1.8);
    QPainterPath head;
    head.moveTo(10.4, 0.8);
    head.lineTo(14.2, 4.6);
    head.lineTo(9.4, 6);
    head.closeSubpath();
    return stroker.createStroke(ring) | head;
}

} // namespace

QPainterPath faultShape(InterventionKind kind) {
    switch (kind) {
    case InterventionKind::Pause:
        return box(3.5, 3, 3.2, 10) | box(9.3, 3, 3.2, 10);
    case InterventionKind::Kill:
        return cross(8, 8, 4.5, 2.4);
    case InterventionKind::Restart:
        return restart();
    case InterventionKind::LostRequest:
        return arrow(8, 1.5, 7, false) | cross(11.5, 8, 3);
    case InterventionKind::LostReply:
        return arrow(8, 14.5, 9, false) | cross(4.5, 8, 3);
    case InterventionKind::Delay:
        return arrow(12, 1.5, 14) | clock(8, 4.6, 3.6);
    case InterventionKind::DelayReply:
        return arrow(12, 14.5, 2) | clock(8, 4.6, 3.6);
    case InterventionKind::Partition:
        return box(7, 1, 2, 14) | arrow(8, 1, 5.5) | arrow(8, 15, 10.5);
    case InterventionKind::ClockJump:
        return clock(7, 8, 5.2) | strokes({QLineF(14, 4, 14, 12)}, 2);
    case InterventionKind::ServerStall:
        return server() | box(11.5, 3, 1.5, 10) | box(14, 3, 1.5, 10);
    case InterventionKind::ServerClockJump:
        return server() | clock(12, 8, 3.2);
    case InterventionKind::Admin:
        return strokes({QLineF(3, 4, 7, 8), QLineF(7, 8, 3, 12), QLineF(8.5, 12.5, 13.5, 12.5)}, 2);
    case InterventionKind::ServerKill:
        return server() | cross(12.6, 8, 2.6);
    case InterventionKind::ServerRestart:
        return server() | restart();
    case InterventionKind::Promote:
        return server() |
               strokes({QLineF(13, 13, 13, 3), QLineF(13, 3, 10.8, 6), QLineF(13, 3, 15.2, 6)}, 1.8) |
               box(10.6, 14, 4.8, 1.6);
    case InterventionKind::LinkCut:
        return server() | strokes({QLineF(11, 8, 12.4, 8), QLineF(14.2, 8, 15.6, 8)}, 2) |
               strokes({QLineF(12.2, 11.5, 14.4, 4.5)}, 1.4);
    case InterventionKind::SaveFails:
        return server() | ring(13, 5, 2.2, 1.6) | cross(13, 11.6, 2);
    case InterventionKind::Load:
        return server() |
               strokes({QLineF(13, 3, 13, 13), QLineF(13, 3, 10.8, 6), QLineF(13, 3, 15.2, 6)}, 1.8);
    }
    return {};
}

} // namespace lockscope::ui
