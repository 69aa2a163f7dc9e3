// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace lockscope::redis {

/// Redis' patterns: `*`, `?`, `[abc]`, `[a-z]`, `[^a]` and a backslash before any of them. As in Redis the
/// empty text matches the empty pattern only. At most pattern times text steps.
bool matchesGlob(std::string_view pattern, std::string_view text);

} // namespace lockscope::redis
