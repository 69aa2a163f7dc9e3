// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/lesson/expectation.h"
#include "core/lesson/fields.h"
#include "core/trace/key_history.h"
#include "core/trace/lanes.h"
#include "core/trace/wording.h"

namespace lockscope {

namespace {

using Form = ExpectationForm;
using Found = std::optional<std::string>;

std::string seen(Instant at) {
    return "@ " + formatDuration(at.time_since_epoch());
}

/// Tries one form after another on one run. Findings are written in the notation of the file, so that an
/// author can compare and copy.
class Trial {
public:
    Trial(const JudgedRun& run, const Leniency& leniency)
        : m_run(run), m_trace(run.trace), m_leniency(leniency) {}

    Found operator()(const Form::Violations& wanted) const {
        std::vector<bool> taken(m_run.violations.size(), false);
        bool all = true;
        for (const Form::Violations::Episode& episode : wanted.episodes) {
            bool found = false;
            for (std::size_t i = 0; i < taken.size() && !found; ++i)
                if (!taken[i] && matches(episode, m_run.violations[i])) taken[i] = found = true;
            all = all && found;
        }
        for (std::size_t i = 0; i < taken.size(); ++i)
            all = all && (taken[i] || isBlink(m_run.violations[i]));
        if (all) return std::nullopt;
        return describe([](const Violation&) { return true; });
    }

    Found operator()(const Form::Never& never) const {
        const auto named = [&](const Violation& violation) {
            return !isBlink(violation) && std::find(never.invariants.begin(), never.invariants.end(),
                                                    violation.invariant) != never.invariants.end();
        };
        if (std::none_of(m_run.violations.begin(), m_run.violations.end(), named)) return std::nullopt;
        return describe(named);
    }

    Found operator()(const Form::Count& count) const {
        int found = 0;
        switch (count.of) {
        case Form::Count::Of::Episodes:
            for (const Violation& violation : m_run.violations)
                found += nameOf(violation.invariant) == count.subject && !isBlink(violation);
            break;
        case Form::Count::Of::Made:
            for (const Outcome::Goal& goal : m_run.outcome.goals)
                if (goal.label == count.subject) found = goal.made;
            break;
        case Form::Count::Of::Refused:
            for (const Waiting& waiting : m_run.analysis.waits)
                if (name(waiting.actor) == count.subject) found += waiting.refused;
            break;
        }
        using Relation = Form::Count::Relation;
        const int off =
            count.of == Form::Count::Of::Refused ? m_leniency.asks + count.number * m_leniency.asks / 60 : 0;
        const bool enough = found >= count.number - off;
        const bool notTooMany = found <= count.number + off;
        const bool holds = count.relation == Relation::Equal     ? enough && notTooMany
                           : count.relation == Relation::AtLeast ? enough
                                                                 : notTooMany;
        if (holds) return std::nullopt;
        return fmt::format("{} = {}", count.subject, found);
    }

    Found operator()(const Form::Who& who) const {
        std::vector<std::string> wanted = who.actors;
        std::sort(wanted.begin(), wanted.end());
        return around(who.at, [&](Instant at) -> Found {
            std::vector<std::string> found = who.row == Form::Who::Row::Owner    ? owner(who, at)
                                             : who.row == Form::Who::Row::Claims ? claiming(who, at)
                                                                                 : working(at);
            std::sort(found.begin(), found.end());
            if (found == wanted) return std::nullopt;
            return found.empty() ? std::string("nobody") : fmt::format("{}", fmt::join(found, " + "));
        });
    }

    Found operator()(const Form::Key& key) const {
        using State = Form::Key::State;
        return around(key.at, [&](Instant at) -> Found {
            const KeyState state = stateOf(key.key, key.node, at);
            const State found = state.exists ? State::Exists : state.inMemory ? State::InMemory : State::Gone;
            if (found == key.state) return std::nullopt;
            // A real server removes a dead key when it comes to it, perhaps within the same millisecond.
            if (m_leniency.instants > Duration{0} && key.state == State::InMemory && found == State::Gone)
                return std::nullopt;
            return std::string(found == State::Exists     ? "exists"
                               : found == State::InMemory ? "in memory, but its lease has ended"
                                                          : "gone");
        });
    }

