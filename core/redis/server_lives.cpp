// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// A server that stops and starts, and what it finds again.

#include "core/redis/server.h"

namespace lockscope::redis {

bool Server::save() {
    if (m_disk.savesFail()) {
        m_disk.noteFailedSave();
        noteGuards();
        return false;
    }
    m_disk.save(m_keyspace.contents(), m_keyspace.changes(), m_keyspace.clockMicros());
    noteGuards();
    return true;
}

void Server::failSaves(bool fail, std::int64_t nowMicros) {
    advance(nowMicros);
    m_disk.failSaves(fail);
    if (!fail) save();
    noteGuards();
}

void Server::noteStarted(std::int64_t nowMicros) {
    m_startedAt = nowMicros;
    m_disk.noteStarted(nowMicros);
}

void Server::runStored(Client& as, const StoredCommand& command) {
    as.database = command.database;
    const std::vector<std::string_view> words(command.words.begin(), command.words.end());
    const Command* known = resolve(words);
    LOCKSCOPE_ASSERT(known != nullptr);
    Call call{*this, m_keyspace, as, *known, words, m_reply};
    known->handler(call);
}

void Server::replaceContents(std::span<const StoredCommand> commands, std::int64_t nowMicros) {
    advance(nowMicros);
    m_keyspace.tellAt(nowMicros);
    load(commands);
    m_disk.rewrite(commands, nowMicros);
}

void Server::load(std::span<const StoredCommand> commands) {
    m_keyspace.forgetAll();
    m_keyspace.obey(true);
    Client loader;
    for (const StoredCommand& command : commands)
        runStored(loader, command);
    m_keyspace.obey(false);
    m_keyspace.forgetChanges();
}

void Server::forgetClients() {
    m_pubsub.clear();
    m_blocked.clear();
    m_standstill.clear();
    m_monitors.clear();
    m_clients.clear();
    m_clientCount = 0;
}

void Server::stop(bool orderly, std::int64_t nowMicros) {
    advance(nowMicros);
    // SHUTDOWN writes a snapshot if there are save points, and the rest of the append-only file.
    if (!orderly)
        m_disk.losePower(nowMicros);
    else if (!m_settings.persistence.savePoints.empty() && !m_replication.isReplica)
        save();
    forgetClients();
    m_scripts.reset(m_options.scriptLimits, m_options.profile);
    m_statistics = {};
    m_called.clear();
    m_calledLast = nullptr;
    m_startedAt = 0;
    m_outOfMemory = m_limitChanged = false;
    m_propagation.reset();
    m_replication.clear();
    m_keyspace.tellAt(nowMicros);
    m_keyspace.forgetAll();
    keepDeadKeys(false);
}

/// A primary throws dead keys away while it reads them; nobody hears of that.
void Server::start(std::int64_t nowMicros, std::int64_t loadedAt) {
    advance(nowMicros);
    m_keyspace.tellAt(nowMicros);
    load(m_disk.contents());
    m_keyspace.forgetDead();
    noteStarted(nowMicros);
    m_loadedAt = loadedAt > nowMicros ? loadedAt : 0;
    noteGuards();
}

} // namespace lockscope::redis
