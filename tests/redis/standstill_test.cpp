// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/redis/stories.h"

using namespace lockscope::redis;

/// Paused clients and scripts that do not end. What is expected here redis-server 7.0.15 answered by hand,
/// since it looks at the end of a pause only a few times a second.
class StandstillTest : public QObject {
    Q_OBJECT

private slots:
    /// The lease ends, the key stays, and whoever wants the lock waits for the end of the pause.
    void aPauseOfWritesKeepsDeadKeys() {
        compare(R"story(
            > SET lock A PX 100
            * written lock=A until 100
            * set lock
            * expire lock
            OK
            > CLIENT PAUSE 300 WRITE
            OK
            at 200
            * lease over lock (100) @100
            1> GET lock
            (nil)
            1> PTTL lock
            (integer) -2
            1> DBSIZE
            (integer) 1
            1> RANDOMKEY
            "lock"
            1> EVAL_RO "return redis.call('GET', KEYS[1])" 1 lock
            (nil)
            2> SET lock B NX
            (nothing yet)
            3> PUBLISH news x
            (nothing yet)
            at 300
            at 301
            * removed lock=A: expired
            * expired lock
            * written lock=B over a dead one
            * set lock
            to 2: OK
            to 3: (integer) 0
        )story");
    }

    /// The transaction goes on at its own instant, nobody else is heard, and what they sent runs in their
    /// order.
    void debugSleepStopsTheServer() {
        StoreOptions options;
        options.debugCommand = DebugCommand::Open;
        compare(R"story(
            > SET lock A PX 100
            * written lock=A until 100
            * set lock
            * expire lock
            OK
            1> BLPOP queue 0.2
            (nothing yet)
            > MULTI
            OK
            > DEBUG SLEEP 0.3
            QUEUED
            > PTTL lock
            QUEUED
            > EXEC
            (nothing yet)
            2> SET lock B NX
            (nothing yet)
            3> DEBUG SLEEP 0.1
            (nothing yet)
            4> NO SUCH
            (nothing yet)
            at 299
            * lease over lock (100) @100
            at 300
            to 0: [1) OK 2) (integer) 100]
            * removed lock=A: expired
            * expired lock
            * written lock=B over a dead one
            * set lock
            to 2: OK
            at 399
            at 400
            to 3: OK
            to 4: (error) ERR unknown command 'NO', with args beginning with: 'SUCH' 
            to 1: (nil)
        )story",
                options);
    }
    void debugIsClosedUnlessItIsOpened() {
        StorePlayer player;
        QVERIFY(player.reply("DEBUG SLEEP 1").starts_with("(error) ERR DEBUG command not allowed. If the "));
        QCOMPARE(player.reply("CONFIG GET enable-debug-command"),
                 std::string("[1# \"enable-debug-command\" => \"no\"]"));
        QCOMPARE(player.reply("CONFIG SET enable-debug-command yes"),
                 std::string(
                     "(error) ERR CONFIG SET failed (possibly related to argument 'enable-debug-command') - "
                     "can't set immutable config"));
    }
    /// Without the cycle a dead key stays until somebody wants it.
    void debugKeepsTheCycleAway() {
        StoreOptions options;
        options.debugCommand = DebugCommand::Open;
        StorePlayer player(options);
        QCOMPARE(player.reply("DEBUG SET-ACTIVE-EXPIRE 0"), std::string("OK"));
        player.reply("SET lock A PX 10");
        player.advance(kStoryStart + 60'000'000);
        QCOMPARE(player.reply("DBSIZE"), std::string("(integer) 1"));
        QVERIFY(player.reply("DEBUG OBJECT lock").find(" encoding:embstr serializedlength:2 lru:") !=
                std::string::npos);
        QCOMPARE(player.reply("DEBUG SET-ACTIVE-EXPIRE 1"), std::string("OK"));
        player.advance(kStoryStart + 61'000'000);
        QCOMPARE(player.reply("DBSIZE"), std::string("(integer) 0"));
    }

    /// Of everything: it also waits who would end the pause.
    void aPauseOfAllKeepsEverybodyWaiting() {
        compare(R"story(
            > CLIENT PAUSE 100
            OK
            1> CLIENT UNPAUSE
            (nothing yet)
            2> GET
            (error) ERR wrong number of arguments for 'get' command
            2> BLPOP queue 0.1
            (nothing yet)
            at 101
            to 1: OK
            at 201
            at 202
            to 2: (nil)
        )story");
    }

    void aTransactionWaitsAsAWhole() {
        compare(R"story(
            > CLIENT PAUSE 5000 WRITE
            OK
            1> MULTI
            OK
            1> GET a
            QUEUED
            1> EXEC
            [1) (nil)]
            1> MULTI
            OK
            1> SET a 1
            (nothing yet)
            > CLIENT UNPAUSE
            to 1: QUEUED
            OK
            1> EXEC
            * written a=1
            * set a
            [1) OK]
        )story");
    }

    void pausesAddUp() {
        StorePlayer player;
        player.reply("CLIENT PAUSE 1000 WRITE");
        player.reply("CLIENT PAUSE 100 ALL"); // neither shorter nor milder
        player.execute({"GET", "a"}, 1);
        player.advance(kStoryStart + 1'000'999);
        QVERIFY(player.store().factsOf(1).blocked);
        QCOMPARE(player.store().nextDeadline(), std::optional<std::int64_t>(kStoryStart + 1'001'000));
        player.advance(kStoryStart + 1'001'000);
        QVERIFY(!player.store().factsOf(1).blocked);
    }

    void theClockOfTheMachineEndsAPause() {
        StorePlayer player;
        player.reply("CLIENT PAUSE 10000 ALL");
        player.execute({"GET", "a"}, 1);
        player.store().jumpClock(kStoryStart, 60'000);
        player.advance(*player.store().nextDeadline());
        QCOMPARE(player.takeNotes(), std::string("to 1: (nil)\n"));
    }

    /// Somebody renews his lock while another one's script runs on and on.
    void aScriptThatDoesNotEndMakesTheServerBusy() {
        compare(R"story(
            > CONFIG SET busy-reply-threshold 150
            OK
            > SET lock A PX 100
            * written lock=A until 100
            * set lock
            * expire lock
            OK
            1> EVAL "while true do end" 0
            (nothing yet)
            at 50
            2> PEXPIRE lock 100
            (nothing yet)
            at 149
            * lease over lock (100) @100
            at 150
            to 2: (error) BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE.
            2> PING
            (error) BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE.
            2> GET
            (error) ERR wrong number of arguments for 'get' command
            2> MULTI
            OK
            2> EXEC
            (error) EXECABORT Transaction discarded because of: BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE.
            at 5000
            2> SCRIPT KILL
            to 1: (error) ERR Script killed by user with SCRIPT KILL... script: 694a5fe1ddb97a4c6a1bf299d9537c7d3d0f84e7, on @user_script:1.
            OK
            2> SCRIPT KILL
            (error) NOTBUSY No scripts in execution right now.
            2> PEXPIRE lock 100
            * removed lock=A: expired
            * expired lock
            (integer) 0
        )story");
    }

    void aScriptThatHasWrittenCannotBeKilled() {
        compare(R"story(
            1> EVAL "redis.call('SET', 'k', 'v') while true do end" 0
            * written k=v
            * set k
            (nothing yet)
            2> SCRIPT KILL
            (nothing yet)
            3> GET k
            (nothing yet)
            at 5000
            to 2: (error) UNKILLABLE Sorry the script already executed write commands against the dataset. You can either wait the script termination or kill the server in a hard way using the SHUTDOWN NOSAVE command.
            to 3: (error) BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE.
        )story");
    }

    /// All that has waited is heard before the script ends.
    void whoWaitedForTheThresholdHearsThatItIsBusy() {
        compare(R"story(
            1> EVAL "while true do end" 0
            (nothing yet)
            2> SCRIPT KILL
            (nothing yet)
            3> PING
            (nothing yet)
            at 5000
            to 2: OK
            to 3: (error) BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE.
            to 1: (error) ERR Script killed by user with SCRIPT KILL... script: 694a5fe1ddb97a4c6a1bf299d9537c7d3d0f84e7, on @user_script:1.
            3> PING
            PONG
        )story");
    }

    void noTimeOutIsLookedAtMeanwhile() {
        StorePlayer player;
        player.execute({"BLPOP", "queue", "1"}, 1);
        player.execute({"EVAL", "while true do end", "0"}, 2);
        player.store().disconnect(2); // that ends no script
        player.advance(kStoryStart + 9'000'000);
        QVERIFY(player.store().factsOf(1).blocked);
        QCOMPARE(player.reply("SCRIPT KILL"), std::string("OK"));
        player.advance(kStoryStart + 9'000'001);
        QVERIFY(!player.store().factsOf(1).blocked);
    }

    void inATransactionItEndsWithAnError() {
        StorePlayer player;
        player.reply("MULTI");
        player.execute({"EVAL", "while true do end", "0"});
        player.reply("PING");
        const Reply replies = player.execute({"EXEC"});
        QCOMPARE(replies.items.size(), std::size_t{2});
        QVERIFY(replies.items[0].text.find("stopped: it ran on for more than") != std::string::npos);
    }
};

QTEST_APPLESS_MAIN(StandstillTest)
#include "standstill_test.moc"
