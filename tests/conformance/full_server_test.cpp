// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "tests/conformance/our_server.h"

using namespace lockscope::redis;

/// What a server that is over its memory limit refuses, drops and still does, and how its memory is set and
/// looked at: the store and the redis-server of this machine answer the same.
class FullServerTest : public QObject {
    Q_OBJECT

    RealServer m_real;

    void compare(OurServer& ours, const Commands& commands) {
        const QByteArray found = firstDifference(m_real, ours, commands);
        QVERIFY2(found.isEmpty(), found);
    }

private slots:
    void initTestCase() {
        const QString failure = m_real.start();
        if (!failure.isEmpty()) QFAIL(qPrintable(failure));
    }

    /// With volatile-* and a cache without deadlines the lock is the only key that may go. It is dropped
    /// first, and then nothing more can be.
    void theOnlyKeyWithADeadlineGoesFirst_data() {
        QTest::addColumn<QByteArray>("policy");
        for (const char* policy : {"volatile-lru", "volatile-lfu", "volatile-random", "volatile-ttl"})
            QTest::addRow("%s", policy) << QByteArray(policy);
    }
    void theOnlyKeyWithADeadlineGoesFirst() {
        QFETCH(QByteArray, policy);
        startAfresh(m_real);
        OurServer ours;
        compare(ours, {{"CONFIG", "SET", "maxmemory-policy", policy.toStdString()},
                       {"SET", "lock", "A", "NX", "PX", "30000"},
                       {"SET", "cache", std::string(1024, 'x')},
                       {"CONFIG", "SET", "maxmemory", "1"},
                       {"GET", "lock"},
                       {"SET", "lock", "B", "NX", "PX", "30000"},
                       {"EVAL", "return redis.call('PEXPIRE', KEYS[1], 30000)", "1", "lock"},
                       {"EXISTS", "cache"}});
        QCOMPARE(ours.evicted(), std::int64_t{1});
        QCOMPARE(m_real.info("stats", "evicted_keys"), std::int64_t{1});
    }

    /// Over the limit, and nothing may go: what is refused, and what still runs.
    void aFullServerRefusesTheSame() {
        startAfresh(m_real);
        OurServer ours;
        const std::string writes = "return redis.call('SET', KEYS[1], 'x')";
        const std::string renews = "if redis.call('GET', KEYS[1]) == ARGV[1] then return "
                                   "redis.call('PEXPIRE', KEYS[1], 30000) end return 0";
        const std::string both = "redis.call('DEL', 'gone') return redis.call('SET', KEYS[1], 'x')";
        const std::string catches = "return redis.pcall('SET', KEYS[1], 'x').err";
        const std::string loaded = ours.execute({"SCRIPT", "LOAD", "#!lua\n" + renews}).text;
        compare(ours, {{"SET", "lock", "A", "NX", "PX", "30000"},
                       {"SET", "gone", "x"},
                       {"SCRIPT", "LOAD", "#!lua\n" + renews},
                       {"CONFIG", "SET", "maxmemory", "1"}});
        compare(ours, {{"SET", "lock", "B", "NX", "PX", "30000"},
                       {"SET", "lock", "A", "XX", "PX", "30000"},
                       {"SETNX", "lock", "B"},
                       {"INCR", "fence"},
                       {"HSET", "hash", "f", "v"},
                       {"HDEL", "hash", "f"},
                       {"ZADD", "zset", "1", "m"},
                       {"LPUSH", "list", "i"},
                       {"RPOP", "list"},
                       {"GET", "lock"},
                       {"GETEX", "lock", "PX", "30000"},
                       {"PEXPIRE", "lock", "30000"},
                       {"PERSIST", "lock"},
                       {"PEXPIRE", "lock", "30000"},
                       {"PUBLISH", "channel", "word"},
                       {"RENAME", "gone", "gone2"},
                       {"RENAME", "gone2", "gone"},
                       {"EVAL", writes, "1", "other"},
                       {"EVAL", catches, "1", "other"},
                       {"EVAL", renews, "1", "lock", "A"},
                       {"EVAL", both, "1", "other"},
                       {"EVAL", "#!lua\n" + renews, "1", "lock", "A"},
                       {"EVALSHA", loaded, "1", "lock", "A"},
                       {"EVAL", "#!lua flags=no-writes\nreturn redis.call('GET', KEYS[1])", "1", "lock"},
                       {"EVAL", "#!lua flags=allow-oom\n" + writes, "1", "other"},
                       {"EVAL_RO", "return redis.call('GET', KEYS[1])", "1", "lock"}});
        // In a transaction everything is refused, even what would run without one.
        compare(ours, {{"MULTI"},
                       {"GET", "lock"},
                       {"DISCARD"},
                       {"DISCARD"},
                       {"MULTI"},
                       {"DEL", "lock"},
                       {"EXEC"},
                       {"EXISTS", "lock"}});
        compare(ours, {{"CONFIG", "SET", "maxmemory", "0"},
                       {"MULTI"},
                       {"SET", "lock", "C"},
                       {"EXEC"},
                       {"WATCH", "lock"},
                       {"UNWATCH"},
                       {"CONFIG", "SET", "maxmemory", "1"},
                       {"WATCH", "lock"},
                       {"EVAL", renews, "1", "lock", "C"},
                       {"UNWATCH"},
                       {"DEL", "lock"},
                       {"CONFIG", "SET", "maxmemory", "0"}});
        // Queued while there was room, refused when it is to run.
        std::vector<KeyspaceEvent> events;
        for (const Words& words : Commands{{"MULTI"}, {"SET", "lock", "D"}, {"PEXPIRE", "lock", "5"}}) {
            m_real.send(0, words, events);
            ours.execute(words, 1);
        }
        compare(ours, {{"CONFIG", "SET", "maxmemory", "1"}});
        m_real.received(0);
        m_real.send(0, {"EXEC"}, events);
        QCOMPARE(display(ours.execute({"EXEC"}, 1)), display(m_real.received(0).back()));
        compare(ours, {{"CONFIG", "SET", "maxmemory", "0"}, {"EXISTS", "lock"}});
    }

