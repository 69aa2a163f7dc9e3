// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/redis/entry.h"

#include "core/redis/numbers.h"

namespace lockscope::redis {

namespace {

constexpr std::size_t kMostEmbeddedBytes = 44;
constexpr std::size_t kLongestNumber = 20;

} // namespace

std::optional<std::int64_t> storedNumber(const Entry& entry) {
    const auto* text = valueAs<std::string>(entry.value);
    if (!text || entry.form != StringForm::Set || text->size() > kLongestNumber) return std::nullopt;
    return parseInteger(*text);
}

std::string_view encodingName(const Entry& entry) {
    const auto* text = valueAs<std::string>(entry.value);
    if (!text) return collectionEncoding(entry.value);
    if (storedNumber(entry)) return "int";
    return entry.form != StringForm::Changed && text->size() <= kMostEmbeddedBytes ? "embstr" : "raw";
}

} // namespace lockscope::redis
