// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "tests/redis/store_player.h"

using namespace lockscope::redis;

namespace {

/// Plays the story and compares what comes out with the story itself.
void checkStory(std::string_view story, const StoreOptions& options = {}) {
    StorePlayer player(options);
    const std::string expected = "\n" + [&] {
        // The story is indented as the code around it.
        std::string text;
        for (const QString& line : QString::fromUtf8(story.data(), int(story.size())).split('\n'))
            if (!line.trimmed().isEmpty()) text += line.trimmed().toStdString() + '\n';
        return text;
    }();
    QCOMPARE(QString::fromStdString(player.play(story)), QString::fromStdString(expected));
}

} // namespace

/// What a lock goes through in Redis, told by what the store says and tells.
class LockStoriesTest : public QObject {
    Q_OBJECT

private slots:
    void aLeaseEndsAtItsDeadlineAndTheKeyGoesLater() {
        checkStory(R"story(
            at 201
            > SET lock A NX PX 30000
            * written lock=A until 30201
            * set lock
            * expire lock
            OK
            at 1001
            > SET lock B NX PX 30000
            (nil)
            at 30201.999
            > GET lock
            "A"
            > PTTL lock
            (integer) 0
            at 30202
            * lease over lock (30201) @30201.999
            at 30299
            at 30300
            * removed lock=A: expired
            * expired lock
            at 31001
            > SET lock B NX PX 30000
            * written lock=B until 61001
            * set lock
            * expire lock
            OK
        )story");
    }

    void anAccessRemovesADeadKeyFirst() {
        checkStory(R"story(
            > SET lock A PX 150
            * written lock=A until 150
            * set lock
            * expire lock
            OK
            at 151
            * lease over lock (150) @150
            > DBSIZE
            (integer) 1
            > KEYS *
            []
            > SET lock B NX PX 100
            * removed lock=A: expired
            * expired lock
            * written lock=B until 251 over a dead one
            * set lock
            * expire lock
            OK
            at 252
            * lease over lock (251) @251
            > DEL lock
            * removed lock=B: expired
            * expired lock
            (integer) 0
        )story");
    }

    void releasingAndRenewing() {
        checkStory(R"story(
            > SET lock A NX PX 1000
            * written lock=A until 1000
            * set lock
            * expire lock
            OK
            at 100
            > EVAL "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('PEXPIRE', KEYS[1], ARGV[2]) end return 0" 1 lock A 2000
            * deadline lock 1000 -> 2100
            * expire lock
            (integer) 1
            > EVAL "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0" 1 lock B
            (integer) 0
            > EVAL "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0" 1 lock A
            * removed lock=A: deleted
            * del lock
            (integer) 1
        )story");
    }

    void aSetWithoutOptionsStealsAndNeverEnds() {
        checkStory(R"story(
            > SET lock A NX PX 1000
            * written lock=A until 1000
            * set lock
            * expire lock
            OK
            > SET lock other
            * written lock=other over a live one
            * set lock
            OK
            > PTTL lock
            (integer) -1
            > PEXPIRE lock -1
            * removed lock=other: deadline in the past
            * del lock
            (integer) 1
        )story");
    }

    void aDeadlineInThePastIsADelete() {
        checkStory(R"story(
            at 500
            > SET lock A PXAT @400
            * written lock=A until 400
            * set lock
            * expire lock
            OK
            > GET lock
            * lease over lock (400)
            * removed lock=A: expired
            * expired lock
            (nil)
            > SET lock A
            * written lock=A
            * set lock
            OK
            > GETEX lock PXAT @400
            * removed lock=A: deadline in the past
            * del lock
            "A"
            > SET lock A
            * written lock=A
            * set lock
            OK
            > PEXPIREAT lock @500
            * removed lock=A: deadline in the past
            * del lock
            (integer) 1
        )story");
    }

    void flushingTellsOfKeysButGivesNoEvents() {
        checkStory(R"story(
            > MSET a 1 b 2
            * written a=1
            * set a
            * written b=2
            * set b
            OK
            > DEL b
            * removed b=2: deleted
            * del b
            (integer) 1
            > FLUSHALL
            * removed a=1: flushed
            OK
        )story");
    }

    void aRenamedLockTakesItsLeaseAlong() {
        checkStory(R"story(
            > SET a A PX 100
            * written a=A until 100
            * set a
            * expire a
            OK
            > SET b B
            * written b=B
            * set b
            OK
            > RENAME a b
            * written b=A until 100 over a live one
            * removed a=A: deleted
            * rename_from a
            * rename_to b
            OK
            at 101
            * lease over b (100) @100
        )story");
    }

    void countersAndTextsKeepTheirDeadline() {
        checkStory(R"story(
            > SET n 41 PX 100
            * written n=41 until 100
            * set n
            * expire n
            OK
            > DECR n
            * written n=40 until 100 over a live one
            * incrby n
            (integer) 40
            > APPEND n 2
            * written n=402 until 100 over a live one
            * append n
            (integer) 3
            > SETRANGE n 0 9
            * written n=902 until 100 over a live one
            * setrange n
            (integer) 3
            > INCRBYFLOAT n 0.5
            * written n=902.5 until 100 over a live one
            * incrbyfloat n
            "902.5"
            > SET n x XX KEEPTTL
            * written n=x until 100 over a live one
            * set n
            OK
            > PERSIST n
            * deadline n 100 -> no end
            * persist n
            (integer) 1
        )story");
    }

    void withoutActiveExpiryADeadKeyStays() {
        StoreOptions options;
        options.activeExpiry = false;
        checkStory(R"story(
            > SET lock A PX 100
            * written lock=A until 100
            * set lock
            * expire lock
            OK
            at 3600000
            * lease over lock (100) @100
            > DBSIZE
            (integer) 1
            > PTTL lock
            * removed lock=A: expired
            * expired lock
            (integer) -2
        )story",
                   options);
    }

    void aScriptSeesOneInstantAndItsEffectsStay() {
        checkStory(R"story(
            > EVAL "redis.call('SET', KEYS[1], 'half') error('stop')" 1 work
            * written work=half
            * set work
            (error) ERR user_script:1: stop script: 9437b44ef517812c69f560b88e15a17a18fa036c, on @user_script:1.
            > GET work
            "half"
        )story");
    }

    void databasesAreApart() {
        checkStory(R"story(
            > SET lock A
            * written lock=A
            * set lock
            OK
            1> SELECT 1
            OK
            1> SET lock B PX 100
            * written lock=B until 100 in database 1
            * set lock in database 1
            * expire lock in database 1
            OK
            > GET lock
            "A"
            1> GET lock
            "B"
            at 101
            * lease over lock (100) @100 in database 1
        )story");
    }
};

QTEST_GUILESS_MAIN(LockStoriesTest)
#include "lock_stories_test.moc"
