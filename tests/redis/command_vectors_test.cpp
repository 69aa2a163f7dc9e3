// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "core/redis/command_table.h"
#include "tests/redis/store_player.h"

using namespace lockscope::redis;

/// Single commands and what they must answer: the vectors that hold for redis-server 7.0, one by one.
class CommandVectorsTest : public QObject {
    Q_OBJECT

    /// Columns: the commands before, the command, its reply.
    static void addColumns() {
        QTest::addColumn<QString>("before");
        QTest::addColumn<QString>("command");
        QTest::addColumn<QString>("answer");
    }
    static void row(const char* before, const char* command, const char* answer) {
        QTest::addRow("%s | %s", before, command) << QString(before) << QString(command) << QString(answer);
    }
    static void check() {
        QFETCH(QString, before);
        QFETCH(QString, command);
        QFETCH(QString, answer);
        StorePlayer player;
        for (const QString& line : before.split(';', Qt::SkipEmptyParts)) {
            const QString text = line.trimmed();
            if (text.startsWith("at "))
                player.advance(kStoryStart + text.mid(3).toLongLong() * 1000);
            else
                player.reply(text.toStdString());
        }
        QCOMPARE(QString::fromStdString(player.reply(command.toStdString())), answer);
    }

private slots:
    void numbersAtTheirEnds_data() {
        addColumns();
        row("RPUSH l x y x", "LREM l -9223372036854775808 x", "(integer) 2");
        row("RPUSH l x y x; LREM l -1 x", "LRANGE l 0 -1", "[1) \"x\" 2) \"y\"]");
        row("ZADD z 1 a 2 b 3 c", "ZRANGE z 0 -1 LIMIT 1 -1", "[1) \"a\" 2) \"b\" 3) \"c\"]");
        row("ZADD z 1 a 2 b 3 c", "ZREVRANGE z 0 -1 LIMIT 1 -1", "[1) \"c\" 2) \"b\" 3) \"a\"]");
        row("ZADD z 1 a 2 b 3 c", "ZRANGE z 1 3 BYSCORE LIMIT 1 -1", "[1) \"b\" 2) \"c\"]");
        row("ZADD z 0 a 1 b", "ZRANGEBYSCORE z 1e-400 0x1p-1080", "[1) \"a\"]");
        row("ZADD z 0 a 1 b", "ZRANGEBYSCORE z (1e-400 1e400", "[1) \"b\"]");
        row("ZADD z 0 a", "ZADD z 1e-400 a", "(error) ERR value is not a valid float");
        row("", "WAIT 0 9223372036854775807", "(integer) 0");
        row("", "WAIT 1 9223372036854775807", "(nothing yet)"); // beyond the end of time is for ever
        row("", "BLPOP l 9223372036854775", "(nothing yet)");
        row("", "BLPOP l 9223372036854776", "(error) ERR timeout is negative");
        row("", "CONFIG SET hz 10 HZ 12",
            "(error) ERR CONFIG SET failed (possibly related to argument 'HZ') - duplicate parameter");
        row("", "CONFIG SET hz x foo 1",
            "(error) ERR Unknown option or number of arguments for CONFIG SET - 'foo'");
        row("", "CONFIG SET Databases 3 foo 1",
            "(error) ERR CONFIG SET failed (possibly related to argument 'Databases') - can't set immutable "
            "config");
        row("", "CONFIG SET HZ x",
            "(error) ERR CONFIG SET failed (possibly related to argument 'hz') - argument couldn't be parsed "
            "into an integer");
    }
    void numbersAtTheirEnds() { check(); }

