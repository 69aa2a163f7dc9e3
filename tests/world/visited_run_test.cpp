// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Clients from outside take part in a run, and it runs again without them.

#include <QTest>

#include "core/redis/resp.h"
#include "core/world/visited_run.h"
#include "tests/world/story.h"

using namespace lockscope;
using namespace lockscope::test;
using namespace std::chrono_literals;

#define COMPARE_TEXT(actual, expected) QCOMPARE(QString::fromStdString(actual), QString::fromUtf8(expected))

namespace {

/// Waits for a lock, works under it for four seconds, and says what it sees of the visitors.
const char* const kWorker = R"(
local function take() return redis.call("SET", lock, "mine", "NX", "PX", 5000) end
while not take() do sleep(100) end
log("got it")
enter(lock) work("Job", 4000) leave(lock)
redis.call("DEL", lock)
)";

/// What visitors hear, and when.
class Ear final : public VisitorPort {
public:
    explicit Ear(VisitedRun& run) { run.deliverTo(this); }
    void onAnswer(std::size_t, int visitor, const redis::Reply& reply) override {
        note(visitor, redis::display(reply));
    }
    void onMessage(int visitor, const redis::Reply& message) override {
        note(visitor, redis::display(redis::foldedForResp2(message)));
    }
    void onHangUp(int visitor) override { note(visitor, "hung up"); }
    /// All since the last time.
    std::string heard() { return std::exchange(m_heard, {}); }

private:
    void note(int visitor, const std::string& what) {
        m_heard += std::to_string(visitor) + ": " + what + "\n";
    }
    std::string m_heard;
};

struct Visit {
    VisitedRun run;
    Ear ear{run};
    std::string problem;
    explicit Visit(const Scenario& scenario, Instant from = Instant{}) {
        if (const Result<void> started = run.start(scenario, from); !started)
            problem = started.error().text();
    }
    void to(Duration t) { run.runUntil(instantAt(t)); }
    std::string ask(int visitor, const char* command) {
        run.send(visitor, *splitCommand(command));
        return ear.heard();
    }
    /// Whether the run so far is what its scenario gives when nobody is there, run in one go.
    bool repeats() const {
        Scenario again = run.scenario();
        again.horizon = run.reached();
        const Trace trace = played(again);
        Trace mine = run.trace();
        mine.horizon = again.horizon;
        // What only the end of a run writes is not there while it goes on.
        std::string one = transcript(mine);
        const std::string two = transcript(trace);
        return two.compare(0, one.size(), one) == 0 && trace.actors.size() == mine.actors.size() &&
               trace.divergences == 0;
    }
};

ScenarioBuilder lesson() {
    ScenarioBuilder s;
    s.lock("lock:job").horizon(20s).actor("Worker", kWorker).starts(1s);
    return s;
}

std::string lanesOf(const Trace& trace) {
    std::string names;
    for (const TraceActor& actor : trace.actors)
        names += (names.empty() ? "" : ", ") + actor.name + (actor.outside ? " (outside)" : "");
    return names;
}

} // namespace

class VisitedRunTest : public QObject {
    Q_OBJECT

private slots:
    /// A visitor holds the lock; the lesson's own worker waits for it, and takes it when it is let go.
    void aVisitorTakesPart() {
        Visit visit(lesson());
        visit.to(500ms);
        const int cli = visit.run.come(0, "127.0.0.1:50000");
        COMPARE_TEXT(visit.ask(cli, "CLIENT SETNAME worker-7"), "0: OK\n");
        COMPARE_TEXT(visit.ask(cli, "SET lock:job theirs NX PX 9000"), "0: OK\n");
        visit.to(3s);
        COMPARE_TEXT(visit.ask(cli, "SET lock:job other NX"), "0: (nil)\n");
        COMPARE_TEXT(visit.ask(cli, "DEL lock:job"), "0: (integer) 1\n");
        visit.to(4s);
        COMPARE_TEXT(visit.ask(cli, "GET lock:job"), "0: \"mine\"\n");
        visit.run.leave(cli);
        visit.to(20s);
        QVERIFY(visit.run.isOver());
        COMPARE_TEXT(logOf(visit.run.trace()), "3.042 got it");
        COMPARE_TEXT(lanesOf(visit.run.trace()), "Worker, worker-7 (outside)");
        const Trace again = played(visit.run.scenario());
        COMPARE_TEXT(transcript(again), transcript(visit.run.trace()).c_str());
        QCOMPARE(again.divergences, 0);
    }

