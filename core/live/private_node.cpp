// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/live/private_node.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/live/server_keys.h"

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

/// How much of its primary's stream a replica has heard, by its INFO.
qint64 heardBy(const std::string& info) {
    constexpr std::string_view kOffset = "slave_repl_offset:";
    const std::size_t at = info.find(kOffset);
    return at == std::string::npos ? -1 : std::atoll(info.c_str() + at + kOffset.size());
}

} // namespace

PrivateNode::PrivateNode(const ServerSpec& spec, std::shared_ptr<Janitor> janitor)
    : m_spec(spec), m_janitor(std::move(janitor)) {
    m_failover.setSingleShot(true);
    m_failover.setTimerType(Qt::PreciseTimer);
    connect(&m_failover, &QTimer::timeout, this, &PrivateNode::succeed);
}

void PrivateNode::start() {
    QString why;
    const Result<quint16> port = freeLoopbackPort();
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
    m_endpoint.port = *port;
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
    connect(&server->server(), &PrivateServer::promoted, this, [this, index] {
        if (index == m_successor) takeOver(index, EndReason::LostInFailover);
    });
}

// ---- beginning

void PrivateNode::onReady(std::size_t index) {
    Member& member = m_members[index];
    if (member.link) member.link->setLag(m_spec.replicaLag); // what it begins with came faster
    if (m_began) return index == m_primary ? takeOver(index, EndReason::LostAtRestart) : void();
    ++m_readyMembers;
    if (index != m_primary) return beginIfComplete();
    letIn(index, [this] {
        for (std::size_t i = 0; i < m_members.size(); ++i)
            if (i != m_primary && !follow(m_members[i])) return;
        beginIfComplete();
    });
}

void PrivateNode::beginIfComplete() {
    if (m_readyMembers < m_members.size()) return;
    m_began = true;
    emit ready();
}

/// Makes it a replica of whoever answers for the node, started if it is not.
bool PrivateNode::follow(Member& member) {
    if (!member.link) member.link = std::make_unique<ReplicationLink>(m_endpoint.port);
    if (const Result<void> listening = member.link->listen(); !listening) {
        emit failed(QString::fromStdString(listening.error().message));
        return false;
    }
    member.link->setLag({});
    if (m_cut) member.link->cut();
    RedisEndpoint way;
    way.port = member.link->port();
    way.password = m_endpoint.password;
    member.server->server().follow(way);
    if (!member.server->server().isReady()) member.server->start();
    return true;
}

// ---- who answers

/// From now on clients get through to it, and are seen.
void PrivateNode::letIn(std::size_t index, std::function<void()> then) {
    WatchedServer& server = *m_members[index].server;
    server.look([this, index, &server, then = std::move(then)] {
        m_members[index].answers = true;
        server.server().listenOn(m_endpoint.port, then);
    });
}

void PrivateNode::takeOver(std::size_t index, EndReason why) {
    m_primary = index;
    m_successor = kNobody;
    m_members[index].link.reset();
    const unsigned change = ++m_change;
    askForKeys(primary().control(), [this, index, change, why](const auto& keys) {
        if (change != m_change || !keys) return;
        const qint64 at = unixMicros(); // before anybody can have got through
        letIn(index, [this, change, why, at, keys = *keys] {
            if (change != m_change) return;
            m_down = false;
            emit cameUp(at, keys, why);
            for (std::size_t i = 0; i < m_members.size(); ++i) // a primary that is none any more
                if (isReplica(i) && !m_members[i].link) follow(m_members[i]);
        });
    });
}

/// Nobody answers any more. What has not reached the replicas by now never will.
void PrivateNode::goDown() {
    ++m_change;
    m_down = true;
    for (const Member& member : m_members)
        if (member.link) member.link->drop();
    emit wentDown(unixMicros());
}

void PrivateNode::onDied(std::size_t index) {
    Member& member = m_members[index];
    member.dead = true;
    member.link.reset();
    if (index != m_primary) return;
    if (!m_began) return void(emit failed(QStringLiteral("the redis-server of this run has ended")));
    if (!m_down) goDown();
    if (std::exchange(member.startsAgain, false)) return void(restart());
    if (hasReplica() && m_spec.failoverAfter > Duration{0})
        m_failover.start(std::chrono::ceil<std::chrono::milliseconds>(m_spec.failoverAfter));
}

bool PrivateNode::hasReplica() const {
    for (std::size_t i = 0; i < m_members.size(); ++i)
        if (isReplica(i)) return true;
    return false;
}

/// The replica that has heard most is made the primary.
void PrivateNode::succeed() {
    struct Best {
        std::size_t index = kNobody;
        qint64 heard = -1;
        std::size_t unasked = 0;
    };
    const auto best = std::make_shared<Best>();
    const unsigned change = m_change;
    const auto decide = [this, best, change] {
        if (--best->unasked > 0 || change != m_change || best->index == kNobody) return;
        m_successor = best->index;
        m_members[best->index].server->server().promote();
    };
    static constexpr std::array<std::string_view, 2> kInfo{"INFO", "replication"};
    best->unasked = 1;
    for (std::size_t i = 0; i < m_members.size(); ++i) {
        if (!isReplica(i)) continue;
        const bool asked =
            m_members[i].server->control().send(kInfo, [best, decide, i](const CallResult& told) {
                const qint64 heard = told.reply ? heardBy(told.reply->text) : -1;
                if (heard > best->heard) *best = {i, heard, best->unasked};
                decide();
            });
        if (asked) ++best->unasked;
    }
    decide();
}

// ---- what is done to it

bool PrivateNode::freeze() {
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
    primary().server().losePower();
    return true;
}

bool PrivateNode::restart() {
    if (!m_began) return false;
    m_failover.stop();
    Member& last = m_members[m_primary];
    const bool another = m_successor != kNobody; // somebody is about to take over
    if (m_down && last.dead && !another) {
        last.dead = last.answers = false;
        last.server->server().follow(std::nullopt);
        last.server->start();
        return true;
    }
    const auto dead =
        std::find_if(m_members.begin(), m_members.end(), [](const Member& m) { return m.dead; });
    if (dead != m_members.end()) {
        dead->dead = dead->answers = false;
        return follow(*dead);
    }
    if (m_down) return false;
    last.startsAgain = true;
    last.server->server().shutDown();
    return true;
}

/// One that lives first lets nobody in any more, and leaves the node's port.
bool PrivateNode::promote() {
    if (!m_began || !hasReplica() || m_successor != kNobody) return false;
    m_failover.stop();
    if (m_down) return succeed(), true;
    PrivateServer& last = primary().server();
    last.listenOn(last.ownPort(), [this, &last, change = m_change] {
        if (change != m_change) return;
        static constexpr std::array<std::string_view, 6> kOut{"CLIENT", "KILL",   "TYPE",
                                                              "normal", "SKIPME", "yes"};
        last.control().send(kOut, [this, change](const CallResult&) {
            if (change != m_change) return;
            goDown();
            succeed();
        });
    });
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