    void setMatrix_data() {
        addColumns();
        row("", "SET k v", "OK");
        row("", "SET k v NX XX", "(error) ERR syntax error");
        row("", "SET k v NX NX", "OK");
        row("", "SET k v EX 10 EX 20", "OK");
        row("SET k v EX 10 EX 20", "TTL k", "(integer) 20");
        row("", "SET k v EX 10 PX 20", "(error) ERR syntax error");
        row("", "SET k v EX 10 KEEPTTL", "(error) ERR syntax error");
        row("", "SET k v PX 10 PXAT @99", "(error) ERR syntax error");
        row("", "SET k v EX", "(error) ERR syntax error");
        row("", "SET k v EX 0", "(error) ERR invalid expire time in 'set' command");
        row("", "SET k v EX -1", "(error) ERR invalid expire time in 'set' command");
        row("", "SET k v PX 0", "(error) ERR invalid expire time in 'set' command");
        row("", "SET k v EX 9223372036854775", "(error) ERR invalid expire time in 'set' command");
        row("", "SET k v EX 9223372036854776", "(error) ERR invalid expire time in 'set' command");
        row("", "SET k v PX 9223372036854775807", "(error) ERR invalid expire time in 'set' command");
        row("", "SET k v PXAT 9223372036854775807", "OK");
        row("", "SETEX k 0 v", "(error) ERR invalid expire time in 'setex' command");
        row("", "PSETEX k -5 v", "(error) ERR invalid expire time in 'psetex' command");
        row("SET k v", "GETEX k EX 0", "(error) ERR invalid expire time in 'getex' command");
        row("", "GETEX k EX 0", "(nil)");
        row("", "SET k v PX abc", "(error) ERR value is not an integer or out of range");
        row("", "SET k v PX 1.5", "(error) ERR value is not an integer or out of range");
        row("SET k old", "SET k v NX", "(nil)");
        row("", "SET k v XX", "(nil)");
        row("SET k old", "SET k v GET", "\"old\"");
        row("", "SET k v GET", "(nil)");
        row("", "SET k v NX GET", "(nil)");
        row("SET k v NX GET", "GET k", "\"v\"");
        row("SET k old", "SET k v NX GET", "\"old\"");
        row("SET k old; SET k v NX GET", "GET k", "\"old\"");
        row("SET k v PX 100", "SET k v NX PX 0", "(error) ERR invalid expire time in 'set' command");
        row("SET k v PX 100; SET k w", "PTTL k", "(integer) -1");
        row("SET k v PX 100; SET k w KEEPTTL", "PTTL k", "(integer) 100");
        row("SET k v PX 100", "SETNX k w", "(integer) 0");
        row("SET k v PX 100; at 101", "SETNX k w", "(integer) 1");
    }
    void setMatrix() { check(); }

    void expiry_data() {
        addColumns();
        row("SET L A PX 400", "TTL L", "(integer) 0");
        row("SET L A PX 499", "TTL L", "(integer) 0");
        row("SET L A PX 500", "TTL L", "(integer) 1");
        row("SET L A PX 1500", "TTL L", "(integer) 2");
        row("SET L A PX 400; at 400", "PTTL L", "(integer) 0");
        row("SET L A PX 400; at 400", "EXISTS L", "(integer) 1");
        row("SET L A PX 400; at 401", "PTTL L", "(integer) -2");
        row("SET L A", "PTTL L", "(integer) -1");
        row("SET L A PX 400", "PEXPIRETIME L", "(integer) 1700000000400");
        row("SET L A PXAT 9223372036854775807", "EXPIRETIME L", "(integer) 9223372036854776");
        row("SET L A PX 500", "EXPIRETIME L", "(integer) 1700000001");
        row("SET L A PX 400; at 401", "DEL L", "(integer) 0");
        row("SET L A PX 400; at 401", "PERSIST L", "(integer) 0");
        row("SET L A PX 400; at 401", "PEXPIRE L 10", "(integer) 0");
        row("SET L A PX 400; at 401", "RENAME L M", "(error) ERR no such key");
        row("SET L A", "PEXPIRE L -1", "(integer) 1");
        row("SET L A; PEXPIRE L 0", "EXISTS L", "(integer) 0");
        row("SET L A", "EXPIRE L 10 GT", "(integer) 0");
        row("SET L A", "EXPIRE L 10 LT", "(integer) 1");
        row("SET L A", "EXPIRE L 10 XX", "(integer) 0");
        row("SET L A EX 10", "EXPIRE L 20 NX", "(integer) 0");
        row("SET L A EX 10", "EXPIRE L 20 GT", "(integer) 1");
        row("SET L A EX 10", "EXPIRE L 20 LT", "(integer) 0");
        row("SET L A EX 10", "EXPIRE L 10 GT", "(integer) 0");
        row("", "EXPIRE L 20 NX XX",
            "(error) ERR NX and XX, GT or LT options at the same time are not compatible");
        row("", "EXPIRE L 20 GT LT", "(error) ERR GT and LT options at the same time are not compatible");
        row("", "EXPIRE L 20 FOO", "(error) ERR Unsupported option FOO");
        row("", "EXPIRE L x", "(error) ERR value is not an integer or out of range");
        row("", "EXPIRE L 9223372036854775807", "(error) ERR invalid expire time in 'expire' command");
    }
    void expiry() { check(); }

