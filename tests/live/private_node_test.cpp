// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Primaries, replicas and disks of real servers: what survives whom.
#include <QCoreApplication>
#include <QElapsedTimer>
#include <QTest>
#include <QTimer>

#include <array>
#include <map>

#include "core/live/private_node.h"
#include "tests/live/live_server.h"

using namespace lockscope;
using namespace lockscope::live;
using namespace lockscope::live::test;

namespace {

/// A node, and a client that comes back to it.
struct Watched {
    explicit Watched(const ServerSpec& spec) : node(spec, {}) {
        QObject::connect(&node, &LiveServer::failed, &node, [this](const QString& told) { failure = told; });
        QObject::connect(&node, &LiveServer::ready, &node, [this] { ready = true; });
        QObject::connect(&node, &LiveServer::wentDown, &node, [this](qint64) { ++downs; });
        QObject::connect(&node, &LiveServer::cameUp, &node,
                         [this](qint64, const std::vector<redis::StoredCommand>& found, EndReason reason) {
                             keys = found;
                             why = reason;
                             ++ups;
                         });
        QObject::connect(&node, &LiveServer::executed, &node,
                         [this](const SeenCommand& command) { ++seen[command.args[0]]; });
    }
    /// Why there is none; empty if it is there, and a client is connected.
    QString begin() {
        node.start();
        if (!QTest::qWaitFor([this] { return ready || !failure.isEmpty(); }, 15'000))
            return "it takes too long";
        return failure.isEmpty() && !come() ? "no client gets through" : failure;
    }
    bool come() { return openAndWait(client, node.endpoint()); }
    /// Somebody answers again, the so-manieth time, and the client is back.
    bool isUp(int time) {
        return QTest::qWaitFor([&] { return ups == time; }, 10'000) && come();
    }
    std::string does(const std::vector<std::string>& words) { return call(client, words); }
    bool has(const char* key) const {
        return std::any_of(keys.begin(), keys.end(), [&](const auto& made) { return made.words[1] == key; });
    }

    PrivateNode node;
    RedisConnection client;
    QString failure;
    bool ready = false;
    int downs = 0;
    int ups = 0;
    std::vector<redis::StoredCommand> keys;
    EndReason why = EndReason::None;
    std::map<std::string, int> seen;
};

ServerSpec withReplicas(int replicas, Duration failoverAfter) {
    ServerSpec spec;
    spec.replicas = replicas;
    spec.failoverAfter = failoverAfter;
    return spec;
}

const std::vector<std::string> kSet{"SET", "lock", "A", "NX", "PXAT", "4102444800000"};

} // namespace

class PrivateNodeTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        if (PrivateServer::findProgram().isEmpty()) QSKIP("there is no redis-server on the PATH");
    }

    void aReplicaTakesItsPlace() {
        Watched w(withReplicas(1, millis(200)));
        QCOMPARE(w.begin(), QString());
        QCOMPARE(w.does(kSet), "OK");
        QCOMPARE(w.does({"ZADD", "queue", "1.5", "B"}), "(integer) 1");
        QCOMPARE(w.does({"WAIT", "1", "5000"}), "(integer) 1");
        QVERIFY(w.node.kill());
        QVERIFY(!w.node.kill()); // it is dead already
        QTRY_COMPARE(w.downs, 1);
        QTRY_VERIFY(!w.client.isReady());
        QVERIFY(w.isUp(1));
        QCOMPARE(w.why, EndReason::LostInFailover);
        const std::vector<redis::StoredCommand> expected{{0, {"SET", "lock", "A"}},
                                                         {0, {"PEXPIREAT", "lock", "4102444800000"}},
                                                         {0, {"ZADD", "queue", "1.5", "B"}}};
        QVERIFY(std::is_permutation(w.keys.begin(), w.keys.end(), expected.begin(), expected.end()));
        QCOMPARE(w.does({"GET", "lock"}), "\"A\"");
        QTRY_COMPARE(w.seen["GET"], 1);
        // The old one comes back as its replica.
        QVERIFY(w.node.restart());
        QCOMPARE(w.does({"SET", "later", "1"}), "OK");
        QCOMPARE(w.does({"WAIT", "1", "8000"}), "(integer) 1");
        QCOMPARE(w.ups, 1);
        QCOMPARE(w.failure, QString());
    }

