// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "core/base/random.h"
#include "core/redis/resp.h"

using namespace lockscope;
using namespace lockscope::redis;

namespace {

/// What came out of a stream: each command on a line, its arguments in brackets, and the error that ended it.
std::string understood(RequestParser& parser) {
    std::string out;
    while (true) {
        switch (parser.next()) {
        case RequestParser::Outcome::NeedMore:
            return out;
        case RequestParser::Outcome::Error:
            return out + "! " + parser.error() + "\n";
        case RequestParser::Outcome::Command:
            for (std::string_view argument : parser.arguments())
                out.append("[").append(argument).append("]");
            out += "\n";
        }
    }
}

std::string understood(std::string_view bytes, RequestLimits limits = {}) {
    RequestParser parser(limits);
    parser.feed(bytes);
    return understood(parser);
}

/// The same in pieces of random sizes; what one piece yields is taken out before the next comes.
std::string understoodInPieces(std::string_view bytes, Random& random, std::size_t most,
                               RequestLimits limits = {}) {
    RequestParser parser(limits);
    std::string out;
    while (!bytes.empty()) {
        const std::size_t size = std::min<std::size_t>(bytes.size(), 1 + random.below(most));
        parser.feed(bytes.substr(0, size));
        bytes.remove_prefix(size);
        out += understood(parser);
        if (!parser.error().empty()) break;
    }
    return out;
}

std::string array(std::vector<std::string> arguments) {
    std::string out = "*" + std::to_string(arguments.size()) + "\r\n";
    for (const std::string& a : arguments)
        out += "$" + std::to_string(a.size()) + "\r\n" + a + "\r\n";
    return out;
}

std::string encoded(const Reply& reply, Protocol protocol) {
    std::string out;
    encodeReply(reply, protocol, out);
    return out;
}

std::string randomText(Random& random, std::size_t most) {
    static constexpr std::string_view kAlphabet = "abAB019 \t\r\n\"'\\x$*+-:_#,(=%~>\x80\xff";
    std::string out(random.below(most + 1), ' ');
    for (char& c : out)
        c = kAlphabet[random.below(kAlphabet.size())];
    return out;
}

} // namespace

class RespTest : public QObject {
    Q_OBJECT

private slots:
    void commandsAreCutOutOfTheStream() {
        QCOMPARE(understood(array({"SET", "lock", "A", "NX"}) + array({"GET", "lock"})),
                 "[SET][lock][A][NX]\n[GET][lock]\n");
        QCOMPARE(understood(array({"SET", "bytes", std::string("\r\n$0\0", 5)})),
                 std::string("[SET][bytes][\r\n$0\0]\n", 20));
        QCOMPARE(understood("*0\r\n*-1\r\n" + array({"PING"})), "[PING]\n");
        QCOMPARE(understood(array({""})), "[]\n");
        QCOMPARE(understood("*1\r\n$4\r\nPINGxxPING\r\n"), "[PING]\n[PING]\n");
        QCOMPARE(understood("*1\rx$4\r\nPING\r\n"), "[PING]\n");
        QCOMPARE(understood("*2\r\n$3\r\nGET\r\n$4\r\nloc"), "");
    }

    // Each of these lines was answered by redis-server 7.0.15.
    void inlineCommandsAreReadAsRedisReadsThem_data() {
        QTest::addColumn<QByteArray>("typed");
        QTest::addColumn<QByteArray>("read");
        QTest::newRow("words") << QByteArray("   SET   lock\tA  \r\n") << QByteArray("[SET][lock][A]\n");
        QTest::newRow("bare newline") << QByteArray("PING\n") << QByteArray("[PING]\n");
        QTest::newRow("empty lines") << QByteArray("\r\n\r\nPING\r\n") << QByteArray("[PING]\n");
        QTest::newRow("escapes") << QByteArray(R"(PING "\x41\n\q\xzz")"
                                               "\r\n")
                                 << QByteArray("[PING][A\nqxzz]\n");
        QTest::newRow("single quotes") << QByteArray("PING 'a\\'b'\r\n") << QByteArray("[PING][a'b]\n");
        QTest::newRow("a quote within a word")
            << QByteArray("PING a\"b c\"\r\n") << QByteArray("[PING][ab c]\n");
        QTest::newRow("empty name") << QByteArray("\"\"\r\n") << QByteArray("[]\n");
        QTest::newRow("vertical tab in a word") << QByteArray("PING a\x0b"
                                                              "b\r\n")
                                                << QByteArray("[PING][a\x0b"
                                                              "b]\n");
        QTest::newRow("open quote") << QByteArray("PING \"a\r\n")
                                    << QByteArray("! ERR Protocol error: unbalanced quotes in request\n");
        QTest::newRow("text after a quote")
            << QByteArray("PING \"a\"b\r\n")
            << QByteArray("! ERR Protocol error: unbalanced quotes in request\n");
        QTest::newRow("a zero byte hides the end") << QByteArray("PI\0NG\r\n", 7) << QByteArray();
    }
    void inlineCommandsAreReadAsRedisReadsThem() {
        QFETCH(QByteArray, typed);
        QFETCH(QByteArray, read);
        QCOMPARE(QByteArray::fromStdString(understood(typed.toStdString())), read);
    }

