// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/redis/propagation.h"

#include <string>
#include <utility>

#include "core/redis/disk.h"

// How a replica, and an append-only file, learn what a server does
//
// They are sent commands, but not those of the clients. A command is told by what it did:
//
//     SET lock A NX PX 30000      SET lock A PXAT 1700000030000    a refused one is not told at all
//     EXPIRE lock 30              PEXPIREAT lock 1700000030000
//     EXPIRE lock 0               DEL lock
//     INCRBYFLOAT f 1.5           SET f 3 KEEPTTL
//     SPOP s                      SREM s member
//     BLPOP l 5                   LPOP l, when there is something
//     EVAL …                      each command that the script ran and that changed something
//     (a key is found dead)       DEL lock, before the command that found it
//     (a key is evicted)          DEL key
//
// So deadlines are instants, not lengths: how long the commands were on their way makes no difference, and a
// file that is read a day later brings no lock back whose time is over. A replica does not expire keys by
// itself. It answers as if a dead key were gone, and keeps it until its primary's DEL comes.
//
// What belongs together, a transaction, a script, a dead key and what is put in its place, comes as one MULTI
// … EXEC, if it is more than one command.
//
// None of this waits for anything. The client has its answer before the first byte leaves, so a primary that
// dies takes along what it had promised and not told: that is the whole of the lesson on failover.
//
// Checked against the stream of redis-server 7.0.15 (tests/conformance). Left out: a replica's own replicas,
// and the PING that a primary sends every ten seconds, which counts as part of the stream in Redis.

namespace lockscope::redis {

namespace {

std::size_t digitsOf(std::size_t number) {
    return std::to_string(number).size();
}

/// As RESP: *2\r\n$3\r\nDEL\r\n …
std::int64_t bytesOf(std::span<const std::string_view> words) {
    constexpr std::size_t kMarks = 3; // a sign before it, and the end of the line
    std::size_t bytes = digitsOf(words.size()) + kMarks;
    for (const std::string_view word : words)
        bytes += digitsOf(word.size()) + kMarks + word.size() + 2;
    return static_cast<std::int64_t>(bytes);
}

} // namespace

void Propagation::connect(StreamPort* port, Disk* log) {
    if (port != m_port) m_streamed = -1;
    m_port = port;
    m_log = log && log->keepsLog() ? log : nullptr;
    m_on = m_port || m_log;
}

void Propagation::reset() {
    m_effects.clear();
    m_instead.reset();
    m_forced = Forced::No;
    m_told = false;
    m_streamed = -1;
    m_offset = 0;
}

void Propagation::also(int database, Words words) {
    m_effects.push_back({{database, {words.begin(), words.end()}}, false});
}

void Propagation::ran(int database, std::span<const std::string_view> args, bool changed) {
    const Forced forced = std::exchange(m_forced, Forced::No);
    const bool told = std::exchange(m_told, false);
    std::optional<std::vector<std::string>> instead = std::exchange(m_instead, std::nullopt);
    if (told || (!changed && forced == Forced::No)) return;
    if (!instead) instead.emplace(args.begin(), args.end());
    m_effects.push_back({{database, std::move(*instead)}, forced == Forced::Replicas});
}

void Propagation::stream(std::span<const std::string_view> words) {
    m_offset += bytesOf(words);
    m_port->onStream(words, m_offset);
}

void Propagation::send(bool together, std::int64_t nowMicros) {
    const std::vector<Effect> effects = std::exchange(m_effects, {});
    if (m_log)
        for (const Effect& effect : effects)
            if (!effect.toReplicasAlone) m_log->append(effect.command, nowMicros);
    if (!m_port) return;
    const auto select = [this](int database) {
        if (std::exchange(m_streamed, database) == database) return;
        const std::string number = std::to_string(database);
        const std::string_view words[] = {"SELECT", number};
        stream(words);
    };
    const bool wrapped = together && effects.size() > 1;
    static constexpr std::string_view kMulti[] = {"MULTI"};
    static constexpr std::string_view kExec[] = {"EXEC"};
    if (wrapped) {
        select(effects.front().command.database);
        stream(kMulti);
    }
    for (const Effect& effect : effects) {
        select(effect.command.database);
        stream(std::vector<std::string_view>(effect.command.words.begin(), effect.command.words.end()));
    }
    if (wrapped) stream(kExec);
}

void Propagation::askForAcknowledgement() {
    static constexpr std::string_view kAsk[] = {"REPLCONF", "GETACK", "*"};
    if (m_port) stream(kAsk);
}

} // namespace lockscope::redis
