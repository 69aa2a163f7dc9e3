// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/timeline_style.h"

#include <QFontMetricsF>
#include <QPainter>

#include <cmath>

namespace lockscope::ui {

namespace {

constexpr int kMostTexts = 4096;
constexpr double kSqrt2 = 1.4142135623730951;

/// Lines from lower left to upper right that meet at the tile's edges.
void drawDiagonals(QPainter& painter, int period, double width, const QColor& color) {
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(color, width, Qt::SolidLine, Qt::FlatCap));
    for (const int shift : {-period, 0, period})
        painter.drawLine(QPointF(shift - period, 2 * period), QPointF(shift + 2 * period, -period));
}

} // namespace

void TimelineStyle::rebuild(double devicePixelRatio) {
    m_ratio = devicePixelRatio;
    for (auto& texts : m_texts)
        texts.clear();
    m_tiles.clear();
    m_badges.clear();

    const auto set = [this](TextFace face, TextRole role, bool bold) {
        QFont font = m_look->font(role);
        if (bold) font.setWeight(QFont::DemiBold);
        m_fonts[static_cast<std::size_t>(face)] = font;
        m_lineHeights[static_cast<std::size_t>(face)] =
            static_cast<int>(std::ceil(QFontMetricsF(font).height()));
    };
    set(TextFace::Lane, TextRole::Lane, false);
    set(TextFace::LaneBold, TextRole::Lane, true);
    set(TextFace::Caption, TextRole::Caption, false);
    set(TextFace::Smallest, TextRole::Smallest, false);
    set(TextFace::Mono, TextRole::Code, false);
    set(TextFace::Time, TextRole::PlayheadTime, false);

    least = px(3);
    pad = px(6);
    badge = px(16);
    diamond = px(12);
    diamondLine = px(2);
    arrow = 1.5 * m_look->scale();
    arrowsFrom = px(12);
    labelEvery = px(400);
    nobodyFrom = px(60);
}

QColor TimelineStyle::actor(const Trace& trace, ActorIndex actor) const {
    if (actor < 0 || trace.actors[static_cast<std::size_t>(actor)].outside) return color(Role::Outside);
    return m_look->actor(actor);
}

QColor TimelineStyle::onActor(const Trace& trace, ActorIndex actor) const {
    if (actor < 0 || trace.actors[static_cast<std::size_t>(actor)].outside) return color(Role::OnOutside);
    return m_look->onActor(actor);
}

const TimelineStyle::Text& TimelineStyle::cached(const QString& text, TextFace face) const {
    auto& texts = m_texts[static_cast<std::size_t>(face)];
    const auto found = texts.constFind(text);
    if (found != texts.constEnd()) return *found;
    if (texts.size() >= kMostTexts) texts.clear();
    Text entry;
    entry.text.setTextFormat(Qt::PlainText);
    entry.text.setPerformanceHint(QStaticText::AggressiveCaching);
    entry.text.setText(text);
    entry.text.prepare(QTransform(), font(face));
    const QFontMetricsF metrics(font(face));
    entry.width = metrics.horizontalAdvance(text);
    entry.height = entry.text.size().height();
    return *texts.insert(text, entry);
}

double TimelineStyle::width(const QString& text, TextFace face) const {
    return cached(text, face).width;
}

void TimelineStyle::drawText(QPainter& painter, double x, double middle, const QString& text,
                             TextFace face) const {
    const Text& entry = cached(text, face);
    painter.setFont(font(face));
    painter.drawStaticText(QPointF(std::round(x), std::round(middle - entry.height / 2)), entry.text);
}

