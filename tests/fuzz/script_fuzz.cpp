// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Scripts that nobody has vetted: each ends within its budget, goes the same way in a new store, and leaves
// nothing behind for the next one.
#include <string>
#include <string_view>
#include <vector>

#include "core/redis/store.h"
#include "tests/fuzz/must.h"

using namespace lockscope;
using namespace lockscope::redis;

namespace {

constexpr std::int64_t kBegin = 1'700'000'000'000'000;

/// What a script can reach, as one text: every library with what lies in it, and how strings behave.
constexpr std::string_view kInventory = R"lua(
    local seen = {}
    for name, value in pairs(_G) do
        if name ~= 'KEYS' and name ~= 'ARGV' then
            seen[#seen + 1] = tostring(name) .. ':' .. type(value)
            if type(value) == 'table' and value ~= _G then
                for inner, thing in pairs(value) do seen[#seen + 1] = tostring(name) .. '.' .. tostring(inner) .. ':' .. type(thing) end
            end
        end
    end
    table.sort(seen)
    return {#KEYS, #ARGV, ('x'):rep(3), #seen, table.concat(seen, ' '), tostring(nil), math.floor(2.5)}
)lua";

StoreOptions smallBudget() {
    StoreOptions options;
    options.maxStringBytes = 1u << 16;
    options.scriptLimits.steps = 100'000;
    options.scriptLimits.softBytes = 1u << 20;
    options.scriptLimits.hardBytes = 4u << 20;
    options.scriptLimits.largestValue = 1u << 18;
    return options;
}

std::string run(Store& store, std::string_view script, ClientId client, std::int64_t now) {
    std::string said;
    encodeReply(store.execute(client,
                              std::vector<std::string_view>{"EVAL", script, "2", "lock", "hash", "A", "1"},
                              now),
                Protocol::Resp3, said);
    return said;
}

/// With a lock and a hash in it.
void furnish(Store& store) {
    store.execute(0, std::vector<std::string_view>{"SET", "lock", "A", "PX", "1000"}, kBegin);
    store.execute(0, std::vector<std::string_view>{"HSET", "hash", "uuid:1", "2"}, kBegin);
}

/// Brings a server back that a script keeps busy.
void free(Store& store) {
    if (!store.factsOf(1).blocked) return;
    store.advance(kBegin + 6'000'000);
    store.execute(2, std::vector<std::string_view>{"SCRIPT", "KILL"}, kBegin + 6'000'000);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
    if (size > 4096) return 0;
    const std::string_view script(reinterpret_cast<const char*>(data), size);
    static const std::string inventory = [] {
        Store fresh(smallBudget());
        return run(fresh, kInventory, 2, kBegin);
    }();

    static Store used(smallBudget()); // lives through all of them
    used.reset(smallBudget());
    furnish(used);
    const std::string first = run(used, script, 1, kBegin);
    const bool strained = used.strained();
    free(used);
    if (!used.factsOf(1).blocked) // one that has written cannot be killed
        must(run(used, kInventory, 2, kBegin + 6'000'000) == inventory, "a script leaves nothing behind");

    if (strained) return 0; // where it ended may depend on earlier lives
    Store fresh(smallBudget());
    furnish(fresh);
    must(run(fresh, script, 1, kBegin) == first, "in a new store it goes the same way");
    return 0;
}
