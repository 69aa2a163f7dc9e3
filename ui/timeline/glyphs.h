// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QPainterPath>
#include <QRectF>

#include "core/trace/trace.h"

class QPainter;

namespace lockscope::ui {

/// Small signs, drawn and not taken from a font, so that they look the same on every machine.
enum class Sign : std::uint8_t {
    Clock,     ///< the lease ended
    Bin,       ///< deleted
    Down,      ///< evicted
    Over,      ///< overwritten: an arrow over a bar
    Bolt,      ///< flushed, lost in a failover
    Cross,     ///< dead, lost
    CrossRim,  ///< what goes under a cross that stands on a bar
    Question,  ///< unknown
    PauseBars, ///< paused
};

/// The sign for why an ownership ended. EndReason::None has none: ask only for the others.
Sign glyphFor(EndReason reason);

/// Draws it to fill `in`, in one colour, with lines as wide as suits its size.
void drawGlyph(QPainter& painter, Sign glyph, const QRectF& in, const QColor& color);

/// The diamond of a violation around `centre`; `size` from corner to corner.
QPainterPath diamondShape(const QPointF& centre, double size);

} // namespace lockscope::ui