    Found operator()(const Form::Ttl& ttl) const {
        const Duration tolerance = std::max(m_leniency.of(ttl.tolerance), m_leniency.instants);
        return around(ttl.at, [&](Instant at) -> Found {
            const KeyState state = stateOf(ttl.key, ttl.node, at);
            if (!state.exists) return std::string("no key");
            if (state.deadline == kNever) return ttl.left ? Found("no deadline") : std::nullopt;
            const Duration left = state.deadline - at;
            if (!ttl.left) return formatDuration(left);
            const Duration wanted = m_leniency.of(*ttl.left);
            if ((left > wanted ? left - wanted : wanted - left) <= tolerance) return std::nullopt;
            return formatDuration(left);
        });
    }

    Found operator()(const Form::Act& act) const {
        std::string similar; // what this actor did of the kind, for the message
        for (const Event& event : m_trace.events) {
            const std::optional<std::string> did = deed(act, event);
            if (!did) continue;
            const bool fits =
                subjectFits(act, event) && resultFits(act, event) && act.when.fits(event.at, m_leniency);
            if (fits && !act.never) return std::nullopt;
            if (fits && act.never) return fmt::format("{} {}", *did, seen(event.at));
            if (subjectFits(act, event) && similar.size() < 200)
                similar += fmt::format("{}{} {}", similar.empty() ? "" : ", ", *did, seen(event.at));
        }
        if (act.never) return std::nullopt;
        return similar.empty() ? std::string("nothing of the kind") : similar;
    }

    Found operator()(const Form::OfLoad& wanted) const {
        const auto did = std::find_if(m_trace.interventions.begin(), m_trace.interventions.end(),
                                      [&](const TraceIntervention& each) {
                                          const Duration off = each.at - m_leniency.of(wanted.at);
                                          return each.load && off < millis(1) && off > millis(-1);
                                      });
        if (did == m_trace.interventions.end()) return std::string("no load");
        using Of = Form::OfLoad::Of;
        const TraceLoad& load = *did->load;
        const std::int64_t found = wanted.of == Of::Answered       ? load.writes - load.refused
                                   : wanted.of == Of::Refused      ? load.refused
                                   : wanted.of == Of::FirstRefused ? load.firstRefused
                                                                   : load.evicted;
        const double off = std::abs(static_cast<double>(found - wanted.number));
        if (off <= m_leniency.memory * static_cast<double>(wanted.number)) return std::nullopt;
        return std::to_string(found);
    }

    Found operator()(const Form::OutcomeLine& line) const {
        std::string found = sentenceFor(m_run.outcome);
        // The rest of the line is lengths of time.
        const auto goals = [](std::string_view text) { return text.substr(0, text.find(" · ")); };
        if (m_leniency.instants > Duration{0} ? goals(found) == goals(line.text) : found == line.text)
            return std::nullopt;
        return fmt::format("\"{}\"", found);
    }

private:
    std::string name(ActorIndex actor) const {
        return actor == kNone ? std::string("nobody") : m_trace.actors[static_cast<std::size_t>(actor)].name;
    }

    bool isBlink(const Violation& found) const {
        const bool lasts =
            found.invariant == Invariant::BeliefOverlap || found.invariant == Invariant::UnprotectedWork;
        return lasts && found.until - found.at < m_leniency.blinks;
    }

    bool matches(const Form::Violations::Episode& wanted, const Violation& found) const {
        if (wanted.invariant != found.invariant || !wanted.when.fits(found.at, m_leniency)) return false;
        if (!wanted.key.empty() && m_trace.text(found.key) != wanted.key) return false;
        const std::string first = name(found.actors[0]);
        if (wanted.actors.size() == 1) return wanted.actors[0] == first;
        const std::string second = name(found.actors[1]);
        if (wanted.actors[0] == first && wanted.actors[1] == second) return true;
        return wanted.invariant == Invariant::BeliefOverlap && wanted.actors[0] == second &&
               wanted.actors[1] == first;
    }

    template <typename Which>
    std::string describe(Which which) const {
        std::vector<std::string> texts;
        for (const Violation& violation : m_run.violations) {
            if (!which(violation)) continue;
            std::string who = name(violation.actors[0]);
            if (violation.actors[1] != kNone && violation.actors[1] != violation.actors[0])
                who += " + " + name(violation.actors[1]);
            texts.push_back(fmt::format("{} {} {}", nameOf(violation.invariant), who, seen(violation.at)));
        }
        return texts.empty() ? std::string("none") : "[" + listed(texts) + "]";
    }

    /// Tries what is to be so at an instant of the file: exactly then, or with some leniency around it. What
    /// is found instead is what is so exactly then.
    template <typename Try>
    Found around(Instant written, Try attempt) const {
        constexpr Duration kStep = millis(5);
        const Instant at = m_leniency.of(written);
        const Found instead = attempt(at);
        for (Duration off = kStep; instead && off <= m_leniency.states; off += kStep)
            if (!attempt(at - off) || !attempt(at + off)) return std::nullopt;
        return instead;
    }

