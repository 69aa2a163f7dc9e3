// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

#include "core/search/probe.h"

namespace lockscope {

/// The faults that can make a difference to a run, derived from what happens in it.
///
/// When. A fault begins just after something the actor does (sent, got, entered, began …), since between two
/// such instants its state does not change; while it works, also just before the next one, since there time
/// is progress. Refused asks in a row are alike: the first and the last of them stand for all.
///
/// How long. A pause or a partition ends, and a delayed message arrives, just before or just after something
/// the *others* do to the lock or the resource while the actor is out: a grant, its end, a claim, an accepted
/// write. To learn these instants each start is first run with the actor out for good. "Just before" and
/// "just after" are meant for three things that the actor then does: it goes on, its next command reaches the
/// server, the work it was in comes to its end.
struct FaultStart {
    std::string actor;
    Instant at{};
    Duration toNextStep{0}; ///< running time until the actor's next step; 0 if it waits for something
    Duration requestLatency{0};
};

struct FaultMessage {
    std::string actor;
    Instant sent{};
    Instant executed = kNever;
    Instant replied = kNever;
};

struct FaultPlaces {
    std::vector<FaultStart> starts;
    std::vector<FaultMessage> messages;
};

/// The places in the run that `probe` has just made, from `from` on.
FaultPlaces faultPlaces(const Probe& probe, const Scenario& scenario, Instant from);

/// The instants after `from` at which others than `actor` do something to a lock or the resource, in the run
/// that `probe` has just made; at most `most` of them, the earliest first.
std::vector<Instant> othersInstants(const Probe& probe, const std::string& actor, Instant from,
                                    std::size_t most);

/// Which faults are tried. Where they begin and how long they last is worked out.
struct FaultChoice {
    /// Bits by InterventionKind; others than these are no kinds that are worked out.
    std::uint32_t kinds = bit(InterventionKind::Pause) | bit(InterventionKind::Kill) |
                          bit(InterventionKind::LostRequest) | bit(InterventionKind::LostReply) |
                          bit(InterventionKind::Delay) | bit(InterventionKind::DelayReply) |
                          bit(InterventionKind::Partition);
    /// Tried as they stand at each instant at which something can begin; those without an actor on each.
    std::vector<Intervention> asTheyStand;

    static constexpr std::uint32_t bit(InterventionKind kind) { return 1u << static_cast<unsigned>(kind); }
    bool has(InterventionKind kind) const { return (kinds & bit(kind)) != 0; }
    bool hasAny(std::initializer_list<InterventionKind> some) const {
        return std::any_of(some.begin(), some.end(), [this](InterventionKind kind) { return has(kind); });
    }
};

/// Tries every single fault of `choice` that can matter on top of `scenario` (its own interventions stay):
/// calls `tried(fault)` after each run, when `probe` holds it. Stops when `tried` returns false. The runs
/// that are made to learn instants (an actor out for good, a message lost) are schedules like the others and
/// go to `tried` as well, if their kind was chosen.
template <typename Tried>
bool forEachFault(Probe& probe, Scenario& scenario, const FaultPlaces& places, const FaultChoice& choice,
                  Tried&& tried);

/// The lengths worth trying for a pause at `start`, rising and each once.
std::vector<Duration> pauseLengths(const FaultStart& start, const std::vector<Instant>& others,
                                   Instant horizon);
/// The lengths by which a message that would arrive at `arrival` is worth delaying.
std::vector<Duration> delayLengths(Instant arrival, const std::vector<Instant>& others, Instant horizon);

inline constexpr std::size_t kMostOthersInstants = 12;

template <typename Tried>
bool forEachFault(Probe& probe, Scenario& scenario, const FaultPlaces& places, const FaultChoice& choice,
                  Tried&& tried) {
    using enum InterventionKind;
    const std::size_t mine = scenario.interventions.size();
    const auto attempt = [&](const Intervention& fault, bool chosen, bool longer = false) {
        scenario.interventions.resize(mine);
        scenario.interventions.push_back(fault);
        longer ? probe.runLonger(scenario) : probe.run(scenario);
        const bool goOn = !chosen || tried(fault);
        scenario.interventions.resize(mine);
        return goOn;
    };
    const auto attemptEach = [&](InterventionKind kind, const std::string& actor, Instant at,
                                 const std::vector<Duration>& lengths) {
        const bool grows = kind == Pause || kind == Partition;
        return std::all_of(lengths.begin(), lengths.end(), [&](const Duration& length) {
            return attempt({kind, actor, at, length}, true, grows && &length != &lengths.front());
        });
    };
    for (const FaultStart& start : places.starts) {
        const Duration forGood = scenario.horizon - start.at;
        if (choice.has(Pause)) {
            if (!attempt({Pause, start.actor, start.at, forGood}, true)) return false;
            const std::vector<Instant> others =
                othersInstants(probe, start.actor, start.at, kMostOthersInstants);
            if (!attemptEach(Pause, start.actor, start.at, pauseLengths(start, others, scenario.horizon)))
                return false;
        }
        if (choice.has(Kill) && !attempt({Kill, start.actor, start.at, {}}, true)) return false;
        for (Intervention fault : choice.asTheyStand) {
            if (fault.actor.empty()) fault.actor = start.actor;
            fault.at = start.at;
            if (!attempt(fault, true)) return false;
        }
    }
    for (const FaultMessage& message : places.messages) {
        const std::string& actor = message.actor;
        const Instant sent = message.sent;
        const auto others = [&] { return othersInstants(probe, actor, sent, kMostOthersInstants); };
        if (choice.hasAny({LostRequest, Delay}) &&
            !attempt({LostRequest, actor, sent, {}}, choice.has(LostRequest)))
            return false;
        if (choice.has(Delay) && message.executed != kNever &&
            !attemptEach(Delay, actor, sent, delayLengths(message.executed, others(), scenario.horizon)))
            return false;
        // Cut off from here on: more than one message is lost if the actor goes on talking.
        if (choice.has(Partition) &&
            (!attempt({Partition, actor, sent, scenario.horizon - sent}, true) ||
             !attemptEach(Partition, actor, sent, delayLengths(sent, others(), scenario.horizon))))
            return false;
        if (choice.hasAny({LostReply, DelayReply}) &&
            !attempt({LostReply, actor, sent, {}}, choice.has(LostReply)))
            return false;
        if (choice.has(DelayReply) && message.replied != kNever &&
            !attemptEach(DelayReply, actor, sent, delayLengths(message.replied, others(), scenario.horizon)))
            return false;
    }
    return true;
}

} // namespace lockscope
