// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/base/time.h"

namespace lockscope {

/// What the user did to the run. A further kind is a further row of interventionKinds() and its effect in the
/// world.
enum class InterventionKind : std::uint8_t {
    Pause,           ///< the process is frozen for `length`
    Kill,            ///< the process is gone at once, without a word
    Restart,         ///< killed if alive, and started again as a new process
    LostRequest,     ///< the next request the actor sends never arrives
    LostReply,       ///< the next request the actor sends is executed, but its reply never arrives
    Delay,           ///< the next request the actor sends travels `length` longer
    DelayReply,      ///< the reply to the next request the actor sends travels `length` longer
    Partition,       ///< for `length` whatever travels between the actor and a server is swallowed, silently
    ClockJump,       ///< the wall clock of the actor's machine is put forward by `length`, or back
    ServerStall,     ///< the server does nothing for `length`; requests wait, and leases go on running out
    ServerClockJump, ///< the server's wall clock is put forward by `length`, or back
    Admin,           ///< somebody with a console runs `command` on the server
    Load,            ///< a cache on the same server is filled: `command` says how much, see load.h
    ServerKill,      ///< the server's machine loses its power: what is not safe on its disk is gone
    ServerRestart,   ///< it is started again, and finds what is on its disk; one that runs is shut down first
    Promote,         ///< the replica that has heard most becomes the primary
    LinkCut,         ///< for `length` nothing reaches the replicas from their primary
    SaveFails,       ///< for `length` no snapshot can be written
};

enum class InterventionTarget : std::uint8_t { Actor, Server };
enum class LengthRule : std::uint8_t { None, Positive, Signed };

struct Intervention {
    InterventionKind kind = InterventionKind::Pause;
    std::string actor; ///< the actor's name; for kinds that concern a server a name that serverNode() knows
    Instant at{};
    Duration length{0};       ///< 0 for kinds that take none
    std::string command = {}; ///< for Admin: as one types it into redis-cli; for Load: `60000 x 1024`
    std::string by = {};      ///< for Admin: who runs it; empty: kAdminName

    bool operator==(const Intervention&) const = default;
};

struct InterventionKindInfo {
    InterventionKind kind;
    std::string_view id; ///< on the command line and in JSON: "lost-reply"
    InterventionTarget target;
    LengthRule length;
    bool hasCommand;

    bool hasLength() const { return length != LengthRule::None; }
};
const std::vector<InterventionKindInfo>& interventionKinds();
const InterventionKindInfo& infoOf(InterventionKind kind);

/// How interventions name the servers of a lesson: "Redis" the first (and mostly only) one, "Redis 2" the
/// second. The number of the node from 0, or -1.
int serverNode(std::string_view name);
std::string serverName(int node);
/// The name of whoever runs the commands of Admin interventions, in traces; and of the user, where they were
/// typed into a run that goes on.
inline constexpr std::string_view kAdminName = "Admin";
inline constexpr std::string_view kYouName = "You";
inline std::string_view authorOf(const Intervention& intervention) {
    return intervention.by.empty() ? kAdminName : std::string_view(intervention.by);
}

/// The words of a command as redis-cli splits them: at blanks, outside of 'single' and "double" quotes, with
/// \n, \t, \xHH and the like within double ones. An error if a quote is not closed or there is no word.
Result<std::vector<std::string>> splitCommand(std::string_view line);

/// Whether `command` is one for an intervention of this kind, which has one.
Result<void> checkCommand(InterventionKind kind, std::string_view command);

/// Reads `ACTOR@T`, `ACTOR@T+D` or `ACTOR@T-D`, and `SERVER@T COMMAND`. Which it must be follows from the
/// kind.
Result<Intervention> parseIntervention(InterventionKind kind, std::string_view text);
/// Reads `KIND ACTOR@T[+D]`, as after --do.
Result<Intervention> parseIntervention(std::string_view text);
/// `KIND ACTOR@T[+D]`, which parseIntervention() reads back.
std::string formatIntervention(const Intervention& intervention);

} // namespace lockscope
