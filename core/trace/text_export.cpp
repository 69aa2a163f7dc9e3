// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/text_export.h"

#include <array>

#include <fmt/format.h>

#include "core/trace/key_history.h"
#include "core/trace/phrases.h"
#include "core/trace/wording.h"

namespace lockscope {

namespace {

constexpr int kTimeColumns = 10;

std::string untilWhen(Instant deadline) {
    return deadline == kNever ? translated("without a deadline") : say("until {0}", sayTime(deadline));
}

std::string describe(const Trace& trace, const Analysis& analysis, const KeyMoment& m) {
    const std::string who = nameOfActor(trace, m.actor);
    switch (m.kind) {
    case KeyMoment::Kind::Granted:
        return say("granted to {0} (grant {1}), {2}", who,
                   analysis.grants[static_cast<std::size_t>(m.grant)].number, untilWhen(m.deadline));
    case KeyMoment::Kind::Renewed:
        return say("renewed by {0}, {1}", who, untilWhen(m.deadline));
    case KeyMoment::Kind::Rewritten:
        return say("written again by {0}, {1}", who, untilWhen(m.deadline));
    case KeyMoment::Kind::DeadlineChanged:
        if (m.actor == kNone && trace.world == WorldKind::Simulated)
            return say("moved by a jump of Redis' clock: {0}", untilWhen(m.deadline));
        return say("deadline moved by {0}: {1}", who, untilWhen(m.deadline));
    case KeyMoment::Kind::LeaseEnded:
        return translated("lease ends: nobody owns it");
    case KeyMoment::Kind::Ended:
        return m.actor == kNone ? wordFor(m.reason) : say("{0} by {1}", wordFor(m.reason), who);
    case KeyMoment::Kind::Removed:
        return translated("removed from memory");
    }
    return {};
}

std::string atTime(Instant t) {
    std::string when = sayTime(t);
    when.insert(0, static_cast<std::size_t>(std::max(0, kTimeColumns - columnsOf(when))), ' ');
    return when;
}

std::string titleLine(const Trace& trace) {
    std::string line = trace.lesson.empty() ? translated("run") : trace.lesson;
    line += fmt::format(" · {} · {}", nameOf(trace.world), sayLength(trace.reached.time_since_epoch()));
    // A label in brackets: what no real server confirms is said wherever a run is shown.
    if (trace.server.ends_with(')')) line += " · " + trace.server;
    for (const TraceKnob& knob : trace.knobs)
        line += fmt::format(" · {} {}", knob.name, knob.value);
    return line;
}

/// What the picture cannot say: what became of interventions, errors of programs, and a run that could not be
/// finished.
void tellTheRest(const Trace& trace, std::string& out, int width) {
    for (std::size_t i = 0; i < trace.interventions.size(); ++i)
        if (const std::string outcome = outcomeOf(trace, i); !outcome.empty())
            out +=
                wrapped(atTime(trace.interventions[i].at) + "  " + outcome, width, kTimeColumns + 2) + "\n";
    for (const Event& e : trace.events)
        if (e.kind == EventKind::ProgramFailed)
            out += wrapped(atTime(e.at) + "  " + sentenceFor(trace, e), width, kTimeColumns + 2) + "\n";
    if (trace.diverged) out += wrapped(sentenceFor(*trace.diverged, trace.divergences), width, 2) + "\n";
    if (!trace.failure.empty())
        out += wrapped(say("The run could not be finished: {0}", trace.failure), width, 2) + "\n";
}

/// Our own signs that no typewriter has. What a lesson writes in other letters stays as it is.
void typeOnly(std::string& text) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kTyped{
        {{"×", "x"}, {"·", "-"}, {"…", ".."}}};
    for (const auto& [sign, typed] : kTyped)
        for (std::size_t at = 0; (at = text.find(sign, at)) != std::string::npos; at += typed.size())
            text.replace(at, sign.size(), typed);
}

} // namespace

std::vector<std::string> tellKeys(const Trace& trace, const Analysis& analysis) {
    std::vector<std::string> lines;
    for (const TraceLockKey& lock : trace.lockKeys) {
        lines.emplace_back(trace.text(lock.name));
        const std::vector<KeyMoment> history = keyHistory(trace, analysis, lock.name);
        for (std::size_t i = 0; i < history.size(); ++i) {
            std::size_t last = i;
            while (history[i].kind == KeyMoment::Kind::Renewed && last + 1 < history.size() &&
                   history[last + 1].kind == KeyMoment::Kind::Renewed &&
                   history[last + 1].actor == history[i].actor)
                ++last;
            const std::string what = describe(trace, analysis, history[last]);
            const std::string times = last > i
                                          ? fmt::format(" (×{}, {} … {})", last - i + 1,
                                                        sayTime(history[i].at), sayTime(history[last].at))
                                          : std::string{};
            lines.push_back(atTime(history[i].at) + "  " + what + times);
            i = last;
        }
        if (history.empty()) lines.push_back("  " + translated("never held"));
    }
    return lines;
}

std::string toText(const Trace& trace, const Analysis& analysis, const std::vector<Violation>& violations,
                   const Outcome& outcome, const TextExportOptions& options) {
    const Lanes lanes = layOut(trace, analysis);
    std::string out = wrapped(titleLine(trace), options.width, 2) + "\n\n";
    for (const std::string& line : drawTimeline(trace, analysis, lanes, violations, options))
        out += line + "\n";
    out += '\n';
    if (violations.empty()) out += translated("Not broken in this run.") + "\n";
    const char* mark = signsFor(options.unicode).violation;
    for (const Violation& v : violations)
        out += wrapped(fmt::format("{} {}: {}", mark, titleOf(v.invariant), sentenceFor(trace, analysis, v)),
                       options.width, 2) +
               "\n";
    tellTheRest(trace, out, options.width);
    out += '\n';
    for (const std::string& line : tellKeys(trace, analysis))
        out += wrapped(line, options.width, kTimeColumns + 2) + "\n";
    out += "\n" + wrapped(sentenceFor(outcome), options.width, 2) + "\n";
    if (!options.unicode) typeOnly(out);
    return out;
}

} // namespace lockscope
