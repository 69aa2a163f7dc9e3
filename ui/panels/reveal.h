// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QWidget;

namespace lockscope::ui {

class Look;

/// Shows or hides a row of the window: it grows to its height and fades in over 200 ms and the others move
/// with it, or, with reduced motion, it is simply there.
void reveal(QWidget* row, bool shown, const Look& look);

} // namespace lockscope::ui
