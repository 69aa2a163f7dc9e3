// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace lockscope::redis {

/// What the server answers, before any protocol encodes it. Redis' own reply types, RESP3's among them;
/// an encoder for RESP2 folds what that cannot say.
struct Reply {
    enum class Type : std::uint8_t { Status, Error, Integer, Bulk, Null, NullArray, Array, Map, Set, Double, Boolean, BigNumber, Verbatim, Push };

    Type type = Type::Null;
    std::int64_t integer = 0; ///< Integer; Boolean as 0 or 1
    double number = 0;        ///< Double
    std::string text;         ///< Status, Error (with its code: "ERR …"), Bulk, BigNumber, Verbatim
    std::vector<Reply> items; ///< Array, Set, Push; Map as key, value, key, value

    static Reply status(std::string text) { return {Type::Status, 0, 0, std::move(text), {}}; }
    static Reply error(std::string text) { return {Type::Error, 0, 0, std::move(text), {}}; }
    static Reply integerOf(std::int64_t n) { return {Type::Integer, n, 0, {}, {}}; }
    static Reply bulk(std::string text) { return {Type::Bulk, 0, 0, std::move(text), {}}; }
    static Reply null() { return {}; }
    static Reply array(std::vector<Reply> items) { return {Type::Array, 0, 0, {}, std::move(items)}; }

    bool isError() const { return type == Type::Error; }
    bool operator==(const Reply&) const = default;
};

/// As redis-cli shows it on one line: `OK`, `(nil)`, `(integer) 1`, `"text"`, `(error) ERR …`, `[1) … 2) …]`.
/// Texts longer than `most` bytes are cut with `…`; bytes that do not print are escaped.
std::string display(const Reply& reply, std::size_t most = 120);

} // namespace lockscope::redis
