// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "core/base/time.h"
#include "core/trace/trace.h"
#include "core/world/command_table.h"
#include "core/world/wake.h"

namespace lockscope {

/// What came of a write to the protected resource.
struct WriteAnswer {
    bool accepted = false;
    std::int64_t version = 0;       ///< what the write got, if it was accepted
    std::int64_t highestFence = -1; ///< seen so far; -1 if none
    std::string_view why;           ///< of a refusal; valid until the next write
};

/// What lies in the protected resource under a name.
struct StoredValue {
    bool present = false;
    std::string_view value; ///< valid until the next write
    std::int64_t version = 0;
};

/// What a host can say of requests that a process sends from now on.
struct Foreseen {
    Duration request{0};
    Duration reply{0};
    Instant until{}; ///< before it nothing else happens that could concern them
};

/// The world around one process, as its task scheduler sees it: a clock, timers, a way to the servers, the
/// protected resource. The simulator implements it in virtual time.
///
/// A host calls the scheduler's wake() and reply() only while the process can run. What falls due while it is
/// frozen comes when it goes on, in the order in which it fell due.
class TaskHost {
public:
    virtual ~TaskHost() = default;

    virtual Instant now() const = 0;
    /// This machine's own clock, Unix ms. It may be off.
    virtual std::int64_t wallMillis() const = 0;
    /// How many servers there are.
    virtual int nodes() const = 0;
    virtual bool hasResource() const = 0;

    /// Calls wake() at that instant of the clock, or as soon as the process can run after it.
    virtual void startTimer(Instant due, const Wake& wake) = 0;
    /// Calls wake() when the process has run for so long: time in which it is frozen does not count.
    virtual void startWork(Duration running, const Wake& wake) = 0;
    virtual void cancelWork(const Wake& wake) = 0;
    /// Puts a request on its way; reply() brings the answer, if there is one. It already stands in the trace.
    virtual void send(RequestIndex request, const Command& command, const Wake& wake) = 0;

    /// The same for a SUBSCRIBE, by a connection of its own. What comes by that goes to the scheduler's
    /// hear(), from the confirmation on until unsubscribe(); the end of the connection to loseSubscription().
    virtual void subscribe(RequestIndex request, const Command& command, const Wake& wake,
                           unsigned subscription) = 0;
    /// Closes that connection.
    virtual void unsubscribe(unsigned subscription) = 0;

    /// Compare and store, in one step.
    virtual WriteAnswer write(std::string_view name, std::string_view value, std::int64_t fence) = 0;
    virtual StoredValue read(std::string_view name) = 0;
    /// A command could make somebody the owner of its key.
    virtual bool canGrant(const Command& command, NodeIndex node) = 0;

    // For polls that need not be sent, see repeated_asks.cpp. Only who can look ahead in time has more to
    // say.

    /// Changes whenever something has run on a server or happened to it.
    virtual std::uint64_t doings(NodeIndex) const { return 0; }
    /// For the command of a request that was answered without any effect. `until` is in the past if unknown.
    virtual Foreseen foresee(const Command&, RequestIndex) { return {}; }
    /// It was sent that often in that time, and stands in the trace; the last one reached the server then.
    virtual void repeated(const Command&, RequestIndex, Instant /*lastExecuted*/, unsigned /*times*/) {}
};

} // namespace lockscope
