// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLineF>
#include <QPainterPath>

#include <initializer_list>

namespace lockscope::ui {

/// Lines with round ends as a filled path, so that a sign of several can be united with others.
QPainterPath strokes(std::initializer_list<QLineF> lines, double width = 1.8);

} // namespace lockscope::ui
