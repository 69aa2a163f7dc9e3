// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "core/redis/memory_settings.h"
#include "tests/conformance/our_server.h"

using namespace lockscope::redis;

namespace {

constexpr std::int64_t kMega = 1 << 20;

bool near(std::int64_t ours, std::int64_t real, double share) {
    return std::abs(static_cast<double>(ours - real)) <= share * static_cast<double>(real);
}

/// What a load of a cache came to.
struct Outcome {
    std::int64_t evicted = 0;
    std::int64_t firstRefusal = 0; ///< the number of the write, from 1; 0: none
};

QByteArray shown(const Outcome& real, const Outcome& ours) {
    return QString("real: %1 evicted, first refusal %2; ours: %3, %4")
        .arg(real.evicted)
        .arg(real.firstRefusal)
        .arg(ours.evicted)
        .arg(ours.firstRefusal)
        .toUtf8();
}

/// So many SETs of values of so many bytes, each with a deadline if the policy needs some.
struct Load {
    EvictionPolicy policy = EvictionPolicy::NoEviction;
    int writes = 0;
    std::size_t bytes = 0;
    bool dated = false;

    Words write(int i) const {
        Words words = {"SET", "cache:" + std::to_string(i), std::string(bytes, 'x')};
        if (dated) words.insert(words.end(), {"PX", std::to_string(3'600'000 + i)});
        return words;
    }
};

constexpr int kWritesPerMillisecond = 20;

} // namespace

/// Memory and eviction of the embedded store against the redis-server of this machine.
class MemoryConformanceTest : public QObject {
    Q_OBJECT

    RealServer m_real;

    /// used_memory without the buffers of clients, which grow and shrink as the server pleases.
    std::int64_t usedForKeys() {
        std::int64_t clients = 0;
        for (const QString& line :
             QString::fromStdString(m_real.execute({"CLIENT", "LIST"}).text).split('\n'))
            clients += line.section(" tot-mem=", 1).section(' ', 0, 0).toLongLong();
        return m_real.info("memory", "used_memory") - clients;
    }

