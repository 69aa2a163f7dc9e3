// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <set>

#include "core/redis/command_table.h"
#include "core/redis/numbers.h"
#include "tests/conformance/comparison.h"

using namespace lockscope;
using namespace lockscope::redis;

namespace {

std::uint64_t fromEnvironment(const char* name, std::uint64_t otherwise) {
    bool ok = false;
    const qulonglong number = qEnvironmentVariable(name).toULongLong(&ok);
    return ok ? number : otherwise;
}

/// What these answer is about the very server, its disk and the connection.
bool answersAboutItself(const Command& command) {
    static const std::set<std::string_view> kNames = {"bgsave",
                                                      "client|id",
                                                      "client|info",
                                                      "client|list",
                                                      "command",
                                                      "command|count",
                                                      "debug",
                                                      "lastsave",
                                                      "monitor",
                                                      "memory|doctor",
                                                      "memory|malloc-stats",
                                                      "quit",
                                                      "latency|histogram",
                                                      "save",
                                                      "shutdown"};
    return kNames.contains(command.name) || command.name.ends_with("|help");
}

/// The value that follows `name` in a flattened map.
const Reply* field(const Reply& map, std::string_view name) {
    for (std::size_t i = 0; i + 1 < map.items.size(); i += 2)
        if (map.items[i].text == name) return &map.items[i + 1];
    return nullptr;
}

} // namespace

/// The embedded store against the redis-server of this machine. LOCKSCOPE_CONFORMANCE_COMMANDS sets how many
/// random commands are compared, LOCKSCOPE_CONFORMANCE_SEED which.
class ConformanceTest : public QObject {
    Q_OBJECT

    RealServer m_real;

private slots:
    void initTestCase() {
        const QString failure = m_real.start();
        if (!failure.isEmpty()) QFAIL(qPrintable(failure));
        const Reply version = m_real.execute({"INFO", "server"});
        const QString text = QString::fromStdString(version.text);
        QVERIFY2(text.contains("redis_version:7.0."), "these tests compare with redis-server 7.0");
        QCOMPARE(display(m_real.execute({"DEBUG", "SET-ACTIVE-EXPIRE", "0"})), std::string("OK"));
    }

    void theCommandTableSaysWhatCommandSays() {
        for (const Command& command : commandTable()) {
            if (!isIn(command, Profile::Redis70)) continue;
            const std::string name(command.name);
            const std::string container = name.substr(0, name.find('|'));
            const Reply info = m_real.execute({"COMMAND", "INFO", name}).items.at(0);
            QCOMPARE(info.items.at(0).text, name);
            QCOMPARE(info.items.at(1).integer, std::int64_t{command.arity});
            std::set<std::string> flags;
            for (const Reply& flag : info.items.at(2).items)
                flags.insert(flag.text);
            const std::vector<std::string_view> ours = flagNames(command);
            QVERIFY2(flags == std::set<std::string>(ours.begin(), ours.end()), name.c_str());
            QCOMPARE(info.items.at(3).integer, std::int64_t{command.keys.first});
            QCOMPARE(info.items.at(4).integer, std::int64_t{command.keys.last});
            QCOMPARE(info.items.at(5).integer, std::int64_t{command.keys.step});

            const Reply docs = m_real.execute({"COMMAND", "DOCS", name});
            const Reply* facts = field(docs, name);
            QVERIFY2(facts, name.c_str());
            QCOMPARE(field(*facts, "since")->text, std::string(command.since));
            QCOMPARE(field(*facts, "group")->text, std::string(nameOf(command.group)));
        }
    }

    /// Line by line what Redis says, of what this server has.
    void helpSaysWhatHelpSays() {
        Store store;
        for (const Command& command : commandTable()) {
            const std::string name(command.name);
            if (!name.ends_with("|help") || name.starts_with("cluster")) continue;
            const std::string container = name.substr(0, name.find('|'));
            const Reply ours =
                store.execute(0, std::vector<std::string_view>{container, "HELP"}, kSequenceStart);
            const Reply real = m_real.execute({container, "HELP"});
            std::size_t at = 0;
            std::set<std::string> told;
            for (const Reply& line : ours.items) {
                while (at < real.items.size() && real.items[at] != line)
                    ++at;
                QVERIFY2(at < real.items.size(), (container + ": " + line.text).c_str());
                told.insert(line.text.substr(0, line.text.find(' ')));
            }
            for (const Command& sub : commandTable())
                if (sub.name.starts_with(container + '|') && isIn(sub, Profile::Redis70))
                    QVERIFY2(told.contains(raised(sub.name.substr(container.size() + 1))),
                             std::string(sub.name).c_str());
        }
    }

