// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <vector>

#include "core/live/live_server.h"
#include "core/live/replication_link.h"
#include "core/live/watched_server.h"

namespace lockscope::live {

/// A node of redis-servers of our own: a primary, and the replicas that can take its place.
///
/// Clients know one port. Each server has a port of its own besides, and whoever is to answer for the node
/// listens on the node's port as well (CONFIG SET port), after all is known that he has and after he is
/// looked at. So nobody gets through to him unseen. Replicas find their primary by the node's port, too, by
/// way of this process (ReplicationLink).
///
/// Every fault is real: SIGKILL, a start on what the disk has, REPLICAOF NO ONE. Only what a disk without
/// power has forgotten has to be made up (AppendLog).
class PrivateNode final : public LiveServer {
    Q_OBJECT

public:
    PrivateNode(const ServerSpec& spec, std::shared_ptr<Janitor> janitor);

    void start() override;
    RedisEndpoint endpoint() const override { return m_endpoint; }
    bool isMonitored() const override { return true; }
    bool freeze() override;
    void thaw() override;
    void settle() override;
    void lookAway(std::function<void()> then) override { primary().lookAway(std::move(then)); }
    void lookAgain(std::function<void()> then) override { primary().lookAgain(std::move(then)); }
    bool kill() override;
    bool restart() override;
    bool promote() override;
    bool cutLink() override;
    void mendLink() override;

private:
    struct Member {
        std::unique_ptr<WatchedServer> server;
        std::unique_ptr<ReplicationLink> link; ///< to its primary, if it was ever a replica
        bool answers = false; ///< for the node, since it was started last: what it does is told
        bool dead = false;
        bool startsAgain = false; ///< as soon as it has ended
    };
    static constexpr std::size_t kNobody = ~std::size_t{0};

    WatchedServer& primary() { return *m_members[m_primary].server; }
    void prepare(std::size_t index);
    void onReady(std::size_t index);
    void beginIfComplete();
    bool follow(Member& member);
    void letIn(std::size_t index, std::function<void()> then);
    void takeOver(std::size_t index, EndReason why);
    void goDown();
    void onDied(std::size_t index);
    void succeed();
    bool hasReplica() const;
    bool isReplica(std::size_t index) const { return index != m_primary && !m_members[index].dead; }

    ServerSpec m_spec;
    std::shared_ptr<Janitor> m_janitor;
    RedisEndpoint m_endpoint; ///< of whoever answers for the node
    std::vector<Member> m_members;
    std::size_t m_primary = 0;         ///< also while it is down
    std::size_t m_successor = kNobody; ///< a replica that is being made the primary
    std::size_t m_readyMembers = 0;    ///< before the beginning
    QTimer m_failover;
    bool m_began = false;
    bool m_down = false; ///< nobody answers
    bool m_cut = false;
    unsigned m_change = 0; ///< counts who was to answer, so that what was begun for another one is dropped
};

} // namespace lockscope::live
