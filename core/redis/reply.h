// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lockscope::redis {

/// What the server answers, before any protocol encodes it. Redis' own reply types, RESP3's among them;
/// an encoder for RESP2 folds what that cannot say.
struct Reply {
    enum class Type : std::uint8_t {
        Status,
        Error,
        Integer,
        Bulk,
        Null,
        NullArray,
        Array,
        Map,
        Set,
        Double,
        Boolean,
        BigNumber,
        Verbatim,
        Push,
        None ///< nothing now: the client waits, or gets messages instead
    };

    Type type = Type::Null;
    std::int64_t integer = 0; ///< Integer; Boolean as 0 or 1
    double number = 0;        ///< Double
    std::string text; ///< Status, Error (with its code: "ERR …"), Bulk, BigNumber, Verbatim ("txt:" and text)
    std::vector<Reply> items; ///< Array, Set, Push; Map as key, value, key, value

    static Reply status(std::string text) { return {Type::Status, 0, 0, std::move(text), {}}; }
    static Reply error(std::string text) { return {Type::Error, 0, 0, std::move(text), {}}; }
    static Reply integerOf(std::int64_t n) { return {Type::Integer, n, 0, {}, {}}; }
    static Reply bulk(std::string text) { return {Type::Bulk, 0, 0, std::move(text), {}}; }
    static Reply null() { return {}; }
    static Reply array(std::vector<Reply> items) { return {Type::Array, 0, 0, {}, std::move(items)}; }

    // The same in place: the object keeps its memory, so that a reply that is used again allocates nothing.
    Reply& become(Type newType, std::string_view newText = {}) {
        type = newType;
        integer = 0;
        number = 0;
        if (newText.empty())
            text.clear(); // most replies have none
        else
            text.assign(newText);
        items.clear();
        return *this;
    }
    void becomeNull() { become(Type::Null); }
    void becomeStatus(std::string_view newText) { become(Type::Status, newText); }
    void becomeError(std::string_view newText) { become(Type::Error, newText); }
    void becomeBulk(std::string_view newText) { become(Type::Bulk, newText); }
    void becomeInteger(std::int64_t n) { become(Type::Integer).integer = n; }
    void becomeDouble(double n) { become(Type::Double).number = n; }
    /// An array that is still empty; the caller adds to items.
    void becomeArray() { become(Type::Array); }

    bool isError() const { return type == Type::Error; }
    bool operator==(const Reply&) const = default;
};

/// As redis-cli shows it on one line: `OK`, `(nil)`, `(integer) 1`, `"text"`, `(error) ERR …`, `[1) … 2) …]`.
/// Texts longer than `most` bytes are cut with `…`; bytes that do not print are escaped.
std::string display(const Reply& reply, std::size_t most = 120);

/// The same reply with RESP2's types alone, as Redis folds it for a client that did not say HELLO 3.
Reply foldedForResp2(const Reply& reply);

} // namespace lockscope::redis