    // And each of these.
    void whatIsNoProtocolEndsTheStream_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QByteArray>("error");
        QTest::newRow("count") << QByteArray("*abc\r\n") << QByteArray("invalid multibulk length");
        QTest::newRow("signed count") << QByteArray("*+1\r\n") << QByteArray("invalid multibulk length");
        QTest::newRow("leading zero") << QByteArray("*01\r\n") << QByteArray("invalid multibulk length");
        QTest::newRow("huge count") << QByteArray("*2147483648\r\n")
                                    << QByteArray("invalid multibulk length");
        QTest::newRow("bare newline")
            << QByteArray("*1\n$4\r\nPING\r\n") << QByteArray("invalid multibulk length");
        QTest::newRow("no bulk") << QByteArray("*1\r\n:3\r\n") << QByteArray("expected '$', got ':'");
        QTest::newRow("line break") << QByteArray("*1\r\n\n3\r\n") << QByteArray("expected '$', got ' '");
        QTest::newRow("null bulk") << QByteArray("*1\r\n$-1\r\n") << QByteArray("invalid bulk length");
        QTest::newRow("no length") << QByteArray("*1\r\n$a\r\n") << QByteArray("invalid bulk length");
        QTest::newRow("huge bulk") << QByteArray("*1\r\n$536870913\r\n") << QByteArray("invalid bulk length");
        QTest::newRow("long line") << QByteArray(65537, 'x') << QByteArray("too big inline request");
        QTest::newRow("long count") << "*" + QByteArray(65540, '1')
                                    << QByteArray("too big mbulk count string");
        QTest::newRow("long length") << "*1\r\n$" + QByteArray(65540, '1')
                                     << QByteArray("too big bulk count string");
    }
    void whatIsNoProtocolEndsTheStream() {
        QFETCH(QByteArray, bytes);
        QFETCH(QByteArray, error);
        RequestParser parser;
        parser.feed(array({"PING"}) + bytes.toStdString());
        QCOMPARE(understood(parser), "[PING]\n! ERR Protocol error: " + error.toStdString() + "\n");
        parser.feed(array({"FLUSHALL"}));
        QCOMPARE(parser.next(), RequestParser::Outcome::Error);
        QVERIFY(parser.arguments().empty());
    }

    void aStrangerMaySendLittle() {
        const auto limits = RequestLimits::beforeAuthentication();
        QCOMPARE(understood(array({"AUTH", "secret"}), limits), "[AUTH][secret]\n");
        QCOMPARE(understood("*11\r\n", limits), "! ERR Protocol error: unauthenticated multibulk length\n");
        QCOMPARE(understood("*1\r\n$16385\r\n", limits),
                 "! ERR Protocol error: unauthenticated bulk length\n");
        QCOMPARE(understood("*1\r\n$-7\r\n", limits), "! ERR Protocol error: invalid bulk length\n");
    }

    void anAnnouncedLengthTakesNoMemory() {
        RequestParser parser;
        parser.feed("*1048576\r\n$536870912\r\n");
        QCOMPARE(parser.next(), RequestParser::Outcome::NeedMore);
        QCOMPARE(parser.held(), std::size_t{22});
    }

    void anyCutGivesTheSameCommands() {
        Random random(7);
        for (int round = 0; round < 400; ++round) {
            std::string stream;
            for (std::uint64_t n = random.below(12); n > 0; --n) {
                if (random.below(4) == 0) {
                    stream += randomText(random, 20) + "\r\n"; // inline, or what takes itself for an array
                } else {
                    std::vector<std::string> arguments(1 + random.below(4));
                    for (auto& a : arguments)
                        a = randomText(random, random.below(10) == 0 ? 3000 : 12);
                    stream += array(arguments);
                }
            }
            const std::string whole = understood(stream);
            for (std::size_t most : {1u, 3u, 17u, 1000u})
                QCOMPARE(understoodInPieces(stream, random, most), whole);
        }
    }

    void linesAtTheLimitAreReadAlikeHoweverCut() {
        Random random(3);
        RequestLimits limits;
        limits.lineBytes = 24;
        for (std::size_t length = 20; length < 30; ++length) {
            for (const char* lead : {"", "*", "*1\r\n$"}) {
                const std::string stream = lead + std::string(length, '1') + "\r\n";
                const std::string whole = understood(stream, limits);
                QCOMPARE(understoodInPieces(stream, random, 1, limits), whole);
                QCOMPARE(understoodInPieces(stream, random, 9, limits), whole);
            }
        }
    }

    void noGarbageBreaksTheParser() {
        Random random(11);
        for (int round = 0; round < 3000; ++round) {
            std::string stream = random.below(2)
                                     ? array({"SET", randomText(random, 30), randomText(random, 30)})
                                     : randomText(random, 200);
            for (std::uint64_t n = random.below(6); n > 0 && !stream.empty(); --n) {
                stream[random.below(stream.size())] = static_cast<char>(random.next());
            }
            const std::string whole = understood(stream);
            QCOMPARE(understoodInPieces(stream, random, 5), whole);
        }
    }

    void theTwoProtocolsSayTheSame() {
        struct Line {
            Reply reply;
            std::string resp2;
            std::string resp3;
        };
        const auto with = [](Reply::Type type, std::vector<Reply> items) {
            return Reply{type, 0, 0, {}, std::move(items)};
        };
        const std::vector<Line> lines = {
            {Reply::status("OK"), "+OK\r\n", "+OK\r\n"},
            {Reply::error("ERR no"), "-ERR no\r\n", "-ERR no\r\n"},
            {Reply::error("ERR two\r\nlines"), "-ERR two  lines\r\n", "-ERR two  lines\r\n"},
            {Reply::integerOf(-42), ":-42\r\n", ":-42\r\n"},
            {Reply::bulk("a\r\nb"), "$4\r\na\r\nb\r\n", "$4\r\na\r\nb\r\n"},
            {Reply::bulk(""), "$0\r\n\r\n", "$0\r\n\r\n"},
            {Reply::null(), "$-1\r\n", "_\r\n"},
            {with(Reply::Type::NullArray, {}), "*-1\r\n", "_\r\n"},
            {Reply::array({Reply::integerOf(1), Reply::array({})}), "*2\r\n:1\r\n*0\r\n",
             "*2\r\n:1\r\n*0\r\n"},
            {with(Reply::Type::Map, {Reply::bulk("proto"), Reply::integerOf(3)}),
             "*2\r\n$5\r\nproto\r\n:3\r\n", "%1\r\n$5\r\nproto\r\n:3\r\n"},
            {with(Reply::Type::Set, {Reply::null()}), "*1\r\n$-1\r\n", "~1\r\n_\r\n"},
            {with(Reply::Type::Push, {Reply::bulk("message")}), "*1\r\n$7\r\nmessage\r\n",
             ">1\r\n$7\r\nmessage\r\n"},
            {{Reply::Type::Double, 0, 0.1, {}, {}},
             "$19\r\n0.10000000000000001\r\n",
             ",0.10000000000000001\r\n"},
            {{Reply::Type::Double, 0, 3, {}, {}}, "$1\r\n3\r\n", ",3\r\n"},
            {{Reply::Type::Double, 0, -INFINITY, {}, {}}, "$4\r\n-inf\r\n", ",-inf\r\n"},
            {{Reply::Type::Boolean, 1, 0, {}, {}}, ":1\r\n", "#t\r\n"},
            {{Reply::Type::Boolean, 0, 0, {}, {}}, ":0\r\n", "#f\r\n"},
            {{Reply::Type::BigNumber, 0, 0, "123456789012345678901", {}},
             "$21\r\n123456789012345678901\r\n",
             "(123456789012345678901\r\n"},
            {{Reply::Type::Verbatim, 0, 0, "txt:hello", {}}, "$5\r\nhello\r\n", "=9\r\ntxt:hello\r\n"},
        };
        for (const Line& line : lines) {
            QCOMPARE(encoded(line.reply, Protocol::Resp2), line.resp2);
            QCOMPARE(encoded(line.reply, Protocol::Resp3), line.resp3);
        }
    }
};

QTEST_GUILESS_MAIN(RespTest)
#include "resp_test.moc"
