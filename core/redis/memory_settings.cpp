// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/redis/memory_settings.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "core/redis/numbers.h"

namespace lockscope::redis {

namespace {

constexpr std::array<std::string_view, 8> kPolicyNames = {"volatile-lru",   "volatile-lfu", "volatile-random",
                                                          "volatile-ttl",   "allkeys-lru",  "allkeys-lfu",
                                                          "allkeys-random", "noeviction"};

constexpr std::uint64_t kKibi = 1024;
constexpr std::uint64_t kKilo = 1000;
constexpr auto kUnits =
    std::to_array<std::pair<std::string_view, std::uint64_t>>({{"", 1},
                                                               {"b", 1},
                                                               {"k", kKilo},
                                                               {"kb", kKibi},
                                                               {"m", kKilo* kKilo},
                                                               {"mb", kKibi* kKibi},
                                                               {"g", kKilo* kKilo* kKilo},
                                                               {"gb", kKibi* kKibi* kKibi}});

struct Amount {
    std::uint64_t number = 0;
    std::uint64_t unit = 1;
    bool cut = false; ///< the number was too large
};

std::optional<Amount> amountIn(std::string_view text) {
    constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
    Amount amount;
    std::size_t at = 0;
    for (; at < text.size() && std::isdigit(static_cast<unsigned char>(text[at])) != 0; ++at) {
        const auto digit = static_cast<std::uint64_t>(text[at] - '0');
        amount.cut = amount.cut || amount.number > (kMost - digit) / 10;
        amount.number = amount.cut ? kMost : amount.number * 10 + digit;
    }
    const auto* const unit = std::ranges::find_if(
        kUnits, [&](const auto& known) { return equalsIgnoringCase(text.substr(at), known.first); });
    if (unit == kUnits.end()) return std::nullopt;
    amount.unit = unit->second;
    return amount;
}

} // namespace

std::string_view nameOf(EvictionPolicy policy) {
    return kPolicyNames[static_cast<std::size_t>(policy)];
}

std::optional<EvictionPolicy> evictionPolicyNamed(std::string_view name) {
    for (std::size_t i = 0; i < kPolicyNames.size(); ++i)
        if (equalsIgnoringCase(name, kPolicyNames[i])) return static_cast<EvictionPolicy>(i);
    return std::nullopt;
}

std::string evictionPolicyNames() {
    return fmt::format("{}", fmt::join(kPolicyNames, ", "));
}

std::optional<std::uint64_t> parseMemory(std::string_view text) {
    const std::optional<Amount> amount = amountIn(text);
    std::uint64_t bytes = 0;
    if (!amount || amount->cut || __builtin_mul_overflow(amount->number, amount->unit, &bytes))
        return std::nullopt;
    return bytes;
}

std::optional<std::uint64_t> parseMemoryAsConfig(std::string_view text) {
    const std::optional<Amount> amount = amountIn(text);
    if (!amount) return std::nullopt;
    return amount->number * amount->unit;
}

std::string humanMemory(std::uint64_t bytes) {
    constexpr std::string_view kLetters = "KMGTPE";
    if (bytes < kKibi) return fmt::format("{}B", bytes);
    auto shown = static_cast<double>(bytes) / kKibi;
    std::size_t letter = 0;
    for (; shown >= kKibi && letter + 1 < kLetters.size(); ++letter)
        shown /= kKibi;
    return fmt::format("{:.2f}{}", shown, kLetters[letter]);
}

} // namespace lockscope::redis
