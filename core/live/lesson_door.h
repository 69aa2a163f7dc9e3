// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/live/command_host.h"
#include "core/world/visited_run.h"

namespace lockscope::live {

/// One server of a lesson that is served: clients that come in by it are visitors of the run.
///
/// The password is asked for here, at the door. So it is in no run that somebody saves, and who does not know
/// it leaves no trace in one.
class LessonDoor final : public CommandHost {
public:
    /// `toNow` lets the run's time go on to now. The run must outlive the door.
    LessonDoor(VisitedRun& run, int node, std::function<void()> toNow);

    struct Guest {
        std::string address;
        std::string name; ///< by CLIENT SETNAME
    };
    std::vector<Guest> guests() const;

    void serveAs(const redis::Serving& serving, const Secret& password) override;
    void deliverTo(redis::DeliveryPort* port) override { m_port = port; }
    redis::Store::ClientFacts factsOf(redis::ClientId client) const override;
    void attached(redis::ClientId client, std::string_view address) override;
    void renamed(redis::ClientId client, std::string_view name) override;
    void detached(redis::ClientId client) override;
    const redis::Reply& execute(redis::ClientId client, std::span<const std::string_view> args) override;

    // From the run.
    bool knows(int visitor) const { return m_byVisitor.count(visitor) > 0; }
    void onAnswer(std::size_t act, int visitor, const redis::Reply& reply);
    void onMessage(int visitor, const redis::Reply& message);
    void onHangUp(int visitor);

    std::function<void()> changed; ///< somebody came, went or has another name
    std::function<void()> full;    ///< the run can keep no more, and somebody was turned away for it

private:
    struct Caller {
        Guest guest;
        int visitor = -1; ///< -1: still at the door
        bool waits = false;
        bool turnedAway = false;
    };

    void letIn(redis::ClientId client, Caller& caller);
    bool asksForPassword(const Caller& caller, std::span<const std::string_view> args) const;
    bool passes(redis::ClientId client, Caller& caller, std::vector<std::string>& words);
    const redis::Reply& turnAway(Caller& caller, std::string_view why);
    void tellFull() const {
        if (full) full();
    }

    VisitedRun& m_run;
    int m_node;
    std::function<void()> m_toNow;
    redis::DeliveryPort* m_port = nullptr;
    redis::Store m_porter; ///< has no keys: it knows the password, and what Redis says without it
    bool m_locked = false;
    std::unordered_map<redis::ClientId, Caller> m_callers;
    std::unordered_map<int, redis::ClientId> m_byVisitor;
    redis::Reply m_reply;
    std::size_t m_asked = 0; ///< the act whose answer m_reply is to be …
    bool m_answered = false; ///< … and whether it has come
};

} // namespace lockscope::live
