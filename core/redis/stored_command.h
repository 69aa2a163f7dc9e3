// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace lockscope::redis {

/// A command that does to a server again what was done to another one: of a file on disk, of a full
/// synchronisation, of the stream to replicas. Its instants are absolute, and it leaves nothing to chance.
struct StoredCommand {
    int database = 0;
    std::vector<std::string> words;

    bool operator==(const StoredCommand&) const = default;
};

} // namespace lockscope::redis