    void scriptsAnswerAlike_data() {
        QTest::addColumn<QByteArray>("script");
        QFile corpus(QString(LOCKSCOPE_SOURCE_DIR) + "/tests/conformance/scripts.lua");
        QVERIFY(corpus.open(QIODevice::ReadOnly));
        int number = 0;
        for (const QString& script : QString::fromUtf8(corpus.readAll()).split("\n--\n"))
            QTest::addRow("%d: %s", ++number, qPrintable(script.left(60).simplified())) << script.toUtf8();
    }
    void scriptsAnswerAlike() {
        QFETCH(QByteArray, script);
        Comparison comparison(m_real);
        const std::string text = script.toStdString();
        const Sequence sequence = {
            {0, 0, {"SET", "word", "hello", "PX", "100"}},
            {0, 0, {"SET", "number", "41"}},
            {5000, 0, {"EVAL", text, "2", "word", "number", "first", "2nd", ""}},
            {5000, 0, {"EVAL_RO", text, "2", "word", "number", "first", "2nd", ""}},
            {6000, 0, {"MGET", "word", "number", "made"}},
        };
        const std::optional<std::string> found = comparison.firstDifference(sequence);
        QVERIFY2(!found, found.value_or("").c_str());
    }

    /// One key, read and renewed around its deadline: at the deadline's own millisecond it still lives.
    void aDeadlineIsExactToTheMillisecond() {
        Comparison comparison(m_real);
        const std::vector<std::vector<std::string>> touches = {
            {"GET", "lock"},
            {"PTTL", "lock"},
            {"TTL", "lock"},
            {"EXISTS", "lock"},
            {"TYPE", "lock"},
            {"STRLEN", "lock"},
            {"SET", "lock", "B", "NX", "PX", "50"},
            {"SETNX", "lock", "B"},
            {"DEL", "lock"},
            {"PERSIST", "lock"},
            {"PEXPIRE", "lock", "50"},
            {"PEXPIRE", "lock", "0"},
            {"PEXPIREAT", "lock", "@+100"},
            {"GETDEL", "lock"},
            {"GETEX", "lock", "PXAT", "@+100"},
            {"RENAME", "lock", "other"},
            {"TOUCH", "lock"},
            {"DBSIZE"},
            {"KEYS", "*"},
            {"SCAN", "0"},
            {"APPEND", "lock", "x"},
            {"INCR", "lock"},
            {"EXPIRETIME", "lock"},
            {"SET", "lock", "B", "XX", "GET"},
            {"EVAL", "return {redis.call('PTTL', KEYS[1]), redis.call('GET', KEYS[1])}", "1", "lock"}};
        for (const auto& touch : touches) {
            for (const std::int64_t at : {99'000, 99'999, 100'000, 100'999, 101'000}) {
                const Sequence sequence = {
                    {0, 0, {"SET", "lock", "A", "PX", "100"}}, {at, 0, touch}, {at, 0, {"DBSIZE"}}};
                const std::optional<std::string> found = comparison.firstDifference(sequence);
                QVERIFY2(!found, (asRedisCliLines(sequence) + found.value_or("")).c_str());
            }
        }
    }

    /// One element more than Redis keeps flat, and what the collections hold and are called on the way.
    void collectionsGrowAlike() {
        Comparison comparison(m_real);
        Sequence sequence;
        for (int i = 0; i < 520; ++i) {
            const std::string n = std::to_string(i * 7919 % 1000);
            sequence.push_back({0, 0, {"HSET", "hash", n, "v" + n}});
            sequence.push_back({0, 0, {"SADD", "set", n}});
            sequence.push_back({0, 0, {"ZADD", "zset", std::to_string(i % 13), n}});
            sequence.push_back({0, 0, {"RPUSH", "list", n}});
            for (const char* key : {"hash", "set", "zset", "list"})
                sequence.push_back({0, 0, {"OBJECT", "ENCODING", key}});
        }
        const std::vector<std::vector<std::string>> looks = {
            {"ZRANGE", "zset", "(3", "7", "BYSCORE", "LIMIT", "5", "20", "WITHSCORES"},
            {"ZREVRANGE", "zset", "100", "140"},
            {"ZRANK", "zset", "919"},
            {"ZREMRANGEBYRANK", "zset", "10", "400"},
            {"HSCAN", "hash", "0"},
            {"SSCAN", "set", "0", "COUNT", "7"},
            {"ZSCAN", "zset", "0", "MATCH", "*1*"},
            {"LRANGE", "list", "-30", "-5"},
            {"LREM", "list", "0", "919"},
            {"HDEL", "hash", "0", "919", "838"}};
        for (const auto& look : looks)
            sequence.push_back({0, 0, look});
        const std::optional<std::string> found = comparison.firstDifference(sequence);
        QVERIFY2(!found, found.value_or("").c_str());
    }

    void randomSequencesGoAlike() {
        constexpr std::size_t kSteps = 50;
        const std::uint64_t seed = fromEnvironment("LOCKSCOPE_CONFORMANCE_SEED", 1);
        const std::uint64_t commands = fromEnvironment("LOCKSCOPE_CONFORMANCE_COMMANDS", 20'000);
        Comparison comparison(m_real);
        std::set<std::string_view> compared;
        for (std::uint64_t i = 0; i * kSteps < commands; ++i) {
            const Sequence sequence = SequenceGenerator(Random(seed).fork(i).next()).next(kSteps);
            for (const Step& step : sequence)
                if (const Command* command =
                        resolveCommand(std::vector<std::string_view>(step.args.begin(), step.args.end())))
                    compared.insert(command->name);
            const std::optional<std::string> found = comparison.firstDifference(sequence);
            if (!found) continue;
            const Sequence least = shrunk(comparison, sequence);
            const std::string lines =
                "seed " + std::to_string(seed) + ", sequence " + std::to_string(i) + ":\n" +
                asRedisCliLines(least) +
                comparison.firstDifference(least).value_or("(only once, then not again) " + *found);
            QFAIL(lines.c_str());
        }
        for (const Command& command : commandTable())
            QVERIFY2(compared.contains(command.name) || command.isContainer() ||
                         answersAboutItself(command) || !isIn(command, Profile::Redis70),
                     (std::string(command.name) + " was never compared").c_str());
    }

    /// Among at most 20 volatile keys a cycle meets every dead one, whatever the order.
    void theActiveCycleRemovesTheSameKeys() {
        m_real.setClock(kSequenceStart);
        m_real.execute({"FLUSHALL"});
        Store store;
        std::set<std::string> expected;
        for (int i = 0; i < 20; ++i) {
            const std::vector<std::string> args = {"SET", "k" + std::to_string(i), "v", "PX",
                                                   std::to_string(10 + 10 * i)};
            store.execute(0, std::vector<std::string_view>(args.begin(), args.end()), kSequenceStart);
            m_real.execute(args);
        }
        // At +100 ms the keys with a deadline up to +99 ms are dead: the tick at that instant removes them.
        store.advance(kSequenceStart + 100'000);
        m_real.setClock(kSequenceStart + 100'000);
        m_real.execute({"DEBUG", "SET-ACTIVE-EXPIRE", "1"});
        const std::int64_t left =
            store.execute(0, std::vector<std::string_view>{"DBSIZE"}, kSequenceStart + 100'000).integer;
        QCOMPARE(left, std::int64_t{11});
        QTRY_COMPARE_WITH_TIMEOUT(m_real.execute({"DBSIZE"}).integer, left, 5000);
        m_real.execute({"DEBUG", "SET-ACTIVE-EXPIRE", "0"});
        for (int i = 0; i < 20; ++i) {
            const std::string key = "k" + std::to_string(i);
            QCOMPARE(store.peek(key, kSequenceStart + 100'000).has_value(),
                     m_real.execute({"EXISTS", key}).integer == 1);
        }
    }
};

QTEST_GUILESS_MAIN(ConformanceTest)
#include "conformance_test.moc"
