// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string_view>

#include "core/base/result.h"
#include "core/lesson/saved_run.h"

namespace lockscope {

/// What a run could be called, from what sets it apart from the step it was made in: "pause Server A 20 s",
/// "release compare-and-delete, kill Server B"; "as the step begins" if nothing does.
std::string suggestedName(const Lesson& lesson, const SavedRun& run);

/// `wanted`, with a number if it is one of `taken`: "pause Server A 20 s (2)".
std::string uniqueName(const std::string& wanted, const std::vector<std::string>& taken);

/// Whether a run can be kept under that name beside `others` kept ones: a run file has room for it. The error
/// says why not.
Result<void> checkKept(std::string_view name, std::size_t others);

} // namespace lockscope
