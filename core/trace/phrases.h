// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <utility>

#include <fmt/format.h>

#include "core/trace/trace.h"

namespace lockscope {

/// The translation of an English template, or the template.
std::string translated(const char* english);

/// Fills a translated template. A translation that does not fit its template falls back to English.
template <typename... Args>
std::string say(const char* english, const Args&... args) {
    try {
        return fmt::format(fmt::runtime(translated(english)), args...);
    } catch (const fmt::format_error&) {
        return fmt::format(fmt::runtime(english), args...);
    }
}

/// A moment for people: "31.0 s"; below ten seconds with the milliseconds it needs, "1.05 s".
std::string sayTime(Instant at);
/// A length for people: "20.0 s", "0 s", "0.002 s".
std::string sayLength(Duration d);
/// A number for people: "110,279".
std::string sayNumber(std::uint64_t n);
std::string nameOfActor(const Trace& trace, ActorIndex actor);

} // namespace lockscope
