// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>
#include <QHash>
#include <QPainter>
#include <QPixmap>
#include <QStaticText>

#include <array>
#include <cmath>
#include <string_view>

#include "core/trace/trace.h"
#include "ui/look.h"

namespace lockscope::ui {

/// The fonts of the timeline, as a short list so that cached texts can be keyed by it.
enum class TextFace : std::uint8_t { Lane, LaneBold, Caption, Smallest, Mono, Time };
inline constexpr std::size_t kTextFaces = 6;

/// Patterns that painters fill with. Each is a small tile that repeats without a seam.
enum class Pattern : std::uint8_t {
    Hatch,      ///< 45° lines, 3 px wide, 6 px apart: works without the lock
    Pinstripe,  ///< upright lines every 6 px: computes
    Dots,       ///< waits, cannot run
    Dashes,     ///< dead until the restart
    Veil,       ///< thin 45° lines every 8 px
    Folded,     ///< lengthwise lines: many neighbours too narrow to tell apart
    HalfDash,   ///< as long as its gaps, 4 px thick: thinks so while frozen
    Rings,      ///< a chain of dashed rings: the outcome is unknown
    CrossHatch, ///< thin 45° lines both ways: cannot answer
    Zigzag,     ///< one upright zigzag, as wide as its tile: the axis is broken
};

/// Kinds of small marks that are drawn many times and kept as pixmaps.
enum class Mark : std::uint8_t { Badge, Refusal, Diamond, Fault };
/// Names one of them: what, how big, and what else tells it apart.
constexpr quint64 markKey(Mark mark, int side, quint32 rest) {
    return (static_cast<quint64>(mark) << 56) | (static_cast<quint64>(side & 0xffff) << 32) | rest;
}

/// Everything that painters need of the Look, worked out once: sizes in pixels, fonts, text widths, tiles.
///
/// Invariants:
///  1. Painters measure no text and make no pixmap: both come from here and are kept until rebuild().
///  2. Every size is Look::px() of the design's figure.
class TimelineStyle {
public:
    explicit TimelineStyle(const Look& look) : m_look(&look) { rebuild(1); }

    /// After a change of colours, scale or screen.
    void rebuild(double devicePixelRatio);

    const Look& look() const { return *m_look; }
    const QColor& color(Role role) const { return m_colors[static_cast<std::size_t>(role)]; }
    QColor actor(const Trace& trace, ActorIndex actor) const;
    QColor onActor(const Trace& trace, ActorIndex actor) const;
    int px(double atFull) const { return m_look->px(atFull); }

    const QFont& font(TextFace face) const { return m_fonts[static_cast<std::size_t>(face)]; }
    int lineHeight(TextFace face) const { return m_lineHeights[static_cast<std::size_t>(face)]; }
    double width(const QString& text, TextFace face) const;
    /// Draws one line, its left edge at x, its middle at y. The colour is the painter's pen.
    void drawText(QPainter& painter, double x, double middle, const QString& text, TextFace face) const;

    /// Fills `rect` with a tile whose origin is at `originX` (so that it moves with what it fills).
    void fill(QPainter& painter, const QRectF& rect, Pattern pattern, const QColor& color,
              double originX) const;
    /// Draws a small mark around `centre`. `draw` makes it once, in a box of `side` by `side`; `key` names it
    /// among all marks of this style, so it tells kind, colour and size.
    template <typename Draw>
    void drawMark(QPainter& painter, const QPointF& centre, double side, quint64 key, Draw draw) const {
        auto found = m_marks.constFind(key);
        if (found == m_marks.constEnd()) {
            QPixmap pixmap = emptyTile(side, side);
            QPainter inner(&pixmap);
            inner.setRenderHint(QPainter::Antialiasing);
            draw(inner, QRectF(0, 0, side, side));
            inner.end();
            found = m_marks.insert(key, pixmap);
        }
        painter.drawPixmap(QPointF(std::round(centre.x() - side / 2), std::round(centre.y() - side / 2)),
                           *found);
    }
    /// A badge as a pixmap: the same few are drawn many times.
    void drawBadge(QPainter& painter, const QPointF& centre, int side, const Trace& trace, ActorIndex actor,
                   int primes = 0, bool onBar = false) const;
    double least = 3; ///< narrower spans fold
    double pad = 6;   ///< from a bar's edge to its text
    double badge = 16;
    double diamond = 12;
    double diamondLine = 2;
    double arrow = 1.5;
    double arrowsFrom = 12; ///< pixels between request and reply from which arrows are drawn
    double labelEvery = 400;
    double nobodyFrom = 60;

private:
    struct Text {
        QStaticText text;
        double width = 0;
        double height = 0;
    };
    QPixmap emptyTile(double width, double height) const;
    const Text& cached(const QString& text, TextFace face) const;
    QPixmap makeTile(Pattern pattern, const QColor& color) const;

    const Look* m_look;
    std::array<QColor, kRoles> m_colors;
    double m_ratio = 1;
    std::array<QFont, kTextFaces> m_fonts;
    std::array<int, kTextFaces> m_lineHeights{};
    mutable std::array<QHash<QString, Text>, kTextFaces> m_texts;
    mutable QHash<quint64, QPixmap> m_tiles;
    mutable QHash<quint64, QPixmap> m_marks;
};

} // namespace lockscope::ui
