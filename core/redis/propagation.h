// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/redis/store.h"
#include "core/redis/stored_command.h"

namespace lockscope::redis {

class Disk;

/// What a primary tells its replicas and its append-only file: not the commands it was sent but what they
/// did, in an order and a form that does the same again elsewhere. The essay is in the source.
///
/// Nothing is collected, and nothing costs anything, while nobody listens.
class Propagation {
public:
    using Words = std::initializer_list<std::string_view>;

    /// Where the commands go; null, or a disk without an append-only file: nowhere.
    void connect(StreamPort* port, Disk* log);
    void reset();
    bool isOn() const { return m_on; }
    StreamPort* port() const { return m_port; }

    // While a command runs.

    /// Something that happens besides: a dead key is removed, a waiting client is served.
    void also(int database, Words words);
    /// The command at hand is told in these words.
    void instead(Words words) { m_instead.emplace(words.begin(), words.end()); }
    void instead(std::vector<std::string> words) { m_instead = std::move(words); }
    /// The command at hand is told as it came, even if it has changed nothing. To replicas alone, or to the
    /// file too.
    void force(bool toReplicasAlone) { m_forced = toReplicasAlone ? Forced::Replicas : Forced::Everywhere; }
    /// It has told itself what it did, by also().
    void nothing() { m_told = true; }

    /// The command has run. `changed`: it is one that writes, and something was written.
    void ran(int database, std::span<const std::string_view> args, bool changed);
    /// Sends what was collected. Several commands `together` are one transaction.
    void flush(bool together, std::int64_t nowMicros) {
        if (!m_effects.empty()) send(together, nowMicros);
    }

    /// Asks every replica how far it is: the REPLCONF GETACK of a WAIT.
    void askForAcknowledgement();
    /// Bytes of the stream so far: INFO's master_repl_offset.
    std::int64_t offset() const { return m_offset; }

private:
    enum class Forced : std::uint8_t { No, Replicas, Everywhere };
    struct Effect {
        StoredCommand command;
        bool toReplicasAlone = false;
    };

    void send(bool together, std::int64_t nowMicros);
    void stream(std::span<const std::string_view> words);

    StreamPort* m_port = nullptr;
    Disk* m_log = nullptr;
    bool m_on = false;
    std::vector<Effect> m_effects;
    std::optional<std::vector<std::string>> m_instead;
    Forced m_forced = Forced::No;
    bool m_told = false;
    int m_streamed = -1; ///< the database that the stream has selected
    std::int64_t m_offset = 0;
};

} // namespace lockscope::redis
