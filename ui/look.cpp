// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/look.h"

#include <QApplication>
#include <QFontDatabase>
#include <QPainter>
#include <QStyle>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace lockscope::ui {

namespace {

struct Pair {
    QRgb light;
    QRgb dark;
};

constexpr std::array<Pair, kRoles> kRoleColours{{
    {0xFFFFFFFF, 0xFF15181D}, // Window
    {0xFF1B1F24, 0xFFE8ECF1}, // Text
    {0xFF57606A, 0xFFA3ADB8}, // DimText
    {0xFFF3F5F8, 0xFF1D2229}, // Lane
    {0xFFD0D7DE, 0xFF39424D}, // Hairline
    {0xFF0B57D0, 0xFF8AB4F8}, // Focus
    {0xFFCE084E, 0xFFF33E65}, // Violation
    {0xFFFFFFFF, 0xFF101216}, // OnViolation
    {0xFF4B4D01, 0xFFEEE69D}, // Unknown
    {0xFFFFFFFF, 0xFF101216}, // OnUnknown
    {0xFF6B798A, 0xFF879099}, // Outside
    {0xFFFFFFFF, 0xFF101216}, // OnOutside
}};

constexpr int kActorColours = 4;
constexpr std::array<Pair, kActorColours> kActors{{
    {0xFF014E7B, 0xFF7BA8E8},
    {0xFFBA8100, 0xFFE89B1C},
    {0xFF309F80, 0xFF3FE0CC},
    {0xFFBC40E5, 0xFF8E47F7},
}};
constexpr std::array<Pair, kActorColours> kOnActors{{
    {0xFFFFFFFF, 0xFF101216},
    {0xFF101216, 0xFF101216},
    {0xFF101216, 0xFF101216},
    {0xFF101216, 0xFFFFFFFF},
}};

QColor pick(Pair pair, bool dark) {
    return QColor::fromRgb(dark ? pair.dark : pair.light);
}

int actorSlot(int index) {
    return std::max(index, 0) % kActorColours;
}

/// The corners of a regular polygon, the first one straight up.
QPainterPath regularPolygon(int corners, const QPointF& centre, double radius) {
    QPainterPath path;
    for (int i = 0; i < corners; ++i) {
        const double angle = 2 * std::numbers::pi * i / corners - std::numbers::pi / 2;
        const QPointF corner = centre + radius * QPointF(std::cos(angle), std::sin(angle));
        if (i == 0)
            path.moveTo(corner);
        else
            path.lineTo(corner);
    }
    path.closeSubpath();
    return path;
}

} // namespace

Look::Look(QObject* parent) : QObject(parent) {
    if (qApp != nullptr && QApplication::style() != nullptr)
        m_reducedMotion = QApplication::style()->styleHint(QStyle::SH_Widget_Animation_Duration) == 0;
}

void Look::setDark(bool dark) {
    if (m_dark == dark) return;
    m_dark = dark;
    emit changed();
}

void Look::setScale(double scale) {
    scale = std::clamp(scale, kLeastScale, kMostScale);
    if (m_scale == scale) return;
    m_scale = scale;
    emit changed();
}

void Look::setReducedMotion(bool reduced) {
    if (m_reducedMotion == reduced) return;
    m_reducedMotion = reduced;
    emit changed();
}

QColor Look::color(Role role) const {
    return pick(kRoleColours[static_cast<std::size_t>(role)], m_dark);
}

QColor Look::actor(int index) const {
    return pick(kActors[static_cast<std::size_t>(actorSlot(index))], m_dark);
}

QColor Look::onActor(int index) const {
    return pick(kOnActors[static_cast<std::size_t>(actorSlot(index))], m_dark);
}

bool Look::actorColourRepeats(int index) {
    return index >= kActorColours;
}

QString Look::badgeLetter(int index) const {
    if (index < 0) return QStringLiteral("?");
    // A … Z, then AA, AB … as a spreadsheet names its columns.
    QString letters;
    for (int n = index; n >= 0; n = n / 26 - 1)
        letters.prepend(QChar(u'A' + n % 26));
    return letters;
}

QPainterPath Look::badgeShape(int index, const QRectF& in) const {
    const double side = std::min(in.width(), in.height());
    QRectF box(0, 0, side, side);
    box.moveCenter(in.center());
    QPainterPath path;
    switch (actorSlot(index)) {
    case 0:
        path.addEllipse(box);
        break;
    case 1:
        path.addRect(box.adjusted(side * 0.05, side * 0.05, -side * 0.05, -side * 0.05));
        break;
    case 2:
        path = regularPolygon(6, box.center(), side * 0.54);
        break;
    default:
        // A triangle needs the whole box and a little more to give its letter room.
        path.moveTo(box.center().x(), box.top() - side * 0.08);
        path.lineTo(box.right() + side * 0.08, box.bottom());
        path.lineTo(box.left() - side * 0.08, box.bottom());
        path.closeSubpath();
        break;
    }
    return path;
}

