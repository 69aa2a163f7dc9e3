// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/icons.h"

#include <QIconEngine>
#include <QPainter>
#include <QPainterPath>

#include <functional>

#include "ui/fault_shapes.h"
#include "ui/look.h"
#include "ui/strokes.h"

namespace lockscope::ui {

namespace {

/// All glyphs are drawn in a square of 16 units.
constexpr double kGrid = 16;

QPainterPath triangle(double tipX, double backX) {
    QPainterPath path;
    path.moveTo(tipX, 8);
    path.lineTo(backX, 3);
    path.lineTo(backX, 13);
    path.closeSubpath();
    return path;
}

QPainterPath bar(double x, double width = 2.5) {
    QPainterPath path;
    path.addRect(QRectF(x, 3, width, 10));
    return path;
}

/// Three quarters of a ring, counter-clockwise, with a head at its open end.
QPainterPath arcArrow() {
    QPainterPath ring;
    const QRectF outer(2.5, 2.5, 11, 11);
    ring.arcMoveTo(outer, 120);
    ring.arcTo(outer, 120, -290);
    QPainterPathStroker stroker;
    stroker.setWidth(1.8);
    QPainterPath path = stroker.createStroke(ring);
    QPainterPath head;
    head.moveTo(5.6, 0.8);
    head.lineTo(1.8, 4.6);
    head.lineTo(6.6, 6.0);
    head.closeSubpath();
    return path.united(head);
}

/// An arrow that goes back over what was done.
QPainterPath backArrow() {
    QPainterPath bow(QPointF(3, 6));
    bow.lineTo(9.5, 6);
    bow.arcTo(QRectF(6, 6, 7, 7), 90, -180);
    bow.lineTo(5, 13);
    QPainterPathStroker stroker;
    stroker.setWidth(1.8);
    return stroker.createStroke(bow) | strokes({QLineF(2.6, 6, 6, 2.8), QLineF(2.6, 6, 6, 9.2)});
}

QPainterPath sun() {
    QPainterPath path;
    path.addEllipse(QPointF(8, 8), 3, 3);
    for (int i = 0; i < 8; ++i) {
        QLineF ray(QPointF(8, 8), QPointF(14.8, 8));
        ray.setAngle(45 * i);
        path |= strokes({QLineF(ray.pointAt(0.7), ray.p2())}, 1.4);
    }
    return path;
}

QPainterPath moon() {
    QPainterPath disc, bite;
    disc.addEllipse(QPointF(7.5, 8), 6, 6);
    bite.addEllipse(QPointF(10.5, 6), 5.2, 5.2);
    return disc - bite;
}

QPainterPath warning() {
    QPainterPath path;
    path.moveTo(8, 1);
    path.lineTo(15, 8);
    path.lineTo(8, 15);
    path.lineTo(1, 8);
    path.closeSubpath();
    QPainterPath mark;
    mark.addRect(QRectF(7.2, 4.5, 1.6, 4.4));
    mark.addRect(QRectF(7.2, 10, 1.6, 1.6));
    return path - mark;
}

QPainterPath ring() {
    QPainterPath outer, inner;
    outer.addEllipse(QPointF(8, 8), 6, 6);
    inner.addEllipse(QPointF(8, 8), 4.4, 4.4);
    return outer - inner;
}

QPainterPath ringFilledFrom(double left) {
    QPainterPath disc, part;
    disc.addEllipse(QPointF(8, 8), 6, 6);
    part.addRect(QRectF(left, 0, 16, 16));
    return ring() | (disc & part);
}

QPainterPath pathOf(Glyph glyph) {
    switch (glyph) {
    case Glyph::ToStart:
        return bar(2, 2) | triangle(4.5, 13);
    case Glyph::StepBack:
        return triangle(3, 10) | bar(11, 2);
    case Glyph::Play:
        return triangle(13.5, 3.5);
    case Glyph::Pause:
        return bar(3.5, 3.2) | bar(9.3, 3.2);
    case Glyph::StepForward:
        return triangle(13, 6) | bar(3, 2);
    case Glyph::ToEnd:
        return bar(12, 2) | triangle(11.5, 3);
    case Glyph::Reset:
        return arcArrow();
    case Glyph::Undo:
        return backArrow();
    case Glyph::Redo:
        return QTransform(-1, 0, 0, 1, 16, 0).map(backArrow());
    case Glyph::Moon:
        return moon();
    case Glyph::Sun:
        return sun();
    case Glyph::Close:
        return strokes({QLineF(4, 4, 12, 12), QLineF(12, 4, 4, 12)}, 1.5);
    case Glyph::Previous:
        return strokes({QLineF(10, 3, 5, 8), QLineF(5, 8, 10, 13)});
    case Glyph::Next:
        return strokes({QLineF(6, 3, 11, 8), QLineF(11, 8, 6, 13)});
    case Glyph::Warning:
        return warning();
    case Glyph::Fold:
        return strokes({QLineF(3, 6, 8, 11), QLineF(8, 11, 13, 6)});
    case Glyph::Unfold:
        return strokes({QLineF(3, 10, 8, 5), QLineF(8, 5, 13, 10)});
    case Glyph::RingEmpty:
        return ring();
    case Glyph::RingHalf:
        return ringFilledFrom(8);
    case Glyph::RingFull:
        return ringFilledFrom(0);
    case Glyph::RingBarred:
        return ring() | strokes({QLineF(4, 12, 12, 4)}, 1.6);
    case Glyph::Dash:
        return strokes({QLineF(3.5, 8, 12.5, 8)}, 2.4);
    }
    return {};
}

/// Paints on demand, so that one icon serves every scale, theme and screen.
class PaintedEngine : public QIconEngine {
public:
    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override {
        QPixmap pixmap(size);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        paint(&painter, QRect(QPoint(), size), mode, state);
        return pixmap;
    }
};

/// A filled path on the grid, in a colour of the theme.
class PathEngine : public PaintedEngine {
public:
    using Path = std::function<QPainterPath()>;
    PathEngine(const Look& look, Path path, Role role)
        : m_look(look), m_path(std::move(path)), m_role(role) {}

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State) override {
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        const double side = std::min(rect.width(), rect.height());
        painter->translate(rect.x() + (rect.width() - side) / 2, rect.y() + (rect.height() - side) / 2);
        painter->scale(side / kGrid, side / kGrid);
        painter->fillPath(m_path(), m_look.color(mode == QIcon::Disabled ? Role::Hairline : m_role));
        painter->restore();
    }
    QIconEngine* clone() const override { return new PathEngine(m_look, m_path, m_role); }

private:
    const Look& m_look;
    Path m_path;
    Role m_role;
};

QIcon glyphIconIn(const Look& look, Glyph glyph, Role role) {
    return QIcon(new PathEngine(
        look, [glyph] { return pathOf(glyph); }, role));
}

class BadgeEngine : public PaintedEngine {
public:
    BadgeEngine(const Look& look, int actor, bool outside)
        : m_look(look), m_actor(actor), m_outside(outside) {}

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State) override {
        painter->save();
        if (mode == QIcon::Disabled) painter->setOpacity(0.6);
        const double margin = rect.width() * 0.08;
        m_look.drawBadge(*painter, QRectF(rect).adjusted(margin, margin, -margin, -margin), m_actor,
                         m_outside);
        painter->restore();
    }
    QIconEngine* clone() const override { return new BadgeEngine(m_look, m_actor, m_outside); }

private:
    const Look& m_look;
    int m_actor;
    bool m_outside;
};

} // namespace

