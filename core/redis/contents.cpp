// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// All keys as commands: what a snapshot on disk holds, and what a replica is sent when it begins. Redis
// writes a format of its own for both, and these very commands when it rewrites an append-only file. Of dead
// keys it writes their deadline like any other; who reads them decides.

#include "core/redis/keyspace.h"
#include "core/redis/numbers.h"

namespace lockscope::redis {

namespace {

struct AddElements {
    std::vector<std::string>& words;

    void operator()(const std::string& text) const { words = {"SET", words[1], text}; }
    void operator()(const std::unique_ptr<List>& list) const {
        words[0] = "RPUSH";
        words.insert(words.end(), list->items.begin(), list->items.end());
    }
    void operator()(const std::unique_ptr<Set>& set) const {
        words[0] = "SADD";
        set->forEach([&](std::string_view member) { words.emplace_back(member); });
    }
    void operator()(const std::unique_ptr<Hash>& hash) const {
        words[0] = "HSET";
        hash->forEach([&](const Member& field) {
            words.push_back(field.key);
            words.push_back(field.value);
        });
    }
    void operator()(const std::unique_ptr<SortedSet>& set) const {
        words[0] = "ZADD";
        set->forEach([&](const Member& member) {
            words.push_back(formatDouble(member.score));
            words.push_back(member.key);
        });
    }
};

} // namespace

std::vector<StoredCommand> Keyspace::contents() const {
    std::vector<StoredCommand> all;
    for (const Database& home : std::span(m_databases).first(m_used))
        for (std::size_t i = 0; home.keys.size() > 0 && i < home.keys.bucketCount(); ++i)
            home.keys.visitBucket(i, [&](const Entry& entry) {
                std::vector<std::string>& words = all.emplace_back(StoredCommand{home.index, {}}).words;
                words = {"", entry.key};
                std::visit(AddElements{words}, entry.value);
                if (entry.isVolatile())
                    all.push_back({home.index,
                                   {"PEXPIREAT", entry.key, std::to_string(machineMillis(entry.deadline))}});
            });
    return all;
}

} // namespace lockscope::redis