    /// Until no dictionary moves to a larger table any more, which the server's cron does in its own time.
    void settle() {
        const auto moves = [this] {
            return m_real.execute({"DEBUG", "HTSTATS", "0"}).text.find("rehashing") != std::string::npos;
        };
        QTRY_VERIFY_WITH_TIMEOUT(!moves(), 20'000);
    }

    /// Many words of a load's size: afterwards the buffers are as large as the load needs them.
    void warmUp(std::size_t bytes) {
        m_real.executeAll(Commands(500, {"EXISTS", std::string(bytes, 'x')}), [](const Reply&) {});
    }

    Outcome loadReal(const Load& load, std::int64_t room) {
        startAfresh(m_real);
        warmUp(load.bytes);
        m_real.info("memory", "used_memory");
        const std::int64_t used = m_real.info("memory", "used_memory");
        m_real.execute({"CONFIG", "SET", "maxmemory-policy", std::string(nameOf(load.policy)), "maxmemory",
                        std::to_string(used + room)});
        Outcome outcome;
        Commands part;
        for (int i = 0, answered = 0; i < load.writes; ++i) {
            part.push_back(load.write(i));
            if (part.size() < 500 && i + 1 < load.writes) continue;
            m_real.setClock(kStart + std::int64_t{i} / kWritesPerMillisecond * 1000);
            m_real.executeAll(part, [&](const Reply& reply) {
                ++answered;
                if (reply.isError() && outcome.firstRefusal == 0) outcome.firstRefusal = answered;
            });
            part.clear();
        }
        outcome.evicted = m_real.info("stats", "evicted_keys");
        return outcome;
    }

    static Outcome loadOurs(const Load& load, std::int64_t room, std::uint64_t seed) {
        OurServer ours(seed);
        ours.execute({"EXISTS", "x"});
        ours.execute({"INFO"});
        ours.execute({"CONFIG", "SET", "maxmemory-policy", std::string(nameOf(load.policy)), "maxmemory",
                      std::to_string(ours.used() + room)});
        Outcome outcome;
        for (int i = 0; i < load.writes; ++i) {
            ours.setClock(kStart + std::int64_t{i} / kWritesPerMillisecond * 1000);
            if (ours.execute(load.write(i)).isError() && outcome.firstRefusal == 0)
                outcome.firstRefusal = i + 1;
        }
        outcome.evicted = ours.evicted();
        return outcome;
    }

    void compare(OurServer& ours, const Commands& commands) {
        const QByteArray found = firstDifference(m_real, ours, commands);
        QVERIFY2(found.isEmpty(), found);
    }

private slots:
    void initTestCase() {
        const QString failure = m_real.start();
        if (!failure.isEmpty()) QFAIL(qPrintable(failure));
    }

    void memoryGrowsAlike_data() {
        QTest::addColumn<QList<QByteArray>>("command");
        QTest::addColumn<int>("keys");
        const auto row = [](const char* name, const char* command, int keys = 10'000) {
            QTest::addRow("%s", name) << QByteArray(command).split(' ') << keys;
        };
        // # is the number of the key, ~N a text of N bytes; what follows * is repeated with * counting.
        row("small numbers", "SET key:# #");
        row("numbers", "SET key:# 1234567#");
        row("short strings", "SET key:# value:#");
        row("44 bytes", "SET key:# ~44");
        row("45 bytes", "SET key:# ~45");
        row("100 bytes", "SET key:# ~100");
        row("1,000 bytes", "SET key:# ~1000");
        row("1,024 bytes", "SET key:# ~1024");
        row("40,000 bytes", "SET key:# ~40000", 300);
        row("long names", "SET a:rather:long:name:of:a:key:in:some:cache:# 1");
        row("deadlines", "SET key:# ~100 PX 100000");
        row("locks", "SET lock:# 6f2e51d1-77a0-4c5c-9f0c-6a3b6f0e7b11 NX PX 30000");
        row("20,000 keys", "SET key:# ~10", 20'000);
        row("100,000 keys", "SET key:# ~10", 100'000);
        row("appended", "APPEND key:# ~100");
        row("small hashes", "HSET key:# holder:# 1 name ~20 count 12345");
        row("hashes in tables", "HSET key:# holder:# ~100 name ~20 count 12345");
        row("one large hash", "HSET key field:# value:#");
        row("small sets of numbers", "SADD key:# 1 2 3 400000");
        row("small sets", "SADD key:# one two three #");
        row("one large set", "SADD key member:#");
        row("small sorted sets", "ZADD key:# 1700000000 one:# 2.5 two");
        row("sorted sets with long names", "ZADD key:# 1 ~70 2 ~71");
        row("one large sorted set", "ZADD key # member:#");
        row("small lists", "RPUSH key:# one two # four");
        row("lists of long items", "RPUSH key:# ~3000 ~3000 ~3000 ~3000", 2'000);
        row("one list of numbers", "RPUSH key #");
        row("one list of short items", "LPUSH key item:#");
        row("one list of 1,024 bytes", "RPUSH key ~1024");
    }
    void memoryGrowsAlike() {
        QFETCH(QList<QByteArray>, command);
        QFETCH(int, keys);
        startAfresh(m_real);
        OurServer ours;
        for (const Words& words :
             Commands{{"DEBUG", "HTSTATS", "0"}, {"CLIENT", "LIST"}, {"INFO", "memory"}}) {
            m_real.execute(words);
            ours.execute(words);
        }
        const std::int64_t ourBefore = ours.used();
        const std::int64_t realBefore = usedForKeys();
        Commands commands;
        for (int i = 0; i < keys; ++i) {
            Words& words = commands.emplace_back();
            for (QByteArray word : command) {
                word.replace('#', QByteArray::number(i));
                words.push_back(word.startsWith('~') ? std::string(word.mid(1).toUInt(), 'x')
                                                     : word.toStdString());
            }
        }
        m_real.executeAll(commands, [](const Reply& reply) { QVERIFY(!reply.isError()); });
        for (const Words& words : commands)
            ours.execute(words);
        settle();
        ours.setClock(kStart + 60'000'000);
        const std::int64_t real = usedForKeys() - realBefore;
        const std::int64_t our = ours.used() - ourBefore;
        QVERIFY2(near(our, real, 0.03), qPrintable(QString("real %1, ours %2").arg(real).arg(our)));
    }

    void evictsAlike_data() {
        QTest::addColumn<Load>("load");
        for (const EvictionPolicy policy :
             {EvictionPolicy::NoEviction, EvictionPolicy::AllKeysLru, EvictionPolicy::AllKeysLfu,
              EvictionPolicy::AllKeysRandom, EvictionPolicy::VolatileLru, EvictionPolicy::VolatileLfu,
              EvictionPolicy::VolatileRandom, EvictionPolicy::VolatileTtl})
            for (const std::size_t bytes : {std::size_t{100}, std::size_t{1024}}) {
                const bool dated = policy <= EvictionPolicy::VolatileTtl;
                QTest::addRow("%s %zu", nameOf(policy).data(), bytes)
                    << Load{policy, bytes == 100 ? 35'000 : 12'000, bytes, dated};
            }
        QTest::addRow("nothing to evict") << Load{EvictionPolicy::VolatileLru, 12'000, 1024, false};
    }
    void evictsAlike() {
        QFETCH(Load, load);
        constexpr std::int64_t kRoom = 5 * kMega;
        const Outcome real = loadReal(load, kRoom);
        QVERIFY(real.evicted > 1000 || real.firstRefusal > 1000);
        for (const std::uint64_t seed : {1, 2, 3}) {
            const Outcome ours = loadOurs(load, kRoom, seed);
            QVERIFY2(near(ours.evicted, real.evicted, 0.02), shown(real, ours));
            QVERIFY2(near(ours.firstRefusal, real.firstRefusal, 0.02), shown(real, ours));
        }
    }

    /// The experiment that the lesson on eviction runs: a list of 3,000 entries, a lock, and then 60,000
    /// writes of 1,024 bytes, within 20 MB.
    void theExperiment_data() {
        QTest::addColumn<QByteArray>("policy");
        for (const char* policy : {"allkeys-lru", "noeviction", "volatile-lru"})
            QTest::addRow("%s", policy) << QByteArray(policy);
    }
    void theExperiment() {
        QFETCH(QByteArray, policy);
        const Commands before = {
            {"CONFIG", "SET", "maxmemory", "20mb", "maxmemory-policy", policy.toStdString()},
            {"EVAL", "for i = 1, 3000 do redis.call('RPUSH', 'jobs', 'job:' .. i) end", "0"},
            {"SET", "lock", "6f2e51d1-77a0-4c5c-9f0c-6a3b6f0e7b11", "NX"}};
        startAfresh(m_real);
        OurServer ours;
        compare(ours, before);
        m_real.setClock(kStart + 10'000'000);
        ours.setClock(kStart + 10'000'000);
        const Load load{EvictionPolicy::NoEviction, 60'000, 1024, false};
        Commands writes;
        for (int i = 0; i < load.writes; ++i)
            writes.push_back(load.write(i));
        Outcome real;
        Outcome our;
        int answered = 0;
        m_real.executeAll(writes, [&](const Reply& reply) {
            ++answered;
            if (reply.isError() && real.firstRefusal == 0) real.firstRefusal = answered;
        });
        for (int i = 0; i < load.writes; ++i)
            if (ours.execute(writes[static_cast<std::size_t>(i)]).isError() && our.firstRefusal == 0)
                our.firstRefusal = i + 1;
        real.evicted = m_real.info("stats", "evicted_keys");
        our.evicted = ours.evicted();
        QVERIFY2(near(our.evicted, real.evicted, 0.02), shown(real, our));
        QVERIFY2(near(our.firstRefusal, real.firstRefusal, 0.02), shown(real, our));
        compare(ours, {{"EXISTS", "lock"}, {"EXISTS", "jobs"}});
    }
};

QTEST_GUILESS_MAIN(MemoryConformanceTest)
#include "memory_conformance_test.moc"
