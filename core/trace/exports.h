// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/trace/invariants.h"

namespace lockscope {

/// The trace as JSON, by schema kTraceSchema (core/trace/README.md lists the fields). Equal traces give equal
/// bytes.
std::string toJson(const Trace& trace, const Analysis& analysis, const std::vector<Violation>& violations,
                   const Outcome& outcome);

struct TextExportOptions {
    int width = 100; ///< columns
    bool unicode = true;
};
/// A swimlane timeline in plain text, with the violations and the outcome below it.
std::string toText(const Trace& trace, const Analysis& analysis, const std::vector<Violation>& violations,
                   const Outcome& outcome, const TextExportOptions& options = {});

} // namespace lockscope
