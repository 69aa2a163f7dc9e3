// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPainter>

#include "core/search/sweep.h"
#include "ui/timeline/scene.h"

namespace lockscope::ui {

class PreparedDifference;

/// What every painter of one frame gets beside the scene.
struct PaintFrame : Scene {
    QPainter& painter;
};

// One file a family of marks.
void paintBands(const PaintFrame& frame);
void paintDoes(const PaintFrame& frame, const Band& band);
void paintThinks(const PaintFrame& frame, const Band& band);
void paintStrip(const PaintFrame& frame, const Band& band);
void paintOwners(const PaintFrame& frame, const Band& band);
void paintResource(const PaintFrame& frame, const Band& band);
void paintTtl(const PaintFrame& frame, const Band& band);
void paintRequests(const PaintFrame& frame, const Band& band);
void paintFaults(const PaintFrame& frame);
void paintViolations(const PaintFrame& frame);
void paintVeil(const PaintFrame& frame);
void paintBreakGrounds(const PaintFrame& frame); ///< under the lanes
void paintBreakCuts(const PaintFrame& frame);    ///< over them
void paintRulerBreaks(const PaintFrame& frame);
/// The run before the last change, as far as it was otherwise.
void paintGhost(const PaintFrame& frame, const PreparedDifference& was);
/// What the run beside this one does not have, and the instant at which the two part.
void paintApart(const PaintFrame& frame, const PreparedDifference& mine, Instant first);

/// A narrow region of the strip at a scale at which its inside can be seen, beside the strip.
void paintStripLens(const PaintFrame& frame, const Band& band, std::size_t row, const Sweep::Region& region);
/// A region's pattern tells the row it is in, so that rows are told apart without colour.
void fillStripRow(const PaintFrame& frame, const QRectF& rect, std::size_t row);

/// The marks of all lanes, in the order in which they cover one another.
void paintLanes(const PaintFrame& frame);

/// The frame of a rectangle, `width` pixels thick, inside of it. Four fills are much cheaper than a wide pen.
void paintOutline(QPainter& painter, const QRectF& rect, double width, const QColor& color);

/// The frame of something that is to come and has not happened: dashed, and nothing in it.
void paintAhead(const PaintFrame& frame, const QRectF& rect);

/// The double slash of a broken axis, with a gap of the window's colour.
void paintSlashes(const PaintFrame& frame, const QRectF& box);

/// A short text on a plate of its own, so that it reads on any ground. `middle` is its vertical middle.
void paintPlate(const PaintFrame& frame, double x, double middle, const QString& text, TextFace face,
                const QColor& ground, const QColor& ink);

} // namespace lockscope::ui
