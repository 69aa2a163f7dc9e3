// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/world/transcript.h"

#include <algorithm>

#include <fmt/format.h>

namespace lockscope::test {

namespace {

std::string time(Instant at) {
    std::string text = formatSecondsExact(at.time_since_epoch());
    return text.substr(0, text.size() - 2); // without " s"
}

std::string number(std::int64_t value) {
    return value == micros(kNever) ? "never" : fmt::format("{}", value);
}

} // namespace

std::string transcript(const Trace& trace, std::initializer_list<EventKind> kinds) {
    std::string out;
    for (const Event& e : trace.events) {
        if (kinds.size() != 0 && std::find(kinds.begin(), kinds.end(), e.kind) == kinds.end()) continue;
        out += fmt::format("{} {}", time(e.at), nameOf(e.kind));
        if (e.actor != kNone)
            out += fmt::format(" [{}]", trace.actors[static_cast<std::size_t>(e.actor)].name);
        if (e.process != kNone) out += fmt::format(" p{}", e.process);
        if (e.task != kNone) out += fmt::format(" t{}", e.task);
        if (e.request != kNone) out += fmt::format(" r{}", e.request);
        if (e.node > 0) out += fmt::format(" n{}", e.node);
        if (e.line != 0) out += fmt::format(" l{}", e.line);
        if (e.key != StringId::Empty) out += fmt::format(" {}", trace.text(e.key));
        if (e.kind == EventKind::RequestSent)
            out +=
                fmt::format(" {{{}}}", trace.text(trace.requests[static_cast<std::size_t>(e.request)].text));
        if (e.text != StringId::Empty) out += fmt::format(" '{}'", trace.text(e.text));
        if (e.text2 != StringId::Empty) out += fmt::format(" '{}'", trace.text(e.text2));
        if (e.reason != EndReason::None) out += fmt::format(" {}", nameOf(e.reason));
        if (e.a != 0) out += fmt::format(" a={}", number(e.a));
        if (e.b != 0) out += fmt::format(" b={}", number(e.b));
        out += '\n';
    }
    return out;
}

} // namespace lockscope::test
