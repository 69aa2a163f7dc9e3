// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/timeline_style.h"

#include <QFontMetricsF>

#include <optional>

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
    m_marks.clear();
    for (int role = 0; role < kRoles; ++role)
        m_colors[static_cast<std::size_t>(role)] = m_look->color(static_cast<Role>(role));

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

QPixmap TimelineStyle::emptyTile(double width, double height) const {
    QPixmap pixmap(qRound(width * m_ratio), qRound(height * m_ratio));
    pixmap.setDevicePixelRatio(m_ratio);
    pixmap.fill(Qt::transparent);
    return pixmap;
}

QPixmap TimelineStyle::makeTile(Pattern pattern, const QColor& color) const {
    switch (pattern) {
    case Pattern::Hatch: {
        // 9 px from line to line, measured along the row.
        const int period = qRound(px(9) * kSqrt2);
        QPixmap tile = emptyTile(period, period);
        QPainter painter(&tile);
        drawDiagonals(painter, period, px(3), color);
        return tile;
    }
    case Pattern::Veil: {
        const int period = qRound(px(8) * kSqrt2);
        QPixmap tile = emptyTile(period, period);
        QPainter painter(&tile);
        drawDiagonals(painter, period, 1, color);
        return tile;
    }
    case Pattern::Rings: {
        QPixmap tile = emptyTile(px(10), px(10));
        QPainter painter(&tile);
        painter.setRenderHint(QPainter::Antialiasing);
        QPen pen(color, px(1.5));
        pen.setDashPattern({2, 1.2});
        painter.setPen(pen);
        painter.drawEllipse(QRectF(1, 1, px(10) - 2, px(10) - 2));
        return tile;
    }
    case Pattern::CrossHatch: {
        const int period = qRound(px(6) * kSqrt2);
        QPixmap tile = emptyTile(period, period);
        QPainter painter(&tile);
        drawDiagonals(painter, period, px(1), color);
        painter.translate(period, 0);
        painter.scale(-1, 1);
        drawDiagonals(painter, period, px(1), color);
        return tile;
    }
    case Pattern::Zigzag: {
        QPixmap tile = emptyTile(px(10), px(12));
        QPainter painter(&tile);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(color, px(1.5)));
        const std::array<QPointF, 3> way{QPointF(px(2), 0), QPointF(px(8), px(6)), QPointF(px(2), px(12))};
        painter.drawPolyline(way.data(), 3);
        return tile;
    }
    case Pattern::Pinstripe:
    case Pattern::Dots:
    case Pattern::Dashes:
    case Pattern::Folded:
    case Pattern::HalfDash:
        break; // drawn stroke by stroke
    }
    return {};
}

namespace {

/// Patterns of upright strokes: how long one is, and how far it is to the next.
struct Strokes {
    double on;
    double period;
};
std::optional<Strokes> strokesOf(Pattern pattern, const Look& look) {
    switch (pattern) {
    case Pattern::Pinstripe:
        return Strokes{look.px(1.5) * 1.0, look.px(6) * 1.0};
    case Pattern::Dots:
        return Strokes{look.px(2) * 1.0, look.px(6) * 1.0};
    case Pattern::Dashes:
        return Strokes{look.px(9) * 1.0, look.px(14) * 1.0};
    case Pattern::HalfDash:
        return Strokes{look.px(6) * 1.0, look.px(12) * 1.0};
    case Pattern::Hatch:
    case Pattern::Veil:
    case Pattern::Rings:
    case Pattern::CrossHatch:
    case Pattern::Zigzag:
    case Pattern::Folded:
        break;
    }
    return {};
}

} // namespace

void TimelineStyle::fill(QPainter& painter, const QRectF& rect, Pattern pattern, const QColor& color,
                         double originX) const {
    if (rect.width() <= 0 || rect.height() <= 0) return;
    if (pattern == Pattern::Folded) {
        // Lengthwise: a run of folds is long and a picture's memory lies in rows, so this is many times
        // quicker than upright lines, which mean computing anyway.
        const double line = px(1);
        const int lines = rect.height() < px(10) ? 1 : 2;
        for (int i = 1; i <= lines; ++i) {
            const double y = std::round(rect.top() + rect.height() * i / (lines + 1) - line / 2);
            painter.fillRect(QRectF(rect.left(), y, rect.width(), line), color);
        }
        return;
    }
    if (const std::optional<Strokes> strokes = strokesOf(pattern, *m_look)) {
        const double first =
            std::floor((rect.left() - originX) / strokes->period) * strokes->period + originX;
        for (double x = first; x < rect.right(); x += strokes->period) {
            const double x0 = std::max(x, rect.left());
            const double x1 = std::min(x + strokes->on, rect.right());
            if (x1 > x0) painter.fillRect(QRectF(x0, rect.top(), x1 - x0, rect.height()), color);
        }
        return;
    }
    const quint64 key = (static_cast<quint64>(pattern) << 32) | color.rgba();
    auto found = m_tiles.find(key);
    if (found == m_tiles.end()) found = m_tiles.insert(key, makeTile(pattern, color));
    const double period = found->width() / m_ratio;
    const double height = found->height() / m_ratio;
    double shift = std::fmod(rect.left() - originX, period);
    if (shift < 0) shift += period;
    // Diagonals of neighbouring bars must meet, so their tiles share one origin; rings start at the row's
    // top.
    const double down =
        pattern == Pattern::Rings ? 0 : std::fmod(std::fmod(rect.top(), height) + height, height);
    painter.drawTiledPixmap(rect, *found, QPointF(shift, down));
}

void TimelineStyle::drawBadge(QPainter& painter, const QPointF& centre, int side, const Trace& trace,
                              ActorIndex actor, int primes, bool onBar) const {
    const bool outside = actor < 0 || trace.actors[static_cast<std::size_t>(actor)].outside;
    const double edge = px(2);
    drawMark(painter, centre, side + 2 * edge,
             markKey(Mark::Badge, side,
                     static_cast<quint32>(actor & 0xffff) | (static_cast<quint32>(primes & 0xff) << 16) |
                         (outside ? 1u << 24 : 0u) | (onBar ? 1u << 25 : 0u)),
             [&](QPainter& inner, const QRectF& box) {
                 m_look->drawBadge(inner, box.adjusted(edge, edge, -edge, -edge), actor, outside, primes,
                                   onBar);
             });
}

} // namespace lockscope::ui