    void whatTheReplicaHadNotHeardIsLost() {
        Watched w(withReplicas(1, millis(100)));
        QCOMPARE(w.begin(), QString());
        QVERIFY(w.node.cutLink());
        QCOMPARE(w.does(kSet), "OK");
        QCOMPARE(w.does({"WAIT", "1", "100"}), "(integer) 0");
        QVERIFY(w.node.kill());
        w.node.mendLink();
        QVERIFY(w.isUp(1));
        QVERIFY(!w.has("lock"));
        QCOMPARE(w.does(kSet), "OK");
    }

    void aCutLinkThatIsMendedBringsEverything() {
        Watched w(withReplicas(1, {}));
        QCOMPARE(w.begin(), QString());
        QVERIFY(w.node.cutLink());
        QCOMPARE(w.does(kSet), "OK");
        QCOMPARE(w.does({"WAIT", "1", "100"}), "(integer) 0");
        w.node.mendLink();
        QCOMPARE(w.does({"WAIT", "1", "5000"}), "(integer) 1");
    }

    void aLongWayTakesItsTime() {
        ServerSpec spec = withReplicas(1, {});
        spec.replicaLag = millis(400);
        Watched w(spec);
        QCOMPARE(w.begin(), QString());
        QCOMPARE(w.does(kSet), "OK");
        QCOMPARE(w.does({"WAIT", "1", "300"}), "(integer) 0"); // there and back takes 800 ms
        QCOMPARE(w.does({"WAIT", "1", "8000"}), "(integer) 1");
    }

    void whoHasHeardMostIsChosen() {
        Watched w(withReplicas(2, {}));
        QCOMPARE(w.begin(), QString());
        // The first of the two follows nobody any more, so it hears less than the other.
        const std::string info = w.does({"INFO", "replication"});
        const std::size_t at = info.find("port=", info.find("slave0:"));
        RedisEndpoint deaf = w.node.endpoint();
        deaf.port = static_cast<quint16>(std::stoi(info.substr(at + 5)));
        RedisConnection toDeaf;
        QVERIFY(openAndWait(toDeaf, deaf));
        QCOMPARE(call(toDeaf, {"REPLICAOF", "127.0.0.1", "1"}), "OK");
        QCOMPARE(w.does(kSet), "OK");
        QCOMPARE(w.does({"WAIT", "1", "5000"}), "(integer) 1");
        QVERIFY(w.node.kill());
        QVERIFY(w.node.promote());
        QVERIFY(w.isUp(1));
        QVERIFY(w.has("lock"));
    }

    /// The one that is left follows the new primary, which sends it everything by a short way.
    void theOtherReplicaFollowsTheNewPrimary() {
        ServerSpec spec = withReplicas(2, millis(100));
        spec.replicaLag = millis(500);
        Watched w(spec);
        QCOMPARE(w.begin(), QString());
        QVERIFY(w.node.kill());
        QVERIFY(w.isUp(1));
        QCOMPARE(w.does({"SET", "later", "1"}), "OK");
        QCOMPARE(w.does({"WAIT", "1", "8000"}), "(integer) 1");
    }

    void aReplicaComesBackWhileTheLinkIsCut() {
        Watched w(withReplicas(1, millis(100)));
        QCOMPARE(w.begin(), QString());
        QVERIFY(w.node.kill());
        QVERIFY(w.isUp(1));
        QVERIFY(w.node.cutLink());
        QVERIFY(w.node.restart());
        QCOMPARE(w.does(kSet), "OK");
        // Longer than a server may take to start: that it is not in step is no failure.
        QCOMPARE(w.does({"WAIT", "1", "6000"}), "(integer) 0");
        QCOMPARE(w.failure, QString());
        w.node.mendLink();
        QCOMPARE(w.does({"WAIT", "1", "8000"}), "(integer) 1");
    }

    /// Redis 7.0 would wait up to ten seconds for a replica that does not hear it.
    void anOrderlyEndDoesNotWaitForReplicas() {
        Watched w(withReplicas(1, seconds(60)));
        QCOMPARE(w.begin(), QString());
        QVERIFY(w.node.cutLink());
        QCOMPARE(w.does(kSet), "OK");
        QElapsedTimer since;
        since.start();
        QVERIFY(w.node.restart());
        QVERIFY(w.isUp(1));
        QVERIFY2(since.elapsed() < 5000, qPrintable(QString::number(since.elapsed())));
    }

