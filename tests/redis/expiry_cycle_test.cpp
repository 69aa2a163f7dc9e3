// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <ctime>
#include <set>

#include "core/base/random.h"
#include "tests/redis/store_player.h"

using namespace lockscope;
using namespace lockscope::redis;

namespace {

constexpr std::int64_t kMilli = 1000;

/// How long after its deadline a lock's "expired" comes, in milliseconds, when nobody touches it and `others`
/// keys have deadlines an hour away. -1 if not within `patience`.
std::int64_t delayOfExpired(std::uint64_t seed, int others, std::int64_t patience) {
    StoreOptions options;
    options.seed = seed;
    StorePlayer player(options);
    for (int i = 0; i < others; ++i)
        player.execute({"SET", "cache:" + std::to_string(i), "x", "EX", "3600"});
    player.execute({"SET", "lock", "A", "PX", "50"});
    player.takeNotes();
    for (std::int64_t ms = 100; ms <= patience; ms += 100) {
        player.advance(kStoryStart + ms * kMilli);
        if (player.takeNotes().find("expired lock") != std::string::npos) return ms - 50;
    }
    return -1;
}

std::string randomCommand(Random& chance, int keys) {
    const std::string key = "k" + std::to_string(chance.below(static_cast<std::uint64_t>(keys)));
    const std::string ms = std::to_string(1 + chance.below(400));
    switch (chance.below(10)) {
    case 0:
    case 1:
    case 2:
        return "SET " + key + " v PX " + ms;
    case 3:
        return "SET " + key + " v NX PX " + ms;
    case 4:
        return "PEXPIRE " + key + " " + ms;
    case 5:
        return "GET " + key;
    case 6:
        return "SET " + key + " v";
    case 7:
        return "DEL " + key;
    case 8:
        return "PERSIST " + key;
    default:
        return "SET " + key + " v PXAT @1";
    }
}

} // namespace

/// The end of leases and the sampled removal of dead keys.
class ExpiryCycleTest : public QObject {
    Q_OBJECT

private slots:
    /// The teaching aid: dead and gone are one event, among any number of keys.
    void keysCanBeMadeToLeaveAtOnce() {
        StoreOptions options;
        options.expiresAtOnce = true;
        StorePlayer player(options);
        for (int i = 0; i < 1000; ++i)
            player.execute({"SET", "cache:" + std::to_string(i), "x", "EX", "3600"});
        player.execute({"SET", "lock", "A", "PX", "50"});
        player.execute({"SET", "other", "A", "PX", "50"});
        player.takeNotes();
        player.advance(kStoryStart + 50 * kMilli);
        QCOMPARE(player.takeNotes(), std::string());
        player.advance(kStoryStart + 51 * kMilli);
        const std::string told = player.takeNotes();
        QVERIFY2(told.find("expired lock") != std::string::npos, told.c_str());
        QVERIFY2(told.find("expired other") != std::string::npos, told.c_str());
        QVERIFY(!player.store().peek("lock", player.now()));
        QCOMPARE(player.reply("DBSIZE"), std::string("(integer) 1000"));
    }

    void nothingHappensBetweenTheDeadlinesThatAreSaid() {
        StorePlayer player;
        QVERIFY(!player.store().nextDeadline());
        player.reply("SET a v PX 150");
        QCOMPARE(*player.store().nextDeadline(), kStoryStart + 151 * kMilli);
        player.reply("SET b v PX 170");
        QCOMPARE(*player.store().nextDeadline(), kStoryStart + 151 * kMilli);
        player.advance(kStoryStart + 151 * kMilli);
        QCOMPARE(*player.store().nextDeadline(), kStoryStart + 171 * kMilli);
        player.advance(kStoryStart + 171 * kMilli);
        QCOMPARE(*player.store().nextDeadline(), kStoryStart + 200 * kMilli); // a tick will find them
        player.advance(kStoryStart + 200 * kMilli);
        QVERIFY(!player.store().nextDeadline());
        player.reply("SET a v PXAT 9223372036854775807");
        QVERIFY(!player.store().nextDeadline());
        player.reply("PERSIST a");
        QVERIFY(!player.store().nextDeadline());
    }

    void theStepsInWhichTimePassesMakeNoDifference_data() {
        QTest::addColumn<int>("keys");
        QTest::newRow("few keys") << 5;
        QTest::newRow("just what one look takes") << 20;
        QTest::newRow("many") << 150;
    }
    void theStepsInWhichTimePassesMakeNoDifference() {
        QFETCH(int, keys);
        for (std::uint64_t seed = 1; seed <= 20; ++seed) {
            StoreOptions options;
            options.seed = seed;
            StorePlayer coarse(options); // time passes with its commands alone
            StorePlayer fine(options);   // from one deadline that it names to the next, and by chance
            coarse.sayInstants();
            fine.sayInstants();
            std::string toldByFine;
            Random chance(seed);
            std::int64_t now = kStoryStart;
            for (int i = 0; i < 300; ++i) {
                now += static_cast<std::int64_t>(chance.below(chance.below(4) == 0 ? 400'000 : 9'000));
                while (fine.store().nextDeadline().value_or(now) < now) {
                    const std::int64_t next = *fine.store().nextDeadline();
                    if (next - 1 > fine.now()) fine.advance(next - 1);
                    QCOMPARE(fine.takeNotes(), std::string());
                    fine.advance(next);
                    const std::string told = fine.takeNotes();
                    if (keys <= 20) QVERIFY(!told.empty());
                    toldByFine += told;
                }
                fine.advance(now - static_cast<std::int64_t>(
                                       chance.below(static_cast<std::uint64_t>(now - fine.now()) + 1)));
                fine.advance(now);
                const std::vector<std::string> command = wordsOf(randomCommand(chance, keys));
                const Reply reply = fine.execute(command);
                toldByFine += fine.takeNotes();
                QVERIFY(coarse.executeAt(now, command) == reply);
            }
            QCOMPARE(toldByFine, coarse.takeNotes());
        }
    }

