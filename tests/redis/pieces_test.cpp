// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <ctime>
#include <memory>
#include <set>

#include "core/base/random.h"
#include "core/redis/glob.h"
#include "core/redis/hash_table.h"
#include "core/redis/numbers.h"
#include "core/redis/reply.h"
#include "core/redis/sha1.h"

using namespace lockscope;
using namespace lockscope::redis;

namespace {

struct Node {
    std::string key;
    std::uint64_t hash = 0;
    Node* next = nullptr;
};
using Table = HashTable<Node, &Node::next>;

} // namespace

/// The parts of the store that stand on their own.
class PiecesTest : public QObject {
    Q_OBJECT

private slots:
    void shaOneOfKnownTexts() {
        QCOMPARE(sha1Hex(""), std::string("da39a3ee5e6b4b0d3255bfef95601890afd80709"));
        QCOMPARE(sha1Hex("abc"), std::string("a9993e364706816aba3e25717850c26c9cd0d89d"));
        QCOMPARE(sha1Hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
                 std::string("84983e441c3bd26ebaae4aa1f95129e5e54670f1"));
        QCOMPARE(sha1Hex(std::string(1'000'000, 'a')),
                 std::string("34aa973cd4c4daa4f61eeb2bdbad27316534016f"));
        for (std::size_t length = 0; length < 200; ++length) {
            const QByteArray text(static_cast<int>(length), 'x');
            QCOMPARE(sha1Hex(text.toStdString()),
                     QCryptographicHash::hash(text, QCryptographicHash::Sha1).toHex().toStdString());
        }
    }

    void numbersAreReadAsRedisReadsThem() {
        for (const char* text : {"", "-", "+1", "01", "-0", "-01", " 1", "1 ", "1.0", "9223372036854775808",
                                 "-9223372036854775809", "0x1", "1e3", "--1"})
            QVERIFY2(!parseInteger(text), text);
        QCOMPARE(*parseInteger("0"), std::int64_t{0});
        QCOMPARE(*parseInteger("-1"), std::int64_t{-1});
        QCOMPARE(*parseInteger("9223372036854775807"), std::numeric_limits<std::int64_t>::max());
        QCOMPARE(*parseInteger("-9223372036854775808"), std::numeric_limits<std::int64_t>::min());
        for (const char* text : {"", "abc", " 1", "1 ", "nan", "1e400000", "--1", "0x", "+-1", "1,5"})
            QVERIFY2(!parseLongDouble(text), text);
        QCOMPARE(formatLongDouble(*parseLongDouble("+3.0e3")), std::string("3000"));
        QCOMPARE(formatLongDouble(*parseLongDouble("0x1p-2")), std::string("0.25"));
        QCOMPARE(formatLongDouble(*parseLongDouble("-0")), std::string("0"));
        QCOMPARE(formatDouble(0.1), std::string("0.10000000000000001"));
        QCOMPARE(formatDouble(1795965363558e3), std::string("1795965363558000"));
    }

    void patterns_data() {
        QTest::addColumn<QString>("pattern");
        QTest::addColumn<QString>("yes");
        QTest::addColumn<QString>("no");
        QTest::newRow("star") << "a*c"
                              << "ac abc abcbc"
                              << "a ab bac acd";
        QTest::newRow("stars") << "*a*b*"
                               << "ab xaxbx aab"
                               << "ba b a";
        QTest::newRow("question") << "h?llo"
                                  << "hello hallo"
                                  << "hllo heello";
        QTest::newRow("set") << "h[ae]llo"
                             << "hello hallo"
                             << "hillo hllo";
        QTest::newRow("not in set") << "h[^e]llo"
                                    << "hallo hbllo"
                                    << "hello";
        QTest::newRow("range") << "h[a-c]llo"
                               << "hallo hcllo"
                               << "hdllo";
        QTest::newRow("range, reversed") << "[c-a]"
                                         << "a b c"
                                         << "d";
        QTest::newRow("escape") << "a\\*b"
                                << "a*b"
                                << "axb ab";
        QTest::newRow("escape in set") << "[\\]]"
                                       << "]"
                                       << "a";
        QTest::newRow("open set") << "[ab"
                                  << "a b"
                                  << "c";
        QTest::newRow("lone backslash") << "a\\"
                                        << "a\\"
                                        << "a";
    }
    void patterns() {
        QFETCH(QString, pattern);
        QFETCH(QString, yes);
        QFETCH(QString, no);
        for (const QString& text : yes.split(' '))
            QVERIFY2(matchesGlob(pattern.toStdString(), text.toStdString()), qPrintable(text));
        for (const QString& text : no.split(' '))
            QVERIFY2(!matchesGlob(pattern.toStdString(), text.toStdString()), qPrintable(text));
    }

