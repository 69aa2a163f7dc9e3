// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace lockscope::redis {

/// Reads a whole number exactly as Redis does: no sign but a minus, no leading zero, no blank, no overflow,
/// "-0" neither.
std::optional<std::int64_t> parseInteger(std::string_view text);

/// Reads what INCRBYFLOAT accepts, in the C locale whatever the process' locale is. Nothing for NaN or out of
/// range.
std::optional<long double> parseLongDouble(std::string_view text);
/// Reads a score or a time-out, likewise.
std::optional<double> parseDouble(std::string_view text);
/// Reads an end of a range of scores, which is taken more kindly: blanks may stand before it, nothing is 0,
/// and what is too large or too small for a double is the nearest one.
std::optional<double> parseScoreBound(std::string_view text);
/// The double nearest to a number that std::from_chars() found out of range: 0 or infinity. Decimal, or
/// hexadecimal with its 0x, and without a sign.
double nearestDouble(std::string_view number);
/// 17 decimals without trailing zeros, and never an exponent: "3", "0.1", "10.5".
std::string formatLongDouble(long double number);

/// printf's "%.17g" in the C locale: enough digits to read the same double again.
std::string formatDouble(double number);

/// `text` equals `lower`, which is in lower case, but for the case of ASCII letters.
inline bool equalsIgnoringCase(std::string_view text, std::string_view lower) {
    if (text.size() != lower.size()) return false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if ((c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c) != lower[i]) return false;
    }
    return true;
}
std::string lowered(std::string_view text);
std::string raised(std::string_view text);

} // namespace lockscope::redis
