// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include <algorithm>
#include <utility>

#include "core/live/live_trace.h"

using namespace lockscope;
using namespace lockscope::live;

namespace {

constexpr std::int64_t kZero = 1'800'000'000'000'000; // of the run, in Unix µs

/// A server that was seen to do things, told by hand.
struct Server {
    Server() {
        Scenario scenario;
        scenario.lockKeys.emplace_back();
        scenario.lockKeyNames = {"lock"};
        describeRun(scenario, WorldKind::LiveReal, trace);
        trace.actors.push_back({"A", false});
        trace.processes.push_back({0, 1});
        mirror.addClient(0, 0, kNoSubscription);
        mirror.addClient(0, 0, kNoSubscription);
        mirror.addClient(0, 0, 0);
    }
    /// A command at that microsecond, and what the server answered, if anybody heard it.
    void does(std::int64_t at, std::vector<std::string> args, const char* answer = nullptr) {
        const auto request = static_cast<RequestIndex>(trace.requests.size());
        TraceRequest& sent = trace.requests.emplace_back();
        sent.actor = 0;
        sent.text = sent.command = trace.strings.intern(args[0]);
        deeds.push_back(
            {ServerDeed::Kind::Command, instantAt(Duration{at}), 0, request, client, std::move(args)});
        answers.emplace_back();
        if (answer) answers.back() = {instantAt(Duration{at + 50}), answer, 0};
    }
    void leaves(std::int64_t at, redis::ClientId who) {
        deeds.push_back({ServerDeed::Kind::Left, instantAt(Duration{at}), 0, kNone, who, {}});
    }
    void goesDown(std::int64_t at) {
        deeds.push_back({ServerDeed::Kind::WentDown, instantAt(Duration{at}), 0, kNone, 0, {}});
    }
    void comesUp(std::int64_t at, std::vector<redis::StoredCommand> keys, EndReason why) {
        deeds.push_back(
            {ServerDeed::Kind::CameUp, instantAt(Duration{at}), 0, kNone, 0, {}, 0, std::move(keys), why});
    }
    /// What was asked last, and waited, is answered.
    void isAnswered(std::int64_t at, const char* answer) {
        answers.back() = {instantAt(Duration{at + 50}), answer, 0};
        deeds.push_back({ServerDeed::Kind::Answered,
                         instantAt(Duration{at}),
                         0,
                         static_cast<RequestIndex>(answers.size() - 1),
                         client,
                         {}});
    }
    void removes(std::int64_t at, const char* key, ServerDeed::Kind why) {
        deeds.push_back({why, instantAt(Duration{at}), 0, kNone, 0, {key}});
    }
    void replay() { mirror.replay(deeds, answers, instantAt(seconds(10)), trace); }
    /// Each event as `µs kind reason or text`.
    QStringList story() {
        QStringList out;
        for (const Event& e : trace.events) {
            if (e.kind == EventKind::KeyspaceEvent) continue;
            const std::string_view more =
                e.kind == EventKind::KeyRemoved ? nameOf(e.reason) : trace.text(e.text);
            out += QStringLiteral("%1 %2 %3")
                       .arg(micros(e.at))
                       .arg(QString::fromStdString(std::string(nameOf(e.kind))),
                            QString::fromStdString(std::string(more)))
                       .trimmed();
        }
        return out;
    }

    Trace trace;
    redis::ClientId client = 1; ///< whose commands come next: 1 and 2 are processes' own, 3 listens
    std::vector<ServerDeed> deeds;
    std::vector<std::optional<ServerAnswer>> answers;
    ServerMirror mirror{1, kZero};
};

/// A process A and its server, which is watched by MONITOR, both told by hand.
struct Watched {
    Watched() {
        live.addProcess(0);
        live.linked(0, 0, kAddress);
    }
    static Scenario oneActor() {
        Scenario scenario;
        scenario.actors.resize(1);
        scenario.actors[0].name = "A";
        scenario.lockKeys.emplace_back();
        scenario.lockKeyNames = {"lock"};
        scenario.horizon = instantAt(seconds(1));
        return scenario;
    }
    /// The process has sent a command at that microsecond, and was answered 300 µs later.
    void sends(std::int64_t at, std::vector<std::string> args, const char* answer = nullptr) {
        ActorReport report;
        if (next == 0) report.tasks.push_back({});
        TraceRequest request;
        request.task = 0;
        report.requests.push_back({request, args[0], args[0], "lock"});
        report.sendings.push_back({next, instantAt(Duration{at}), std::move(args), kNoSubscription, {}});
        const bool error = answer && std::string_view(answer).starts_with("(error)");
        if (answer) report.answers.push_back({next, instantAt(Duration{at + 300}), answer, error ? 1 : 0});
        ++next;
        live.add(0, report);
    }
    /// The server has executed one.
    void seen(std::int64_t at, std::vector<std::string> args) {
        live.saw(0, {kZero + at, kAddress, std::move(args)});
    }
    /// `µs value` of what was written to the key.
    static QStringList writtenIn(const Trace& trace) {
        QStringList out;
        for (const Event& e : trace.events)
            if (e.kind == EventKind::KeyWritten)
                out += QStringLiteral("%1 %2")
                           .arg(micros(e.at))
                           .arg(QString::fromStdString(std::string(trace.text(e.text))));
        return out;
    }

