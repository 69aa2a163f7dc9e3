// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdio>
#include <cstdlib>

namespace lockscope {

[[noreturn]] inline void assertionFailed(const char* condition, const char* file, int line) {
    std::fprintf(stderr, "lockscope: broken assumption '%s' at %s:%d\n", condition, file, line);
    std::abort();
}

} // namespace lockscope

/// A bug of ours if it does not hold. It stays on in release builds.
#define LOCKSCOPE_ASSERT(condition)                                                                           \
    (static_cast<bool>(condition) ? void(0) : ::lockscope::assertionFailed(#condition, __FILE__, __LINE__))