    /// However often and wherever time stops in between.
    void theRunIsTheSameInOneGo() {
        for (const std::int64_t step : {1'000'000, 333'333, 100'000, 1'000}) {
            Visit visit(lesson().actor("Other", kWorker).starts(1200ms));
            int at = 0;
            int visitor = -1;
            for (std::int64_t t = 0; t <= 12'000'000; t += step) {
                visit.run.runUntil(instantAt(Duration{t}));
                if (t / 1'000'000 <= at) continue;
                ++at;
                if (visitor < 0) visitor = visit.run.come(0, "127.0.0.1:50001");
                visit.ask(visitor, at % 3 == 0 ? "DEL lock:job" : "SET lock:job visitor NX PX 700");
                QVERIFY(visit.repeats());
            }
            QVERIFY(visit.repeats());
        }
    }

    void aVisitorThatWaitsHearsLater() {
        Visit visit(lesson().actor("Teller", "sleep(1500) redis.call('RPUSH', 'queue', 'job') "
                                             "redis.call('PUBLISH', 'news', 'done')"));
        visit.to(100ms);
        const int waiter = visit.run.come(0, "127.0.0.1:1");
        const int listener = visit.run.come(0, "127.0.0.1:2");
        COMPARE_TEXT(visit.ask(listener, "SUBSCRIBE news"),
                     "1: [1) \"subscribe\" 2) \"news\" 3) (integer) 1]\n"
                     "1: (nothing yet)\n");
        COMPARE_TEXT(visit.ask(waiter, "BLPOP queue 0"), "");
        QVERIFY(visit.run.factsOf(waiter).blocked);
        visit.to(2s);
        COMPARE_TEXT(visit.ear.heard(), "0: [1) \"queue\" 2) \"job\"]\n"
                                        "1: [1) \"message\" 2) \"news\" 3) \"done\"]\n");
        COMPARE_TEXT(visit.ask(waiter, "BLPOP queue 1"), "");
        visit.to(4s);
        COMPARE_TEXT(visit.ear.heard(), "0: (nil)\n");
        COMPARE_TEXT(visit.ask(waiter, "CLIENT KILL ID 2"), "0: (integer) 1\n1: hung up\n");
        QVERIFY(visit.repeats());
        visit.run.leave(listener);
        visit.to(5s);
        QVERIFY(visit.repeats());
    }

    /// Commands about the connection are no acts on a timeline; several connections of one name share a lane.
    void lanesHaveTheNamesOfClients() {
        Visit visit(lesson());
        visit.to(100ms);
        const int one = visit.run.come(0, "127.0.0.1:1");
        const int two = visit.run.come(0, "127.0.0.1:2");
        const int nameless = visit.run.come(0, "127.0.0.1:3");
        const int impostor = visit.run.come(0, "127.0.0.1:4");
        for (const int each : {one, two})
            visit.ask(each, "HELLO 3 SETNAME app");
        visit.ask(impostor, "CLIENT SETNAME Worker");
        visit.ask(nameless, "PING");
        COMPARE_TEXT(lanesOf(visit.run.trace()), "Worker");
        visit.ask(one, "GET a");
        visit.ask(two, "GET a");
        visit.ask(impostor, "GET a");
        visit.ask(nameless, "GET a");
        COMPARE_TEXT(lanesOf(visit.run.trace()),
                     "Worker, app (outside), Worker (client) (outside), 127.0.0.1:3 (outside)");
        for (int i = 0; i < 30; ++i)
            visit.ask(visit.run.come(0, "127.0.0.1:" + std::to_string(100 + i)), "GET a");
        QCOMPARE(visit.run.trace().actors.size(), 1 + kMostVisitorLanes);
        QCOMPARE(visit.run.trace().actors.back().name, "other clients");
        QVERIFY(visit.repeats());
    }

    /// What happens to the actors meanwhile is an intervention like others, and comes again in the replay.
    void interventionsHappenNow() {
        Visit visit(lesson());
        visit.to(2s);
        const int cli = visit.run.come(0, "127.0.0.1:1");
        COMPARE_TEXT(visit.ask(cli, "GET lock:job"), "0: \"mine\"\n");
        QVERIFY(visit.run.intervene({InterventionKind::Pause, "Worker", Instant{}, 10s}).ok());
        visit.to(7s);
        COMPARE_TEXT(visit.ask(cli, "SET lock:job theirs NX PX 9000"), "0: OK\n");
        visit.run.resume("Worker");
        QVERIFY(visit.run.intervene({InterventionKind::Admin, "Redis", Instant{}, {}, "SET mark 1"}).ok());
        QVERIFY(visit.run.intervene({InterventionKind::ServerStall, "Redis", Instant{}, 500ms}).ok());
        visit.to(7100ms);
        COMPARE_TEXT(visit.ask(cli, "GET mark"), ""); // the server stands still
        visit.to(8s);
        COMPARE_TEXT(visit.ear.heard(), "0: \"1\"\n");
        QVERIFY(!visit.run.intervene({InterventionKind::Kill, "Nobody"}).ok());
        visit.to(20s);
        COMPARE_TEXT(transcript(played(visit.run.scenario())), transcript(visit.run.trace()).c_str());
    }

    /// Edited, the same commands are answered otherwise: the trace says where that began.
    void anEditedReplayIsMarked() {
        Visit visit(lesson());
        visit.to(500ms);
        const int cli = visit.run.come(0, "127.0.0.1:1");
        visit.ask(cli, "CLIENT SETNAME app");
        visit.ask(cli, "SET lock:job theirs NX PX 2000");
        visit.to(8s);
        visit.ask(cli, "GET lock:job");
        visit.ask(cli, "BLPOP queue 1");
        visit.to(20s);
        Scenario edited = visit.run.scenario();
        QCOMPARE(played(edited).divergences, 0);
        edited.interventions.push_back({InterventionKind::Pause, "Worker", instantAt(5s), 6s});
        // Later than all, so nothing is different for the visitor.
        edited.interventions.back().at = instantAt(12s);
        QCOMPARE(played(edited).divergences, 0);
        edited.interventions.back() = {
            InterventionKind::Admin, "Redis", instantAt(100ms), {}, "SET lock:job x"};
        const Trace other = played(edited);
        QVERIFY(other.diverged.has_value());
        QCOMPARE(other.divergences, 2);
        QCOMPARE(other.diverged->at, instantAt(500ms));
        COMPARE_TEXT(other.diverged->client, "app");
        COMPARE_TEXT(other.diverged->command, "SET lock:job theirs NX PX 2000");
        COMPARE_TEXT(other.diverged->then, "OK");
        COMPARE_TEXT(other.diverged->now, "(nil)");
    }

    /// A run that was served and is served again from the middle keeps what happened before, and no guest.
    void itCanBeTakenUpAgain() {
        Visit first(lesson());
        first.to(500ms);
        const int cli = first.run.come(0, "127.0.0.1:1");
        first.ask(cli, "SET mark 1");
        first.to(6s);
        first.ask(cli, "SET mark 2");
        first.to(20s);
        Visit second(first.run.scenario(), instantAt(3s));
        QCOMPARE(second.run.reached(), instantAt(3s));
        const int other = second.run.come(0, "127.0.0.1:2");
        QCOMPARE(other, 1);
        COMPARE_TEXT(second.ask(other, "GET mark"), "1: \"1\"\n");
        COMPARE_TEXT(second.ask(other, "CLIENT LIST").substr(0, 3), "1: ");
        second.to(20s);
        COMPARE_TEXT(transcript(played(second.run.scenario())), transcript(second.run.trace()).c_str());
    }

    void wordsSurviveALine() {
        const std::vector<std::string> words{"SET", "", "a b", "\"q\" 'x' \\", std::string("\0\r\n\xff", 4),
                                             "é"};
        QCOMPARE(*splitCommand(commandLineOf(words)), words);
        const redis::Reply longOne = redis::Reply::bulk(std::string(1000, 'x'));
        redis::Reply other = longOne;
        other.text.back() = 'y';
        QVERIFY(answerText(longOne) != answerText(other));
        QVERIFY(answerText(longOne).size() < 200);
    }

    void whatCannotHaveHappenedIsRefused() {
        using Kind = VisitorAct::Kind;
        const auto wrong = [](Visits visits) { return whatIsWrongWith(visits, 1); };
        const VisitorAct came{Kind::Came, 0, instantAt(1s), 0, "a", {}, {}};
        const VisitorAct sent{Kind::Sent, 0, instantAt(1s), 0, {}, {"GET", "a"}, {}};
        const VisitorAct left{Kind::Left, 0, instantAt(1s), 0, {}, {}, {}};
        COMPARE_TEXT(wrong({came, sent, left}), "");
        COMPARE_TEXT(wrong({sent}), "visitor 0 acts without being there");
        COMPARE_TEXT(wrong({came, left, sent}), "visitor 0 acts without being there");
        COMPARE_TEXT(wrong({came, came}), "visitor 0 comes out of turn");
        VisitorAct act = came;
        act.node = 1;
        COMPARE_TEXT(wrong({act}), "visitor 0 comes to server 1, which the lesson does not have");
        act = sent;
        act.at = instantAt(500ms);
        COMPARE_TEXT(wrong({came, act}), "act 2 of the visitors is earlier than the one before");
        act.words.clear();
        act.at = instantAt(2s);
        COMPARE_TEXT(wrong({came, act}), "visitor 0 sends nothing");
        QVERIFY(!wrong(Visits(kMostVisits + 1, came)).empty());
    }
};

QTEST_GUILESS_MAIN(VisitedRunTest)
#include "visited_run_test.moc"
