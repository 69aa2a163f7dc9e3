// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <variant>

#include "core/redis/collections.h"

namespace lockscope::redis {

/// What lies under a key: one alternative for each of Redis' types. A string, which locks are made of, lies
/// in place; the others are behind a pointer that is never null. A further type is a further alternative
/// here, with its name, encoding and rendering in value.cpp.
using Value = std::variant<std::string, std::unique_ptr<List>, std::unique_ptr<Set>,
                           std::unique_ptr<SortedSet>, std::unique_ptr<Hash>>;

/// The value if it is of that type, null otherwise.
template <typename T>
T* valueAs(Value& value) {
    if constexpr (std::is_same_v<T, std::string>) {
        return std::get_if<std::string>(&value);
    } else {
        auto* held = std::get_if<std::unique_ptr<T>>(&value);
        return held ? held->get() : nullptr;
    }
}
template <typename T>
const T* valueAs(const Value& value) {
    return valueAs<T>(const_cast<Value&>(value));
}

/// As TYPE answers it.
std::string_view typeName(const Value& value);
/// Of a collection, as OBJECT ENCODING answers it.
std::string_view collectionEncoding(const Value& value);
/// Bytes of a string, elements of another type.
std::size_t sizeOf(const Value& value);
/// For observers and inspectors: a string itself; of another type the beginning, made in `scratch`:
/// "{holder: 2}", "[a, b, …]".
std::string_view shown(const Value& value, std::string& scratch);

} // namespace lockscope::redis
