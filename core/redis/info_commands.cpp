// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <iterator>
#include <string>

#include <fmt/format.h>

#include "core/redis/call.h"
#include "core/redis/commands.h"
#include "core/redis/memory_model.h"
#include "core/redis/numbers.h"
#include "core/redis/server.h"

// What the server says about itself: INFO, ROLE and the questions that key browsers ask. What there is none
// of (replicas, modules, slow commands, a cluster) is said as Redis says it.

namespace lockscope::redis::commands {

namespace {

/// The text of INFO, section by section, as far as the client asked for it.
class InfoText {
public:
    explicit InfoText(const Call& call) : m_call(call) {}

    bool begin(std::string_view section) {
        const auto asksFor = [&](std::string_view asked) {
            return equalsIgnoringCase(asked, lowered(section)) || equalsIgnoringCase(asked, "all") ||
                   equalsIgnoringCase(asked, "default") || equalsIgnoringCase(asked, "everything");
        };
        if (m_call.count() > 1 && !std::ranges::any_of(m_call.args.subspan(1), asksFor)) return false;
        if (m_text.size() > kPrefix.size()) m_text += "\r\n";
        m_text += fmt::format("# {}\r\n", section);
        return true;
    }

    template <typename T>
    InfoText& add(std::string_view name, const T& value) {
        fmt::format_to(std::back_inserter(m_text), "{}:{}\r\n", name, value);
        return *this;
    }

