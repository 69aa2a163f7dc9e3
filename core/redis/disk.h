// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/redis/stored_command.h"

namespace lockscope::redis {

/// Redis' `save 60 1`: a snapshot as soon as more than so many seconds have passed since the last one, and
/// there were that many changes.
struct SavePoint {
    std::int64_t seconds = 0;
    std::int64_t changes = 1;
    bool operator==(const SavePoint&) const = default;
};

/// What of a server's keys is on disk.
struct PersistenceOptions {
    enum class Sync : std::uint8_t { Always, EverySecond };
    std::vector<SavePoint> savePoints;
    bool appendOnly = false;
    Sync sync = Sync::EverySecond; ///< appendfsync, of the append-only file
    bool operator==(const PersistenceOptions&) const = default;
};

/// Redis' `save` setting as CONFIG shows and takes it: "3600 1 300 100".
std::string showSavePoints(const std::vector<SavePoint>& points);
std::optional<std::vector<SavePoint>> parseSavePoints(std::string_view text);

/// The disk of a server: its last snapshot and its append-only file.
///
/// An append-only file is written before a command is answered, but what was written is safe from a loss of
/// power only once it is synchronised: with `always` before the answer, with `everysec` once a second, here
/// at each full second of the server's steady clock. A server whose process is killed alone loses none of it:
/// the operating system has it already.
class Disk {
public:
    void reset(const PersistenceOptions& options, std::int64_t nowMicros);
    void configure(const PersistenceOptions& options) { m_options = options; }
    const PersistenceOptions& options() const { return m_options; }

    bool keepsLog() const { return m_options.appendOnly; }
    void append(const StoredCommand& command, std::int64_t nowMicros);
    /// The append-only file is written anew.
    void rewrite(std::span<const StoredCommand> contents, std::int64_t nowMicros);

    void save(std::vector<StoredCommand> contents, std::uint64_t changes, std::int64_t nowMicros);
    /// From now on, and until the next that works, snapshots fail.
    void failSaves(bool fail);
    bool savesFail() const { return m_savesFail; }
    /// The last snapshot failed, though snapshots are wanted: then a server refuses to write.
    bool refusesWrites() const { return m_lastSaveFailed && !m_options.savePoints.empty(); }
    bool lastSaveFailed() const { return m_lastSaveFailed; }
    void noteFailedSave() { m_lastSaveFailed = true; }
    std::int64_t lastSaveSeconds() const { return m_lastSave; }
    /// The instant of the next snapshot by a save point, if nothing more changes; nothing if there is none.
    std::optional<std::int64_t> nextSave(std::uint64_t changes) const;
    std::uint64_t changesSinceSave(std::uint64_t changes) const { return changes - m_changesSaved; }

    /// The power fails: what was not synchronised is gone.
    void losePower(std::int64_t nowMicros);
    /// What a server that starts finds: its append-only file if it keeps one, else the last snapshot.
    std::vector<StoredCommand> contents() const;
    /// A server has read that, and counts its changes anew.
    void noteStarted(std::int64_t nowMicros);

private:
    struct Written {
        StoredCommand command;
        std::int64_t at = 0;
    };

    PersistenceOptions m_options;
    std::vector<StoredCommand> m_snapshot;
    std::vector<Written> m_log;
    std::int64_t m_lastSave = 0; ///< seconds of Unix time
    std::uint64_t m_changesSaved = 0;
    bool m_savesFail = false;
    bool m_lastSaveFailed = false;
};

} // namespace lockscope::redis
