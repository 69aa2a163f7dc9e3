// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/base/result.h"
#include "core/base/time.h"
#include "core/redis/memory_settings.h"
#include "core/redis/profile.h"
#include "core/trace/trace.h"
#include "core/world/intervention.h"
#include "core/world/visit.h"

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
    redis::Profile profile = redis::Profile::Redis70; ///< which server it is
    int nodes = 1;
    /// A lock belongs to whoever has it on most nodes, rather than on each node to whoever has it there.
    bool majority = false;
    int hz = 10;              ///< active expiry cycles a second
    bool activeExpiry = true; ///< off: a dead key stays until somebody touches it
    /// A teaching aid: a key leaves the memory as soon as it is dead. No redis-server does that.
    bool expiresAtOnce = false;
    redis::MemorySettings memory; ///< maxmemory and what belongs to it

    /// What is on the disk of each. With Snapshot one is written `saveEvery` after the last, if anything has
    /// changed (0: as a redis-server without a configuration does), and by SAVE.
    enum class Persistence : std::uint8_t { None, Snapshot, EverySecond, Always };
    Persistence persistence = Persistence::None;
    Duration saveEvery{0};
    Duration loading{0}; ///< how long it reads its disk when it starts, and answers LOADING

    int replicas = 0;                ///< of each node
    Duration replicaLag = millis(1); ///< one way, from a primary to its replicas, and back
    /// How long a node has no primary before a replica becomes one by itself; 0: it never does.
    Duration failoverAfter{0};
    int minReplicasToWrite = 0;
    Duration minReplicasMaxLag = seconds(10);
};
/// "snapshot"; and back, or nothing.
std::string_view nameOf(ServerSpec::Persistence persistence);
std::optional<ServerSpec::Persistence> persistenceNamed(std::string_view name);
std::string persistenceNames(); ///< all, for messages

/// The protected resource.
struct ResourceSpec {
    bool present = false;
    std::string name = "Storage";
    /// It compares the fence with the highest it has seen and stores in one step, and refuses a lower one.
    bool enforceFence = false;
};

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
    std::shared_ptr<const Visits> visits; ///< what clients from outside did; null: there were none
    Instant horizon = instantAt(seconds(60));
    std::uint64_t seed = 1;
};

std::string formatKnobValue(const KnobValue& value);

/// Whom interventions of that kind can name in a scenario, in the order of actors or of servers.
std::vector<std::string> targetsIn(const Scenario& scenario, InterventionTarget kind);
/// Whether it names one of them. A server has more names than one: "Redis" is "Redis 1" too.
bool hasTargetOf(const Scenario& scenario, const Intervention& intervention);

/// Why a server's fault can do nothing in a scenario; empty if it can.
std::string_view whyImpossible(const Scenario& scenario, InterventionKind kind);

/// Clears a trace and writes down which run it is of: everything that is known before the run begins.
void describeRun(const Scenario& scenario, WorldKind world, Trace& into);

} // namespace lockscope
