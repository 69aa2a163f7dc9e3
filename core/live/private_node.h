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
/// Clients know one port. Each server is started on a port of its own, and whoever is to answer for the node
/// moves to the node's port (CONFIG SET port), after all is known that he has and when he is looked at. So
/// nobody gets through to him unseen. Replicas find their primary by the node's port, too, by way of this
/// process (ReplicationLink).
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
        std::unique_ptr<ReplicationLink> link; ///< to its primary, if it is a replica
        bool answers = false;                  ///< or did last: what it does is told
        bool dead = false;
        bool startsAgain = false; ///< as soon as it has ended
    };
    static constexpr std::size_t kNobody = ~std::size_t{0};

    WatchedServer& primary() { return *m_members[m_primary].server; }
    void prepare(std::size_t index);
    void onReady(std::size_t index);
    void beginIfComplete();
    bool follow(Member& member, PrivateServer::Readiness wanted);
    void lookForStep();
    void comeIntoStep();
    void fallOutOfStep();
    void letIn(std::size_t index, std::function<void()> then);
    void succeed();
    void onPromoted(std::size_t index);
    void shutOut(std::function<void()> then);
    void takeOver(std::size_t index, EndReason why);
    void goDown();
    void onDied(std::size_t index);
    bool isReplica(std::size_t index) const { return index != m_primary && !m_members[index].dead; }
    bool hasReplica() const;

    ServerSpec m_spec;
    std::shared_ptr<Janitor> m_janitor;
    LoopbackPort m_port;
    RedisEndpoint m_endpoint; ///< of whoever answers for the node
    std::vector<Member> m_members;
    std::size_t m_primary = 0;         ///< also while it is down
    std::size_t m_successor = kNobody; ///< who is about to answer
    std::size_t m_readyMembers = 0;    ///< before the beginning
    QTimer m_failover;
    QTimer m_steps; ///< as long as replicas are not in step; until they are the links are short
    bool m_asksForStep = false;
    int m_confirmed = 0;
    unsigned m_life = 0; ///< counts how often they fell out of it
    bool m_began = false;
    bool m_down = false;     ///< nobody answers
    bool m_promoted = false; ///< the successor is a primary already
    bool m_cut = false;
};

} // namespace lockscope::live
