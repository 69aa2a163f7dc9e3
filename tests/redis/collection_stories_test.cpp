// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/redis/stories.h"

using namespace lockscope::redis;

/// The shapes of locks that are no plain string, told command by command.
class CollectionStoriesTest : public QObject {
    Q_OBJECT

private slots:
    void aReentrantLockIsAHashWithACount() {
        compare(R"(
            > HINCRBY lock uuid:1 1
            * written lock={uuid:1: 1} (hash)
            * hincrby lock
            (integer) 1
            > PEXPIRE lock 300
            * deadline lock no end -> 300
            * expire lock
            (integer) 1
            > HINCRBY lock uuid:1 1
            * written lock={uuid:1: 2} (hash) until 300 over a live one
            * hincrby lock
            (integer) 2
            > HEXISTS lock uuid:2
            (integer) 0
            > HINCRBY lock uuid:1 -1
            * written lock={uuid:1: 1} (hash) until 300 over a live one
            * hincrby lock
            (integer) 1
            > GET lock
            (error) WRONGTYPE Operation against a key holding the wrong kind of value
            > SET lock B NX
            (nil)
            > HDEL lock uuid:1
            * hdel lock
            * removed lock={}: deleted
            * del lock
            (integer) 1
        )");
    }

    void aSemaphoreIsASortedSetOfHolders() {
        compare(R"(
            > ZADD slots 100 A 200 B
            * written slots={A: 100, B: 200} (zset)
            * zadd slots
            (integer) 2
            > ZREMRANGEBYSCORE slots -inf 150
            * written slots={B: 200} (zset) over a live one
            * zremrangebyscore slots
            (integer) 1
            > ZRANK slots B
            (integer) 0
            > ZREM slots B
            * zrem slots
            * removed slots={}: deleted
            * del slots
            (integer) 1
        )");
    }

    void waitersStandInAList() {
        compare(R"(
            > RPUSH queue A B
            * written queue=[A, B] (list)
            * rpush queue
            (integer) 2
            > LMOVE queue served LEFT RIGHT
            * written served=[A] (list)
            * rpush served
            * written queue=[B] (list) over a live one
            * lpop queue
            "A"
            > RENAME queue next
            * written next=[B] (list)
            * removed queue=: deleted
            * rename_from queue
            * rename_to next
            OK
        )");
    }

    void aLargeCollectionIsShownByItsBeginning() {
        StorePlayer player;
        std::vector<std::string> push{"RPUSH", "list"};
        for (int i = 0; i < 100; ++i)
            push.push_back(std::to_string(i));
        player.execute(push);
        QCOMPARE(player.takeNotes(),
                 std::string("* written list=[0, 1, 2, 3, 4, 5, 6, 7, …] (list)\n* rpush list\n"));
    }
};

QTEST_APPLESS_MAIN(CollectionStoriesTest)
#include "collection_stories_test.moc"