    void aPatternOfManyStarsIsNoTrap() {
        std::string pattern;
        for (int i = 0; i < 50; ++i)
            pattern += "a*";
        const std::clock_t before = std::clock();
        QVERIFY(!matchesGlob(pattern + "b", std::string(10'000, 'a')));
        QVERIFY(std::clock() - before < CLOCKS_PER_SEC);
    }

    /// What lies in the table for a whole scan is met, whatever comes, goes and makes the table grow or
    /// shrink.
    void aScanMeetsWhatStays() {
        for (std::uint64_t seed = 1; seed <= 30; ++seed) {
            Random chance(seed);
            Table table;
            std::vector<std::unique_ptr<Node>> staying, passing;
            const auto add = [&](std::vector<std::unique_ptr<Node>>& to, const std::string& key) {
                to.push_back(std::make_unique<Node>(Node{key, hashOf(key, seed), nullptr}));
                table.insert(*to.back());
            };
            for (int i = 0; i < 50; ++i)
                add(staying, "stays" + std::to_string(i));
            std::set<std::string> met;
            std::uint64_t cursor = 0;
            int made = 0;
            do {
                cursor = table.scan(cursor, [&](const Node& node) { met.insert(node.key); });
                const bool growing = chance.below(2) == 0;
                for (std::uint64_t n = chance.below(60); n > 0; --n) {
                    if (growing) {
                        add(passing, "passes" + std::to_string(++made));
                    } else if (!passing.empty()) {
                        table.erase(*passing.back());
                        passing.pop_back();
                    }
                }
                if (table.sparse()) table.shrink();
            } while (cursor != 0);
            for (const auto& node : staying)
                QVERIFY2(met.contains(node->key), node->key.c_str());
            QCOMPARE(table.size(), staying.size() + passing.size());
        }
    }

    void repliesAsOneLine() {
        QCOMPARE(display(Reply::status("OK")), std::string("OK"));
        QCOMPARE(display(Reply::null()), std::string("(nil)"));
        QCOMPARE(display(Reply::integerOf(-2)), std::string("(integer) -2"));
        QCOMPARE(display(Reply::error("ERR no\nthing")), std::string("(error) ERR no thing"));
        QCOMPARE(display(Reply::bulk(std::string("a\"\\\n\t\0\xff", 7))),
                 std::string("\"a\\\"\\\\\\n\\t\\x00\\xff\""));
        QCOMPARE(display(Reply::bulk("0123456789"), 4), std::string("\"0123…\""));
        QCOMPARE(display(Reply::array({})), std::string("[]"));
        QCOMPARE(display(Reply::array({Reply::integerOf(1), Reply::array({Reply::bulk("x")})})),
                 std::string("[1) (integer) 1 2) [1) \"x\"]]"));
        Reply map = Reply::array({Reply::bulk("k"), Reply::integerOf(1)});
        map.type = Reply::Type::Map;
        QCOMPARE(display(map), std::string("[1# \"k\" => (integer) 1]"));
        QCOMPARE(display(foldedForResp2(map)), std::string("[1) \"k\" 2) (integer) 1]"));
    }
};

QTEST_GUILESS_MAIN(PiecesTest)
#include "pieces_test.moc"
