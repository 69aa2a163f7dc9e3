// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include <lua.hpp>

namespace lockscope::lua {

class Sandbox;

/// Matches Lua's patterns. It backtracks as Lua does, so a few `.-` in a row can take as long as they like;
/// every step it makes is therefore charged to the sandbox, and raises when the budget is gone. Its depth is
/// bounded too.
///
/// Follows the manual of Lua 5.1 (§5.4.1). Faulty patterns raise with Lua's own messages.
class Matcher {
public:
    Matcher(lua_State* L, std::string_view subject, std::string_view pattern);

    /// The end of a match that begins exactly at `from`, or null. `from` points into the subject.
    const char* matchAt(const char* from);
    /// The first match that begins at `from` or later; its beginning, or null. `end` is set.
    const char* findFrom(const char* from, const char*& end);
    bool anchored() const { return m_anchored; }

    const char* begin() const { return m_begin; }
    const char* end() const { return m_end; }

    /// Captures of the last match. Without any, the whole match [from, to) counts as the only one, if asked
    /// for.
    int pushCaptures(const char* from, const char* to, bool wholeIfNone);
    void pushCapture(int index, const char* from, const char* to);
    int captures() const { return m_count; }

private:
    static constexpr int kMostCaptures = 32;
    static constexpr std::ptrdiff_t kOpen = -1;     // its end is not known yet
    static constexpr std::ptrdiff_t kPosition = -2; // `()`: captures where it is
    struct Capture {
        const char* start;
        std::ptrdiff_t length;
    };

    void step(int n = 1);
    const char* match(const char* s, const char* p);
    const char* matchInner(const char* s, const char* p);
    const char* classEnd(const char* p);
    bool single(const char* s, const char* p, const char* after);
    bool inSet(unsigned char c, const char* p, const char* last);
    const char* balanced(const char* s, const char* p);
    const char* expandMost(const char* s, const char* p, const char* after);
    const char* expandLeast(const char* s, const char* p, const char* after);
    const char* openCapture(const char* s, const char* p, std::ptrdiff_t what);
    const char* closeCapture(const char* s, const char* p);
    const char* repeatCapture(const char* s, unsigned char digit);
    int captureNamed(unsigned char digit);

    lua_State* m_lua;
    Sandbox& m_box;
    const char* m_begin;
    const char* m_end;
    const char* m_pattern;
    const char* m_patternEnd;
    bool m_anchored = false;
    int m_fuel = 0;
    int m_depth = 0;
    int m_count = 0;
    std::array<Capture, kMostCaptures> m_captures{};
};

} // namespace lockscope::lua
