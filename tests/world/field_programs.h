// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace lockscope::test {

/// What the programs of the field cases share: the three commands of a lock with a token, and polling. A
/// program is `field(...)` of its own part.
inline std::string field(const std::string& program) {
    return R"lua(
local token = uuid()
local function acq(ms, t) return redis.call("SET", lock, t or token, "NX", "PX", ms) end
local function rel(t)
  return redis.call("EVAL", [[if redis.call("GET", KEYS[1]) == ARGV[1] then
    return redis.call("DEL", KEYS[1]) end return 0]], 1, lock, t or token)
end
local function ren(ms, t)
  return redis.call("EVAL", [[if redis.call("GET", KEYS[1]) == ARGV[1] then
    return redis.call("PEXPIRE", KEYS[1], ARGV[2]) end return 0]], 1, lock, t or token, ms)
end
-- asks on a grid until granted, one step of the grid from now for the first time
local function poll(grid, ms) wait(every(grid, function() return acq(ms) end)) end
)lua" + program;
}

/// Acquires at its start, works, steps back and releases by comparing.
inline std::string decent(const std::string& ttl, const std::string& work) {
    return field("if not acq(" + ttl + ") then return end enter(lock) work('Job', " + work +
                 ") leave(lock) rel()");
}

} // namespace lockscope::test
