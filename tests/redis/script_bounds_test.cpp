// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <ctime>

#include "tests/redis/store_player.h"

using namespace lockscope::redis;

/// Scripts that mean no good, and what a store keeps of them: nothing.
class ScriptBoundsTest : public QObject {
    Q_OBJECT

private slots:
    void hostileScriptsEndSoonWithAnError_data() {
        QTest::addColumn<QString>("script");
        QTest::addColumn<QString>("says");
        const auto row = [](const char* name, const char* script, const char* says) {
            QTest::newRow(name) << QString(script) << QString(says);
        };
        const char* endless = "does not end";
        row("endless loop", "while true do end", endless);
        row("caught errors", "while true do pcall(error, 'x') end", endless);
        row("loop in a handler", "pcall(function() while true do end end) return 'survived'", endless);
        row("catastrophic pattern", "return string.find(string.rep('a', 200), string.rep('.-', 8) .. 'b')",
            endless);
        row("growing table", "local t = {} for i = 1, 1e9 do t[i] = {i} end", endless);
        row("growing string", "local s = 'x' while true do s = s .. s end", "");
        row("a gigabyte at once", "return string.rep('x', 2^30)", "too large");
        row("endless recursion", "local function f() return 1 + f() end return f()", "stack overflow");
        row("endless commands", "while true do redis.call('GET', 'n') end", endless);
        row("huge values", "while true do redis.call('ECHO', string.rep('x', 1000)) end", endless);
        row("walks that find nothing", "while true do redis.call('KEYS', 'x*') end", endless);
        row("a bomb of tables", "local t = {1, 2} for i = 1, 40 do t = {t, t} end return t",
            "reply of the script is too large");
        row("coroutines", "return coroutine.wrap(function() end)", "nonexistent global variable 'coroutine'");
        row("loading code", "return loadstring('return 1')", "nonexistent global variable 'loadstring'");
        row("files", "return io.open('/etc/passwd')", "nonexistent global variable 'io'");
        row("bytecode", "\x1bLua", "Error compiling script");
    }
    void hostileScriptsEndSoonWithAnError() {
        QFETCH(QString, script);
        QFETCH(QString, says);
        Store store; // nobody listens: only the store's own work counts
        const std::string text = script.toStdString();
        const std::clock_t before = std::clock();
        const Reply reply = store.execute(0, std::vector<std::string_view>{"EVAL", text, "0"}, kStoryStart);
        const double took = static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC;
        QVERIFY2(took < 1, std::to_string(took).c_str()); // a tenth of that in a release build
        if (says == "does not end") {
            QVERIFY2(store.factsOf(0).blocked, display(reply).c_str());
            store.advance(kStoryStart + 5'000'000);
            QCOMPARE(display(store.execute(1, std::vector<std::string_view>{"SCRIPT", "KILL"},
                                           kStoryStart + 5'000'000)),
                     std::string("OK"));
            QVERIFY(!store.factsOf(0).blocked);
        } else {
            QVERIFY2(reply.isError(), display(reply).c_str());
            QVERIFY2(QString::fromStdString(reply.text).contains(says), reply.text.c_str());
        }

        // The next script runs as in a new store.
        const std::string next = "return {#KEYS, redis.call('SET', KEYS[1], 'v'), ('x'):rep(2)}";
        QCOMPARE(display(store.execute(0, std::vector<std::string_view>{"EVAL", next, "1", "key"},
                                       kStoryStart + 5'000'000)),
                 std::string("[1) (integer) 1 2) OK 3) \"xx\"]"));
    }

    void aTableThatHoldsItselfIsCutOff() {
        StorePlayer player;
        Reply reply = player.execute({"EVAL", "local t = {} t[1] = t return t", "0"});
        int depth = 0;
        while (reply.type == Reply::Type::Array) {
            reply = Reply(reply.items.at(0));
            ++depth;
        }
        QCOMPARE(reply.text, std::string("ERR reached lua stack limit"));
        QVERIFY(depth > 100);
    }