    /// Whatever comes in the middle of something else, somebody answers in the end.
    void faultsInTheMiddleOfOthers_data() {
        QTest::addColumn<QStringList>("deeds");
        const auto row = [](const char* deeds) {
            QTest::newRow(deeds) << QString::fromLatin1(deeds).split(' ');
        };
        row("restart promote");
        row("promote kill restart");
        row("promote restart kill restart promote");
        row("kill promote restart kill");
        row("kill restart promote kill restart restart");
        row("promote promote promote");
        row("restart kill restart");
    }
    /// Until so many things have happened, wherever that leads.
    static void takeSteps(int count) {
        QTimer enough; // if nothing more happens
        enough.setSingleShot(true);
        enough.start(100);
        for (int i = 0; i < count && enough.isActive(); ++i)
            QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
    }
    void faultsInTheMiddleOfOthers() {
        QFETCH(QStringList, deeds);
        Watched w(withReplicas(1, millis(50)));
        QCOMPARE(w.begin(), QString());
        for (const QString& deed : deeds) {
            if (deed == "kill") w.node.kill();
            if (deed == "restart") w.node.restart();
            if (deed == "promote") w.node.promote();
            takeSteps(3);
        }
        // Who is dead may stay so; then somebody starts it.
        const auto answers = [&w] {
            if (w.client.stage() == ConnectionStage::Closed) w.client.open(w.node.endpoint());
            return w.client.isReady() && call(w.client, {"SET", "later", "1"}) == "OK";
        };
        if (!QTest::qWaitFor(answers, 3000)) w.node.restart();
        QVERIFY2(QTest::qWaitFor(answers, 8000), qPrintable(w.failure));
        QCOMPARE(w.failure, QString());
        // Both are there, and in step, after at most one more start.
        w.node.restart();
        QVERIFY(QTest::qWaitFor(answers, 8000));
        const auto inStep = [&] { return answers() && w.does({"WAIT", "1", "1000"}) == "(integer) 1"; };
        QVERIFY(QTest::qWaitFor(inStep, 15'000));
    }

    void anEmptyPrimaryEmptiesItsReplica() {
        Watched w(withReplicas(1, seconds(60)));
        QCOMPARE(w.begin(), QString());
        QCOMPARE(w.does(kSet), "OK");
        QCOMPARE(w.does({"WAIT", "1", "5000"}), "(integer) 1");
        QVERIFY(w.node.kill());
        QVERIFY(w.node.restart());
        QVERIFY(w.isUp(1));
        QCOMPARE(w.why, EndReason::LostAtRestart);
        QVERIFY(w.keys.empty());
        QCOMPARE(w.does({"SET", "later", "1"}), "OK");
        QCOMPARE(w.does({"WAIT", "1", "8000"}), "(integer) 1"); // it has been sent everything anew
        QCOMPARE(w.does({"SET", "later", "2"}), "OK");
        QCOMPARE(w.does({"WAIT", "1", "8000"}), "(integer) 1"); // and has taken it in
        QVERIFY(w.node.kill());
        QVERIFY(w.node.promote());
        QVERIFY(w.isUp(2));
        QVERIFY(!w.has("lock"));
        QVERIFY(w.has("later"));
    }

    void anOperatorPromotes() {
        Watched w(withReplicas(1, millis(100)));
        QCOMPARE(w.begin(), QString());
        QCOMPARE(w.does(kSet), "OK");
        QCOMPARE(w.does({"WAIT", "1", "5000"}), "(integer) 1");
        RedisConnection waits;
        RedisConnection hears;
        QVERIFY(openAndWait(waits, w.node.endpoint()) && openAndWait(hears, w.node.endpoint()));
        QString told;
        const std::array<std::string_view, 3> wait{"BLPOP", "turn", "0"};
        waits.send(wait, [&told](const CallResult& result) {
            if (result.reply) told = QString::fromStdString(redis::display(*result.reply));
        });
        const std::array<std::string_view, 2> hear{"SUBSCRIBE", "free"};
        QVERIFY(hears.sendSubscription(hear));
        QVERIFY(w.node.promote());
        // All connections end, as Sentinel has it, and who waits is told why.
        QTRY_VERIFY(!w.client.isReady() && !waits.isReady() && !hears.isReady());
        QVERIFY2(told.startsWith("(error) UNBLOCKED"), qPrintable(told));
        QVERIFY(w.isUp(1));
        QCOMPARE(w.downs, 1);
        QVERIFY(w.has("lock"));
        QCOMPARE(w.does({"SET", "later", "1"}), "OK");
        QCOMPARE(w.does({"WAIT", "1", "8000"}), "(integer) 1");
    }

    void nobodyTakesThePlaceWhereThereIsNobody() {
        Watched w(ServerSpec{});
        QCOMPARE(w.begin(), QString());
        // Nobody there is told anything, or waited for.
        const char* told =
            "local stats = redis.call('INFO', 'commandstats') "
            "return tostring(stats:find('cmdstat_monitor', 1, true) ~= nil) .. ' ' .. "
            "tostring(stats:find('cmdstat_wait', 1, true) or stats:find('cmdstat_publish', 1, true))";
        QCOMPARE(w.does({"EVAL", told, "0"}), "\"true nil\"");
        QVERIFY(!w.node.promote());
        QVERIFY(!w.node.cutLink());
        QVERIFY(w.node.kill());
        QVERIFY(w.node.restart());
        QVERIFY(!w.node.restart()); // it is being started
        QVERIFY(w.isUp(1));
        QCOMPARE(w.failure, QString());
    }

    void whatTheDiskKeeps_data() {
        using Persistence = ServerSpec::Persistence;
        QTest::addColumn<Persistence>("persistence");
        QTest::addColumn<bool>("saved"); // by SAVE, before
        QTest::addColumn<bool>("orderly");
        QTest::addColumn<bool>("kept");
        const auto row = [](const char* name, Persistence persistence, bool saved, bool orderly, bool kept) {
            QTest::newRow(name) << persistence << saved << orderly << kept;
        };
        row("none", Persistence::None, false, false, false);
        row("none, shut down", Persistence::None, false, true, false);
        row("a snapshot before", Persistence::Snapshot, false, false, false);
        row("a snapshot since", Persistence::Snapshot, true, false, true);
        row("a snapshot, shut down", Persistence::Snapshot, false, true, true);
        row("everysec, within a second", Persistence::EverySecond, false, false, false);
        row("everysec, shut down", Persistence::EverySecond, false, true, true);
        row("always", Persistence::Always, false, false, true);
    }
    void whatTheDiskKeeps() {
        QFETCH(ServerSpec::Persistence, persistence);
        QFETCH(bool, saved);
        QFETCH(bool, orderly);
        QFETCH(bool, kept);
        ServerSpec spec;
        spec.persistence = persistence;
        Watched w(spec);
        QCOMPARE(w.begin(), QString());
        QCOMPARE(w.does(kSet), "OK");
        if (saved) QCOMPARE(w.does({"SAVE"}), "OK");
        if (!orderly) QVERIFY(w.node.kill());
        QVERIFY(w.node.restart());
        QVERIFY(w.isUp(1));
        QCOMPARE(w.downs, 1);
        QCOMPARE(w.why, EndReason::LostAtRestart);
        QCOMPARE(w.has("lock"), kept);
        QCOMPARE(w.does({"EXISTS", "lock"}), kept ? "(integer) 1" : "(integer) 0");
    }

    /// A second later everysec has it.
    void whatIsOlderThanASecondIsOnTheDisk() {
        ServerSpec spec;
        spec.persistence = ServerSpec::Persistence::EverySecond;
        Watched w(spec);
        QCOMPARE(w.begin(), QString());
        QCOMPARE(w.does(kSet), "OK");
        QCOMPARE(w.does({"BLPOP", "nothing", "1.2"}), "(nil)"); // the time, by the server's clock
        QCOMPARE(w.does({"SET", "late", "1"}), "OK");
        QVERIFY(w.node.kill());
        QVERIFY(w.node.restart());
        QVERIFY(w.isUp(1));
        QVERIFY(w.has("lock"));
        QVERIFY(!w.has("late"));
        // And what it has begun with survives the next time.
        QVERIFY(w.node.kill());
        QVERIFY(w.node.restart());
        QVERIFY(w.isUp(2));
        QVERIFY(w.has("lock"));
    }
};

int main(int argc, char** argv) {
    QCoreApplication application(argc, argv);
    PrivateNodeTest test;
    return QTest::qExec(&test, argc, argv);
}

#include "private_node_test.moc"
