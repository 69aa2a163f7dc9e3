// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <initializer_list>
#include <string>

#include "core/trace/trace.h"

namespace lockscope::test {

/// A trace as text, one event a line, with every field of it: `30.201 lease-ended lock:report …`. Two traces
/// with the same transcript are the same. `kinds` picks some kinds; empty: all.
std::string transcript(const Trace& trace, std::initializer_list<EventKind> kinds = {});

} // namespace lockscope::test
