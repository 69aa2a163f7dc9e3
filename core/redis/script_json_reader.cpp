// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <charconv>
#include <cstdlib>

#include "core/lua/sandbox.h"
#include "core/redis/numbers.h"
#include "core/redis/script_libraries.h"

// cjson.decode: from text to values, and what is wrong with a text told in lua-cjson's words.

namespace lockscope::redis {

namespace {

constexpr int kDeepestDecoded = 1000;
constexpr std::size_t kDecodedBytesPerStep = 4;

enum class Kind : std::uint8_t {
    ObjectBegin,
    ObjectEnd,
    ArrayBegin,
    ArrayEnd,
    String, ///< in text()
    Number,
    Boolean,
    Null,
    Colon,
    Comma,
    End,
    Wrong ///< why: in wrong
};

const char* nameOf(Kind kind) {
    static constexpr const char* kNames[] = {"T_OBJ_BEGIN", "T_OBJ_END", "T_ARR_BEGIN", "T_ARR_END",
                                             "T_STRING",    "T_NUMBER",  "T_BOOLEAN",   "T_NULL",
                                             "T_COLON",     "T_COMMA",   "T_END"};
    return kNames[static_cast<std::size_t>(kind)];
}

struct Token {
    Kind kind = Kind::End;
    std::size_t at = 0; ///< where it begins
    double number = 0;
    bool truth = false;
    const char* wrong = nullptr;
};

/// Reads one text. Holds nothing that an error of Lua could leave behind.
class JsonReader {
public:
    JsonReader(lua_State* L, std::string_view text) : m_lua(L), m_text(text), m_string(L) {}

    void readWhole() {
        readValue(next());
        const Token last = next();
        if (last.kind != Kind::End) fail("the end", last);
    }

private:
    char peek(std::size_t ahead = 0) const {
        return m_at + ahead < m_text.size() ? m_text[m_at + ahead] : '\0';
    }

    [[noreturn]] void fail(const char* expected, const Token& token) {
        luaL_error(m_lua, "Expected %s but found %s at character %d", expected,
                   token.kind == Kind::Wrong ? token.wrong : nameOf(token.kind),
                   static_cast<int>(token.at + 1));
        std::abort(); // luaL_error does not return
    }

    Token next() {
        while (peek() == ' ' || peek() == '\t' || peek() == '\n' || peek() == '\r')
            ++m_at;
        Token token;
        token.at = m_at;
        const char c = peek();
        switch (c) {
        case '{':
            return one(token, Kind::ObjectBegin);
        case '}':
            return one(token, Kind::ObjectEnd);
        case '[':
            return one(token, Kind::ArrayBegin);
        case ']':
            return one(token, Kind::ArrayEnd);
        case ':':
            return one(token, Kind::Colon);
        case ',':
            return one(token, Kind::Comma);
        case '"':
            return readString(token);
        case '\0':
            if (m_at >= m_text.size()) return token;
            return wrong(token, "invalid token");
        default:
            break;
        }
        if (c == '-' || c == '+' || (c >= '0' && c <= '9')) return readNumber(token);
        if (takes("true") || takes("false")) {
            token.kind = Kind::Boolean;
            token.truth = c == 't';
            return token;
        }
        if (takes("null")) {
            token.kind = Kind::Null;
            return token;
        }
        if (isNamedNumber(c)) return readNumber(token);
        return wrong(token, "invalid token");
    }

    Token one(Token token, Kind kind) {
        ++m_at;
        token.kind = kind;
        return token;
    }

    static Token wrong(Token token, const char* why) {
        token.kind = Kind::Wrong;
        token.wrong = why;
        return token;
    }

    bool takes(std::string_view word) {
        if (m_text.substr(m_at, word.size()) != word) return false;
        m_at += word.size();
        return true;
    }

    /// "inf" and "nan" are no JSON, and are read all the same.
    bool isNamedNumber(char c) const {
        const std::string_view word = m_text.substr(m_at, 3);
        return (c == 'i' || c == 'I' || c == 'n' || c == 'N') &&
               (equalsIgnoringCase(word, "inf") || equalsIgnoringCase(word, "nan"));
    }

    /// As strtod reads it: hexadecimal numbers too.
    Token readNumber(Token token) {
        const bool negative = peek() == '-';
        const std::size_t first = m_at + (negative || peek() == '+' ? 1 : 0);
        const auto read = [&](std::size_t begin, std::chars_format format) {
            const std::string_view rest = m_text.substr(std::min(begin, m_text.size()));
            if (rest.starts_with('-'))
                return std::from_chars_result{rest.data(), std::errc::invalid_argument};
            return std::from_chars(rest.data(), rest.data() + rest.size(), token.number, format);
        };
        std::from_chars_result end{nullptr, std::errc::invalid_argument};
        if (lowered(m_text.substr(std::min(first, m_text.size()), 2)) == "0x")
            end = read(first + 2, std::chars_format::hex);
        if (end.ec == std::errc::invalid_argument) end = read(first, std::chars_format::general);
        if (end.ec == std::errc::invalid_argument) return wrong(token, "invalid number");
        m_at = static_cast<std::size_t>(end.ptr - m_text.data());
        if (end.ec == std::errc::result_out_of_range)
            token.number = nearestDouble(m_text.substr(first, m_at - first));
        if (negative) token.number = -token.number;
        token.kind = Kind::Number;
        return token;
    }

