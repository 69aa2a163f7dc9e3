// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/live/private_node.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/live/info_number.h"
#include "core/live/server_keys.h"
#include "core/live/unix_time.h"

namespace lockscope::live {

namespace {

PrivateServerOptions::Persistence persistenceOf(const ServerSpec& spec) {
    using To = PrivateServerOptions::Persistence;
    switch (spec.persistence) {
    case ServerSpec::Persistence::None:
        return To::None;
    case ServerSpec::Persistence::Snapshot:
        return To::Snapshot;
    case ServerSpec::Persistence::EverySecond:
        return To::EverySecond;
    case ServerSpec::Persistence::Always:
        return To::Always;
    }
    return To::None;
}

PrivateServerOptions optionsFor(const ServerSpec& spec, const Secret& password) {
    PrivateServerOptions options;
    options.loopbackPort = true;
    options.password = password;
    options.persistence = persistenceOf(spec);
    if (options.persistence == PrivateServerOptions::Persistence::Snapshot)
        options.saves = spec.saveEvery > Duration{0}
                            ? QStringLiteral("%1 1").arg(std::max<qint64>(spec.saveEvery / seconds(1), 1))
                            : QStringLiteral("3600 1 300 100 60 10000"); // a redis-server's own
    options.extraLines = {QStringLiteral("hz %1").arg(spec.hz), QStringLiteral("dynamic-hz no")};
    if (!spec.activeExpiry) options.extraLines += QStringLiteral("enable-debug-command local");
    const redis::MemorySettings& memory = spec.memory;
    const std::string_view policy = redis::nameOf(memory.policy);
    options.maxMemory = static_cast<qint64>(memory.limit);
    options.maxMemoryPolicy = QString::fromUtf8(policy.data(), qsizetype(policy.size()));
    options.extraLines +=
        {QStringLiteral("maxmemory-samples %1").arg(memory.samples),
         QStringLiteral("lfu-log-factor %1").arg(memory.lfuLogFactor),
         QStringLiteral("lfu-decay-time %1").arg(memory.lfuDecayMinutes),
         QStringLiteral("min-replicas-to-write %1").arg(spec.minReplicasToWrite),
         QStringLiteral("min-replicas-max-lag %1").arg(spec.minReplicasMaxLag / seconds(1))};
    return options;
}

constexpr std::array<std::string_view, 2> kAskReplication{"INFO", "replication"};
constexpr std::chrono::milliseconds kLookForStep{20};

} // namespace

PrivateNode::PrivateNode(const ServerSpec& spec, std::shared_ptr<Janitor> janitor)
    : m_spec(spec), m_janitor(std::move(janitor)) {
    m_failover.setSingleShot(true);
    m_failover.setTimerType(Qt::PreciseTimer);
    connect(&m_failover, &QTimer::timeout, this, &PrivateNode::succeed);
    connect(&m_steps, &QTimer::timeout, this, &PrivateNode::lookForStep);
}

void PrivateNode::start() {
    QString why;
    Result<LoopbackPort> port = LoopbackPort::take();
    if (!redis::factsOf(m_spec.profile).measured)
        // The program on this machine is what it is; only the embedded store can be another.
        why = QStringLiteral("this run is for %1, and the redis-server here is another; the embedded store "
                             "can be it")
                  .arg(QString::fromStdString(redis::titleOf(m_spec.profile)));
    else if (!port)
        why = QString::fromStdString(port.error().message);
    if (!why.isEmpty())
        return void(QMetaObject::invokeMethod(
            this, [this, why] { emit failed(why); }, Qt::QueuedConnection));
    m_port = std::move(*port);
    m_endpoint.port = m_port.number();
    m_endpoint.password = Secret(randomPassword());
    m_members.resize(static_cast<std::size_t>(1 + m_spec.replicas));
    for (std::size_t i = 0; i < m_members.size(); ++i)
        prepare(i);
    primary().start();
}

void PrivateNode::prepare(std::size_t index) {
    Member& member = m_members[index];
    member.server = std::make_unique<WatchedServer>(optionsFor(m_spec, m_endpoint.password),
                                                    m_spec.activeExpiry, m_janitor);
    WatchedServer* server = member.server.get();
    connect(server, &WatchedServer::ready, this, [this, index] { onReady(index); });
    connect(server, &WatchedServer::failed, this, &LiveServer::failed);
    connect(server, &WatchedServer::died, this, [this, index] { onDied(index); });
    connect(server, &WatchedServer::unwatched, this, &LiveServer::unwatched);
    connect(server, &WatchedServer::executed, this, [this, &member](const SeenCommand& command) {
        if (member.answers) emit executed(command);
    });
    connect(server, &WatchedServer::keyRemoved, this,
            [this, &member](qint64 at, const QByteArray& key, bool evicted) {
                if (member.answers) emit keyRemoved(at, key, evicted);
            });
    connect(&server->server(), &PrivateServer::promoted, this, [this, index] { onPromoted(index); });
}

// ---- beginning

void PrivateNode::onReady(std::size_t index) {
    m_members[index].answers = false; // what it said in its last life has been heard by now
    if (m_began) return index == m_successor ? takeOver(index, EndReason::LostAtRestart) : void();
    ++m_readyMembers;
    if (index != m_primary) return beginIfComplete();
    letIn(index, [this] {
        for (std::size_t i = 0; i < m_members.size(); ++i)
            if (i != m_primary && !follow(m_members[i], PrivateServer::Readiness::InStep)) return;
        beginIfComplete();
    });
}

void PrivateNode::beginIfComplete() {
    if (m_readyMembers < m_members.size()) return;
    fallOutOfStep();
    lookForStep();
}

/// Makes it a replica of whoever answers for the node, started if it is not.
bool PrivateNode::follow(Member& member, PrivateServer::Readiness wanted) {
    if (!member.link) member.link = std::make_unique<ReplicationLink>(m_endpoint.port);
    if (const Result<void> listening = member.link->listen(); !listening) {
        emit failed(QString::fromStdString(listening.error().message));
        return false;
    }
    if (m_cut) member.link->cut();
    RedisEndpoint way;
    way.port = member.link->port();
    way.password = m_endpoint.password;
    member.server->server().follow(way);
    if (!member.server->server().isReady()) member.server->start(wanted);
    if (m_began) fallOutOfStep();
    return true;
}

/// What a replica begins with is sent by a short way, since the simulated world has it at once. When that is
/// over is seen by a command that goes through: a replica says that its link is up, and its primary that it
/// is online, up to a second before the stream of commands begins (7.0.15, without a file in between). Twice,
/// since what was said before there was a replica counts as confirmed by one that has just come.
void PrivateNode::lookForStep() {
    if (m_down || m_asksForStep) return;
    const auto links = std::ranges::count_if(m_members, [](const Member& m) { return m.link != nullptr; });
    if (links == 0) return comeIntoStep();
    const std::string all = std::to_string(links);
    const std::array<std::string_view, 3> kThrough{"PUBLISH", "lockscope:mark", "through"};
    const std::array<std::string_view, 3> kHowMany{"WAIT", all, "20"};
    primary().control().send(kThrough, {});
    m_asksForStep = primary().control().send(kHowMany, [this, links, life = m_life](const CallResult& told) {
        m_asksForStep = false;
        if (!told.reply || told.reply->integer < links || life != m_life) return;
        ++m_confirmed < 2 ? lookForStep() : comeIntoStep();
    });
}

void PrivateNode::comeIntoStep() {
    m_steps.stop();
    for (const Member& member : m_members)
        if (member.link) member.link->setLag(m_spec.replicaLag);
    if (!std::exchange(m_began, true)) emit ready();
}

/// From now on replicas are sent what they do not have.
void PrivateNode::fallOutOfStep() {
    ++m_life;
    m_confirmed = 0;
    for (const Member& member : m_members)
        if (member.link) member.link->setLag({});
    m_steps.start(kLookForStep);
}

// ---- who answers

/// From now on clients get through to it, and are seen.
void PrivateNode::letIn(std::size_t index, std::function<void()> then) {
    WatchedServer& server = *m_members[index].server;
    server.look([this, index, &server, then = std::move(then)] {
        m_members[index].answers = true;
        server.server().listenOn(m_endpoint.port, [&server, then] {
            server.moved();
            then();
        });
    });
}

/// The replica that has heard most is made the primary.
void PrivateNode::succeed() {
    struct Best {
        std::size_t index = kNobody;
        std::int64_t heard = -1;
        std::size_t unasked = 1;
    };
    if (m_successor != kNobody) return;
    const auto best = std::make_shared<Best>();
    const auto decide = [this, best] {
        if (--best->unasked > 0 || m_successor != kNobody || best->index == kNobody) return;
        if (!isReplica(best->index)) return;
        m_successor = best->index;
        m_members[best->index].server->server().promote();
    };
    for (std::size_t i = 0; i < m_members.size(); ++i) {
        if (!isReplica(i)) continue;
        best->unasked +=
            m_members[i].server->control().send(kAskReplication, [best, decide, i](const CallResult& told) {
                const std::int64_t heard =
                    told.reply ? infoNumber(told.reply->text, "slave_repl_offset") : -1;
                if (heard > best->heard) *best = {i, heard, best->unasked};
                decide();
            });
    }
    decide();
}

/// A primary that still answers does so until then.
void PrivateNode::onPromoted(std::size_t index) {
    if (index != m_successor) return;
    m_promoted = true;
    if (m_down) return takeOver(index, EndReason::LostInFailover);
    shutOut([this, index] {
        if (index != m_successor || !m_promoted) return; // it has died, and the other one has taken over
        if (!m_down) goDown();
        takeOver(index, EndReason::LostInFailover);
    });
}

/// The primary leaves the node's port and becomes a replica, which tells those who wait so, and all its
/// connections end, as Sentinel has it.
void PrivateNode::shutOut(std::function<void()> then) {
    WatchedServer& last = primary();
    last.server().listenOn(last.server().ownPort(), [this, &last, index = m_primary, then = std::move(then)] {
        if (!follow(m_members[index], PrivateServer::Readiness::Answers)) return;
        last.lookAway([this, index, &last, then] {
            m_members[index].answers = false;
            for (const std::string_view kind : {"normal", "pubsub"}) {
                const std::array<std::string_view, 6> kOut{"CLIENT", "KILL", "TYPE", kind, "SKIPME", "yes"};
                if (kind == "normal")
                    last.control().send(kOut, {});
                else
                    last.control().send(kOut, [then](const CallResult&) { then(); });
            }
        });
    });
}

void PrivateNode::takeOver(std::size_t index, EndReason why) {
    m_primary = m_successor = index;
    m_promoted = false;
    Member& member = m_members[index];
    member.link.reset();
    const qint64 life = member.server->server().pid();
    const auto isOver = [this, index, life] {
        return index != m_successor || m_members[index].server->server().pid() != life;
    };
    askForKeys(member.server->control(), [this, index, why, isOver](const auto& keys) {
        if (isOver()) return;
        if (!keys)
            return void(emit failed(QStringLiteral("the server that takes over does not tell its keys")));
        const qint64 at = unixMicros(); // before anybody can have got through
        letIn(index, [this, why, at, isOver, keys = *keys] {
            if (isOver()) return;
            m_successor = kNobody;
            m_down = false;
            emit cameUp(at, keys, why);
        });
    });
}

/// Nobody answers any more. What has not reached the replicas by now never will.
void PrivateNode::goDown() {
    m_down = true;
    for (const Member& member : m_members)
        if (member.link) member.link->drop();
    fallOutOfStep();
    const qint64 at = unixMicros();
    QMetaObject::invokeMethod(
        this, [this, at] { emit wentDown(at); }, Qt::QueuedConnection);
}

void PrivateNode::onDied(std::size_t index) {
    Member& member = m_members[index];
    member.dead = true;
    member.link.reset();
    if (!m_began) return void(emit failed(QStringLiteral("the redis-server of this run has ended")));
    if (index == m_successor) {
        m_successor = kNobody;
        m_promoted = false;
    }
    const bool startsAgain = std::exchange(member.startsAgain, false);
    if (index == m_primary && !m_down) goDown();
    if (m_down && m_promoted) takeOver(m_successor, EndReason::LostInFailover);
    if (startsAgain) return void(restart());
    if (!m_down) return;
    if (m_successor == kNobody && hasReplica() && m_spec.failoverAfter > Duration{0})
        m_failover.start(std::chrono::ceil<std::chrono::milliseconds>(m_spec.failoverAfter));
}

bool PrivateNode::hasReplica() const {
    for (std::size_t i = 0; i < m_members.size(); ++i)
        if (isReplica(i)) return true;
    return false;
}

// ---- what is done to it

bool PrivateNode::freeze() {
    if (m_down) return false;
    primary().server().freeze();
    return primary().server().isFrozen();
}

void PrivateNode::thaw() {
    for (const Member& member : m_members)
        if (member.server) member.server->server().thaw();
}

void PrivateNode::settle() {
    primary().settle([this] { QMetaObject::invokeMethod(this, &LiveServer::settled, Qt::QueuedConnection); });
}

bool PrivateNode::kill() {
    if (m_down || !m_began) return false;
    m_members[m_primary].startsAgain = false;
    primary().server().losePower();
    return true;
}

bool PrivateNode::restart() {
    if (!m_began) return false;
    Member& last = m_members[m_primary];
    if (m_down && last.dead && m_successor == kNobody) {
        m_failover.stop();
        m_successor = m_primary;
        last.dead = false;
        last.server->server().follow(std::nullopt);
        last.server->start();
        return true;
    }
    const auto dead =
        std::find_if(m_members.begin(), m_members.end(), [](const Member& m) { return m.dead; });
    if (dead != m_members.end()) {
        dead->dead = false;
        return follow(*dead, PrivateServer::Readiness::Answers);
    }
    if (m_down) return false;
    last.startsAgain = true;
    last.server->server().shutDown();
    return true;
}

bool PrivateNode::promote() {
    if (!m_began || !hasReplica() || m_successor != kNobody) return false;
    m_failover.stop();
    succeed();
    return true;
}

bool PrivateNode::cutLink() {
    if (m_spec.replicas == 0) return false;
    m_cut = true;
    for (const Member& member : m_members)
        if (member.link) member.link->cut();
    return true;
}

void PrivateNode::mendLink() {
    m_cut = false;
    for (const Member& member : m_members)
        if (member.link) member.link->mend();
}

} // namespace lockscope::live
