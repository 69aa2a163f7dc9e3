// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "core/base/random.h"

namespace lockscope::redis {

/// One command of a sequence. Arguments of the form "@+1500" or "@s+2" stand for the instant so many
/// milliseconds or seconds after the sequence began, so that a sequence stays meaningful when steps are taken
/// out of it.
struct Step {
    std::int64_t atMicros = 0; ///< since the sequence began; never going back
    int connection = 0;
    std::vector<std::string> args;
};

using Sequence = std::vector<Step>;

/// When every sequence begins.
inline constexpr std::int64_t kSequenceStart = 1'700'000'000'000'000;

/// The arguments with instants filled in.
std::vector<std::string> resolved(const Step& step);

/// As one would type it into redis-cli, with the waits as comments.
std::string asRedisCliLines(const Sequence& sequence);

/// Draws random sequences over all commands of the store: few keys, values that are nearly numbers, deadlines
/// close by and waits that end just before, at and just after them, wrong options and wrong counts of
/// arguments now and then.
class SequenceGenerator {
public:
    explicit SequenceGenerator(std::uint64_t seed) : m_random(seed) {}

    Sequence next(std::size_t steps);

private:
    Step step();
    std::string word(std::string_view placeholder);
    void wait();
    void addOptions(std::vector<std::string>& args, const std::vector<std::string>& from, std::size_t most);
    void spoil(std::vector<std::string>& args);
    const std::string& pick(const std::vector<std::string>& from) {
        return from[m_random.below(from.size())];
    }
    bool oneIn(std::uint64_t n) { return m_random.below(n) == 0; }

    Random m_random;
    const std::vector<std::string>* m_keys = nullptr; ///< that the command at hand most often means
    std::array<bool, 3> m_inTransaction{};
    bool m_silent = false; ///< the connection that plays with CLIENT REPLY
    std::int64_t m_now = 0;
    std::vector<std::int64_t> m_deadlines; ///< in milliseconds since the beginning
};

} // namespace lockscope::redis
