// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string_view>

namespace lockscope::redis {

/// What the text of a script says it could do to keys. Read from the command names that stand in it as
/// strings.
struct ScriptEffects {
    bool puts = false;    ///< it names a command that can put a value under a key
    bool deletes = false; ///< it names one that takes a key away

    bool canGrant() const { return puts && !deletes; }
};

ScriptEffects effectsOf(std::string_view script);

} // namespace lockscope::redis
