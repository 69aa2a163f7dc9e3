// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/redis/numbers.h"

#include <algorithm>
#include <charconv>
#include <clocale>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

namespace lockscope::redis {

namespace {

char lower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}
char upper(char c) {
    return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
}

} // namespace

std::optional<std::int64_t> parseInteger(std::string_view text) {
    if (text == "0") return 0;
    const std::string_view digits = !text.empty() && text.front() == '-' ? text.substr(1) : text;
    if (digits.empty() || digits.front() < '1' || digits.front() > '9') return std::nullopt;
    std::int64_t number = 0;
    constexpr std::size_t kNeverTooLarge = 18; // digits
    if (digits.size() <= kNeverTooLarge) {
        for (const char c : digits) {
            if (c < '0' || c > '9') return std::nullopt;
            number = number * 10 + (c - '0');
        }
        return text.front() == '-' ? -number : number;
    }
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return number;
}

namespace {

enum class BeyondRange : std::uint8_t { Refused, Nearest };

/// As strtod reads it, if it is a number from the first byte to the last.
template <typename Number>
std::optional<Number> parseFloating(std::string_view text, BeyondRange beyond = BeyondRange::Refused) {
    if (text.empty()) return std::nullopt;
    const bool negative = text.front() == '-';
    if (negative || text.front() == '+') text.remove_prefix(1);
    const std::string_view unsignedText = text;
    auto format = std::chars_format::general;
    if (text.size() > 2 && text[0] == '0' && lower(text[1]) == 'x') {
        format = std::chars_format::hex;
        text.remove_prefix(2);
    }
    if (text.empty() || text.front() == '-') return std::nullopt;
    Number number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, format);
    if (error == std::errc::result_out_of_range && beyond == BeyondRange::Nearest)
        number = static_cast<Number>(nearestDouble(unsignedText));
    else if (error != std::errc{})
        return std::nullopt;
    if (end != text.data() + text.size() || std::isnan(number)) return std::nullopt;
    return negative ? -number : number;
}

} // namespace

std::optional<long double> parseLongDouble(std::string_view text) {
    constexpr std::size_t kLongest = 5 * 1024 - 1; // the buffer that Redis copies it into
    return text.size() > kLongest ? std::nullopt : parseFloating<long double>(text);
}

std::optional<double> parseDouble(std::string_view text) {
    return parseFloating<double>(text);
}

std::optional<double> parseScoreBound(std::string_view text) {
    text = text.substr(0, text.find('\0'));
    text.remove_prefix(std::min(text.find_first_not_of(" \t\n\v\f\r"), text.size()));
    return text.empty() ? 0 : parseFloating<double>(text, BeyondRange::Nearest);
}

// strtod() goes by the locale of the process, which has a comma in it perhaps.
double nearestDouble(std::string_view number) {
    static const locale_t kPlain = newlocale(LC_ALL_MASK, "C", nullptr);
    return strtod_l(std::string(number).c_str(), nullptr, kPlain);
}

std::string formatLongDouble(long double number) {
    std::string text = fmt::format("{:.17f}", number);
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
    return text == "-0" ? "0" : text;
}

std::string formatDouble(double number) {
    return fmt::format("{:.17g}", number);
}

std::string lowered(std::string_view text) {
    std::string result(text);
    std::ranges::transform(result, result.begin(), lower);
    return result;
}

std::string raised(std::string_view text) {
    std::string result(text);
    std::ranges::transform(result, result.begin(), upper);
    return result;
}

} // namespace lockscope::redis