    Token readString(Token token) {
        m_string.clear();
        ++m_at;
        while (peek() != '"') {
            const char c = peek();
            if (m_at >= m_text.size()) {
                token.at = m_at;
                return wrong(token, "unexpected end of string");
            }
            if (c != '\\') {
                m_string.append(c);
                ++m_at;
                continue;
            }
            if (peek(1) == 'u') {
                if (!readUnicode()) {
                    token.at = m_at;
                    return wrong(token, "invalid unicode escape code");
                }
                continue;
            }
            static constexpr std::string_view kEscapes = "\"\\/bfnrt";
            static constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
            const std::size_t which = kEscapes.find(peek(1));
            if (peek(1) == '\0' || which == std::string_view::npos) {
                token.at = m_at;
                return wrong(token, "invalid escape code");
            }
            m_string.append(kMeanings[which]);
            m_at += 2;
        }
        ++m_at;
        token.kind = Kind::String;
        return token;
    }

    int hexDigits(std::size_t from) const {
        unsigned value = 0;
        if (from + 4 > m_text.size()) return -1;
        const char* const begin = m_text.data() + from;
        const auto [stop, error] = std::from_chars(begin, begin + 4, value, 16);
        return error == std::errc{} && stop == begin + 4 ? static_cast<int>(value) : -1;
    }

    /// \uXXXX, or two of them for a letter beyond the first plane, as UTF-8.
    bool readUnicode() {
        int code = hexDigits(m_at + 2);
        if (code < 0) return false;
        std::size_t length = 6;
        if ((code & 0xF800) == 0xD800) {
            const int low = peek(6) == '\\' && peek(7) == 'u' ? hexDigits(m_at + 8) : -1;
            if ((code & 0x400) != 0 || low < 0 || (low & 0xFC00) != 0xDC00) return false;
            code = ((code & 0x3FF) << 10 | (low & 0x3FF)) + 0x10000;
            length = 12;
        }
        m_at += length;
        const auto tail = [&](int shift) {
            m_string.append(static_cast<char>(0x80 | (code >> shift & 0x3F)));
        };
        if (code < 0x80) {
            m_string.append(static_cast<char>(code));
        } else if (code < 0x800) {
            m_string.append(static_cast<char>(0xC0 | code >> 6));
            tail(0);
        } else if (code < 0x10000) {
            m_string.append(static_cast<char>(0xE0 | code >> 12));
            tail(6);
            tail(0);
        } else {
            m_string.append(static_cast<char>(0xF0 | code >> 18));
            tail(12);
            tail(6);
            tail(0);
        }
        return true;
    }

    void pushString() { lua_pushlstring(m_lua, m_string.view().data(), m_string.view().size()); }

    /// Pushes the value that begins with the token.
    void readValue(const Token& token) {
        switch (token.kind) {
        case Kind::String:
            return pushString();
        case Kind::Number:
            return lua_pushnumber(m_lua, token.number);
        case Kind::Boolean:
            return lua_pushboolean(m_lua, token.truth ? 1 : 0);
        case Kind::Null:
            return lua_pushlightuserdata(m_lua, nullptr);
        case Kind::ObjectBegin:
            return readObject();
        case Kind::ArrayBegin:
            return readArray();
        default:
            fail("value", token);
        }
    }

    void descend() {
        if (++m_depth > kDeepestDecoded || lua_checkstack(m_lua, 4) == 0)
            luaL_error(m_lua, "Found too many nested data structures (%d) at character %d", m_depth,
                       static_cast<int>(m_at));
        lua_newtable(m_lua);
    }

    void readObject() {
        descend();
        Token token = next();
        if (token.kind != Kind::ObjectEnd) {
            while (true) {
                if (token.kind != Kind::String) fail("object key string", token);
                pushString();
                token = next();
                if (token.kind != Kind::Colon) fail("colon", token);
                readValue(next());
                lua_rawset(m_lua, -3);
                token = next();
                if (token.kind == Kind::ObjectEnd) break;
                if (token.kind != Kind::Comma) fail("comma or object end", token);
                token = next();
            }
        }
        --m_depth;
    }

    void readArray() {
        descend();
        Token token = next();
        for (int i = 1; token.kind != Kind::ArrayEnd; ++i) {
            readValue(token);
            lua_rawseti(m_lua, -2, i);
            token = next();
            if (token.kind == Kind::ArrayEnd) break;
            if (token.kind != Kind::Comma) fail("comma or array end", token);
            token = next();
            if (token.kind == Kind::ArrayEnd) fail("value", token);
        }
        --m_depth;
    }

    lua_State* m_lua;
    std::string_view m_text;
    LuaText m_string; ///< the last string that was read
    std::size_t m_at = 0;
    int m_depth = 0;
};

} // namespace

int decodeJson(lua_State* L) {
    luaL_argcheck(L, lua_gettop(L) == 1, 1, "expected 1 argument");
    std::size_t length = 0;
    const char* text = luaL_checklstring(L, 1, &length);
    lua::Sandbox::of(L).charge(L, static_cast<std::int64_t>(length / kDecodedBytesPerStep));
    if (length >= 2 && (text[0] == '\0' || text[1] == '\0'))
        return luaL_error(L, "JSON parser does not support UTF-16 or UTF-32");
    JsonReader reader(L, {text, length});
    reader.readWhole();
    return 1;
}

} // namespace lockscope::redis
