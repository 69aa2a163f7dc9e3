// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace lockscope::ui {

class Look;

/// How plain widgets are dressed: flat, on the 4 px grid, without gradients or shadows. Colours and lengths
/// are the look's. Fonts are not in it, so that a widget's own font always counts.
QString widgetStyle(const Look& look);

} // namespace lockscope::ui
