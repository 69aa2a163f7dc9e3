// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/redis/stories.h"

using namespace lockscope::redis;

/// What several clients are to each other: transactions, messages, waiting, and coming in.
class ClientStoriesTest : public QObject {
    Q_OBJECT

private slots:
    /// The release of a lock without a script: it does nothing if the lock changed hands meanwhile.
    void aWatchedLockThatExpiredStopsTheRelease() {
        compare(R"(
            > SET lock A PX 100
            * written lock=A until 100
            * set lock
            * expire lock
            OK
            1> WATCH lock
            OK
            1> GET lock
            "A"
            at 101
            * lease over lock (100) @100
            1> MULTI
            OK
            1> DEL lock
            QUEUED
            1> EXEC
            (nil)
            2> SET lock B NX
            * removed lock=A: expired
            * expired lock
            * written lock=B over a dead one
            * set lock
            OK
        )");
    }

    void whatWentWrongInTheQueueAbortsAndWhatFailsInItDoesNot() {
        compare(R"(
            > MULTI
            OK
            > NOSUCH
            (error) ERR unknown command 'NOSUCH', with args beginning with: 
            > SET lock A
            QUEUED
            > EXEC
            (error) EXECABORT Transaction discarded because of previous errors.
            > MULTI
            OK
            > SET lock A
            QUEUED
            > INCR lock
            QUEUED
            > GET lock
            QUEUED
            > EXEC
            * written lock=A
            * set lock
            [1) OK 2) (error) ERR value is not an integer or out of range 3) "A"]
        )");
    }

    /// The head of EXEC's reply announces one element a command: a message in between takes the place of the
    /// last one, which then stands by itself, with RESP3 too. So does redis-server 7.0.15.
    void aMessageAmidItsOwnTransactionShiftsTheReplies() {
        compare(R"(
            > MULTI
            OK
            > SUBSCRIBE news
            QUEUED
            > PUBLISH news hello
            QUEUED
            > EXEC
            to 0: [1) [1) "subscribe" 2) "news" 3) (integer) 1] 2) [1) "message" 2) "news" 3) "hello"]]
            to 0: (integer) 1
            (nothing yet)
        )");
        StorePlayer player;
        player.execute({"HELLO", "3"});
        for (const char* command : {"MULTI", "SUBSCRIBE news", "PUBLISH news hello"})
            player.reply(command);
        QCOMPARE(player.reply("EXEC"), std::string("(nothing yet)"));
    }

    void whoWaitsLongestIsServedFirst() {
        compare(R"(
            1> BLPOP queue 0
            (nothing yet)
            2> BLPOP queue 0
            (nothing yet)
            > RPUSH queue job
            * written queue=[job] (list)
            * rpush queue
            * lpop queue
            * removed queue=[]: deleted
            * del queue
            to 1: [1) "queue" 2) "job"]
            (integer) 1
        )");
    }

    /// A time-out is over in the first millisecond after it, as a lease is.
    void aTimeOutIsADeadlineOfTheStoresClock() {
        StorePlayer player;
        player.execute({"BLPOP", "queue", "0.5"}, 1);
        QCOMPARE(player.store().nextDeadline(), std::optional<std::int64_t>(kStoryStart + 501'000));
        player.advance(kStoryStart + 500'999);
        QCOMPARE(player.takeNotes(), std::string());
        player.advance(kStoryStart + 501'000);
        QCOMPARE(player.takeNotes(), std::string("to 1: (nil)\n"));
        QCOMPARE(player.store().nextDeadline(), std::optional<std::int64_t>());
    }

    /// Redis turns a time-out into an instant of its wall clock.
    void aTimeOutFollowsTheClockOfTheMachine() {
        StorePlayer player;
        player.execute({"BLPOP", "queue", "10"}, 1);
        player.execute({"BLPOP", "other", "0"}, 2);
        player.store().jumpClock(kStoryStart + 1'000'000, -5'000);
        QCOMPARE(player.store().nextDeadline(), std::optional<std::int64_t>(kStoryStart + 15'001'000));
        player.store().jumpClock(kStoryStart + 2'000'000, 60'000);
        player.advance(*player.store().nextDeadline());
        QCOMPARE(player.takeNotes(), std::string("to 1: (nil)\n"));
        QCOMPARE(player.store().nextDeadline(), std::optional<std::int64_t>());
    }

    /// Whoever serves it holds back what it sends meanwhile, so nothing of it can be run when it is gone.
    void whoWaitsCanBeReleasedAndKilled() {
        compare(R"(
            1> BLPOP queue 0
            (nothing yet)
            2> BLMOVE queue queue LEFT RIGHT 0
            (nothing yet)
            > CLIENT UNBLOCK 1 ERROR
            to 1: (error) UNBLOCKED client unblocked via CLIENT UNBLOCK
            (integer) 1
            1> QUIT
            OK
            > CLIENT KILL ID 2
            to 2: hung up
            (integer) 1
            > RPUSH queue job
            * written queue=[job] (list)
            * rpush queue
            (integer) 1
            2> LPOP queue
            * lpop queue
            * removed queue=[]: deleted
            * del queue
            "job"
        )");
    }

    void whoWantsNoRepliesStillGetsMessages() {
        compare(R"(
            1> CLIENT REPLY OFF
            (nothing yet)
            1> SUBSCRIBE news
            to 1: [1) "subscribe" 2) "news" 3) (integer) 1]
            (nothing yet)
            1> PING
            (nothing yet)
            > PUBLISH news x
            to 1: [1) "message" 2) "news" 3) "x"]
            (integer) 1
        )");
    }

    void aContainerIsFoundAfterItsBareName() {
        compare(R"(
            > SCRIPT
            (error) ERR wrong number of arguments for 'script' command
            > SCRIPT FLUSH
            OK
            > script flush
            OK
        )");
    }

    void theCommandsOfScriptsAreCounted() {
        compare(R"story(
            > CONFIG RESETSTAT
            OK
            > EVAL "redis.call('SET', 'a', 1) redis.pcall('GET') return redis.call('DBSIZE')" 0
            * written a=1
            * set a
            (integer) 1
            > EVAL "return string.match(redis.call('INFO', 'stats'), 'processed:(%d+)')" 0
            "4"
        )story");
    }

    void notificationsArePublishedOnceTheyAreOn() {
        compare(R"(
            2> PSUBSCRIBE __key*__:*
            to 2: [1) "psubscribe" 2) "__key*__:*" 3) (integer) 1]
            (nothing yet)
            > SET lock A
            * written lock=A
            * set lock
            OK
            > CONFIG SET notify-keyspace-events KEg
            OK
            > DEL lock
            * removed lock=A: deleted
            to 2: [1) "pmessage" 2) "__key*__:*" 3) "__keyspace@0__:lock" 4) "del"]
            to 2: [1) "pmessage" 2) "__key*__:*" 3) "__keyevent@0__:del" 4) "lock"]
            * del lock
            (integer) 1
            > GET lock
            (nil)
        )");
    }

    void monitorsSeeScriptsBeforeTheirCommands() {
        compare(R"story(
            3> MONITOR
            OK
            > EVAL "return redis.call('GET', KEYS[1])" 1 lock
            to 3: 1700000000.000000 [0 ] "EVAL" "return redis.call('GET', KEYS[1])" "1" "lock"
            to 3: 1700000000.000000 [0 lua] "GET" "lock"
            (nil)
            > AUTH default secret
            to 3: 1700000000.000000 [0 ] "AUTH" "(redacted)" "(redacted)"
            OK
            > CLIENT KILL ID 3
            to 3: hung up
            (integer) 1
        )story");
    }

    void withoutThePasswordNobodyComesIn() {
        StorePlayer player;
        player.store().serveAs({.port = 6379, .needsPassword = true}, "opensesame");
        QCOMPARE(player.reply("GET lock"), std::string("(error) NOAUTH Authentication required."));
        QVERIFY(!player.store().factsOf(0).authenticated);
        QCOMPARE(player.reply("AUTH opensesam"),
                 std::string("(error) WRONGPASS invalid username-password pair or user is disabled."));
        QCOMPARE(player.reply("AUTH opensesame"), std::string("OK"));
        QCOMPARE(player.reply("GET lock"), std::string("(nil)"));
        QCOMPARE(player.reply("CLIENT SETNAME worker"), std::string("OK"));
        QCOMPARE(player.store().factsOf(0).name, std::string_view("worker"));
        // Who is in cannot open the door for everybody, but may choose another password.
        QCOMPARE(
            player.reply("CONFIG SET requirepass ''"),
            std::string("(error) ERR CONFIG SET failed (possibly related to argument 'requirepass') - other "
                        "machines can reach this server, so it keeps a password"));
        QCOMPARE(player.reply("CONFIG SET requirepass openwheat"), std::string("OK"));
        QCOMPARE(player.reply("CONFIG GET requirepass"),
                 std::string("[1# \"requirepass\" => \"openwheat\"]"));
    }

    /// Whatever was called last: the second word decides.
    void aWordAfterCommandIsHeard() {
        StorePlayer player;
        player.execute({"COMMAND"});
        QVERIFY(player.reply("COMMAND COUNT").starts_with("(integer) "));
    }

    void whoLeavesTakesNothingAlong() {
        StorePlayer player;
        player.execute({"BLPOP", "queue", "0"}, 1);
        player.execute({"SUBSCRIBE", "news"}, 2);
        player.takeNotes();
        player.store().disconnect(1);
        player.store().disconnect(2);
        QCOMPARE(player.reply("RPUSH queue job"), std::string("(integer) 1"));
        QCOMPARE(player.reply("PUBLISH news x"), std::string("(integer) 0"));
        QCOMPARE(player.reply("LLEN queue"), std::string("(integer) 1"));
    }
};

QTEST_APPLESS_MAIN(ClientStoriesTest)
#include "client_stories_test.moc"