    void scriptsLeaveNothingBehind() {
        StorePlayer player;
        player.reply("EVAL \"KEYS[7] = 'left' ARGV.x = 1 return 1\" 0");
        QCOMPARE(player.reply("EVAL \"return {KEYS[7] == nil, ARGV.x == nil, #KEYS}\" 0"),
                 std::string("[1) (integer) 1 2) (integer) 1 3) (integer) 0]"));
        for (const char* script :
             {"string.find = nil", "redis.call = nil", "_G.x = 1", "math.random = nil", "x = 1",
              "table.insert(string, 1)", "setmetatable(redis, nil)", "setmetatable(_G, {})"}) {
            const Reply reply = player.execute({"EVAL", script, "0"});
            QVERIFY2(reply.isError(), script);
        }
        QCOMPARE(player.reply("EVAL \"return {type(redis.call), type(string.find), type(math.random)}\" 0"),
                 std::string("[1) \"function\" 2) \"function\" 3) \"function\"]"));
    }

    void effectsBeforeTheEndOfTheBudgetStay() {
        StorePlayer player;
        const std::string script = "redis.call('SET', 'k', 'kept') while true do end";
        QVERIFY(player.execute({"EVAL", script, "0"}, 1).type == Reply::Type::None);
        QCOMPARE(player.store().peek("k", player.now())->value, std::string("kept"));
        QVERIFY(player.store().strained());
        player.startOver({});
        QVERIFY(!player.store().strained());
        player.reply("EVAL 'return 1' 0");
        QVERIFY(!player.store().strained());
    }

    void aScriptLoadedBeforeAnOverrunStaysLoaded() {
        StorePlayer player;
        const std::string sha = player.execute({"SCRIPT", "LOAD", "return ARGV[1]"}).text;
        QVERIFY(player.execute({"EVAL", "while true do end", "0"}, 1).type == Reply::Type::None);
        player.advance(kStoryStart + 5'000'000);
        QCOMPARE(player.reply("SCRIPT KILL"), std::string("OK"));
        QCOMPARE(player.reply("EVALSHA " + sha + " 0 still"), std::string("\"still\""));
    }

    void aStoreThatStartsOverIsANewOne() {
        StoreOptions options;
        options.seed = 9;
        const auto run = [](StorePlayer& player) {
            std::string all;
            for (int i = 0; i < 30; ++i)
                all += player.reply("SET k" + std::to_string(i * 7) + " v PX 50");
            all += player.reply("SCAN 0 COUNT 5") + player.reply("KEYS *") + player.reply("RANDOMKEY");
            all += player.reply("EVALSHA e0e1f9fabfc9d4800c877a703b823ac0578ff8db 0");
            all += player.reply("EVAL 'return {math.random(), math.random(1000)}' 0") +
                   player.reply("EVAL 'return 1' 0");
            player.advance(player.now() + 1'000'000);
            return all + player.takeNotes();
        };
        StorePlayer fresh(options);
        const std::string first = run(fresh);
        StorePlayer used;
        for (int i = 0; i < 5000; ++i)
            used.reply("SET x" + std::to_string(i) + " v");
        used.reply("SELECT 3");
        used.reply("SET there v PX 10");
        used.reply("EVAL 'return math.random()' 0");
        used.startOver(options);
        QCOMPARE(run(used), first);
        used.startOver(options);
        QCOMPARE(run(used), first);
        options.seed = 10;
        used.startOver(options);
        QVERIFY(run(used) != first);
    }

    void manyDifferentScriptsDoNotPileUp() {
        StorePlayer player;
        for (int life = 0; life < 20; ++life) {
            player.startOver({});
            for (int i = 0; i < 300; ++i) {
                const std::string number = std::to_string(life * 1000 + i);
                QCOMPARE(player.execute({"EVAL", "return " + number, "0"}).integer,
                         std::int64_t{life} * 1000 + i);
            }
        }
    }

    void longTextsAreRefused() {
        StoreOptions options;
        options.maxStringBytes = 100;
        StorePlayer player(options);
        const std::string refusal = "(error) ERR string exceeds maximum allowed size (proto-max-bulk-len)";
        QCOMPARE(player.reply("SETRANGE k 99 x"), std::string("(integer) 100"));
        QCOMPARE(player.reply("SETRANGE k 100 x"), refusal);
        QCOMPARE(player.reply("APPEND k x"), refusal);
        QCOMPARE(player.reply("STRLEN k"), std::string("(integer) 100"));
    }
};

QTEST_GUILESS_MAIN(ScriptBoundsTest)
#include "script_bounds_test.moc"