    void exactTexts_data() {
        addColumns();
        row("", "FOO bar baz", "(error) ERR unknown command 'FOO', with args beginning with: 'bar' 'baz' ");
        row("", "FOO", "(error) ERR unknown command 'FOO', with args beginning with: ");
        row("", "SCRIPT FOO", "(error) ERR unknown subcommand 'FOO'. Try SCRIPT HELP.");
        row("", "SCRIPT LOAD", "(error) ERR wrong number of arguments for 'script|load' command");
        row("", "script|load x", "(error) ERR unknown command 'script|load', with args beginning with: 'x' ");
        row("", "SET k", "(error) ERR wrong number of arguments for 'set' command");
        row("", "PING a b", "(error) ERR wrong number of arguments for 'ping' command");
        row("", "MSET a 1 b", "(error) ERR wrong number of arguments for 'mset' command");
        row("SET k abc", "INCR k", "(error) ERR value is not an integer or out of range");
        row("SET k 1.5", "INCR k", "(error) ERR value is not an integer or out of range");
        row("SET k ' 5'", "INCR k", "(error) ERR value is not an integer or out of range");
        row("SET k 9223372036854775807", "INCR k", "(error) ERR increment or decrement would overflow");
        row("", "DECRBY k -9223372036854775808", "(error) ERR decrement would overflow");
        row("", "INCRBYFLOAT k abc", "(error) ERR value is not a valid float");
        row("", "INCRBYFLOAT k inf", "(error) ERR increment would produce NaN or Infinity");
        row("SET k 0.1", "INCRBYFLOAT k 0.2", "\"0.3\"");
        row("SET k 10.50", "INCRBYFLOAT k 0.1", "\"10.6\"");
        row("SET k 5.0e3", "INCRBYFLOAT k 2.0e2", "\"5200\"");
        row("", "SETRANGE k 536870912 x",
            "(error) ERR string exceeds maximum allowed size (proto-max-bulk-len)");
        row("", "SETRANGE k -1 x", "(error) ERR offset is out of range");
        row("", "SELECT 16", "(error) ERR DB index is out of range");
        row("", "SCAN x", "(error) ERR invalid cursor");
        row("", "EVAL 'return 1' 1", "(error) ERR Number of keys can't be greater than number of args");
        row("", "EVAL 'return 1' -1", "(error) ERR Number of keys can't be negative");
        row("", "EVALSHA e0e1f9fabfc9d4800c877a703b823ac0578ff8db 0",
            "(error) NOSCRIPT No matching script. Please use EVAL.");
        row("EVAL 'return 1' 0", "EVALSHA E0E1F9FABFC9D4800C877A703B823AC0578FF8DB 0", "(integer) 1");
        row("EVAL 'return 1' 0; SCRIPT FLUSH", "EVALSHA e0e1f9fabfc9d4800c877a703b823ac0578ff8db 0",
            "(error) NOSCRIPT No matching script. Please use EVAL.");
        row("", "SCRIPT KILL", "(error) NOTBUSY No scripts in execution right now.");
        row("", "TIME", "[1) \"1700000000\" 2) \"0\"]");
    }
    void exactTexts() { check(); }

