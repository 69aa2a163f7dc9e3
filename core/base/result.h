// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace lockscope {

/// Why something that could fail did: one line that names what, where and what is allowed.
/// `file` and `line` are set when the cause stands in a file of the user's.
struct Error {
    std::string message;
    std::string file = {};
    int line = 0;

    /// `file:line: message`, with the parts that are known.
    std::string text() const {
        std::string out = file;
        if (line > 0) {
            out += file.empty() ? "line " : ":";
            out += std::to_string(line);
        }
        if (!out.empty()) out += ": ";
        return out += message;
    }
};

/// A value, or the reason why there is none. Core functions return it instead of throwing.
template <typename T>
class [[nodiscard]] Result {
public:
    Result(T value) : m_state(std::in_place_index<0>, std::move(value)) {}
    Result(Error error) : m_state(std::in_place_index<1>, std::move(error)) {}

    bool ok() const { return m_state.index() == 0; }
    explicit operator bool() const { return ok(); }

    T& value() & { return std::get<0>(m_state); }
    const T& value() const& { return std::get<0>(m_state); }
    T&& value() && { return std::get<0>(std::move(m_state)); }
    T& operator*() & { return value(); }
    const T& operator*() const& { return value(); }
    T* operator->() { return &value(); }
    const T* operator->() const { return &value(); }

    const Error& error() const { return std::get<1>(m_state); }

private:
    std::variant<T, Error> m_state;
};

/// A step that yields nothing but can fail.
template <>
class [[nodiscard]] Result<void> {
public:
    Result() = default;
    Result(Error error) : m_error(std::move(error)) {}

    bool ok() const { return !m_error.has_value(); }
    explicit operator bool() const { return ok(); }
    const Error& error() const { return *m_error; }

private:
    std::optional<Error> m_error;
};

} // namespace lockscope
