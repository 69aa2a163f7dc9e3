// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "ui/live/serve_host.h"

namespace lockscope::app {

/// The lesson served to clients of this machine, for the window, over core/live.
std::unique_ptr<ui::ServeHost> makeServeHost();

} // namespace lockscope::app
