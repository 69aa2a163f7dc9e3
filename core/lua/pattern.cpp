// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lua/pattern.h"

#include <cctype>
#include <cstring>

#include "core/lua/sandbox.h"

namespace lockscope::lua {

namespace {

constexpr int kFuel = 64; // steps paid for in advance
constexpr int kMostDepth = 200;

bool inClass(unsigned char c, unsigned char name) {
    bool in = false;
    switch (std::tolower(name)) {
    case 'a':
        in = std::isalpha(c) != 0;
        break;
    case 'c':
        in = std::iscntrl(c) != 0;
        break;
    case 'd':
        in = std::isdigit(c) != 0;
        break;
    case 'l':
        in = std::islower(c) != 0;
        break;
    case 'p':
        in = std::ispunct(c) != 0;
        break;
    case 's':
        in = std::isspace(c) != 0;
        break;
    case 'u':
        in = std::isupper(c) != 0;
        break;
    case 'w':
        in = std::isalnum(c) != 0;
        break;
    case 'x':
        in = std::isxdigit(c) != 0;
        break;
    case 'z':
        in = c == 0;
        break;
    default:
        return name == c; // not a class: the character itself
    }
    return std::isupper(name) != 0 ? !in : in;
}

unsigned char byteAt(const char* p) {
    return static_cast<unsigned char>(*p);
}

} // namespace

Matcher::Matcher(lua_State* L, std::string_view subject, std::string_view pattern)
    : m_lua(L), m_box(Sandbox::of(L)), m_begin(subject.data()), m_end(subject.data() + subject.size()),
      m_pattern(pattern.data()), m_patternEnd(pattern.data() + pattern.size()) {
    if (m_pattern < m_patternEnd && *m_pattern == '^') {
        m_anchored = true;
        ++m_pattern;
    }
}

void Matcher::step(int n) {
    m_fuel -= n;
    if (m_fuel >= 0) return;
    m_box.charge(m_lua, kFuel - m_fuel);
    m_fuel = kFuel;
}

const char* Matcher::matchAt(const char* from) {
    m_count = 0;
    m_depth = 0;
    return match(from, m_pattern);
}

const char* Matcher::findFrom(const char* from, const char*& end) {
    for (const char* s = from; s <= m_end; ++s) {
        step();
        end = matchAt(s);
        if (end != nullptr) return s;
        if (m_anchored) break;
    }
    return nullptr;
}

const char* Matcher::match(const char* s, const char* p) {
    if (++m_depth > kMostDepth) luaL_error(m_lua, "pattern too complex");
    const char* result = matchInner(s, p);
    --m_depth;
    return result;
}

const char* Matcher::matchInner(const char* s, const char* p) {
    while (true) {
        step();
        if (p == m_patternEnd) return s;
        switch (*p) {
        case '(':
            if (p + 1 < m_patternEnd && p[1] == ')') return openCapture(s, p + 2, kPosition);
            return openCapture(s, p + 1, kOpen);
        case ')':
            return closeCapture(s, p + 1);
        case '$':
            if (p + 1 == m_patternEnd) return s == m_end ? s : nullptr;
            break;
        case '%':
            if (p + 1 == m_patternEnd) break;
            if (p[1] == 'b') {
                s = balanced(s, p + 2);
                if (s == nullptr) return nullptr;
                p += 4;
                continue;
            }
            if (p[1] == 'f') {
                p += 2;
                if (p == m_patternEnd || *p != '[') luaL_error(m_lua, "missing '[' after '%%f' in pattern");
                const char* after = classEnd(p);
                const unsigned char previous = s == m_begin ? 0 : byteAt(s - 1);
                const unsigned char current = s == m_end ? 0 : byteAt(s);
                if (inSet(previous, p, after - 1) || !inSet(current, p, after - 1)) return nullptr;
                p = after;
                continue;
            }
            if (std::isdigit(byteAt(p + 1)) != 0) {
                s = repeatCapture(s, byteAt(p + 1));
                if (s == nullptr) return nullptr;
                p += 2;
                continue;
            }
            break;
        default:
            break;
        }
        const char* after = classEnd(p);
        const char suffix = after < m_patternEnd ? *after : '\0';
        switch (suffix) {
        case '?':
            if (s < m_end && single(s, p, after)) {
                const char* result = match(s + 1, after + 1);
                if (result != nullptr) return result;
            }
            p = after + 1;
            continue;
        case '*':
            return expandMost(s, p, after);
        case '+':
            return s < m_end && single(s, p, after) ? expandMost(s + 1, p, after) : nullptr;
        case '-':
            return expandLeast(s, p, after);
        default:
            if (s == m_end || !single(s, p, after)) return nullptr;
            ++s;
            p = after;
        }
    }
}

const char* Matcher::classEnd(const char* p) {
    const char first = *p++;
    if (first == '%') {
        if (p == m_patternEnd) luaL_error(m_lua, "malformed pattern (ends with '%%')");
        return p + 1;
    }
    if (first != '[') return p;
    if (p < m_patternEnd && *p == '^') ++p;
    do { // a ']' that comes first is an ordinary one
        if (p == m_patternEnd) luaL_error(m_lua, "malformed pattern (missing ']')");
        step();
        if (*p++ == '%') {
            if (p == m_patternEnd) luaL_error(m_lua, "malformed pattern (missing ']')");
            ++p;
        }
    } while (p == m_patternEnd || *p != ']');
    return p + 1;
}

bool Matcher::single(const char* s, const char* p, const char* after) {
    switch (*p) {
    case '.':
        return true;
    case '%':
        return inClass(byteAt(s), byteAt(p + 1));
    case '[':
        return inSet(byteAt(s), p, after - 1);
    default:
        return *p == *s;
    }
}

// `p` at the '[', `last` at its ']'.
bool Matcher::inSet(unsigned char c, const char* p, const char* last) {
    bool wanted = true;
    if (p[1] == '^') {
        wanted = false;
        ++p;
    }
    while (++p < last) {
        step();
        if (*p == '%') {
            ++p;
            if (inClass(c, byteAt(p))) return wanted;
        } else if (p[1] == '-' && p + 2 < last) {
            p += 2;
            if (byteAt(p - 2) <= c && c <= byteAt(p)) return wanted;
        } else if (byteAt(p) == c) {
            return wanted;
        }
    }
    return !wanted;
}

const char* Matcher::balanced(const char* s, const char* p) {
    if (m_patternEnd - p < 2) luaL_error(m_lua, "unbalanced pattern");
    if (s == m_end || *s != *p) return nullptr;
    const char open = *p;
    const char close = p[1];
    int depth = 1;
    while (++s < m_end) {
        step();
        if (*s == close) {
            if (--depth == 0) return s + 1;
        } else if (*s == open) {
            ++depth;
        }
    }
    return nullptr;
}

const char* Matcher::expandMost(const char* s, const char* p, const char* after) {
    std::ptrdiff_t i = 0;
    while (s + i < m_end && single(s + i, p, after)) {
        step();
        ++i;
    }
    for (; i >= 0; --i) {
        const char* result = match(s + i, after + 1);
        if (result != nullptr) return result;
    }
    return nullptr;
}

const char* Matcher::expandLeast(const char* s, const char* p, const char* after) {
    while (true) {
        const char* result = match(s, after + 1);
        if (result != nullptr) return result;
        if (s == m_end || !single(s, p, after)) return nullptr;
        ++s;
    }
}

const char* Matcher::openCapture(const char* s, const char* p, std::ptrdiff_t what) {
    if (m_count >= kMostCaptures) luaL_error(m_lua, "too many captures");
    m_captures[static_cast<std::size_t>(m_count)] = {s, what};
    ++m_count;
    const char* result = match(s, p);
    if (result == nullptr) --m_count;
    return result;
}

const char* Matcher::closeCapture(const char* s, const char* p) {
    int index = m_count - 1;
    while (index >= 0 && m_captures[static_cast<std::size_t>(index)].length != kOpen)
        --index;
    if (index < 0) luaL_error(m_lua, "invalid pattern capture");
    Capture& capture = m_captures[static_cast<std::size_t>(index)];
    capture.length = s - capture.start;
    const char* result = match(s, p);
    if (result == nullptr) capture.length = kOpen;
    return result;
}

int Matcher::captureNamed(unsigned char digit) {
    const int index = digit - '1';
    if (index < 0 || index >= m_count || m_captures[static_cast<std::size_t>(index)].length == kOpen)
        luaL_error(m_lua, "invalid capture index");
    return index;
}

const char* Matcher::repeatCapture(const char* s, unsigned char digit) {
    const Capture& capture = m_captures[static_cast<std::size_t>(captureNamed(digit))];
    if (capture.length == kPosition) return nullptr;
    step(static_cast<int>(1 + capture.length / 16));
    const bool same = m_end - s >= capture.length &&
                      std::memcmp(capture.start, s, static_cast<std::size_t>(capture.length)) == 0;
    return same ? s + capture.length : nullptr;
}

void Matcher::pushCapture(int index, const char* from, const char* to) {
    if (index >= m_count) {
        if (index != 0) luaL_error(m_lua, "invalid capture index");
        lua_pushlstring(m_lua, from, static_cast<std::size_t>(to - from));
        return;
    }
    const Capture& capture = m_captures[static_cast<std::size_t>(index)];
    if (capture.length == kOpen) luaL_error(m_lua, "unfinished capture");
    if (capture.length == kPosition)
        lua_pushinteger(m_lua, capture.start - m_begin + 1);
    else
        lua_pushlstring(m_lua, capture.start, static_cast<std::size_t>(capture.length));
}

int Matcher::pushCaptures(const char* from, const char* to, bool wholeIfNone) {
    const int count = m_count == 0 && wholeIfNone ? 1 : m_count;
    luaL_checkstack(m_lua, count, "too many captures");
    for (int i = 0; i < count; ++i)
        pushCapture(i, from, to);
    return count;
}

} // namespace lockscope::lua