    static constexpr const char* kAddress = "here:1";
    LiveTrace live{oneActor(), WorldKind::LiveReal, kZero, true};
    RequestIndex next = 0;
};

/// A and B, and a server that nobody watches, all told by hand.
struct Unwatched {
    static Scenario twoActors() {
        Scenario scenario = Watched::oneActor();
        scenario.actors.resize(2);
        scenario.actors[1].name = "B";
        return scenario;
    }
    /// A process of its own has sent a command, and was answered.
    void sends(ActorIndex actor, std::int64_t sent, std::int64_t replied, std::vector<std::string> args,
               const char* answer) {
        const ProcessIndex process = live.addProcess(actor);
        ActorReport report;
        report.tasks.push_back({});
        TraceRequest request;
        request.task = 0;
        request.ask = true;
        report.requests.push_back({request, "SET", "SET lock", "lock"});
        Event event;
        event.kind = EventKind::RequestSent;
        event.at = instantAt(Duration{sent});
        event.task = 0;
        event.request = 0;
        report.events.push_back({event, "lock", "", ""});
        event.kind = EventKind::ReplyReceived;
        event.at = instantAt(Duration{replied});
        report.events.push_back({event, "lock", answer, ""});
        report.sendings.push_back({0, instantAt(Duration{sent}), std::move(args), kNoSubscription, {}});
        report.answers.push_back({0, instantAt(Duration{replied}), answer, 0});
        live.add(process, report);
    }
    /// Whose requests were executed, in their order; or what is wrong with that order.
    QStringList executed() {
        const auto trace = live.assemble(instantAt(seconds(1)));
        if (!live.doubts().empty()) return {QString::fromStdString(live.doubts().front())};
        std::vector<int> reached(trace->requests.size(), 0); // sent, executed, answered
        Instant last{};
        QStringList order;
        for (const Event& event : trace->events) {
            if (std::exchange(last, event.at) > event.at) return {"the events are not in order"};
            const int stage = event.kind == EventKind::RequestSent       ? 1
                              : event.kind == EventKind::RequestExecuted ? 2
                              : event.kind == EventKind::ReplyReceived   ? 3
                                                                         : 0;
            if (stage == 0) continue;
            if (++reached[std::size_t(event.request)] != stage) return {"a request is executed too early"};
            if (stage == 2) order += event.actor == 0 ? "A" : "B";
        }
        return order;
    }

    LiveTrace live{twoActors(), WorldKind::LiveReal, kZero, false};
};

} // namespace

