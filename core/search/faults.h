// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

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

/// Tries every single fault that can matter on top of `scenario` (its own interventions stay): calls
/// `tried(fault)` after each run, when `probe` holds it. Stops when `tried` returns false. The runs that are
/// made to learn instants are schedules like the others (an actor out for good, a message lost) and go to
/// `tried` as well.
template <typename Tried>
bool forEachFault(Probe& probe, Scenario& scenario, const FaultPlaces& places, Tried&& tried);

/// The lengths worth trying for a pause at `start`, rising and each once.
std::vector<Duration> pauseLengths(const FaultStart& start, const std::vector<Instant>& others,
                                   Instant horizon);
/// The lengths by which a message that would arrive at `arrival` is worth delaying.
std::vector<Duration> delayLengths(Instant arrival, const std::vector<Instant>& others, Instant horizon);

inline constexpr std::size_t kMostOthersInstants = 12;

template <typename Tried>
bool forEachFault(Probe& probe, Scenario& scenario, const FaultPlaces& places, Tried&& tried) {
    const std::size_t mine = scenario.interventions.size();
    const auto attempt = [&](const Intervention& fault) {
        scenario.interventions.resize(mine);
        scenario.interventions.push_back(fault);
        probe.run(scenario);
        const bool goOn = tried(fault);
        scenario.interventions.resize(mine);
        return goOn;
    };
    for (const FaultStart& start : places.starts) {
        const Duration forGood = scenario.horizon - start.at;
        if (!attempt({InterventionKind::Pause, start.actor, start.at, forGood})) return false;
        const std::vector<Instant> others = othersInstants(probe, start.actor, start.at, kMostOthersInstants);
        for (const Duration length : pauseLengths(start, others, scenario.horizon))
            if (!attempt({InterventionKind::Pause, start.actor, start.at, length})) return false;
        if (!attempt({InterventionKind::Kill, start.actor, start.at, {}})) return false;
    }
    for (const FaultMessage& message : places.messages) {
        if (!attempt({InterventionKind::LostRequest, message.actor, message.sent, {}})) return false;
        std::vector<Instant> others = othersInstants(probe, message.actor, message.sent, kMostOthersInstants);
        if (message.executed != kNever)
            for (const Duration length : delayLengths(message.executed, others, scenario.horizon))
                if (!attempt({InterventionKind::Delay, message.actor, message.sent, length})) return false;
        // Cut off from here on: more than one message is lost if the actor goes on talking.
        if (!attempt(
                {InterventionKind::Partition, message.actor, message.sent, scenario.horizon - message.sent}))
            return false;
        others = othersInstants(probe, message.actor, message.sent, kMostOthersInstants);
        for (const Duration length : delayLengths(message.sent, others, scenario.horizon))
            if (!attempt({InterventionKind::Partition, message.actor, message.sent, length})) return false;
        if (!attempt({InterventionKind::LostReply, message.actor, message.sent, {}})) return false;
        if (message.replied == kNever) continue;
        others = othersInstants(probe, message.actor, message.sent, kMostOthersInstants);
        for (const Duration length : delayLengths(message.replied, others, scenario.horizon))
            if (!attempt({InterventionKind::DelayReply, message.actor, message.sent, length})) return false;
    }
    return true;
}

} // namespace lockscope