    /// Which commands remove a dead key that they meet, and which leave it lying.
    void whoReapsADeadKey_data() {
        QTest::addColumn<QString>("command");
        QTest::addColumn<bool>("reaps");
        for (const char* command : {"GET k",
                                    "TYPE k",
                                    "TTL k",
                                    "PTTL k",
                                    "EXISTS k",
                                    "STRLEN k",
                                    "EXPIRETIME k",
                                    "DEL k",
                                    "UNLINK k",
                                    "SET k v NX",
                                    "SETNX k v",
                                    "PERSIST k",
                                    "PEXPIRE k 10",
                                    "TOUCH k",
                                    "RENAME k other",
                                    "SCAN 0",
                                    "RANDOMKEY",
                                    "GETEX k",
                                    "INCR k",
                                    "MGET k",
                                    "MSETNX k v",
                                    "GETRANGE k 0 1",
                                    "EVAL \"return redis.call('GET', 'k')\" 0"})
            QTest::newRow(command) << QString(command) << true;
        for (const char* command : {"DBSIZE", "KEYS *", "SCAN 0 MATCH x*", "GET other", "TIME", "PING"})
            QTest::newRow(command) << QString(command) << false;
    }
    void whoReapsADeadKey() {
        QFETCH(QString, command);
        QFETCH(bool, reaps);
        StorePlayer player;
        player.reply("SET k dead PX 150");
        player.advance(kStoryStart + 151'000);
        player.takeNotes();
        player.execute(wordsOf(command.toStdString()));
        QCOMPARE(player.takeNotes().find("expired k") != std::string::npos, reaps);
    }

    void whatCanMakeAnOwner_data() {
        QTest::addColumn<QString>("command");
        QTest::addColumn<bool>("grants");
        QTest::addColumn<QString>("key");
        const auto row = [](const char* command, bool grants, const char* key) {
            QTest::newRow(command) << QString(command) << grants << QString(key);
        };
        row("SET lock A NX PX 100", true, "lock");
        row("set lock A", true, "lock");
        row("SETNX lock A", true, "lock");
        row("MSET a 1 b 2", true, "a");
        row("RENAME a b", true, "a");
        row("INCR fence", true, "fence");
        row("GET lock", false, "lock");
        row("DEL lock", false, "lock");
        row("PEXPIRE lock 100", false, "lock");
        row("PING", false, "");
        row("NOSUCH lock", false, "");
        row("SET", false, "");
        row("SCRIPT LOAD x", false, "");
        row("EVAL \"return redis.call('SET', KEYS[1], ARGV[1], 'NX')\" 1 lock A", true, "lock");
        row("EVAL \"return redis.call('set', KEYS[1], ARGV[1])\" 1 lock A", true, "lock");
        row("EVAL \"return redis.call('DEL', KEYS[1])\" 1 lock A", false, "lock");
        row("EVAL \"redis.call('DEL', KEYS[1]) redis.call('SET', KEYS[1], 1)\" 1 lock A", false, "lock");
        row("EVAL \"if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('PEXPIRE', KEYS[1], 9) end\" 1 "
            "lock A",
            false, "lock");
        row("EVAL \"return 1\" 0", false, "");
        row("EVAL_RO \"return redis.call('SET', KEYS[1], 1)\" 1 lock", false, "lock");
        row("EVALSHA 0000000000000000000000000000000000000000 1 lock", false, "lock");
    }
    void whatCanMakeAnOwner() {
        QFETCH(QString, command);
        QFETCH(bool, grants);
        QFETCH(QString, key);
        const std::vector<std::string> words = wordsOf(command.toStdString());
        const std::vector<std::string_view> args(words.begin(), words.end());
        QCOMPARE(canGrant(args), grants);
        QCOMPARE(Store().canGrant(args), grants);
        QCOMPARE(QString::fromStdString(std::string(firstKeyOf(args))), key);
    }

    void theStoreKnowsWhatANamedScriptCanDo() {
        StorePlayer player;
        const std::string sha =
            player.execute({"SCRIPT", "LOAD", "return redis.call('SET', KEYS[1], ARGV[1], 'NX')"}).text;
        const std::vector<std::string_view> named = {"evalsha", sha, "1", "lock", "A"};
        QVERIFY(player.store().canGrant(named));
        QVERIFY(!canGrant(named));
        player.reply("SCRIPT FLUSH");
        QVERIFY(!player.store().canGrant(named));
    }

    void theTableIsSound() {
        std::string_view last;
        for (const Command& command : commandTable()) {
            QVERIFY2(last < command.name, std::string(command.name).c_str());
            last = command.name;
            QCOMPARE(findCommand(command.name), &command);
            QVERIFY(command.arity != 0);
            QVERIFY(!(command.has(kWrite) && command.has(kReadOnly)));
            QVERIFY(command.effect == Effect::None || command.has(kWrite));
        }
        QVERIFY(findCommand("GeT") == findCommand("get"));
        QVERIFY(!findCommand("ge"));
        QVERIFY(!findCommand(""));
    }
};

QTEST_GUILESS_MAIN(CommandVectorsTest)
#include "command_vectors_test.moc"
