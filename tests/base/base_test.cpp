// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <set>
#include <string>

#include "core/base/random.h"
#include "core/base/string_pool.h"
#include "core/base/time.h"

using namespace lockscope;

class BaseTest : public QObject {
    Q_OBJECT

private slots:
    void durationsReadAsPeopleWriteThem_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<qint64>("micros"); // -1: refused
        const auto row = [](const char* text, qint64 micros) { QTest::newRow(text) << QString(text) << micros; };
        row("30s", 30'000'000);
        row("250ms", 250'000);
        row("1m30s", 90'000'000);
        row("1.5s", 1'500'000);
        row("40us", 40);
        row("2h", 7'200'000'000);
        row("0", 0);
        row("0s", 0);
        row("0.000001s", 1);
        row("1h2m3.5s", 3'723'500'000);
        row("", -1);
        row("30", -1);
        row("s", -1);
        row("-3s", -1);
        row("+3s", -1);
        row("3 s", -1);
        row("3x", -1);
        row("1.s.5", -1);
        row("0.0000001s", -1);
        row("30s1m", -1);
        row("1s1s", -1);
        row("99999999999999999999s", -1);
        row("1e3s", -1);
    }
    void durationsReadAsPeopleWriteThem() {
        QFETCH(QString, text);
        QFETCH(qint64, micros);
        const Result<Duration> read = parseDuration(text.toStdString());
        QCOMPARE(read.ok(), micros >= 0);
        if (!read) {
            QVERIFY2(QString::fromStdString(read.error().message).contains("'" + text + "'"),
                     read.error().message.c_str());
            return;
        }
        QCOMPARE(qint64(read->count()), micros);
    }

    void everyDurationSurvivesWritingAndReading() {
        Random random(7);
        for (int i = 0; i < 20'000; ++i) {
            const std::int64_t bound = std::int64_t{1} << (i % 44);
            const Duration d{static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(bound)))};
            const Result<Duration> back = parseDuration(formatDuration(d));
            QVERIFY2(back.ok(), formatDuration(d).c_str());
            QCOMPARE(back->count(), d.count());
        }
    }

    void secondsShowNoMoreThanTheyHave() {
        QCOMPARE(formatSeconds(seconds(31)), std::string("31.0 s"));
        QCOMPARE(formatSeconds(millis(31'002), 3), std::string("31.002 s"));
        QCOMPARE(formatSeconds(millis(31'960)), std::string("32.0 s"));
        QCOMPARE(formatSeconds(millis(-1'500)), std::string("-1.5 s"));
        QCOMPARE(formatSeconds(seconds(8), 0), std::string("8 s"));
        QCOMPARE(formatSecondsExact(millis(31'002)), std::string("31.002 s"));
        QCOMPARE(formatSecondsExact(seconds(31)), std::string("31.0 s"));
        QCOMPARE(formatSecondsExact(Duration{1}), std::string("0.000001 s"));
    }

    void aPoolKeepsEachStringOnceAndItsViewsStay() {
        StringPool pool;
        const StringId first = pool.intern("lock:report");
        const std::string_view view = pool.view(first);
        std::vector<StringId> ids;
        for (int i = 0; i < 5'000; ++i) ids.push_back(pool.intern("key:" + std::to_string(i)));
        QCOMPARE(view, std::string_view("lock:report"));
        QVERIFY(pool.intern("lock:report") == first);
        for (int i = 0; i < 5'000; ++i) {
            QVERIFY(pool.find("key:" + std::to_string(i)) == ids[std::size_t(i)]);
            QCOMPARE(pool.view(ids[std::size_t(i)]), std::string_view("key:" + std::to_string(i)));
        }
        QVERIFY(pool.find("never seen") == StringId::Empty);
        QVERIFY(pool.intern(std::string(100'000, 'x')) != StringId::Empty);
    }

    void aClearedPoolIsAsNew() {
        StringPool pool;
        for (int round = 0; round < 50; ++round) {
            QVERIFY(pool.find("a") == StringId::Empty);
            QCOMPARE(static_cast<int>(pool.intern("a")), 1);
            for (int i = 0; i < 300; ++i) pool.intern(std::to_string(i * (round + 1)));
            QCOMPARE(pool.view(StringId{1}), std::string_view("a"));
            pool.clear();
            QCOMPARE(pool.size(), std::size_t{1});
        }
    }

    void chanceIsTheSameEverywhereAndInItsBounds() {
        Random random(42);
        QCOMPARE(quint64(random.next()), quint64(13679457532755275413ull)); // published splitmix64 value for 42
        std::set<std::uint64_t> seen;
        for (int i = 0; i < 1'000; ++i) {
            const std::uint64_t n = random.below(6);
            QVERIFY(n < 6);
            seen.insert(n);
        }
        QCOMPARE(seen.size(), std::size_t{6});
        QCOMPARE(quint64(Random(1).below(0)), quint64(0));
        QVERIFY(Random(5).fork(1).next() != Random(5).fork(2).next());
    }
};

QTEST_GUILESS_MAIN(BaseTest)
#include "base_test.moc"