    /// CONFIG's words for it, and how it is looked at.
    void settingsAndLooksAreAlike() {
        startAfresh(m_real);
        OurServer ours;
        for (const char* value : {"abc", "-1", "10 mb", "1kb", "2k", "3MB", "4m", "1gb", "50%", "", "1.5mb",
                                  "7", "18446744073709551616", "0"})
            compare(ours, {{"CONFIG", "SET", "maxmemory", value}, {"CONFIG", "SET", "maxmemory", "0"}});
        compare(ours, {{"CONFIG", "SET", "maxmemory-policy", "x"},
                       {"CONFIG", "SET", "maxmemory-policy", "ALLKEYS-LFU"},
                       {"CONFIG", "GET", "maxmemory-policy"},
                       {"CONFIG", "SET", "maxmemory-samples", "0"},
                       {"CONFIG", "SET", "maxmemory-samples", "x"},
                       {"CONFIG", "GET", "maxmemory-samples"},
                       {"CONFIG", "SET", "lfu-log-factor", "-1"},
                       {"CONFIG", "GET", "lfu-log-factor"},
                       {"CONFIG", "GET", "lfu-decay-time"},
                       {"MEMORY", "USAGE", "none"},
                       {"MEMORY", "USAGE", "none", "SAMPLES"},
                       {"MEMORY", "USAGE", "none", "SAMPLES", "-1"},
                       {"MEMORY", "USAGE", "none", "SAMPLES", "a"},
                       {"MEMORY", "FOO"},
                       {"SET", "lock", "A", "PX", "600000"},
                       {"OBJECT", "FREQ", "lock"},
                       {"OBJECT", "IDLETIME", "lock"}});
        m_real.setClock(kStart + 61'000'000);
        ours.setClock(kStart + 61'000'000);
        compare(ours, {{"OBJECT", "FREQ", "lock"},
                       {"CONFIG", "SET", "maxmemory", "100mb"},
                       {"SET", "number", "7"},
                       {"OBJECT", "REFCOUNT", "number"},
                       {"OBJECT", "FREQ", "number"},
                       {"CONFIG", "SET", "maxmemory-policy", "noeviction"},
                       {"SET", "number", "7"},
                       {"OBJECT", "REFCOUNT", "number"},
                       {"OBJECT", "FREQ", "number"}});
    }

    /// By a clock that the real server's cron reads: the key that is looked at tells when it has.
    void idleTimeIsTheSame() {
        startAfresh(m_real);
        OurServer ours;
        compare(ours, {{"SET", "cache", "x"}, {"SET", "lock", "A", "PX", "600000"}});
        m_real.setClock(kStart + 70'000'000);
        ours.setClock(kStart + 70'000'000);
        QTRY_COMPARE_WITH_TIMEOUT(m_real.execute({"OBJECT", "IDLETIME", "cache"}).integer, std::int64_t{70},
                                  20'000);
        compare(ours, {{"OBJECT", "IDLETIME", "cache"},
                       {"TTL", "lock"},
                       {"EXISTS", "lock"},
                       {"TYPE", "lock"},
                       {"OBJECT", "IDLETIME", "lock"},
                       {"SET", "lock", "B", "NX"}, // refused, and yet a use
                       {"OBJECT", "IDLETIME", "lock"}});
    }

    /// What MEMORY USAGE answers, where it is no matter of chance.
    void usageOfAKeyIsTheSame() {
        startAfresh(m_real);
        OurServer ours;
        const std::string words(1024, 'x');
        compare(ours,
                {{"SET", "k", "abc"},
                 {"SET", "number", "7"},
                 {"SET", "raw", words.substr(0, 45)},
                 {"SET", "cache:12345", words, "PX", "60000"},
                 {"HSET", "hash", "6f2e51d1-77a0-4c5c-9f0c-6a3b6f0e7b11:1", "1", "name", words.substr(0, 64)},
                 {"HSET", "table", "field", words, "field2", words, "field3", words},
                 {"SADD", "intset", "1", "2", "70000"},
                 {"SADD", "set", "one", "two", "six"},
                 {"ZADD", "zset", "1700000000123", "one", "2.5", "two"},
                 {"RPUSH", "list", "one", "two", "1000"},
                 {"MEMORY", "USAGE", "k"},
                 {"MEMORY", "USAGE", "number"},
                 {"MEMORY", "USAGE", "raw"},
                 {"MEMORY", "USAGE", "cache:12345"},
                 {"MEMORY", "USAGE", "hash"},
                 {"MEMORY", "USAGE", "table", "SAMPLES", "0"},
                 {"MEMORY", "USAGE", "table"},
                 {"MEMORY", "USAGE", "intset"},
                 {"MEMORY", "USAGE", "set"},
                 {"MEMORY", "USAGE", "zset"},
                 {"MEMORY", "USAGE", "list"}});
    }
};

QTEST_GUILESS_MAIN(FullServerTest)
#include "full_server_test.moc"
