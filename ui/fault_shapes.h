// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPainterPath>

#include "core/world/scenario.h"

namespace lockscope::ui {

/// The sign of a kind of fault, the same on buttons, menus and lanes: a filled path in a square of 16 units.
QPainterPath faultShape(InterventionKind kind);

} // namespace lockscope::ui
