// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Live runs whose servers die, come back and take each other's place.
#include <QCoreApplication>
#include <QTest>

#include "core/live/janitor.h"
#include "tests/live/live_runs.h"
#include "tests/live/live_server.h"

using namespace lockscope;
using namespace lockscope::live;
using namespace lockscope::live::test;

namespace {

Intervention admin(int atMillis, const char* command) {
    Intervention made{InterventionKind::Admin, "Redis", instantAt(millis(atMillis))};
    made.command = command;
    return made;
}

Intervention toServer(InterventionKind kind, int atMillis, Duration length = {}) {
    return {kind, "Redis", instantAt(millis(atMillis)), length};
}

/// `server-unavailable down`, and the like.
QStringList ofServer(const Ran& ran) {
    QStringList out;
    for (const Event& event : ran.run.trace.events)
        if (event.kind == EventKind::ServerAvailable || event.kind == EventKind::ServerUnavailable)
            out += QString::fromStdString(std::string(nameOf(event.kind)) + ' ' +
                                          std::string(ran.run.trace.text(event.text)))
                       .trimmed();
    return out;
}

/// What administrators were told, in order.
QStringList toAdmins(const Ran& ran) {
    QStringList out;
    for (const Event* event : ran.all(EventKind::ReplyReceived))
        if (event->process == kNone)
            out += QString::fromStdString(std::string(ran.run.trace.text(event->text)));
    return out;
}

} // namespace

class LiveFaultsTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        if (PrivateServer::findProgram().isEmpty()) QSKIP("there is no redis-server on the PATH");
        auto janitor = Janitor::start();
        QVERIFY(janitor.ok());
        m_janitor = *janitor;
    }
    void cleanupTestCase() { m_janitor.reset(); }

    /// A pause of the server's ends with it. Who asks meanwhile has no connection, and comes back.
    void aServerIsKilledAndComesBack() {
        Scenario scenario = twoServers();
        scenario.interventions = {toServer(InterventionKind::ServerStall, 300, seconds(5)),
                                  toServer(InterventionKind::ServerKill, 400),
                                  admin(450, "PING"),
                                  toServer(InterventionKind::ServerStall, 460, seconds(5)), // nothing to stop
                                  toServer(InterventionKind::ServerRestart, 500),
                                  admin(900, "PING")};
        const Ran ran = runIt(scenario);
        QCOMPARE(ran.failure, QString());
        QCOMPARE(ofServer(ran), (QStringList{"server-unavailable stalled", "server-available",
                                             "server-unavailable down", "server-available"}));
        QCOMPARE(toAdmins(ran), (QStringList{"(error) CLOSED the server has closed the connection", "PONG"}));
        QCOMPARE(disorderIn(ran.run.trace), QString());
        QCOMPARE(ran.doubts, std::vector<std::string>());
        for (std::size_t i = 0; i < scenario.interventions.size(); ++i)
            QCOMPARE(ran.run.trace.interventions[i].applied, i != 3);
    }

    /// What a program may close, it may; the next command finds its way again, or is known not to have been
    /// sent.
    void aConsoleThatIsClosedIsOpenedAgain() {
        Scenario scenario = twoServers("sleep(1200)");
        scenario.interventions = {admin(200, "SET lock x"), admin(300, "QUIT"), admin(310, "DEL lock"),
                                  admin(700, "GET lock")};
        const Ran ran = runIt(scenario);
        QCOMPARE(ran.failure, QString());
        const QStringList told = toAdmins(ran);
        QVERIFY2(told.size() >= 3 && told.back() == (told.contains("(integer) 1") ? "(nil)" : "\"x\""),
                 qPrintable(told.join(", ")));
        QCOMPARE(disorderIn(ran.run.trace), QString());
        QCOMPARE(ran.doubts, std::vector<std::string>());
    }

    /// Nobody sees any more what it does: the run ends, and says so.
    void aMonitorThatIsClosedEndsTheRun() {
        Scenario scenario = twoServers("sleep(1200)");
        scenario.interventions = {admin(200, "CLIENT KILL TYPE normal")};
        const Ran ran = runIt(scenario);
        QVERIFY2(!ran.run.trace.failure.empty(), qPrintable(ran.failure));
    }

    void aReplicaTakesThePlaceOfADeadPrimary_data() {
        QTest::addColumn<bool>("cut");
        QTest::addColumn<QStringList>("broken");
        QTest::newRow("it has heard of the lock") << false << QStringList();
        QTest::newRow("it has not") << true << QStringList{"unprotected-work A", "belief-overlap A"};
    }
    void aReplicaTakesThePlaceOfADeadPrimary() {
        QFETCH(bool, cut);
        QFETCH(QStringList, broken);
        Scenario scenario = twoServers();
        scenario.knobs = {
            {"ttl", seconds(5)}, {"poll", millis(50)}, {"long", seconds(1)}, {"short", millis(200)}};
        scenario.server.replicas = 1;
        scenario.server.failoverAfter = millis(200);
        scenario.horizon = instantAt(seconds(2));
        scenario.actors[1].start = instantAt(millis(600));
        if (cut) scenario.interventions.push_back(toServer(InterventionKind::LinkCut, 0, seconds(1)));
        scenario.actors[0].start = instantAt(millis(100));
        scenario.interventions.push_back(toServer(InterventionKind::ServerKill, 300));
        const Ran ran = runIt(scenario);
        QCOMPARE(ran.failure, QString());
        QCOMPARE(ran.violations(), broken);
        QCOMPARE(ofServer(ran), (QStringList{"server-unavailable down", "server-available"}));
        QCOMPARE(disorderIn(ran.run.trace), QString());
        QCOMPARE(ran.doubts, std::vector<std::string>());
    }

    void anOperatorPromotesAReplica() {
        Scenario scenario = twoServers();
        scenario.server.replicas = 1;
        scenario.interventions = {toServer(InterventionKind::Promote, 300), admin(900, "PING")};
        const Ran ran = runIt(scenario);
        QCOMPARE(ran.failure, QString());
        QCOMPARE(ran.violations(), QStringList());
        QCOMPARE(toAdmins(ran), QStringList{"PONG"});
        QCOMPARE(disorderIn(ran.run.trace), QString());
        QCOMPARE(ran.doubts, std::vector<std::string>());
    }

    /// A load is written to nobody, and a kill waits until one has been written.
    void aLoadAndAKillDoNotMeet() {
        Scenario scenario = twoServers("sleep(1200)");
        Intervention load = toServer(InterventionKind::Load, 200);
        load.command = "40000 x 64";
        Intervention later = load;
        later.at = instantAt(seconds(1));
        scenario.interventions = {load, toServer(InterventionKind::ServerKill, 203), later};
        const Ran ran = runIt(scenario);
        QCOMPARE(ran.failure, QString());
        QCOMPARE(ran.run.trace.failure, std::string());
        QVERIFY(ran.run.trace.interventions[0].load && ran.run.trace.interventions[1].applied);
        QVERIFY(!ran.run.trace.interventions[2].applied);
        QCOMPARE(ofServer(ran), QStringList{"server-unavailable down"});
    }

private:
    Ran runIt(const Scenario& scenario) {
        return test::run(scenario, {LivePlace::Kind::Private, {}}, m_janitor);
    }

    std::shared_ptr<Janitor> m_janitor;
};

int main(int argc, char** argv) {
    const std::string_view mode = argc > 1 ? argv[1] : "";
    if (mode == ActorProcess::kArgument) return runActor(argc, argv);
    if (mode == Janitor::kArgument) return runJanitor(argc, argv);
    QCoreApplication application(argc, argv);
    LiveFaultsTest test;
    return QTest::qExec(&test, argc, argv);
}
#include "live_faults_test.moc"
