// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <QCoreApplication>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

#include "core/live/private_server.h"
#include "core/live/process_guard.h"
#include "core/live/server_load.h"
#include "core/trace/wording.h"
#include "core/world/load.h"
#include "tests/live/live_runs.h"
#include "tests/live/live_server.h"

using namespace lockscope;
using namespace lockscope::live;
using namespace lockscope::live::test;

class LiveRunTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        auto janitor = Janitor::start();
        QVERIFY(janitor.ok());
        m_janitor = *janitor;
    }
    void cleanupTestCase() { m_janitor.reset(); }

    void anUndisturbedRunBreaksNothing_data() { places(); }
    void anUndisturbedRunBreaksNothing() {
        QFETCH(LivePlace::Kind, kind);
        if (lacksServer(kind)) QSKIP("there is no redis-server on the PATH");
        const Ran ran = run(twoServers(), {kind, foreign(kind)});
        QCOMPARE(ran.failure, QString());
        QCOMPARE(ran.violations(), QStringList());
        QCOMPARE(ran.doubts.size(), std::size_t{0});
        QCOMPARE(ran.executed("A"), (QStringList{"SET → OK", "DEL → (integer) 1"}));
        const QStringList b = ran.executed("B");
        QCOMPARE(b.first(), "SET → (nil)");
        QCOMPARE(b.mid(b.size() - 2), (QStringList{"SET → OK", "DEL → (integer) 1"}));
        QCOMPARE(ran.run.analysis.grants.size(), std::size_t{2});
        QCOMPARE(ran.run.analysis.claims.size(), std::size_t{2});
        QCOMPARE(ran.run.trace.reached, ran.run.trace.horizon);
        QCOMPARE(disorderIn(ran.run.trace), QString());
    }

    void aPauseBreaksWhatTheSimulatorSays_data() { places(); }
    void aPauseBreaksWhatTheSimulatorSays() {
        QFETCH(LivePlace::Kind, kind);
        if (lacksServer(kind)) QSKIP("there is no redis-server on the PATH");
        Scenario scenario = twoServers();
        scenario.knobs.back().value = millis(550);
        scenario.interventions = {{InterventionKind::Pause, "A", instantAt(millis(100)), millis(800)}};
        JudgedRun simulated;
        Runner runner;
        QVERIFY(runner.run(scenario, simulated).ok());
        const Ran twin{{}, std::move(simulated), {}, {}};
        QCOMPARE(twin.violations(), (QStringList{"belief-overlap A", "unprotected-work A", "foreign-delete A",
                                                 "unprotected-work B"}));

        QStringList said = twin.violations();
        said.sort();
        const auto brokenIn = [](const Ran& ran) {
            QStringList broken = ran.violations();
            broken.sort();
            return broken;
        };
        Ran ran = run(scenario, {kind, foreign(kind)});
        // This story has narrower margins than the others.
        for (int times = 1; times < kTries && ran.late > millis(10) && brokenIn(ran) != said; ++times)
            ran = run(scenario, {kind, foreign(kind)});
        QCOMPARE(ran.failure, QString());
        QCOMPARE(brokenIn(ran), said);
        QCOMPARE(ran.all(EventKind::ProcessPaused).size(), std::size_t{1});
        const Duration stood =
            ran.all(EventKind::ProcessResumed)[0]->at - ran.all(EventKind::ProcessPaused)[0]->at;
        QVERIFY(stood >= millis(795) && stood < millis(1100));
        QVERIFY(ran.run.trace.interventions[0].applied);
        QCOMPARE(disorderIn(ran.run.trace), QString());
    }

    void aKilledProcessIsGoneAndRestartedAsAnother() {
        if (lacksServer(LivePlace::Kind::Private)) QSKIP("there is no redis-server on the PATH");
        Scenario scenario = twoServers();
        scenario.interventions = {{InterventionKind::Kill, "A", instantAt(millis(100)), {}},
                                  {InterventionKind::Restart, "A", instantAt(millis(150)), {}}};
        const Ran ran = run(scenario, {LivePlace::Kind::Private, {}});
        QCOMPARE(ran.failure, QString());
        QCOMPARE(ran.all(EventKind::ProcessKilled).size(), std::size_t{1});
        QCOMPARE(ran.run.trace.processes.size(), std::size_t{3});
        QCOMPARE(ran.run.trace.processes[2].incarnation, 2);
        // Its work was cut off, its lock runs to the end of its lease, and only then another gets it.
        QCOMPARE(ran.run.analysis.grants[0].end, EndReason::LeaseEnded);
        const auto ends = ran.all(EventKind::WorkEnded);
        QVERIFY(!ends.empty());
        QCOMPARE(ends[0]->b, 0);
        QCOMPARE(disorderIn(ran.run.trace), QString());
    }

    /// A listens, B publishes when it is heard to listen; then A waits for a list and B pushes to it.
    void channelsAndWaitingCommandsWork_data() {
        QTest::addColumn<LivePlace::Kind>("kind");
        QTest::newRow("private") << LivePlace::Kind::Private;
        QTest::newRow("embedded") << LivePlace::Kind::Embedded;
    }
    void channelsAndWaitingCommandsWork() {
        QFETCH(LivePlace::Kind, kind);
        if (lacksServer(kind)) QSKIP("there is no redis-server on the PATH");
        const Scenario scenario = twoServers(R"(
            if actor == "A" then
                local news = redis.subscribe("free")
                redis.call("SET", "listening", "yes")
                log("heard " .. tostring(news:receive(1000)))
                news:close()
                log("popped " .. redis.call("BLPOP", "turn", 1)[2])
            else
                wait(every(20, function() return redis.call("GET", "listening") end))
                log("told " .. redis.call("PUBLISH", "free", "now"))
                wait(every(20, function() return redis.call("PUBLISH", "free", "late") == 0 end))
                redis.call("RPUSH", "turn", "go")
            end)");
        const Ran ran = run(scenario, {kind, {}});
        QCOMPARE(ran.failure, QString());
        QCOMPARE(ran.doubts.size(), std::size_t{0});
        QStringList logged;
        for (const Event* event : ran.all(EventKind::Logged))
            logged += QString::fromStdString(std::string(ran.run.trace.text(event->text)));
        logged.sort();
        QCOMPARE(logged, (QStringList{"heard now", "popped go", "told 1"}));
        const auto sent = ran.all(EventKind::MessageSent);
        const auto received = ran.all(EventKind::MessageReceived);
        QVERIFY(!sent.empty());
        QVERIFY(!received.empty());
        QVERIFY(sent[0]->at <= received[0]->at);
        QCOMPARE(ran.run.trace.text(received[0]->text2), "now");
        QCOMPARE(sent[0]->actor, ActorIndex{0});
        QCOMPARE(ran.all(EventKind::RequestWaits).size() <= 1, true);
        QCOMPARE(disorderIn(ran.run.trace), QString());
    }

    void aLostReplyIsToldWithWhatTheServerDid() {
        if (lacksServer(LivePlace::Kind::Private)) QSKIP("there is no redis-server on the PATH");
        Scenario scenario = twoServers(R"(
            if actor == "B" then return end
            sleep(100)
            local answer = redis.pcall("SET", lock, "A", "NX", "PX", ttl)
            log(tostring(answer.unknown)))");
        for (ActorSpec& actor : scenario.actors)
            actor.clientTimeout = millis(150);
        scenario.horizon = instantAt(millis(700));
        scenario.interventions = {{InterventionKind::LostReply, "A", instantAt(millis(20)), {}}};
        const Ran ran = run(scenario, {LivePlace::Kind::Private, {}});
        QCOMPARE(ran.failure, QString());
        QCOMPARE(ran.executed("A"), QStringList{"SET → OK"});
        QCOMPARE(ran.all(EventKind::ReplyLost).size(), std::size_t{1});
        QCOMPARE(ran.all(EventKind::RequestTimedOut).size(), std::size_t{1});
        QCOMPARE(ran.all(EventKind::ReplyReceived).size(), std::size_t{0});
        QVERIFY(ran.run.trace.interventions[0].applied);
    }

    void theServerStallsAndAnAdministratorDeletes() {
        if (lacksServer(LivePlace::Kind::Private)) QSKIP("there is no redis-server on the PATH");
        Scenario scenario = twoServers();
        scenario.interventions = {
            {InterventionKind::ServerStall, "Redis", instantAt(millis(300)), millis(300)},
            {InterventionKind::Admin, "Redis", instantAt(millis(100)), {}, "DEL lock"}};
        const Ran ran = run(scenario, {LivePlace::Kind::Private, {}});
        QCOMPARE(ran.failure, QString());
        QCOMPARE(ran.executed("Admin"), QStringList{"DEL → (integer) 1"});
        QCOMPARE(ran.run.analysis.grants[0].end, EndReason::Deleted);
        QCOMPARE(ran.run.analysis.outages.size(), std::size_t{1});
        const Outage& outage = ran.run.analysis.outages[0];
        QVERIFY(outage.until - outage.from >= millis(295));
        for (const Event* event : ran.all(EventKind::RequestExecuted))
            QVERIFY(event->at <= outage.from + millis(5) || event->at >= outage.until - millis(5));
    }

    void theResourceRefusesAnOldFence() {
        if (lacksServer(LivePlace::Kind::Private)) QSKIP("there is no redis-server on the PATH");
        Scenario scenario = twoServers(R"(
            if actor == "A" then
                log(tostring(storage.write("file", "new", 7)))
            else
                sleep(200)
                local ok, why = storage.write("file", "old", 6)
                log(tostring(ok) .. ": " .. why .. ", " .. storage.read("file"))
            end)");
        scenario.resource.present = true;
        scenario.resource.enforceFence = true;
        scenario.horizon = instantAt(millis(600));
        const Ran ran = run(scenario, {LivePlace::Kind::Embedded, {}});
        QCOMPARE(ran.failure, QString());
        const auto logged = ran.all(EventKind::Logged);
        QCOMPARE(logged.size(), std::size_t{2});
        QCOMPARE(ran.run.trace.text(logged[1]->text), "false: fence 6 is lower than 7, new");
        QCOMPARE(ran.all(EventKind::WriteRejected).size(), std::size_t{1});
    }

    void onSomebodysServerOnlyTheRunsKeysAreTouched() {
        if (lacksServer(LivePlace::Kind::Private)) QSKIP("there is no redis-server on the PATH");
        QCOMPARE(call(m_somebodys->control(), {"SET", "lock", "theirs"}), "OK");
        const Ran ran = run(twoServers(), {LivePlace::Kind::Foreign, m_somebodys->endpoint()});
        QCOMPARE(ran.failure, QString());
        QCOMPARE(ran.executed("A").first(), "SET → OK"); // it is another lock
        QCOMPARE(call(m_somebodys->control(), {"GET", "lock"}), "\"theirs\"");
        QCOMPARE(call(m_somebodys->control(), {"DBSIZE"}), "(integer) 1");
    }

    void aServerThatGoesAndComesBackIsAGapInTheRun() {
        if (lacksServer(LivePlace::Kind::Foreign)) QSKIP("there is no redis-server on the PATH");
        Scenario scenario = twoServers(R"(
            if actor == "B" then return end
            local function ask() return (pcall(redis.call, "INCR", "n")) end
            while ask() do sleep(20) end
            log("lost")
            while not ask() do sleep(20) end
            log("back"))");
        scenario.horizon = instantAt(seconds(3));
        LiveRun live({LivePlace::Kind::Foreign, m_somebodys->endpoint()}, m_janitor);
        QVERIFY(live.start(scenario).ok());
        const auto saw = [&](EventKind kind) {
            const auto trace = live.trace();
            return trace && std::any_of(trace->events.begin(), trace->events.end(),
                                        [kind](const Event& e) { return e.kind == kind; });
        };
        QTRY_VERIFY(saw(EventKind::RequestExecuted));
        m_somebodys->kill();
        // Who asks every 20 ms need not notice a server that is back sooner.
        QTRY_VERIFY(saw(EventKind::Logged));
        m_somebodys->restart(PrivateServer::Data::Lose);
        QTRY_COMPARE_WITH_TIMEOUT(live.state(), LiveRun::State::Over, 10'000);
        Ran ran;
        ran.run.trace = std::move(*live.trace());
        judge(ran.run);
        const auto logged = ran.all(EventKind::Logged);
        QCOMPARE(logged.size(), std::size_t{2});
        QCOMPARE(ran.run.trace.text(logged[1]->text), "back");
        QCOMPARE(ran.run.analysis.outages.size(), std::size_t{1});
        QVERIFY(ran.run.analysis.outages[0].until != kNever);
        QCOMPARE(call(m_somebodys->control(), {"DBSIZE"}), "(integer) 0");
    }

    /// A cache fills the server. Of all keys only the lock may be dropped, and what comes after that is
    /// refused: the same figures as in the simulator, but for what a real server's connections take.
    void aLoadFillsARealServer() {
        if (lacksServer(LivePlace::Kind::Private)) QSKIP("there is no redis-server on the PATH");
        Scenario scenario = twoServers(R"(
            local token = uuid()
            if actor == "B" then sleep(1000) end
            log(redis.pcall("SET", lock, token, "NX", "PX", 5000).err or "granted")
            sleep(900)
            log("holds " .. tostring(redis.call("GET", lock) == token)))");
        scenario.server.memory.limit = 20 << 20;
        scenario.server.memory.policy = redis::EvictionPolicy::VolatileLru;
        Intervention load{InterventionKind::Load, "Redis", instantAt(millis(400))};
        load.command = "16000 x 1024";
        scenario.interventions = {load};
        scenario.horizon = instantAt(millis(2500));
        const Ran ran = run(scenario, {LivePlace::Kind::Private, {}});
        QCOMPARE(ran.failure, QString());
        QCOMPARE(ran.doubts, std::vector<std::string>());
        QStringList logs;
        for (const Event* event : ran.all(EventKind::Logged))
            logs += QString::fromStdString(std::string(ran.run.trace.text(event->text))).left(16);
        for (const Event* event : ran.all(EventKind::ProgramFailed))
            logs += QString::fromStdString(std::string(ran.run.trace.text(event->text)));
        QCOMPARE(logs.join(", "), "granted, holds false, OOM command not , holds false");
        Runner runner;
        JudgedRun simulated;
        QVERIFY(runner.run(scenario, simulated).ok());
        const TraceLoad& real = *ran.run.trace.interventions[0].load;
        const TraceLoad& told = *simulated.trace.interventions[0].load;
        QCOMPARE(real.evicted, told.evicted);
        QCOMPARE(real.evicted, std::int64_t{1});
        QVERIFY2(std::abs(real.firstRefused - told.firstRefused) < told.firstRefused / 25,
                 qPrintable(QStringLiteral("%1, %2").arg(real.firstRefused).arg(told.firstRefused)));
        const auto removed = ran.all(EventKind::KeyRemoved);
        QCOMPARE(removed.size(), std::size_t{1});
        QCOMPARE(removed[0]->reason, EndReason::Evicted);
        QCOMPARE(disorderIn(ran.run.trace), QString());
    }

    /// While a load is written nobody runs: who is paused meanwhile stands still already, and who is started
    /// again begins when it is over.
    void whatHappensToProcessesDuringALoad() {
        if (lacksServer(LivePlace::Kind::Private)) QSKIP("there is no redis-server on the PATH");
        Scenario scenario = twoServers("sleep(1000)");
        Intervention load{InterventionKind::Load, "Redis", instantAt(millis(200))};
        load.command = "40000 x 64";
        scenario.interventions = {load,
                                  {InterventionKind::Pause, "A", instantAt(millis(202)), millis(3)},
                                  {InterventionKind::Restart, "B", instantAt(millis(203))},
                                  {InterventionKind::Kill, "B", instantAt(millis(204))}, // none has begun
                                  {InterventionKind::Restart, "B", instantAt(millis(205))},
                                  {InterventionKind::Restart, "B", instantAt(millis(206))}};
        const Ran ran = run(scenario, {LivePlace::Kind::Private, {}});
        QCOMPARE(ran.failure, QString());
        QStringList ofA;
        QStringList starts;
        Instant paused = kNever;
        Instant resumed = kNever;
        for (const Event& event : ran.run.trace.events) {
            if (event.kind == EventKind::ProcessStarted && event.at > instantAt(millis(100))) {
                QCOMPARE(event.actor, 1);
                QVERIFY(event.at >= resumed);
                starts += QString::number(event.process);
            }
            if (event.actor != 0) continue;
            if (event.kind == EventKind::ProcessPaused) paused = event.at;
            if (event.kind == EventKind::ProcessResumed) resumed = event.at;
            if (event.at == paused || event.at == resumed)
                ofA += QString::fromStdString(std::string(nameOf(event.kind)));
        }
        QVERIFY2(resumed - paused > millis(10), "the load was too short to see anything");
        QCOMPARE(ofA, (QStringList{"process-paused", "process-resumed"}));
        QCOMPARE(starts, QStringList{"2"});
    }

    /// By hand a pause is ended, not what is done to all.
    void aPauseIsOverBeforeTheLoadIs() {
        if (lacksServer(LivePlace::Kind::Private)) QSKIP("there is no redis-server on the PATH");
        Scenario scenario = twoServers("sleep(5000)");
        scenario.horizon = instantAt(seconds(5));
        LiveRun live({LivePlace::Kind::Private, {}}, m_janitor);
        QVERIFY(live.start(scenario).ok());
        QTRY_VERIFY(live.isAlive("A"));
        QVERIFY(live.intervene({InterventionKind::Pause, "A", {}, millis(1)}).ok());
        Intervention load{InterventionKind::Load, "Redis", {}};
        load.command = "60000 x 64";
        QVERIFY(live.intervene(load).ok());
        QTRY_VERIFY(live.isPaused("B"));
        const Intervention pause = live.scenario().interventions[0];
        QTRY_VERIFY(live.now() > pause.at + millis(50)); // by then its end has been heard of
        QVERIFY2(live.isPaused("B"), "the load was too short to see anything");
        live.resume("A");
        QCOMPARE(live.scenario().interventions[0].length, pause.length);
        QVERIFY(live.isPaused("A"));
        QTRY_VERIFY(!live.isPaused("A"));
        QVERIFY(!live.isPaused("B"));
    }

    /// Its connection stays, and may be closed by anybody: that is no failure any more.
    void aLoadThatIsOverFailsNoMore() {
        if (lacksServer(LivePlace::Kind::Private)) QSKIP("there is no redis-server on the PATH");
        ServerLoad load(m_somebodys->endpoint(), *parseLoad("10 x 100"), 0);
        QSignalSpy finished(&load, &ServerLoad::finished);
        QSignalSpy failed(&load, &ServerLoad::failed);
        RedisConnection younger; // of which it is heard later
        QSignalSpy closed(&younger, &RedisConnection::failed);
        QTRY_COMPARE(finished.size(), 1);
        QVERIFY(openAndWait(younger, m_somebodys->endpoint()));
        QVERIFY(call(m_somebodys->control(), {"CLIENT", "KILL", "SKIPME", "yes"}).starts_with("(integer)"));
        QTRY_COMPARE(closed.size(), 1);
        QCoreApplication::processEvents();
        QCOMPARE(failed.size(), 0);
        QCOMPARE(finished.size(), 1);
    }

    /// So many clients are let in as there are. In the place of MONITOR comes the load, and stays: afterwards
    /// nobody can see what the server executes.
    void aServerThatCannotBeWatchedAgainEndsTheRun() {
        if (lacksServer(LivePlace::Kind::Private)) QSKIP("there is no redis-server on the PATH");
        Scenario scenario = twoServers("sleep(1000)");
        Intervention limit{InterventionKind::Admin, "Redis", instantAt(millis(50))};
        limit.command = "CONFIG SET maxclients 6"; // control, removals, MONITOR, administrator, A, B
        Intervention load{InterventionKind::Load, "Redis", instantAt(millis(200))};
        load.command = "10 x 100";
        scenario.interventions = {limit, load};
        const Ran ran = runOnce(scenario, {LivePlace::Kind::Private, {}});
        QCOMPARE(ran.failure, QString());
        QVERIFY2(ran.run.trace.failure.find("max number of clients") != std::string::npos,
                 ran.run.trace.failure.c_str());
        QVERIFY(ran.run.trace.interventions[1].load);
    }

    void nobodyAnswersThere() {
        RedisEndpoint endpoint;
        endpoint.port = 1;
        const Ran ran = run(twoServers(), {LivePlace::Kind::Foreign, endpoint});
        QVERIFY2(ran.failure.contains("refused") || ran.failure.contains("nobody"), qPrintable(ran.failure));
    }

    void aPauseIsEndedByHand() {
        LiveRun live({LivePlace::Kind::Embedded, {}}, m_janitor);
        QVERIFY(live.start(twoServers()).ok());
        QTRY_VERIFY(live.isAlive("A"));
        QVERIFY(live.intervene({InterventionKind::Pause, "A", {}, seconds(60)}).ok());
        QTRY_VERIFY(live.isPaused("A"));
        live.resume("A");
        QVERIFY(!live.isPaused("A"));
        QVERIFY(live.scenario().interventions[0].length < seconds(5));
        const auto growing = live.trace();
        QVERIFY(growing && growing->reached < growing->horizon);
        QTRY_COMPARE(live.state(), LiveRun::State::Over);
        QCOMPARE(live.trace()->interventions[0].length, live.scenario().interventions[0].length);
    }

    void aRunThatIsDroppedLeavesNothing() {
        QList<qint64> pids;
        {
            LiveRun live({LivePlace::Kind::Embedded, {}}, m_janitor);
            QVERIFY(live.start(twoServers()).ok());
            QTRY_VERIFY(live.isAlive("A"));
            QVERIFY(live.intervene({InterventionKind::Pause, "A", {}, seconds(60)}).ok());
            QTRY_VERIFY(live.isPaused("A"));
            pids = childrenOf(QCoreApplication::applicationPid());
            QVERIFY(pids.size() >= 3); // both actors and the janitor
        }
        QTRY_COMPARE(childrenOf(QCoreApplication::applicationPid()).size(), 1);
    }

    void aHostThatIsKilledLeavesNothing() {
        if (lacksServer(LivePlace::Kind::Private)) QSKIP("there is no redis-server on the PATH");
        const auto url = m_somebodys->endpoint();
        QTemporaryDir home;
        QProcess host;
        QProcessEnvironment its = QProcessEnvironment::systemEnvironment();
        its.insert("TMPDIR", home.path());
        host.setProcessEnvironment(its);
        host.start(QCoreApplication::applicationFilePath(), {"--victim", url.host, QString::number(url.port),
                                                             QString::fromUtf8(url.password.reveal())});
        QVERIFY(host.waitForStarted());
        QByteArray said;
        connect(&host, &QProcess::readyReadStandardOutput, this,
                [&] { said += host.readAllStandardOutput(); });
        QTRY_VERIFY_WITH_TIMEOUT(said.contains("paused"), 10'000);
        const QList<qint64> family = childrenOf(host.processId(), true);
        QVERIFY(family.size() >= 7); // for both places two actors each; a server, its replica, a janitor
        const auto folders = [&home] {
            return QDir(home.path()).entryList(QDir::Dirs | QDir::NoDotAndDotDot);
        };
        QVERIFY(folders().size() >= 3); // of both servers, and a resource
        QVERIFY(call(m_somebodys->control(), {"DBSIZE"}) != "(integer) 0");
        host.kill();
        host.waitForFinished();
        const auto gone = [&] {
            return std::all_of(family.begin(), family.end(),
                               [](qint64 pid) { return birthOf(pid).isEmpty(); });
        };
        QTRY_VERIFY_WITH_TIMEOUT(gone(), 2'000);
        QTRY_VERIFY_WITH_TIMEOUT(call(m_somebodys->control(), {"DBSIZE"}) == "(integer) 0", 2'000);
        QTRY_COMPARE_WITH_TIMEOUT(folders(), QStringList(), 2'000);
    }

    void init() {
        if (PrivateServer::findProgram().isEmpty()) return;
        if (!m_somebodys) {
            PrivateServerOptions options;
            options.loopbackPort = true;
            m_somebodys = std::make_unique<PrivateServer>(options, m_janitor);
            QCOMPARE(startAndWait(*m_somebodys), QString());
        }
        QCOMPARE(call(m_somebodys->control(), {"FLUSHALL"}), "OK");
    }

private:
    static void places() {
        QTest::addColumn<LivePlace::Kind>("kind");
        QTest::newRow("private") << LivePlace::Kind::Private;
        QTest::newRow("embedded") << LivePlace::Kind::Embedded;
        QTest::newRow("url") << LivePlace::Kind::Foreign;
    }
    static bool lacksServer(LivePlace::Kind kind) {
        return kind != LivePlace::Kind::Embedded && PrivateServer::findProgram().isEmpty();
    }
    RedisEndpoint foreign(LivePlace::Kind kind) const {
        return kind == LivePlace::Kind::Foreign ? m_somebodys->endpoint() : RedisEndpoint{};
    }

    Ran run(const Scenario& scenario, const LivePlace& place) {
        return test::run(scenario, place, m_janitor);
    }
    Ran runOnce(const Scenario& scenario, const LivePlace& place) {
        return test::runOnce(scenario, place, m_janitor);
    }

    static QList<qint64> childrenOf(qint64 parent, bool servers = false) {
        QList<qint64> out;
        for (const QString& name : QDir("/proc").entryList(QDir::Dirs)) {
            const qint64 pid = name.toLongLong();
            QFile file(QStringLiteral("/proc/%1/stat").arg(pid));
            if (pid == 0 || !file.open(QIODevice::ReadOnly)) continue;
            const QByteArray stat = file.readAll();
            const QList<QByteArray> fields = stat.mid(stat.lastIndexOf(')') + 2).split(' ');
            const bool isServer = stat.contains("redis-server") || stat.contains("valkey-server");
            if (fields[0] != "Z" && fields[1].toLongLong() == parent && (servers || !isServer)) out += pid;
        }
        return out;
    }

    std::shared_ptr<Janitor> m_janitor;
    std::unique_ptr<PrivateServer> m_somebodys;
};

/// A host that is to be killed: two runs, one on a server of its own and one on somebody's, with stopped
/// actors.
static int runVictim(int argc, char** argv) {
    QCoreApplication application(argc, argv);
    const auto janitor = Janitor::start();
    RedisEndpoint endpoint;
    endpoint.host = argv[2];
    endpoint.port = static_cast<std::uint16_t>(std::atoi(argv[3]));
    endpoint.password = Secret(argv[4]);
    Scenario scenario = twoServers(R"(redis.call("SET", lock .. actor, "x") sleep(60000))");
    scenario.horizon = instantAt(seconds(60));
    scenario.resource.present = true;
    scenario.interventions = {{InterventionKind::Pause, "A", instantAt(millis(200)), seconds(60)}};
    LiveRun own({LivePlace::Kind::Private, {}}, *janitor);
    LiveRun foreign({LivePlace::Kind::Foreign, endpoint}, *janitor);
    if (!foreign.start(scenario)) return 1;
    scenario.server.replicas = 1;
    scenario.server.persistence = ServerSpec::Persistence::EverySecond;
    if (!own.start(scenario)) return 1;
    QTimer timer;
    QObject::connect(&timer, &QTimer::timeout, &timer, [&] {
        if (!own.isPaused("A") || !foreign.isPaused("A")) return;
        timer.stop();
        std::puts("paused");
        std::fflush(stdout);
    });
    timer.start(5);
    return application.exec();
}

int main(int argc, char** argv) {
    const std::string_view mode = argc > 1 ? argv[1] : "";
    if (mode == ActorProcess::kArgument) return runActor(argc, argv);
    if (mode == Janitor::kArgument) return runJanitor(argc, argv);
    if (mode == "--victim") return runVictim(argc, argv);
    QCoreApplication application(argc, argv);
    LiveRunTest test;
    return QTest::qExec(&test, argc, argv);
}
#include "live_run_test.moc"
