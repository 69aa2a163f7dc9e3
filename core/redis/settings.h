// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/redis/disk.h"
#include "core/redis/memory_settings.h"
#include "core/redis/store.h"

namespace lockscope::redis {

/// What CONFIG shows and sets, as far as it means something here.
struct Settings {
    int hz = 10;
    MemorySettings memory;
    PersistenceOptions persistence;
    int minReplicasToWrite = 0;
    int minReplicasMaxLag = 10;          ///< seconds; 0: replicas are not looked at
    std::int64_t busyAfterMillis = 5000; ///< of a script that does not end; 0: never
    std::string notifications;           ///< as CONFIG GET shows it
    DebugCommand debugCommand = DebugCommand::Closed;
    std::string password; ///< of the default user; empty lets everybody in
    std::string address = "127.0.0.1";
    int port = 0; ///< 0: not served
    // Whoever serves the store keeps these: see Serving.
    bool needsPassword = false;
    std::size_t clientLimit = Serving{}.clients;
    std::size_t longestString = Serving{}.argumentBytes;
    std::size_t queryBytes = Serving{}.queryBytes;
    std::size_t unreadBytes = Serving{}.unreadBytes;
};

/// One name of CONFIG.
struct Setting {
    std::string_view name;
    std::string (*show)(const Settings&);
    /// Empty if the value was taken, else why not. Null: cannot be changed while the server runs.
    std::string (*set)(Settings&, std::string_view value);
};

/// All of them, by name.
std::span<const Setting> settingsTable();
const Setting* findSetting(std::string_view name);

} // namespace lockscope::redis
