// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <charconv>
#include <concepts>
#include <string>
#include <string_view>

#include "core/base/time.h"

namespace lockscope {

/// Writes JSON straight into a string, member after member: a trace of a hundred thousand events is built
/// without a tree in between. The caller keeps brackets balanced. Output is valid UTF-8 whatever the strings
/// hold.
class JsonWriter {
public:
    explicit JsonWriter(std::string& out) : m_out(out) {}

    void beginObject() { open('{'); }
    void endObject() { close('}'); }
    void beginArray() { open('['); }
    void endArray() { close(']'); }
    /// Ends the line, so that one element stands on one line; JSON does not mind.
    void breakLine() { m_breakNext = true; }

    void key(std::string_view name) {
        separate();
        quote(name);
        m_out += ':';
        m_needsComma = false;
    }
    void value(std::string_view text) {
        separate();
        quote(text);
        m_needsComma = true;
    }
    void value(const char* text) { value(std::string_view(text)); }
    void value(bool b) { raw(b ? "true" : "false"); }
    template <std::integral T>
    requires(!std::same_as<T, bool>) void value(T number) {
        char buffer[24];
        const auto end = std::to_chars(buffer, buffer + sizeof buffer, number).ptr;
        raw({buffer, static_cast<std::size_t>(end - buffer)});
    }
    /// Microseconds; null for kNever.
    void value(Instant t) { t == kNever ? raw("null") : value(micros(t)); }
    void value(Duration d) { value(d.count()); }
    void null() { raw("null"); }

    template <typename T>
    void member(std::string_view name, const T& v) {
        key(name);
        value(v);
    }

private:
    void raw(std::string_view text) {
        separate();
        m_out += text;
        m_needsComma = true;
    }
    void open(char bracket) {
        separate();
        m_out += bracket;
        m_needsComma = false;
    }
    void close(char bracket) {
        if (m_breakNext) m_out += '\n';
        m_breakNext = false;
        m_out += bracket;
        m_needsComma = true;
    }
    void separate() {
        if (m_needsComma) m_out += ',';
        if (m_breakNext) m_out += '\n';
        m_needsComma = m_breakNext = false;
    }
    void quote(std::string_view text);

    std::string& m_out;
    bool m_needsComma = false;
    bool m_breakNext = false;
};

} // namespace lockscope