QPixmap TimelineStyle::makeTile(Pattern pattern, const QColor& color) const {
    const auto make = [this](int width, int height) {
        QPixmap pixmap(qRound(width * m_ratio), qRound(height * m_ratio));
        pixmap.setDevicePixelRatio(m_ratio);
        pixmap.fill(Qt::transparent);
        return pixmap;
    };
    switch (pattern) {
    case Pattern::Hatch: {
        // 9 px from line to line, measured along the row.
        const int period = qRound(px(9) * kSqrt2);
        QPixmap tile = make(period, period);
        QPainter painter(&tile);
        drawDiagonals(painter, period, px(3), color);
        return tile;
    }
    case Pattern::Veil: {
        const int period = qRound(px(8) * kSqrt2);
        QPixmap tile = make(period, period);
        QPainter painter(&tile);
        drawDiagonals(painter, period, 1, color);
        return tile;
    }
    case Pattern::Pinstripe: {
        QPixmap tile = make(px(6), px(6));
        QPainter painter(&tile);
        painter.fillRect(QRectF(0, 0, px(1.5), px(6)), color);
        return tile;
    }
    case Pattern::Dots: {
        QPixmap tile = make(px(6), px(2));
        QPainter painter(&tile);
        painter.fillRect(QRectF(0, 0, px(2), px(2)), color);
        return tile;
    }
    case Pattern::Dashes: {
        QPixmap tile = make(px(14), px(2));
        QPainter painter(&tile);
        painter.fillRect(QRectF(0, 0, px(9), px(2)), color);
        return tile;
    }
    case Pattern::Folded: {
        QPixmap tile = make(px(4), px(4));
        QPainter painter(&tile);
        painter.fillRect(QRectF(0, 0, px(1), px(4)), color);
        return tile;
    }
    case Pattern::HalfDash: {
        QPixmap tile = make(px(12), px(4));
        QPainter painter(&tile);
        painter.fillRect(QRectF(0, 0, px(6), px(4)), color);
        return tile;
    }
    case Pattern::Rings: {
        QPixmap tile = make(px(10), px(10));
        QPainter painter(&tile);
        painter.setRenderHint(QPainter::Antialiasing);
        QPen pen(color, px(1.5));
        pen.setDashPattern({2, 1.2});
        painter.setPen(pen);
        painter.drawEllipse(QRectF(1, 1, px(10) - 2, px(10) - 2));
        return tile;
    }
    }
    return {};
}

void TimelineStyle::fill(QPainter& painter, const QRectF& rect, Pattern pattern, const QColor& color,
                         double originX) const {
    if (rect.width() <= 0 || rect.height() <= 0) return;
    const quint64 key = (static_cast<quint64>(pattern) << 32) | color.rgba();
    auto found = m_tiles.find(key);
    if (found == m_tiles.end()) found = m_tiles.insert(key, makeTile(pattern, color));
    const double period = found->width() / m_ratio;
    const double height = found->height() / m_ratio;
    double shift = std::fmod(rect.left() - originX, period);
    if (shift < 0) shift += period;
    // The diagonal tile looks the same wherever its rows start, as long as all bars agree; the others are
    // plain in y.
    const bool diagonal = pattern == Pattern::Hatch || pattern == Pattern::Veil;
    const double down = diagonal ? std::fmod(std::fmod(rect.top(), height) + height, height) : 0;
    painter.drawTiledPixmap(rect, *found, QPointF(shift, down));
}

void TimelineStyle::drawBadge(QPainter& painter, const QPointF& centre, int side, const Trace& trace,
                              ActorIndex actor, int primes, bool onBar) const {
    const bool outside = actor < 0 || trace.actors[static_cast<std::size_t>(actor)].outside;
    const quint64 key = (static_cast<quint64>(side) << 40) | (static_cast<quint64>(primes & 0xff) << 32) |
                        (static_cast<quint64>(outside) << 24) | (static_cast<quint64>(onBar) << 25) |
                        static_cast<quint64>(actor & 0xffff);
    auto found = m_badges.find(key);
    const int room = side + 2 * px(2);
    if (found == m_badges.end()) {
        QPixmap pixmap(qRound(room * m_ratio), qRound(room * m_ratio));
        pixmap.setDevicePixelRatio(m_ratio);
        pixmap.fill(Qt::transparent);
        QPainter inner(&pixmap);
        m_look->drawBadge(inner, QRectF(px(2), px(2), side, side), actor, outside, primes, onBar);
        found = m_badges.insert(key, pixmap);
    }
    painter.drawPixmap(QPointF(std::round(centre.x() - room / 2.0), std::round(centre.y() - room / 2.0)),
                       *found);
}

} // namespace lockscope::ui
