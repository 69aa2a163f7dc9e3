// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/json_writer.h"
#include "core/trace/trace.h"

namespace lockscope {

/// The member `diverged` of a trace's JSON, if it is one of those; see README.md.
void writeDivergence(JsonWriter& json, const Trace& trace);

} // namespace lockscope