    KeyState stateOf(const std::string& key, std::optional<NodeIndex> node, Instant at) const {
        return keyStateAt(m_trace, m_run.analysis, m_trace.strings.find(key), at,
                          node.value_or(m_run.analysis.authority()));
    }

    std::vector<std::string> owner(const Form::Who& who, Instant at) const {
        const NodeIndex authority = who.node.value_or(m_run.analysis.authority());
        const int grant = m_run.analysis.ownerAt(m_trace.strings.find(who.key), at, authority);
        if (grant == kNone) return {};
        return {name(m_run.analysis.grants[static_cast<std::size_t>(grant)].actor)};
    }

    std::vector<std::string> claiming(const Form::Who& who, Instant at) const {
        std::vector<std::string> out;
        const StringId key = m_trace.strings.find(who.key);
        for (const Claim& claim : m_run.analysis.claims)
            if (claim.key == key && claim.from <= at && at < claim.until) out.push_back(name(claim.actor));
        return out;
    }

    std::vector<std::string> working(Instant at) const {
        std::vector<std::string> out;
        if (!m_lanes) m_lanes = layOut(m_trace, m_run.analysis);
        for (const ActorLane& lane : m_lanes->actors) {
            const auto works = [&](const DoesSpan& span) {
                return (span.kind == DoesKind::Work || span.kind == DoesKind::Compute) && span.from <= at &&
                       at < span.until;
            };
            if (std::any_of(lane.does.begin(), lane.does.end(), works)) out.push_back(name(lane.actor));
        }
        return out;
    }

    /// What the event says its actor did, if it is of the kind that `act` is about.
    std::optional<std::string> deed(const Form::Act& act, const Event& event) const {
        if (event.actor == kNone || name(event.actor) != act.actor) return std::nullopt;
        using Verb = Form::Act::Verb;
        if (act.verb == Verb::Executes && event.kind == EventKind::RequestExecuted)
            return fmt::format("{} → {}", commandOf(event).command, m_trace.text(event.text));
        if (act.verb == Verb::Writes &&
            (event.kind == EventKind::WriteAccepted || event.kind == EventKind::WriteRejected))
            return fmt::format("{} → {}", m_trace.text(event.text),
                               event.kind == EventKind::WriteAccepted ? "accepted" : "rejected");
        if (act.verb == Verb::Fails && event.kind == EventKind::ProgramFailed)
            return std::string(m_trace.text(event.text));
        return std::nullopt;
    }

    struct Command {
        std::string_view command;
        std::string_view whole;
    };
    Command commandOf(const Event& event) const {
        if (event.request == kNone) return {};
        const TraceRequest& request = m_trace.requests[static_cast<std::size_t>(event.request)];
        return {m_trace.text(request.command), m_trace.text(request.text)};
    }

    bool subjectFits(const Form::Act& act, const Event& event) const {
        if (act.subject.empty()) return true;
        if (act.verb == Form::Act::Verb::Writes) return m_trace.text(event.text) == act.subject;
        const Command did = commandOf(event);
        return did.command == act.subject || did.whole == act.subject ||
               did.whole.starts_with(act.subject + " ");
    }

    /// A reply as redis-cli shows it, or as people say it: `1` for `(integer) 1`, `nil` for `(nil)`, and the
    /// beginning of an error.
    bool resultFits(const Form::Act& act, const Event& event) const {
        if (act.result.empty()) return true;
        if (act.verb == Form::Act::Verb::Writes)
            return (event.kind == EventKind::WriteAccepted) == (act.result == "accepted");
        const std::string_view reply = m_trace.text(event.text);
        if (reply == act.result || reply == "(" + act.result + ")" || reply == "(integer) " + act.result ||
            reply == "\"" + act.result + "\"")
            return true;
        return reply.starts_with("(error)") &&
               (reply.starts_with(act.result) || reply.substr(7).starts_with(" " + act.result));
    }

    const JudgedRun& m_run;
    const Trace& m_trace;
    Leniency m_leniency;
    mutable std::optional<Lanes> m_lanes; ///< once they are needed
};

} // namespace

std::optional<std::string> whatIsInstead(const ExpectationForm& form, const JudgedRun& run,
                                         const Leniency& leniency) {
    return std::visit(Trial(run, leniency), form.what);
}

} // namespace lockscope