    /// A lease is told to be over once, before anything removes the key as expired, and never for a key that
    /// lives.
    void everyLeaseEndsOnceAndBeforeItsKeyExpires() {
        class Watch : public StoreObserver {
        public:
            explicit Watch(const StoreOptions& options) : store(options, this) {}
            void onWritten(std::string_view key, std::string_view, std::string_view,
                           std::optional<UnixMillis> deadline, Before) override {
                check();
                set(key, deadline);
            }
            void onDeadlineChanged(std::string_view key, std::optional<UnixMillis>,
                                   std::optional<UnixMillis> after) override {
                check();
                set(key, after);
            }
            void onLeaseEnded(std::string_view key, UnixMillis deadline) override {
                check();
                QVERIFY(running.erase({std::string(key), deadline}) == 1);
                QVERIFY(store.observerTime() >= std::min(deadline * kMilli, now));
                QVERIFY(over.insert(std::string(key)).second);
                ++ended;
            }
            void onRemoved(std::string_view key, Removal why, std::string_view) override {
                check();
                if (why == Removal::Expired) QVERIFY(over.contains(std::string(key)));
                over.erase(std::string(key));
                set(key, std::nullopt);
            }
            void onKeyspaceEvent(std::string_view, std::string_view) override { check(); }

            void set(std::string_view key, std::optional<UnixMillis> deadline) {
                std::erase_if(running, [&](const auto& lease) { return lease.first == key; });
                QVERIFY(!over.contains(std::string(key)));
                if (deadline) running.insert({std::string(key), *deadline});
            }
            void check() {
                QVERIFY(store.observerTime() >= last);
                QVERIFY(store.observerTime() <= now);
                last = store.observerTime();
            }

            std::set<std::pair<std::string, UnixMillis>> running;
            std::set<std::string> over;
            std::int64_t now = kStoryStart;
            std::int64_t last = 0;
            int ended = 0;
            Store store;
        };
        Watch watch({});
        Random chance(3);
        for (int i = 0; i < 20'000; ++i) {
            watch.now += static_cast<std::int64_t>(chance.below(30'000));
            const std::vector<std::string> words = wordsOf(randomCommand(chance, 40));
            watch.store.execute(0, std::vector<std::string_view>(words.begin(), words.end()), watch.now);
        }
        QVERIFY(watch.ended > 1000);
    }

    /// Within a tick among few keys; on the average half a walk over the table among many.
    void theEventComesLaterAmongManyKeys() {
        std::int64_t sumOfThousand = 0;
        for (std::uint64_t seed = 1; seed <= 10; ++seed) {
            QCOMPARE(delayOfExpired(seed, 0, 1000), std::int64_t{50});
            QCOMPARE(delayOfExpired(seed, 19, 1000), std::int64_t{50});
            const std::int64_t among1000 = delayOfExpired(seed, 1000, 10'000);
            QVERIFY(among1000 >= 50 && among1000 <= 6000);
            sumOfThousand += among1000;
        }
        // 1,000 keys at 20 a look and 10 looks a second: 5 s for all of them.
        QVERIFY2(sumOfThousand / 10 > 1000 && sumOfThousand / 10 < 4000,
                 std::to_string(sumOfThousand / 10).c_str());
        int late = 0;
        for (std::uint64_t seed = 1; seed <= 5; ++seed)
            if (delayOfExpired(seed, 20'000, 10'000) < 0) ++late;
        QVERIFY(late >= 3);
    }

    /// It goes on while more than a tenth of what it looks at is dead, so one tick leaves few.
    void aTickRepeatsWhileMuchIsDead() {
        StorePlayer player;
        for (int i = 0; i < 1000; ++i)
            player.execute({"SET", "dead:" + std::to_string(i), "x", "PX", "150"});
        for (int i = 0; i < 1000; ++i)
            player.execute({"SET", "live:" + std::to_string(i), "x", "EX", "3600"});
        player.advance(kStoryStart + 199 * kMilli);
        QCOMPARE(player.execute({"DBSIZE"}).integer, std::int64_t{2000});
        player.advance(kStoryStart + 200 * kMilli);
        const std::int64_t left = player.execute({"DBSIZE"}).integer - 1000;
        QVERIFY2(left < 400, std::to_string(left).c_str());
        player.advance(kStoryStart + 60'000 * kMilli);
        QCOMPARE(player.execute({"DBSIZE"}).integer, std::int64_t{1000});
    }

    void hzSetsTheGrid() {
        StoreOptions options;
        options.hz = 1;
        StorePlayer player(options);
        player.reply("SET lock A PX 50");
        player.advance(kStoryStart + 999 * kMilli);
        QCOMPARE(player.execute({"DBSIZE"}).integer, std::int64_t{1});
        player.advance(kStoryStart + 1000 * kMilli);
        QCOMPARE(player.execute({"DBSIZE"}).integer, std::int64_t{0});
    }

    void anHourWithoutDeadKeysCostsNothing() {
        StorePlayer player;
        for (int i = 0; i < 10; ++i)
            player.execute({"SET", "k" + std::to_string(i), "x", "EX", "7200"});
        const std::clock_t before = std::clock();
        player.advance(kStoryStart + 3600 * 1000 * kMilli);
        QVERIFY(std::clock() - before < CLOCKS_PER_SEC / 100);
    }
};

QTEST_GUILESS_MAIN(ExpiryCycleTest)
#include "expiry_cycle_test.moc"