QIcon glyphIcon(const Look& look, Glyph glyph) {
    return glyphIconIn(look, glyph, Role::Text);
}

QIcon glyphIconOnFocus(const Look& look, Glyph glyph) {
    return glyphIconIn(look, glyph, Role::Window);
}

QIcon faultIcon(const Look& look, InterventionKind kind) {
    return QIcon(new PathEngine(
        look, [kind] { return faultShape(kind); }, Role::Text));
}

QIcon badgeIcon(const Look& look, int actor, bool outside) {
    return QIcon(new BadgeEngine(look, actor, outside));
}

QIcon appIcon() {
    const Look light; // the icon looks the same in every theme
    QIcon icon;
    for (const int side : {16, 32, 48, 64, 128}) {
        QPixmap pixmap(side, side);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.scale(side / kGrid, side / kGrid);
        painter.setPen(Qt::NoPen);
        painter.setBrush(light.color(Role::Text));
        painter.drawRoundedRect(QRectF(0, 0, 16, 16), 3, 3);
        painter.setBrush(light.actor(0).lighter(190));
        painter.drawRect(QRectF(2, 3, 9, 3));
        painter.setBrush(light.actor(1));
        painter.drawRect(QRectF(7, 10, 7, 3));
        painter.setBrush(light.color(Role::Window));
        painter.drawRect(QRectF(2, 7.4, 12, 1.2));
        painter.setBrush(light.color(Role::Violation).lighter(120));
        painter.translate(9, 8);
        painter.rotate(45);
        painter.drawRect(QRectF(-1.9, -1.9, 3.8, 3.8));
        icon.addPixmap(pixmap);
    }
    return icon;
}

} // namespace lockscope::ui
