// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// A server as one of several: what its state forbids, and how it becomes a replica or a primary.

#include <algorithm>
#include <utility>

#include "core/redis/commands.h"
#include "core/redis/server.h"

namespace lockscope::redis {

namespace {

constexpr std::string_view kReplicaReadsOnly = "READONLY You can't write against a read only replica.";
constexpr std::string_view kNoReplicas = "NOREPLICAS Not enough good replicas to write.";
constexpr std::string_view kLoadingKeys = "LOADING Redis is loading the dataset in memory";
constexpr std::string_view kCannotSave =
    "MISCONF Redis is configured to save RDB snapshots, but it's currently unable to persist to disk. "
    "Commands "
    "that may modify the data set are disabled, because this instance is configured to report errors during "
    "writes if RDB snapshotting fails (stop-writes-on-bgsave-error option). Please check the Redis logs for "
    "details about the RDB error.";
constexpr std::string_view kStateChanged =
    "UNBLOCKED force unblock from blocking operation, instance state changed (master -> replica?)";

} // namespace

void Server::noteGuards() {
    m_guarded = m_replication.isReplica || m_disk.refusesWrites() || m_settings.minReplicasToWrite > 0 ||
                m_loadedAt != 0;
}

std::string_view Server::writesRefused() const {
    if (m_replication.isReplica) return kReplicaReadsOnly;
    if (m_disk.refusesWrites()) return kCannotSave;
    const std::int64_t wanted = m_settings.minReplicasToWrite;
    if (wanted > 0 && m_replication.good(m_keyspace.clockMicros(), m_settings.minReplicasMaxLag) < wanted)
        return kNoReplicas;
    return {};
}

bool Server::permits(Client& client, const Command& command, Reply& reply) {
    if (&client == &m_primary) return true;
    const bool runsQueue = command.handler == commands::exec;
    const auto anyQueued = [&](auto fits) {
        return runsQueue && std::ranges::any_of(client.queue, [&](const KeptCommand& kept) {
                   return fits(*resolveCommand(std::vector<std::string_view>(kept.begin(), kept.end())));
               });
    };
    // In the order in which Redis looks. A failing disk stops PING as well, so that whoever watches the
    // server learns of it.
    const bool writes =
        command.has(kWrite) || anyQueued([](const Command& queued) { return queued.has(kWrite); });
    if (!m_replication.isReplica && m_disk.refusesWrites() && (writes || command.handler == commands::ping)) {
        refuse(client, &command, kCannotSave, reply);
        return false;
    }
    const std::string_view refusal = writes ? writesRefused() : std::string_view();
    if (!refusal.empty()) {
        refuse(client, &command, refusal, reply);
        return false;
    }
    if (!isLoading()) {
        if (std::exchange(m_loadedAt, 0) != 0) noteGuards();
        return true;
    }
    if (command.has(kLoading) && !anyQueued([](const Command& queued) { return !queued.has(kLoading); }))
        return true;
    refuse(client, &command, kLoadingKeys, reply);
    return false;
}

void Server::streamTo(StreamPort* port) {
    m_propagation.connect(port, &m_disk);
}

void Server::becomeReplica(std::int64_t nowMicros, std::int64_t offset) {
    advance(nowMicros);
    m_keyspace.tellAt(nowMicros);
    m_blocked.endAll(kStateChanged);
    m_replication = {.isReplica = true, .linkUp = true, .applied = offset, .known = {}};
    m_primary = Client{};
    keepDeadKeys(true);
    noteGuards();
}

void Server::becomePrimary(std::int64_t nowMicros) {
    advance(nowMicros);
    m_keyspace.tellAt(nowMicros);
    m_replication.clear();
    keepDeadKeys(m_standstill.any());
    noteGuards();
}

void Server::applyFromPrimary(std::span<const std::string_view> words, std::int64_t offset,
                              std::int64_t nowMicros) {
    LOCKSCOPE_ASSERT(m_replication.isReplica);
    advance(nowMicros);
    if (m_startedAt == 0) noteStarted(nowMicros);
    m_keyspace.tellAt(nowMicros);
    m_keyspace.obey(true);
    dispatch(m_primary, words, m_reply);
    m_keyspace.obey(false);
    m_propagation.flush(true, nowMicros);
    m_replication.applied = offset;
}

void Server::setReplicas(std::span<const ReplicaLink> replicas, std::int64_t nowMicros) {
    advance(nowMicros);
    m_keyspace.tellAt(nowMicros);
    m_replication.known.assign(replicas.begin(), replicas.end());
    m_blocked.acknowledged();
}

} // namespace lockscope::redis