class ServerMirrorTest : public QObject {
    Q_OBJECT

private slots:
    void whoWaitsIsAnsweredWhenSomethingComes() {
        Server server;
        server.does(1'000, {"BLPOP", "turn", "5"}, "[1) \"turn\" 2) \"go\"]");
        server.client = 2;
        server.does(2'000, {"RPUSH", "turn", "go"}, "(integer) 1");
        server.replay();
        const QStringList story = server.story();
        QCOMPARE(story.first(), "1000 request-waits");
        QVERIFY2(story.contains("2000 request-executed [1) \"turn\" 2) \"go\"]"),
                 qPrintable(story.join('\n')));
        QVERIFY(server.mirror.disagreements().empty());
    }

    /// A process that was killed while it waited gets nothing: what is pushed stays for others.
    void whoHasLeftIsNotAnswered() {
        Server server;
        server.does(1'000, {"BLPOP", "turn", "5"});
        server.leaves(1'500, 1);
        server.client = 2;
        server.does(2'000, {"RPUSH", "turn", "go"}, "(integer) 1");
        server.does(3'000, {"LLEN", "turn"}, "(integer) 1");
        server.replay();
        QVERIFY(server.mirror.disagreements().empty());
    }

    void whatIsPublishedGoesToWhoListens() {
        Server server;
        server.client = 3;
        server.does(1'000, {"SUBSCRIBE", "free"}, "[1) \"subscribe\" 2) \"free\" 3) (integer) 1]");
        server.client = 2;
        server.does(2'000, {"PUBLISH", "free", "now"}, "(integer) 1");
        server.leaves(2'500, 3);
        server.does(3'000, {"PUBLISH", "free", "late"}, "(integer) 0");
        server.replay();
        QCOMPARE(server.story(),
                 (QStringList{"1000 request-executed [1) \"subscribe\" 2) \"free\" 3) (integer) 1]",
                              "2000 request-executed (integer) 1", "2000 message-sent free",
                              "3000 request-executed (integer) 0"}));
        QVERIFY(server.mirror.disagreements().empty());
    }

    void whatCommandsDidIsWrittenDown() {
        Server server;
        server.does(1'000, {"SET", "lock", "a", "NX", "PX", "100"}, "OK");
        server.does(2'000, {"SET", "lock", "b", "NX", "PX", "100"}, "(nil)");
        server.does(3'000, {"EVAL", "return redis.call('DEL', KEYS[1])", "1", "lock"}, "(integer) 1");
        server.replay();
        QCOMPARE(server.story(),
                 (QStringList{"1000 request-executed OK", "1000 key-written a", "2000 request-executed (nil)",
                              "3000 request-executed (integer) 1", "3000 key-removed deleted"}));
        QVERIFY(server.mirror.disagreements().empty());
    }

    void aKeyIsRemovedWhenTheServerSaysSo() {
        Server server;
        server.does(1'000, {"SET", "lock", "a", "PX", "100"}, "OK");
        server.removes(150'000, "lock", ServerDeed::Kind::Expired);
        server.does(200'000, {"SET", "lock", "b"}, "OK");
        server.removes(300'000, "lock", ServerDeed::Kind::Expired); // late: it is another value by now
        server.removes(400'000, "lock", ServerDeed::Kind::Evicted);
        server.replay();
        QCOMPARE(server.story(),
                 (QStringList{"1000 request-executed OK", "1000 key-written a", "101000 lease-ended",
                              "150000 key-removed lease-ended", "200000 request-executed OK",
                              "200000 key-written b", "400000 key-removed evicted"}));
    }

    /// Half a millisecond before the end by one clock, after it by the other: the reply tells which.
    void aReplyDecidesAtADeadline() {
        Server server;
        server.does(1'000, {"SET", "lock", "a", "PX", "100"}, "OK");
        server.does(101'500, {"SET", "lock", "b", "NX", "PX", "100"}, "OK");
        server.does(200'000, {"GET", "lock"}, "\"b\"");
        server.replay();
        QVERIFY(server.mirror.disagreements().empty());
        QVERIFY(server.story().contains("102000 key-written b"));

        Server other;
        other.does(1'000, {"SET", "lock", "a", "PX", "100"}, "OK");
        other.does(102'500, {"SET", "lock", "b", "NX", "PX", "100"}, "(nil)");
        other.replay();
        QVERIFY(other.mirror.disagreements().empty());
        QVERIFY(!other.story().join('\n').contains("key-written b"));
    }

    /// What it refused for want of memory it has not done, be it alone or in a script.
    void whatThereWasNoMemoryForIsNotDone() {
        Server server;
        constexpr const char* kFull = "(error) OOM command not allowed when used memory > 'maxmemory'.";
        server.does(1'000, {"SET", "lock", "a"}, kFull);
        server.does(2'000, {"SET", "lock", "b"}, "OK");
        server.does(3'000, {"EVAL", "return redis.call('SET', KEYS[1], 'c')", "1", "lock"},
                    "(error) OOM command not allowed when used memory > 'maxmemory'. script: 1, on it");
        server.does(4'000, {"GET", "lock"}, "\"b\"");
        server.does(5'000, {"SET", "lock", "d"}, "OK");
        server.replay();
        const QStringList story = server.story();
        QCOMPARE(story.filter("key-written"), (QStringList{"2000 key-written b", "5000 key-written d"}));
        QCOMPARE(story.filter("OOM").size(), 2);
    }

    /// Memory is the server's alone: whatever limit somebody set, the mirror drops nothing by its own account
    /// of bytes, and keeps the limit.
    void aLimitIsTheServersToKeep() {
        Server server;
        server.does(1'000, {"SET", "lock", "a"}, "OK");
        server.does(2'000, {"CONFIG", "SET", "maxmemory", "1", "maxmemory-policy", "allkeys-lru"}, "OK");
        server.does(3'000, {"SET", "other", "b"},
                    "(error) OOM command not allowed when used memory > 'maxmemory'.");
        server.does(4'000, {"SET", "other", "c"}, "OK");
        server.does(5'000, {"CONFIG", "GET", "maxmemory"}, R"([1) "maxmemory" 2) "1"])");
        server.replay();
        QVERIFY(server.mirror.disagreements().empty());
        const QStringList story = server.story();
        QCOMPARE(story.filter("key-"), (QStringList{"1000 key-written a", "4000 key-written c"}));
    }

    /// B was granted the lock, since the key had been dropped. That is heard only afterwards.
    void anotherServerHasOtherKeys() {
        const std::int64_t end = kZero / 1000 + 30'001; // of a lease, in Unix ms
        Server server;
        server.does(1'000, {"SET", "lock", "a", "NX", "PX", "30000"}, "OK");
        server.does(2'000, {"SET", "lost", "a"}, "OK");
        server.does(3'000, {"SET", "other", "a"}, "OK");
        server.does(4'000, {"BLPOP", "turn", "0"});
        server.goesDown(5'000);
        // It knows the deadline a millisecond otherwise, and has a value that was written over since.
        server.comesUp(8'000,
                       {{0, {"SET", "lock", "a"}},
                        {0, {"PEXPIREAT", "lock", std::to_string(end + 1)}},
                        {0, {"SET", "other", "old"}}},
                       EndReason::LostInFailover);
        server.does(9'000, {"SET", "lock", "b", "NX", "PX", "30000"}, "(nil)");
        server.does(9'500, {"LPUSH", "turn", "go"}, "(integer) 1"); // nobody waits any more
        server.replay();
        QCOMPARE(server.story(),
                 (QStringList{"1000 request-executed OK", "1000 key-written a", "2000 request-executed OK",
                              "2000 key-written a", "3000 request-executed OK", "3000 key-written a",
                              "4000 request-waits", "5000 server-unavailable down",
                              "8000 key-removed lost-in-failover", "8000 key-removed lost-in-failover",
                              "8000 key-written old", "8000 server-available", "9000 request-executed (nil)",
                              "9500 request-executed (integer) 1", "9500 key-written [go]"}));
        QVERIFY(server.mirror.disagreements().empty());
    }

    void howManyHaveACopyIsTheServersWord() {
        Server server;
        server.does(1'000, {"SET", "lock", "a"}, "OK");
        server.does(2'000, {"WAIT", "1", "500"}, "(integer) 1"); // at once
        server.does(3'000, {"wait", "2", "500"});
        server.isAnswered(503'000, "(integer) 1");
        server.does(504'000, {"MULTI"}, "OK");
        server.does(505'000, {"WAIT", "1", "0"}, "QUEUED");
        server.does(506'000, {"EXEC"}, "[1) (integer) 0]");
        server.does(507'000, {"WAIT", "1", "0"}); // for ever
        server.replay();
        QCOMPARE(server.story(),
                 (QStringList{"1000 request-executed OK", "1000 key-written a",
                              "2000 request-executed (integer) 1", "3000 request-waits",
                              "503000 request-executed (integer) 1", "504000 request-executed OK",
                              "505000 request-executed QUEUED", "506000 request-executed [1) (integer) 0]",
                              "507000 request-waits"}));
        QVERIFY(server.mirror.disagreements().empty());
    }

    void whatAServerTurnsDownIsNotDone() {
        Server server;
        server.does(1'000, {"SET", "lock", "a"}, "(error) NOREPLICAS Not enough good replicas to write.");
        server.does(2'000, {"SET", "lock", "b", "NX"}, "OK");
        server.replay();
        QCOMPARE(server.story(),
                 (QStringList{"1000 request-executed (error) NOREPLICAS Not enough good replicas to write.",
                              "2000 request-executed OK", "2000 key-written b"}));
        QVERIFY(server.mirror.disagreements().empty());
    }

    void whatWasDroppedIsGoneBeforeWhoKnowsOfIt() {
        Server server;
        server.does(1'000, {"SET", "lock", "a"}, "OK");
        server.does(9'000, {"SET", "lock", "b", "NX"}, "OK");
        server.removes(15'000, "lock", ServerDeed::Kind::Evicted);
        server.does(20'000, {"GET", "lock"}, "\"b\"");
        server.replay();
        QVERIFY(server.mirror.disagreements().empty());
        QCOMPARE(server.story(), (QStringList{"1000 request-executed OK", "1000 key-written a",
                                              "1000 key-removed evicted", "9000 request-executed OK",
                                              "9000 key-written b", "20000 request-executed \"b\""}));
    }

    /// The same words, turned down before: what is seen now is the latest.
    void whatWasTurnedDownLongAgoIsNotSeenNow() {
        Watched watched;
        watched.sends(1'000, {"SET", "lock", "a"},
                      "(error) OOM command not allowed when used memory > 'maxmemory'.");
        watched.sends(500'000, {"SET", "lock", "a"}, "OK");
        watched.seen(500'100, {"SET", "lock", "a"});
        const auto trace = watched.live.assemble(instantAt(seconds(1)));
        QVERIFY(watched.live.doubts().empty());
        QCOMPARE(Watched::writtenIn(*trace), QStringList{"500100 a"});
    }

    /// While a run grows it ends a little before now, and a key that was dropped is heard of after who knows
    /// of it. What has been shown is put right, once; and the end agrees.
    void aRunThatGrowsLearnsOfADroppedKey() {
        Watched watched;
        watched.sends(1'000, {"SET", "lock", "a"}, "OK");
        watched.seen(1'100, {"SET", "lock", "a"});
        watched.sends(9'000, {"SET", "lock", "b", "NX"}, "OK");
        watched.seen(9'100, {"SET", "lock", "b", "NX"});
        QCOMPARE(Watched::writtenIn(*watched.live.grow(instantAt(millis(10)))), QStringList{"1100 a"});
        watched.live.sawRemoval(0, kZero + 15'000, "lock", true);
        const QStringList both{"1100 a", "9100 b"};
        QCOMPARE(Watched::writtenIn(*watched.live.grow(instantAt(millis(12)))), both);
        watched.sends(20'000, {"GET", "lock"}, "\"b\"");
        watched.seen(20'100, {"GET", "lock"});
        const auto grown = watched.live.grow(instantAt(millis(30)));
        QCOMPARE(Watched::writtenIn(*grown), both);
        QVERIFY(watched.live.doubts().empty());
        const auto ended = watched.live.assemble(instantAt(seconds(1)));
        QCOMPARE(Watched::writtenIn(*ended), both);
        const auto removed = [](const Trace& trace) {
            return std::count_if(trace.events.begin(), trace.events.end(),
                                 [](const Event& e) { return e.kind == EventKind::KeyRemoved; });
        };
        QCOMPARE(removed(*grown), 1);
        QCOMPARE(removed(*ended), 1);
        QVERIFY(watched.live.doubts().empty());
    }

    /// … also when it is heard of before the command that knows of it is shown.
    void aRunThatGrowsKnowsOfADroppedKeyBeforehand() {
        Watched watched;
        watched.sends(1'000, {"SET", "lock", "a"}, "OK");
        watched.seen(1'100, {"SET", "lock", "a"});
        watched.sends(9'000, {"SET", "lock", "b", "NX"}, "OK");
        watched.seen(9'100, {"SET", "lock", "b", "NX"});
        watched.live.sawRemoval(0, kZero + 15'000, "lock", true);
        QCOMPARE(Watched::writtenIn(*watched.live.grow(instantAt(millis(5)))), QStringList{"1100 a"});
        const QStringList both{"1100 a", "9100 b"};
        for (const int reached : {10, 12, 20}) {
            QCOMPARE(Watched::writtenIn(*watched.live.grow(instantAt(millis(reached)))), both);
            QVERIFY(watched.live.doubts().empty());
        }
    }

    /// MONITOR ends with its server, perhaps a word too early. A reply says as much.
    void aRunThatGrowsHasTheLastWordOfAServer() {
        Watched w;
        w.sends(1'000, {"SET", "lock", "a", "PX", "30000"}, "OK");
        w.live.wentDown(0, kZero + 1'500);
        w.live.cameUp(0, kZero + 4'000, {}, EndReason::LostInFailover);
        w.sends(300'000, {"SET", "lock", "b", "PX", "30000"}, "OK");
        w.seen(300'100, {"SET", "lock", "b", "PX", "30000"});
        const QStringList expected{"1100 a", "300100 b"};
        QCOMPARE(Watched::writtenIn(*w.live.grow(instantAt(millis(400)))), expected);
        QCOMPARE(Watched::writtenIn(*w.live.assemble(instantAt(millis(400)))), expected);
    }

    /// Whatever became of the line of MONITOR: what was answered was executed.
    void whatWasAnsweredIsNotMissed() {
        Watched w;
        w.sends(1'000, {"SET", "lock", "a", "PX", "30000"}, "OK");
        QCOMPARE(Watched::writtenIn(*w.live.assemble(instantAt(millis(100)))), QStringList());
        QCOMPARE(Watched::writtenIn(*w.live.assemble(instantAt(millis(400)))), QStringList{"1100 a"});
    }

    /// How long it waited is only known afterwards.
    void aRunThatGrowsLearnsHowLongACommandWaited() {
        Watched w;
        const auto waits = [](const Trace& trace) {
            QStringList out;
            for (const Event& e : trace.events)
                if (e.kind == EventKind::RequestWaits || e.kind == EventKind::RequestExecuted)
                    out += QStringLiteral("%1 %2")
                               .arg(micros(e.at))
                               .arg(QString::fromStdString(std::string(nameOf(e.kind))));
            return out;
        };
        w.sends(1'000, {"WAIT", "1", "500"});
        w.seen(1'100, {"WAIT", "1", "500"});
        QCOMPARE(waits(*w.live.grow(instantAt(millis(100)))), QStringList{"1100 request-waits"});
        ActorReport report;
        report.answers.push_back({0, instantAt(Duration{501'300}), "(integer) 0", 0});
        w.live.add(0, report);
        const QStringList expected{"1100 request-waits", "501299 request-executed"};
        QCOMPARE(waits(*w.live.grow(instantAt(millis(600)))), expected);
        QCOMPARE(waits(*w.live.assemble(instantAt(millis(600)))), expected);
    }

    void aServerThatIsNoRedisIsNoticed() {
        Server server;
        server.does(1'000, {"SET", "lock", "a"}, "OK");
        server.does(2'000, {"SET", "lock", "b", "NX"}, "OK");
        server.replay();
        QCOMPARE(server.mirror.disagreements().size(), std::size_t{1});
        QCOMPARE(server.mirror.disagreements()[0].real, "OK");
        QCOMPARE(server.mirror.disagreements()[0].mirrored, "(nil)");
        // What was really answered stands in the trace all the same.
        QVERIFY(server.story().contains("2000 request-executed OK"));
    }

    /// MONITOR does not show a command that the server does not know. What comes after it on the same
    /// connection is its own, also when the server is heard before the process.
    void whatIsSeenBeforeItIsToldIsNotLost() {
        Watched watched;
        watched.seen(500, {"CLIENT", "SETNAME", "A"});
        watched.sends(1'000, {"DELEX", "lock"});
        watched.seen(2'100, {"SET", "lock", "a"});
        watched.sends(2'000, {"SET", "lock", "a"});
        const auto trace = watched.live.assemble(instantAt(seconds(1)));
        QStringList seen;
        for (const Event& event : trace->events)
            if (event.kind == EventKind::RequestExecuted)
                seen += QString::fromStdString(
                    std::string(trace->text(trace->requests[std::size_t(event.request)].text)));
        QCOMPARE(seen, QStringList{"SET"});
    }

    void withoutMonitorRepliesTellTheOrder() {
        // A's SET was sent first, but B was granted the lock: B's was executed first.
        Unwatched w;
        w.sends(0, 1'000, 9'000, {"SET", "lock", "A", "NX"}, "(nil)");
        w.sends(1, 4'000, 8'000, {"SET", "lock", "B", "NX"}, "OK");
        QCOMPARE(w.executed(), (QStringList{"B", "A"}));
    }

    /// The reply says on which side of a deadline it was executed, the clocks when it was under way.
    void nothingIsExecutedBeforeItIsSentOrAfterItIsAnswered() {
        Unwatched late;
        late.sends(0, 1'000, 1'300, {"SET", "lock", "A", "PX", "100"}, "OK");
        late.sends(1, 102'500, 102'800, {"SET", "lock", "B", "NX"}, "(nil)");
        QCOMPARE(late.executed(), (QStringList{"A", "B"}));
        Unwatched early;
        early.sends(0, 1'000, 1'300, {"SET", "lock", "A", "PX", "100"}, "OK");
        early.sends(1, 101'000, 101'300, {"SET", "lock", "B", "NX"}, "OK");
        QCOMPARE(early.executed(), (QStringList{"A", "B"}));
    }
};

QTEST_GUILESS_MAIN(ServerMirrorTest)
#include "server_mirror_test.moc"