    const std::string& text() const { return m_text; }

private:
    static constexpr std::string_view kPrefix = "txt:";
    const Call& m_call;
    std::string m_text{kPrefix};
};

/// By the model of memory_model.cpp. Without what only an operating system knows: fragmentation, resident
/// size.
void addMemory(InfoText& text, Call& call) {
    const MemorySettings& settings = call.server.settings().memory;
    const std::size_t used = call.server.usedMemory();
    text.add("used_memory", used)
        .add("used_memory_human", humanMemory(used))
        .add("used_memory_startup", kEmptyServer)
        .add("used_memory_dataset", call.keyspace.memory().entries())
        .add("used_memory_scripts_eval", call.server.scripts().memory())
        .add("maxmemory", settings.limit)
        .add("maxmemory_human", humanMemory(settings.limit))
        .add("maxmemory_policy", nameOf(settings.policy))
        .add("mem_not_counted_for_evict", 0);
}

/// Servers have no addresses here.
void addReplication(InfoText& text, const Call& call) {
    const Replication& replication = call.server.replication();
    const Settings& settings = call.server.settings();
    const std::int64_t now = call.keyspace.clockMicros();
    text.add("role", replication.isReplica ? "slave" : "master");
    if (replication.isReplica)
        text.add("master_host", settings.address)
            .add("master_port", settings.port)
            .add("master_link_status", replication.linkUp ? "up" : "down")
            .add("slave_repl_offset", replication.applied)
            .add("slave_read_only", 1);
    text.add("connected_slaves", replication.known.size());
    if (settings.minReplicasToWrite > 0)
        text.add("min_slaves_good_slaves", replication.good(now, settings.minReplicasMaxLag));
    for (std::size_t i = 0; i < replication.known.size(); ++i) {
        const ReplicaLink& one = replication.known[i];
        text.add(fmt::format("slave{}", i),
                 fmt::format("ip={},port={},state=online,offset={},lag={}", settings.address, settings.port,
                             one.acknowledged, Replication::secondsSilent(one, now)));
    }
    text.add("master_repl_offset",
             replication.isReplica ? replication.applied : call.server.propagation().offset());
}

void addKeyspaces(InfoText& text, Call& call) {
    for (const Database& database : call.keyspace.usedDatabases()) {
        if (database.keys.size() == 0) continue;
        text.add(
            fmt::format("db{}", database.index),
            fmt::format("keys={},expires={},avg_ttl=0", database.keys.size(), database.volatileKeys.size()));
    }
}

} // namespace

void info(Call& call) {
    InfoText text(call);
    const Statistics& statistics = call.server.statistics();
    const Disk& disk = call.server.disk();
    const std::int64_t uptime = (call.keyspace.clockMicros() - call.server.startedAt()) / 1'000'000;
    if (text.begin("Server")) {
        const ProfileFacts& facts = factsOf(call.profile());
        text.add("redis_version", facts.redisVersion);
        if (facts.product == Product::Valkey)
            text.add("server_name", "valkey").add("valkey_version", facts.version);
        text.add(facts.product == Product::Valkey ? "server_mode" : "redis_mode", "standalone")
            .add("tcp_port", call.server.settings().port)
            .add("server_time_usec", call.keyspace.clockMicros())
            .add("uptime_in_seconds", uptime)
            .add("uptime_in_days", uptime / 86'400)
            .add("hz", call.server.settings().hz)
            .add("configured_hz", call.server.settings().hz);
    }
    if (text.begin("Clients"))
        text.add("connected_clients", call.server.clientCount())
            .add("maxclients", call.server.settings().clientLimit)
            .add("blocked_clients", call.server.blocked().size());
    if (text.begin("Memory")) addMemory(text, call);
    if (text.begin("Persistence"))
        text.add("loading", call.server.isLoading() ? 1 : 0)
            .add("rdb_changes_since_last_save", disk.changesSinceSave(call.keyspace.changes()))
            .add("rdb_bgsave_in_progress", 0)
            .add("rdb_last_save_time", disk.lastSaveSeconds())
            .add("rdb_last_bgsave_status", disk.lastSaveFailed() ? "err" : "ok")
            .add("aof_enabled", disk.keepsLog() ? 1 : 0);
    if (text.begin("Stats"))
        text.add("total_commands_processed", statistics.commands)
            .add("expired_keys", call.keyspace.expiredKeys() - statistics.expiredBefore)
            .add("evicted_keys", call.keyspace.evictedKeys() - statistics.evictedBefore)
            .add("keyspace_hits", call.keyspace.hits() - statistics.hitsBefore)
            .add("keyspace_misses", call.keyspace.misses() - statistics.missesBefore)
            .add("pubsub_channels", call.server.pubsub().channels().size())
            .add("pubsub_patterns", call.server.pubsub().patterns().size());
    if (text.begin("Replication")) addReplication(text, call);
    if (text.begin("Cluster")) text.add("cluster_enabled", 0);
    if (text.begin("Keyspace")) addKeyspaces(text, call);
    call.reply.become(Reply::Type::Verbatim, text.text());
}

void role(Call& call) {
    const Replication& replication = call.server.replication();
    const Settings& settings = call.server.settings();
    std::vector<Reply>& items = call.reply.become(Reply::Type::Array).items;
    if (replication.isReplica) {
        items.resize(5);
        items[0].becomeBulk("slave");
        items[1].becomeBulk(settings.address);
        items[2].becomeInteger(settings.port);
        items[3].becomeBulk(replication.linkUp ? "connected" : "connect");
        items[4].becomeInteger(replication.applied);
        return;
    }
    items.resize(3);
    items[0].becomeBulk("master");
    items[1].becomeInteger(call.server.propagation().offset());
    items[2].becomeArray();
    for (const ReplicaLink& one : replication.known) {
        std::vector<Reply>& parts = items[2].items.emplace_back().become(Reply::Type::Array).items;
        parts.resize(3);
        parts[0].becomeBulk(settings.address);
        parts[1].becomeBulk(std::to_string(settings.port));
        parts[2].becomeBulk(std::to_string(one.acknowledged));
    }
}

void cluster(Call& call) {
    call.reply.becomeError("ERR This instance has cluster support disabled");
}

void moduleList(Call& call) {
    call.reply.becomeArray();
}

void monitor(Call& call) {
    call.server.monitor(call.client);
    call.reply.becomeStatus("OK");
}

// No command takes time here, so none is slow, and nobody can switch the watch on.

void latencyDoctor(Call& call) {
    call.reply.become(
        Reply::Type::Verbatim,
        "txt:I'm sorry, Dave, I can't do that. Latency monitoring is disabled in this Redis instance. You "
        "may use "
        "\"CONFIG SET latency-monitor-threshold <milliseconds>.\" in order to enable it. If we weren't in a "
        "deep "
        "space mission I'd suggest to take a look at https://redis.io/topics/latency-monitor.\n");
}
void latencyGraph(Call& call) {
    call.reply.becomeError(errors::onOneLine(
        fmt::format("ERR No samples available for event '{}'", errors::printed(call.arg(2)))));
}
void latencyHistogram(Call& call) {
    call.reply.become(Reply::Type::Map);
}
void latencyHistory(Call& call) {
    call.reply.becomeArray();
}

void latencyLatest(Call& call) {
    call.reply.becomeArray();
}
void latencyReset(Call& call) {
    call.reply.becomeInteger(0);
}
void slowLogLen(Call& call) {
    call.reply.becomeInteger(0);
}
void slowLogReset(Call& call) {
    call.reply.becomeStatus("OK");
}

void slowLogGet(Call& call) {
    if (call.count() > 3) return call.reply.becomeError(errors::wrongSubcommand(call.command, call.arg(1)));
    if (call.count() == 3 && parseInteger(call.arg(2)).value_or(-2) < -1)
        return call.reply.becomeError("ERR count should be greater than or equal to -1");
    call.reply.becomeArray();
}

} // namespace lockscope::redis::commands
