// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/time.h"

#include <array>
#include <cctype>
#include <limits>

#include <fmt/format.h>

namespace lockscope {

namespace {

struct Unit {
    std::string_view name;
    std::int64_t micros;
};
// Longest name first where one begins another ("ms" before "m").
constexpr std::array<Unit, 5> kUnits{{{"us", 1}, {"ms", 1000}, {"s", 1'000'000}, {"m", 60'000'000},
                                      {"h", 3'600'000'000}}};
// A run of a year would already be absurd; the bound keeps every sum of instants far from overflow.
constexpr std::int64_t kLongest = 400ll * 24 * 3600 * 1'000'000;

Error badDuration(std::string_view text) {
    return Error{fmt::format("'{}' is not a duration: write 30s, 250ms, 1m30s or 1.5s", text)};
}

} // namespace

Result<Duration> parseDuration(std::string_view text) {
    if (text == "0") return Duration{0};
    if (text.empty()) return badDuration(text);
    std::int64_t total = 0;
    std::int64_t finest = std::numeric_limits<std::int64_t>::max(); // units fall, each at most once
    std::size_t i = 0;
    while (i < text.size()) {
        std::int64_t whole = 0;
        std::int64_t fraction = 0;
        std::int64_t scale = 1;
        std::size_t digits = 0;
        for (; i < text.size() && std::isdigit(static_cast<unsigned char>(text[i])); ++i, ++digits) {
            whole = whole * 10 + (text[i] - '0');
            if (whole > kLongest) return badDuration(text);
        }
        if (i < text.size() && text[i] == '.') {
            ++i;
            for (; i < text.size() && std::isdigit(static_cast<unsigned char>(text[i])); ++i, ++digits) {
                if (scale >= 1'000'000'000) return badDuration(text);
                fraction = fraction * 10 + (text[i] - '0');
                scale *= 10;
            }
        }
        if (digits == 0) return badDuration(text);
        const Unit* unit = nullptr;
        for (const Unit& u : kUnits)
            if (unit == nullptr && text.substr(i).starts_with(u.name)) unit = &u;
        if (unit == nullptr || unit->micros >= finest || whole > kLongest / unit->micros) return badDuration(text);
        finest = unit->micros;
        i += unit->name.size();
        if (fraction * unit->micros % scale != 0) return badDuration(text); // finer than a microsecond
        total += whole * unit->micros + fraction * unit->micros / scale;
        if (total > kLongest) return badDuration(text);
    }
    return Duration{total};
}

std::string formatDuration(Duration d) {
    const std::int64_t us = d.count();
    if (us < 0) return "-" + formatDuration(-d);
    if (us == 0) return "0s";
    if (us < 1000) return fmt::format("{}us", us);
    const auto trimmed = [](std::int64_t whole, std::int64_t rest, int width) {
        std::string out = fmt::format("{}", whole);
        if (rest == 0) return out;
        std::string decimals = fmt::format("{:0{}}", rest, width);
        while (decimals.back() == '0') decimals.pop_back();
        return out + "." + decimals;
    };
    if (us < 1'000'000) return trimmed(us / 1000, us % 1000, 3) + "ms";
    std::string out;
    std::int64_t rest = us;
    if (rest >= 3'600'000'000) {
        out += fmt::format("{}h", rest / 3'600'000'000);
        rest %= 3'600'000'000;
    }
    if (rest >= 60'000'000) {
        out += fmt::format("{}m", rest / 60'000'000);
        rest %= 60'000'000;
    }
    if (rest > 0) out += trimmed(rest / 1'000'000, rest % 1'000'000, 6) + "s";
    return out;
}

std::string formatSeconds(Duration d, int decimals) {
    // Rounds half away from zero in integers, so that the text does not depend on floating point.
    std::int64_t unit = 1'000'000;
    for (int i = 0; i < decimals; ++i) unit /= 10;
    const std::int64_t us = d.count();
    const std::int64_t scaled = (us < 0 ? us - unit / 2 : us + unit / 2) / unit;
    const std::int64_t perSecond = 1'000'000 / unit;
    const std::int64_t magnitude = scaled < 0 ? -scaled : scaled;
    std::string out = scaled < 0 ? "-" : "";
    out += fmt::format("{}", magnitude / perSecond);
    if (decimals > 0) out += fmt::format(".{:0{}}", magnitude % perSecond, decimals);
    return out + " s";
}

std::string formatSecondsExact(Duration d) {
    int decimals = 1;
    for (std::int64_t unit = 100'000; decimals < 6 && d.count() % unit != 0; unit /= 10) ++decimals;
    return formatSeconds(d, decimals);
}

} // namespace lockscope
