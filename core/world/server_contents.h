// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/redis/store.h"
#include "core/world/store_recorder.h"

namespace lockscope {

/// A key of a server at some instant.
struct KeyFacts {
    int database = 0;
    std::string key;
    redis::Store::KeyInfo info;
};

/// All keys of a store at that Unix time, also dead ones that still lie in memory; by database and name.
std::vector<KeyFacts> keysOf(const redis::Store& store, std::int64_t nowMicros);
const KeyFacts* keyAmong(const std::vector<KeyFacts>& all, int database, std::string_view key);

/// Another server answers for a node from now on, or the same one after it was started again: tells a trace
/// how its keys differ from what was there `before`. Keys that are gone are lost for that reason, unless
/// their lease has ended meanwhile; keys that are back are the grants of those who once wrote them.
void tellDifference(StoreRecorder& recorder, const redis::Store& now, const std::vector<KeyFacts>& before,
                    EndReason why, std::int64_t nowMicros);

} // namespace lockscope
