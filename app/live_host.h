// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "ui/live/live_host.h"

namespace lockscope::app {

/// Live runs for the window, over core/live.
std::unique_ptr<ui::LiveHost> makeLiveHost();

} // namespace lockscope::app
