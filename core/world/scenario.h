// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/base/result.h"
#include "core/base/time.h"
#include "core/trace/trace.h"

namespace lockscope {

/// The text of an actor's program. What the code panel shows is exactly what runs.
struct Program {
    std::string name;   ///< as the lesson calls it
    std::string source; ///< Lua 5.1
    std::string file;   ///< the lesson file, for messages
    int firstLine = 1;  ///< the line of `source`'s first line in that file
};

/// What a knob is set to. It reaches programs as `knobs.NAME`, and as the global NAME unless the program API
/// has a function of that name (a knob may be called `work`, and work() must stay). A duration comes in whole
/// milliseconds, like PX.
using KnobValue = std::variant<Duration, double, std::string>;

struct KnobSetting {
    std::string name;
    KnobValue value;
};

struct ActorSpec {
    std::string name;
    std::shared_ptr<const Program> program;
    Instant start{};
    Duration requestLatency = millis(1); ///< one way, to the server
    Duration replyLatency = millis(1);   ///< one way, back
    Duration clientTimeout{0}; ///< a call without a reply for so long raises an error; 0: it waits for ever
    Duration clockOffset{0};   ///< of wall() against true time; may be negative
};

struct ServerSpec {
    int nodes = 1;
    int hz = 10;              ///< active expiry cycles a second
    bool activeExpiry = true; ///< off: a dead key stays until somebody touches it
};

/// The protected resource.
struct ResourceSpec {
    bool present = false;
    std::string name = "Storage";
    /// It compares the fence with the highest it has seen and stores in one step, and refuses a lower one.
    bool enforceFence = false;
};

/// What the user did to the run. A further kind is a further row of interventionKinds() and its effect in the
/// world.
enum class InterventionKind : std::uint8_t {
    Pause,       ///< the process is frozen for `length`
    Kill,        ///< the process is gone at once, without a word
    Restart,     ///< killed if alive, and started again as a new process
    LostRequest, ///< the next request the actor sends never arrives
    LostReply,   ///< the next request the actor sends is executed, but its reply never arrives
    Delay,       ///< the next request the actor sends travels `length` longer
    DelayReply,  ///< the reply to the next request the actor sends travels `length` longer
};

struct Intervention {
    InterventionKind kind = InterventionKind::Pause;
    std::string actor;
    Instant at{};
    Duration length{0}; ///< 0 for kinds that take none

    bool operator==(const Intervention&) const = default;
};

struct InterventionKindInfo {
    InterventionKind kind;
    std::string_view id; ///< on the command line and in JSON: "lost-reply"
    bool hasLength;
};
const std::vector<InterventionKindInfo>& interventionKinds();
const InterventionKindInfo& infoOf(InterventionKind kind);

/// Reads `ACTOR@T` or `ACTOR@T+D`. Whether D must be there follows from the kind.
Result<Intervention> parseIntervention(InterventionKind kind, std::string_view text);
/// Reads `KIND ACTOR@T[+D]`, as after --do.
Result<Intervention> parseIntervention(std::string_view text);
/// `KIND ACTOR@T[+D]`, which parseIntervention() reads back.
std::string formatIntervention(const Intervention& intervention);

/// Everything that decides a run. simulate() is a pure function of it.
struct Scenario {
    std::string lesson; ///< its id
    std::vector<KnobSetting> knobs;
    std::vector<ActorSpec> actors;
    std::vector<TraceLockKey> lockKeys;    ///< their `name` ids are not used here, see lockKeyNames
    std::vector<std::string> lockKeyNames; ///< parallel to lockKeys
    std::vector<TraceGoal> goals;
    ServerSpec server;
    ResourceSpec resource;
    std::vector<Intervention> interventions;
    Instant horizon = instantAt(seconds(60));
    std::uint64_t seed = 1;
};

std::string formatKnobValue(const KnobValue& value);

} // namespace lockscope
