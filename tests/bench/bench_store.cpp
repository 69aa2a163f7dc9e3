// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The embedded store in process: commands a second, and what a lock's release costs as a script.

#include <string_view>
#include <vector>

#include <benchmark/benchmark.h>

#include "core/redis/store.h"

using namespace lockscope::redis;

namespace {

constexpr std::int64_t kStart = 1'700'000'000'000'000;
using Words = std::vector<std::string_view>;

/// Runs one command over and over on a store with a lock in it, a microsecond apart.
void run(benchmark::State& state, const Words& command) {
    Store store;
    store.execute(0, Words{"SET", "lock", "A", "PX", "3600000"}, kStart);
    store.execute(0, Words{"HSET", "hash", "uuid:1", "1"}, kStart);
    std::int64_t now = kStart;
    for (auto _ : state)
        benchmark::DoNotOptimize(store.execute(0, command, ++now));
    state.SetItemsProcessed(state.iterations());
}

void get(benchmark::State& state) {
    run(state, {"GET", "lock"});
}
void failingSetNx(benchmark::State& state) {
    run(state, {"SET", "lock", "B", "NX", "PX", "30000"});
}
void setOver(benchmark::State& state) {
    run(state, {"SET", "lock", "B", "PX", "30000"});
}
void reentrantCount(benchmark::State& state) {
    run(state, {"HINCRBY", "hash", "uuid:1", "1"});
}
void refusedReleaseScript(benchmark::State& state) {
    run(state,
        {"EVAL",
         "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) else return 0 end",
         "1", "lock", "B"});
}

} // namespace

BENCHMARK(get);
BENCHMARK(failingSetNx);
BENCHMARK(setOver);
BENCHMARK(reentrantCount);
BENCHMARK(refusedReleaseScript);

BENCHMARK_MAIN();
