// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Preloaded into a real redis-server: its wall clock is the number in a file that the test maps too, so that
// deadlines are exact and nobody sleeps. The monotonic clock stays as it is: by it the server wakes up and
// does its chores.

#include <atomic>
#include <cstdint>
#include <cstdlib>

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

namespace {

std::int64_t nowMicros() {
    static const std::atomic<std::int64_t>* const clock = [] {
        const int file = open(getenv("LOCKSCOPE_CLOCK_FILE"), O_RDONLY);
        void* page = mmap(nullptr, sizeof(std::int64_t), PROT_READ, MAP_SHARED, file, 0);
        if (page == MAP_FAILED) abort();
        close(file);
        return static_cast<const std::atomic<std::int64_t>*>(page);
    }();
    return clock->load();
}

} // namespace

extern "C" {

int gettimeofday(timeval* into, void*) noexcept {
    const std::int64_t now = nowMicros();
    into->tv_sec = now / 1'000'000;
    into->tv_usec = now % 1'000'000;
    return 0;
}

time_t time(time_t* into) noexcept {
    const time_t now = nowMicros() / 1'000'000;
    if (into) *into = now;
    return now;
}

int clock_gettime(clockid_t which, timespec* into) noexcept {
    using Function = int (*)(clockid_t, timespec*);
    static const auto real = reinterpret_cast<Function>(dlsym(RTLD_NEXT, "clock_gettime"));
    if (which != CLOCK_REALTIME && which != CLOCK_REALTIME_COARSE) return real(which, into);
    const std::int64_t now = nowMicros();
    into->tv_sec = now / 1'000'000;
    into->tv_nsec = now % 1'000'000 * 1000;
    return 0;
}

} // extern "C"