QPainterPath Look::personShape(const QRectF& in) const {
    const double side = std::min(in.width(), in.height());
    QRectF box(0, 0, side, side);
    box.moveCenter(in.center());
    QPainterPath path;
    path.addEllipse(QPointF(box.center().x(), box.top() + side * 0.28), side * 0.22, side * 0.22);
    // Shoulders: the upper half of an ellipse.
    const QRectF body(box.left() + side * 0.1, box.top() + side * 0.56, side * 0.8, side * 0.84);
    path.moveTo(body.left(), body.center().y());
    path.arcTo(body, 180, -180);
    path.closeSubpath();
    return path;
}

void Look::drawBadge(QPainter& painter, const QRectF& in, int index, bool outside, int primes,
                     bool onBar) const {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    if (outside) {
        painter.setBrush(color(onBar ? Role::OnOutside : Role::Outside));
        painter.drawPath(personShape(in));
        painter.restore();
        return;
    }
    painter.setBrush(onBar ? onActor(index) : actor(index));
    painter.drawPath(badgeShape(index, in));
    const QString letters = badgeLetter(index) + QString(primes, QLatin1Char('\''));
    QFont letterFont = font(TextRole::Lane);
    letterFont.setWeight(QFont::DemiBold);
    const double side = std::min(in.width(), in.height());
    letterFont.setPixelSize(std::max(6, qRound(side * (letters.size() > 1 ? 0.5 : 0.68))));
    painter.setFont(letterFont);
    painter.setPen(onBar ? actor(index) : onActor(index));
    QRectF place = in;
    if (actorSlot(index) == 3) place.translate(0, side * 0.12);
    painter.drawText(place, Qt::AlignCenter | Qt::TextDontClip, letters);
    painter.restore();
}

QFont Look::font(TextRole role) const {
    const bool mono = role == TextRole::Code || role == TextRole::PlayheadTime;
    QFont font = QFontDatabase::systemFont(mono ? QFontDatabase::FixedFont : QFontDatabase::GeneralFont);
    font.setItalic(false);
    font.setWeight(role == TextRole::Question ? QFont::DemiBold : QFont::Normal);
    double size = 0;
    switch (role) {
    case TextRole::Prose:
        size = 15;
        break;
    case TextRole::Question:
        size = 17;
        break;
    case TextRole::Lane:
        size = 13;
        break;
    case TextRole::Caption:
        size = 12;
        break;
    case TextRole::Code:
        size = 13;
        break;
    case TextRole::PlayheadTime:
        size = 14;
        break;
    case TextRole::Smallest:
        size = 11;
        break;
    }
    font.setPixelSize(px(size));
    return font;
}

int Look::px(double atFull) const {
    if (atFull <= 0) return static_cast<int>(std::lround(atFull * m_scale));
    return std::max(1, static_cast<int>(std::lround(atFull * m_scale)));
}

QPalette Look::palette() const {
    const QColor window = color(Role::Window);
    const QColor text = color(Role::Text);
    const QColor dim = color(Role::DimText);
    const QColor lane = color(Role::Lane);
    const QColor line = color(Role::Hairline);
    const QColor focus = color(Role::Focus);

    QPalette palette;
    palette.setColor(QPalette::Window, window);
    palette.setColor(QPalette::WindowText, text);
    palette.setColor(QPalette::Base, window);
    palette.setColor(QPalette::AlternateBase, lane);
    palette.setColor(QPalette::Text, text);
    palette.setColor(QPalette::PlaceholderText, dim);
    palette.setColor(QPalette::Button, lane);
    palette.setColor(QPalette::ButtonText, text);
    palette.setColor(QPalette::BrightText, color(Role::Violation));
    palette.setColor(QPalette::Highlight, focus);
    palette.setColor(QPalette::HighlightedText, window);
    palette.setColor(QPalette::Link, focus);
    palette.setColor(QPalette::LinkVisited, focus);
    palette.setColor(QPalette::ToolTipBase, lane);
    palette.setColor(QPalette::ToolTipText, text);
    // The five shades that a style draws frames and bevels with.
    palette.setColor(QPalette::Light, m_dark ? line.lighter(120) : window);
    palette.setColor(QPalette::Midlight, line);
    palette.setColor(QPalette::Mid, line);
    palette.setColor(QPalette::Dark, m_dark ? window.darker(130) : line.darker(130));
    palette.setColor(QPalette::Shadow, m_dark ? QColor(Qt::black) : dim);
    for (const QPalette::ColorRole role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        palette.setColor(QPalette::Disabled, role, dim);
    palette.setColor(QPalette::Disabled, QPalette::Highlight, line);
    palette.setColor(QPalette::Disabled, QPalette::HighlightedText, dim);
    return palette;
}

} // namespace lockscope::ui
