// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDir>
#include <QtTest>

#include <csignal>

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tests/conformance/our_server.h"

using namespace lockscope::redis;

namespace {

/// A TCP port of the loopback that nobody uses.
int freePort() {
    const int probe = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    if (bind(probe, reinterpret_cast<sockaddr*>(&address), size) != 0 ||
        getsockname(probe, reinterpret_cast<sockaddr*>(&address), &size) != 0)
        qFatal("no free port");
    close(probe);
    return ntohs(address.sin_port);
}

/// The stream of a store, kept for one replica that runs it when it is told to.
class KeptStream : public StreamPort {
public:
    void onStream(std::span<const std::string_view> words, std::int64_t offset) override {
        m_sent.push_back({{words.begin(), words.end()}, offset});
    }
    Commands take() {
        Commands all;
        for (auto& [words, offset] : std::exchange(m_sent, {}))
            all.push_back(words);
        return all;
    }
    void deliver(Store& replica, std::int64_t now) {
        for (const auto& [words, offset] : std::exchange(m_sent, {}))
            replica.applyFromPrimary(std::vector<std::string_view>(words.begin(), words.end()), offset, now);
    }

private:
    std::vector<std::pair<Words, std::int64_t>> m_sent;
};

QByteArray shown(const Commands& commands) {
    QByteArray text;
    for (const Words& words : commands) {
        for (const std::string& word : words)
            text += word.c_str() + QByteArray(" ");
        text += '\n';
    }
    return text;
}

const std::string kDeleteIfMine =
    "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0";
const std::string kRenewIfMine = "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('PEXPIRE', "
                                 "KEYS[1], ARGV[2]) end return 0";

} // namespace

/// Primary and replica, disk and start: the store and the redis-servers of this machine do the same.
class ReplicationConformanceTest : public QObject {
    Q_OBJECT

    RealServer m_real;
    RealServer m_primary; // of a real pair
    RealServer m_replica;
    QString m_port;

    void compare(RealServer& real, OurServer& ours, const Commands& commands) {
        const QByteArray found = firstDifference(real, ours, commands);
        QVERIFY2(found.isEmpty(), found);
    }

    /// Until the replica has run everything that was done on the primary.
    void catchUp() {
        QTRY_COMPARE_WITH_TIMEOUT(m_primary.execute({"WAIT", "1", "100"}).integer, std::int64_t{1}, 10'000);
    }

private slots:
    void initTestCase() {
        const QString alone = m_real.start();
        if (!alone.isEmpty()) QFAIL(qPrintable(alone));
        m_port = QString::number(freePort());
        const QString primary =
            m_primary.start({"--port", m_port, "--bind", "127.0.0.1", "--repl-diskless-sync-delay", "0"});
        if (!primary.isEmpty()) QFAIL(qPrintable(primary));
        const QString replica = m_replica.start({"--replicaof", "127.0.0.1", m_port});
        if (!replica.isEmpty()) QFAIL(qPrintable(replica));
        QTRY_COMPARE_WITH_TIMEOUT(m_primary.execute({"WAIT", "1", "100"}).integer, std::int64_t{1}, 30'000);
    }

    /// Told is what was done, not what was asked: by every command that is told in other words, and by those
    /// that changed nothing.
    void theStreamIsTheSame() {
        startAfresh(m_real);
        m_real.listenToStream();
        OurServer ours;
        KeptStream stream;
        ours.store().streamTo(&stream);
        ours.execute({"PUBLISH", "first", ""}); // as the real one has been selected a database already
        stream.take();
        int step = 0;
        const auto both = [&](const Commands& commands) {
            ++step;
            compare(m_real, ours, commands);
            QCOMPARE(shown(stream.take()), shown(m_real.streamed()));
        };
        both({{"SET", "k", "v"}, {"set", "k", "v", "nx"}, {"SET", "k", "v", "px", "50"}});
        both({{"SET", "lock", "A", "NX", "PX", "30000"}, {"SET", "lock", "B", "NX", "PX", "30000"}});
        both({{"SET", "e", "v", "EX", "100"}, {"SET", "e", "w", "KEEPTTL"}, {"SET", "g", "1", "GET"}});
        both({{"SET", "g", "1", "GET", "PX", "100"}, {"SET", "g", "1", "PXAT", "1999999999999", "GET"}});
        both(
            {{"SET", "g", "1", "EXAT", "1999999999"}, {"SETEX", "e", "10", "v"}, {"PSETEX", "e", "10", "v"}});
        both({{"SETNX", "n", "v"},
              {"SETNX", "n", "v"},
              {"EXPIRE", "n", "100", "NX"},
              {"EXPIRE", "n", "9", "NX"}});
        both({{"PEXPIRE", "n", "100000"},
              {"EXPIREAT", "n", "1999999999"},
              {"pexpireat", "n", "1999999999999"}});
        both({{"PERSIST", "n"}, {"PERSIST", "n"}, {"EXPIRE", "n", "0"}, {"EXPIRE", "none", "10"}});
        both({{"GETSET", "g", "5"}, {"GETEX", "g", "EX", "100"}, {"GETEX", "g"}, {"GETEX", "g", "PERSIST"}});
        both({{"GETEX", "g", "PXAT", "1"}, {"SET", "g", "1"}, {"GETDEL", "g"}, {"GETDEL", "g"}});
        both({{"INCR", "i"},
              {"INCRBYFLOAT", "f", "1.5"},
              {"HINCRBYFLOAT", "h", "f", "1.5"},
              {"APPEND", "i", ""}});
        both({{"HSET", "h", "a", "b"},
              {"HSET", "h", "a", "b"},
              {"HSETNX", "h", "a", "b"},
              {"HDEL", "h", "none"}});
        both({{"SADD", "s", "1"}, {"SADD", "s", "1"}, {"SPOP", "s"}, {"SADD", "s", "1"}, {"SPOP", "s", "5"}});
        both({{"SADD", "s", "1", "2"}, {"SREM", "s", "3"}, {"SMOVE", "s", "s2", "1"}, {"DEL", "s", "none"}});
        both({{"RPUSH", "l", "a", "b", "c"}, {"LPOP", "l", "2"}, {"BLPOP", "l", "1"}, {"LPUSHX", "l", "x"}});
        both({{"RPUSH", "l", "a", "b"},
              {"BLMOVE", "l", "l2", "LEFT", "RIGHT", "1"},
              {"BRPOPLPUSH", "l", "l2", "1"}});
        both({{"LSET", "l2", "0", "a"},
              {"LTRIM", "l2", "0", "-1"},
              {"LREM", "l2", "0", "zzz"},
              {"LTRIM", "l2", "1", "0"}});
        both({{"ZADD", "z", "1", "a", "2", "b"},
              {"ZADD", "z", "1", "a"},
              {"BZPOPMIN", "z", "1"},
              {"ZPOPMAX", "z"}});
        both({{"PUBLISH", "channel", "word"}, {"FLUSHDB"}, {"FLUSHALL"}, {"FUNCTION", "FLUSH"}});
        both({{"SET", "a", "1"},
              {"RENAME", "a", "b"},
              {"UNLINK", "b"},
              {"SET", "b", "1"},
              {"RENAMENX", "b", "c"}});
        both({{"SELECT", "3"}, {"SET", "x", "y"}, {"DEL", "none"}, {"SELECT", "0"}, {"SET", "x", "y"}});
        both({{"EVAL", kDeleteIfMine, "1", "x", "nobody"}, {"EVAL", kDeleteIfMine, "1", "x", "y"}});
        both({{"EVAL", "redis.call('set','a','1','px',1000) redis.call('incr','b') return 1", "0"}});
        both({{"EVAL", "redis.call('incr','b') return redis.call('incr', 'h')", "0"},
              {"HSET", "hash", "f", "v"},
              {"EVAL", "redis.call('incr','b') return redis.call('incr', 'hash')", "0"}});
        both({{"MULTI"},
              {"SET", "m", "1"},
              {"GET", "m"},
              {"EXEC"},
              {"MULTI"},
              {"SET", "m", "1"},
              {"INCR", "m"},
              {"EXEC"}});
        both({{"MULTI"},
              {"GET", "m"},
              {"EXEC"},
              {"MULTI"},
              {"SELECT", "2"},
              {"INCR", "m"},
              {"SELECT", "0"},
              {"INCR", "m"},
              {"EXEC"}});
        // A dead key is told as deleted before what found it.
        for (const Words& finder : Commands{{"SET", "dead", "B", "NX", "PX", "30000"},
                                            {"GET", "dead"},
                                            {"DEL", "dead"},
                                            {"PEXPIRE", "dead", "100"},
                                            {"EVAL", kDeleteIfMine, "1", "dead", "A"},
                                            {"MSET", "dead", "1", "other", "2"},
                                            {"RENAME", "m", "dead"}}) {
            both({{"SET", "m", "1"}, {"SET", "dead", "A", "PX", "10"}});
            m_real.setClock(kStart + step * 1'000'000);
            ours.setClock(kStart + step * 1'000'000);
            both({finder, {"DEL", "dead"}});
        }
        // So is one that is evicted.
        both({{"CONFIG", "SET", "maxmemory-policy", "allkeys-lru"},
              {"FLUSHALL"},
              {"SET", "only", "v"},
              {"CONFIG", "SET", "maxmemory", "1"},
              {"PING"},
              {"CONFIG", "SET", "maxmemory", "0"},
              {"CONFIG", "SET", "maxmemory-policy", "noeviction"}});
        // Somebody who waited is served after the command that brought it.
        std::vector<KeyspaceEvent> events;
        const Commands waits{
            {"BLPOP", "bl", "0"}, {"BLMOVE", "bl", "bl2", "RIGHT", "LEFT", "0"}, {"BZPOPMAX", "bz", "0"}};
        for (std::size_t i = 0; i < waits.size(); ++i) {
            m_real.send(0, waits[i], events);
            ours.execute(waits[i], static_cast<ClientId>(10 + i));
            both({{"ZADD", "bz", "1", "m"}, {"RPUSH", "bl", "1", "2"}, {"DEL", "bl", "bz"}});
        }
        m_real.leaveStream();
    }

    /// What a replica refuses, how it sees keys that are dead and not deleted yet, and how it gets rid of
    /// them.
    void aReplicaIsTheSame() {
        startAfresh(m_primary);
        m_replica.setClock(kStart);
        OurServer primary;
        OurServer replica;
        KeptStream stream;
        primary.store().streamTo(&stream);
        replica.store().becomeReplica(kStart);
        const auto onPrimary = [&](const Commands& commands) {
            compare(m_primary, primary, commands);
            catchUp();
            stream.deliver(replica.store(), replica.now());
        };
        const auto clock = [&](std::int64_t millis) {
            m_primary.setClock(kStart + millis * 1000);
            m_replica.setClock(kStart + millis * 1000);
            primary.setClock(kStart + millis * 1000);
            replica.setClock(kStart + millis * 1000);
        };
        onPrimary({{"SET", "lock", "A", "NX", "PX", "1000"}, {"SET", "text", "x"}});
        compare(m_replica, replica,
                {{"GET", "lock"},
                 {"PTTL", "lock"},
                 {"SET", "lock", "B", "NX", "PX", "30000"},
                 {"DEL", "lock"},
                 {"PEXPIRE", "lock", "1"},
                 {"EVAL", kDeleteIfMine, "1", "lock", "A"},
                 {"EVAL", kDeleteIfMine, "1", "none", "A"},
                 {"EVAL", kRenewIfMine, "1", "lock", "A", "1000"},
                 {"EVAL", "#!lua\n" + kDeleteIfMine, "1", "none", "A"},
                 {"EVAL", "#!lua flags=no-writes\nreturn redis.call('GET', KEYS[1])", "1", "lock"},
                 {"MULTI"},
                 {"SET", "lock", "B"},
                 {"EXEC"},
                 {"FLUSHALL"},
                 {"PUBLISH", "channel", "word"},
                 {"WAIT", "1", "0"},
                 {"GET", "lock"}});
        clock(1000);
        compare(m_replica, replica, {{"GET", "lock"}});
        clock(1001);
        compare(m_replica, replica,
                {{"GET", "lock"},
                 {"PTTL", "lock"},
                 {"EXISTS", "lock"},
                 {"KEYS", "l*"},
                 {"TYPE", "lock"},
                 {"DBSIZE"},
                 {"EVAL", kDeleteIfMine, "1", "lock", "A"}});
        onPrimary({{"GET", "lock"}});
        compare(m_replica, replica, {{"DBSIZE"}, {"GET", "text"}});
        // A deadline that comes late is in the past, and deletes nothing.
        onPrimary({{"SET", "lock", "A", "PX", "100"}});
        m_replica.setClock(kStart + 5'000'000);
        replica.setClock(kStart + 5'000'000);
        onPrimary({{"PEXPIRE", "lock", "50"}});
        compare(m_replica, replica, {{"GET", "lock"}, {"DBSIZE"}});
        onPrimary({{"PERSIST", "lock"}});
        compare(m_replica, replica, {{"GET", "lock"}, {"PTTL", "lock"}});
        // Promoted, it takes writes, and removes dead keys itself.
        onPrimary({{"PEXPIRE", "lock", "10"}});
        m_replica.execute({"REPLICAOF", "NO", "ONE"});
        replica.store().becomePrimary(replica.now());
        compare(m_replica, replica,
                {{"GET", "lock"}, {"DBSIZE"}, {"SET", "lock", "B", "NX", "PX", "30000"}, {"GET", "lock"}});
    }

    /// Who is whom.
    void rolesAreTheSame() {
        OurServer ours;
        const auto alike = [&](RealServer& server) {
            const Reply real = server.execute({"ROLE"});
            const Reply role = ours.execute({"ROLE"});
            QCOMPARE(role.items.size(), real.items.size());
            for (std::size_t i = 0; i < real.items.size(); ++i)
                QCOMPARE(role.items[i].type, real.items[i].type);
            QCOMPARE(role.items[0].text, real.items[0].text);
        };
        alike(m_primary);
        ours.store().becomeReplica(kStart);
        m_replica.execute({"REPLICAOF", "127.0.0.1", m_port.toStdString()});
        alike(m_replica);
        m_replica.execute({"REPLICAOF", "NO", "ONE"});
    }

    /// V33: too few good replicas. The release is refused like the rest.
    void tooFewReplicasRefuseTheSame() {
        startAfresh(m_real);
        OurServer ours;
        compare(m_real, ours,
                {{"SET", "lock", "A", "NX", "PX", "30000"},
                 {"CONFIG", "SET", "min-replicas-to-write", "1"},
                 {"CONFIG", "GET", "min-replicas-to-write"},
                 {"CONFIG", "GET", "min-replicas-max-lag"},
                 {"SET", "lock", "A"},
                 {"GET", "lock"},
                 {"PING"},
                 {"EVAL", kDeleteIfMine, "1", "lock", "A"},
                 {"EVAL", kDeleteIfMine, "1", "lock", "B"},
                 {"EVAL", "#!lua\n" + kDeleteIfMine, "1", "lock", "B"},
                 {"MULTI"},
                 {"GET", "lock"},
                 {"DEL", "lock"},
                 {"EXEC"},
                 {"CONFIG", "SET", "min-replicas-to-write", "0"},
                 {"EVAL", kDeleteIfMine, "1", "lock", "A"}});
    }

    /// V21: a snapshot failed. Reads go on, and so does time.
    void aServerThatCannotSaveIsTheSame() {
        startAfresh(m_real);
        OurServer ours;
        compare(m_real, ours,
                {{"SET", "lock", "A", "NX", "PX", "1500"},
                 {"CONFIG", "SET", "save", "3600 1 60 2"},
                 {"CONFIG", "GET", "save"},
                 {"CONFIG", "SET", "save", "3600"},
                 {"CONFIG", "SET", "save", "0 1"},
                 {"CONFIG", "SET", "save", "x 1"}});
        const QString dump = m_real.folder() + "/dump.rdb";
        QFile::remove(dump);
        QVERIFY(QDir().mkdir(dump)); // in the way of the file
        m_real.execute({"BGSAVE"});
        QTRY_VERIFY_WITH_TIMEOUT(m_real.execute({"PING"}).isError(), 10'000);
        ours.store().failSaves(true, ours.now());
        compare(m_real, ours,
                {{"PING"},
                 {"GET", "lock"},
                 {"PTTL", "lock"},
                 {"DEL", "lock"},
                 {"EVAL", kRenewIfMine, "1", "lock", "A", "1500"},
                 {"EVAL", kDeleteIfMine, "1", "lock", "A"},
                 {"EVAL", "#!lua\n" + kDeleteIfMine, "1", "lock", "A"},
                 {"SET", "lock", "B", "NX", "PX", "1500"},
                 {"SAVE"},
                 {"MULTI"},
                 {"SAVE"},
                 {"EXEC"}});
        m_real.setClock(kStart + 1'501'000);
        ours.setClock(kStart + 1'501'000);
        compare(m_real, ours, {{"GET", "lock"}, {"SET", "lock", "B", "NX", "PX", "1500"}});
        QVERIFY(QDir().rmdir(dump));
        ours.store().failSaves(false, ours.now());
        compare(
            m_real, ours,
            {{"SAVE"}, {"PING"}, {"SET", "lock", "B", "NX", "PX", "1500"}, {"CONFIG", "SET", "save", ""}});
    }

    /// A save point waits until *more* than its seconds have passed.
    void savePointsAreDueTheSame() {
        startAfresh(m_real);
        OurServer ours;
        compare(m_real, ours, {{"SAVE"}, {"SET", "k", "v"}, {"CONFIG", "SET", "save", "5 1"}});
        const std::int64_t saved = m_real.execute({"LASTSAVE"}).integer;
        QCOMPARE(ours.execute({"LASTSAVE"}).integer, saved);
        m_real.setClock(kStart + 5'999'000);
        ours.setClock(kStart + 5'999'000);
        QCOMPARE(ours.execute({"LASTSAVE"}).integer, saved);
        m_real.setClock(kStart + 6'000'000);
        ours.setClock(kStart + 6'000'000);
        QTRY_COMPARE_WITH_TIMEOUT(m_real.execute({"LASTSAVE"}).integer, saved + 6, 10'000);
        QCOMPARE(ours.execute({"LASTSAVE"}).integer, saved + 6);
        compare(m_real, ours, {{"CONFIG", "SET", "save", ""}});
    }

    /// V19, V20: what comes back from a snapshot. Deadlines are instants, and a lock that was released since
    /// is held again.
    void aSnapshotBringsBackTheSame() {
        startAfresh(m_real);
        OurServer ours;
        compare(m_real, ours,
                {{"SET", "lock", "A", "NX", "PX", "3000"},
                 {"SET", "short", "B", "PX", "500"},
                 {"RPUSH", "list", "1", "2"},
                 {"HSET", "hash", "f", "v"},
                 {"SADD", "set", "b", "a"},
                 {"ZADD", "zset", "1.5", "m", "-inf", "n"},
                 {"SAVE"},
                 {"DEL", "lock"},
                 {"SET", "later", "x"}});
        m_real.setClock(kStart + 1'057'000);
        ours.setClock(kStart + 1'057'000);
        QCOMPARE(m_real.execute({"DEBUG", "RELOAD", "NOSAVE", "NOFLUSH", "MERGE"}).type, Reply::Type::Status);
        m_real.execute({"DEL", "later"});
        ours.store().stop(false, ours.now());
        ours.store().start(ours.now(), ours.now());
        compare(m_real, ours,
                {{"GET", "lock"},
                 {"PTTL", "lock"},
                 {"GET", "short"},
                 {"GET", "later"},
                 {"DBSIZE"},
                 {"LRANGE", "list", "0", "-1"},
                 {"HGETALL", "hash"},
                 {"SCARD", "set"},
                 {"ZRANGE", "zset", "0", "-1", "WITHSCORES"},
                 {"SET", "lock", "B", "NX", "PX", "30000"}});
    }

    /// V20: while it reads its keys it has only one answer, to PING as well.
    void aServerThatLoadsIsTheSame() {
        startAfresh(m_real);
        OurServer ours;
        for (int i = 0; i < 400; ++i)
            m_real.execute({"SET", "k" + std::to_string(i), std::string(4096, 'x')});
        m_real.execute({"CONFIG", "SET", "loading-process-events-interval-bytes", "1024"});
        m_real.execute({"CONFIG", "SET", "key-load-delay", "10000"});
        m_real.post(1, {"DEBUG", "RELOAD"});
        ours.store().stop(false, ours.now());
        ours.store().start(ours.now(), ours.now() + 5'000'000);
        QTRY_VERIFY_WITH_TIMEOUT(m_real.execute({"PING"}).isError(), 10'000);
        compare(m_real, ours,
                {{"PING"},
                 {"GET", "lock"},
                 {"SET", "lock", "B", "NX", "PX", "30000"},
                 {"EVAL", "return 1", "0"},
                 {"ECHO", "x"},
                 {"MULTI"},
                 {"GET", "x"},
                 {"EXEC"}});
        m_real.execute({"CONFIG", "SET", "key-load-delay", "0"});
        QTRY_VERIFY_WITH_TIMEOUT(!m_real.execute({"PING"}).isError(), 30'000);
        ours.setClock(ours.now() + 5'000'000);
        compare(m_real, ours, {{"PING"}});
    }

    /// V15, V32: a replica that hears nothing. WAIT tells so and undoes nothing, and with the primary the
    /// lock is gone, which its holder was told to have.
    void anAcknowledgedLockIsLost() {
        RealServer replica;
        const QString failure = replica.start({"--replicaof", "127.0.0.1", m_port});
        QVERIFY2(failure.isEmpty(), qPrintable(failure));
        startAfresh(m_primary);
        OurServer primary;
        OurServer other;
        KeptStream stream;
        primary.store().streamTo(&stream);
        other.store().becomeReplica(kStart);
        const auto tell = [&](std::int64_t acknowledged) {
            const ReplicaLink link{acknowledged, primary.now() + 1'000'000};
            primary.store().setReplicas(std::span(&link, 1), primary.now());
        };
        tell(0);
        const auto isOnline = [&] {
            return m_primary.execute({"INFO", "replication"}).text.find("state=online") != std::string::npos;
        };
        QTRY_VERIFY_WITH_TIMEOUT(isOnline(), 30'000);
        compare(m_primary, primary, {{"SET", "fence", "1"}});
        QCOMPARE(m_primary.execute({"WAIT", "1", "5000"}).integer, std::int64_t{1});
        QCOMPARE(primary.execute({"WAIT", "1", "5000"}).type, Reply::Type::None); // it has asked
        stream.deliver(other.store(), primary.now());
        tell(other.store().appliedOffset());
        QCOMPARE(primary.execute({"WAIT", "1", "5000"}).integer, std::int64_t{1});

        // The link breaks, and the replica cannot take it up again.
        kill(static_cast<pid_t>(replica.processId()), SIGSTOP);
        QCOMPARE(m_primary.execute({"CLIENT", "KILL", "TYPE", "replica"}).integer, std::int64_t{1});
        primary.store().setReplicas({}, primary.now());
        std::vector<KeyspaceEvent> events;
        m_primary.send(0, {"SET", "lock", "A", "NX", "PX", "30000"}, events);
        QCOMPARE(m_primary.received(0).front().text,
                 primary.execute({"SET", "lock", "A", "NX", "PX", "30000"}).text);
        m_primary.post(0, {"WAIT", "1", "50"});
        m_primary.settle();
        m_primary.setClock(kStart + 51'000);
        primary.setClock(kStart + 51'000);
        std::vector<Reply> answers;
        const auto answered = [&] {
            for (Reply& reply : m_primary.received(0))
                answers.push_back(std::move(reply));
            return !answers.empty();
        };
        QTRY_VERIFY_WITH_TIMEOUT(answered(), 10'000);
        QCOMPARE(answers.front().integer, std::int64_t{0});
        compare(m_primary, primary, {{"GET", "lock"}});
        kill(static_cast<pid_t>(m_primary.processId()), SIGSTOP); // it is gone
        kill(static_cast<pid_t>(replica.processId()), SIGCONT);
        replica.execute({"REPLICAOF", "NO", "ONE"});
        other.store().becomePrimary(other.now());
        compare(replica, other,
                {{"GET", "fence"}, {"GET", "lock"}, {"SET", "lock", "B", "NX", "PX", "30000"}});
    }
};

QTEST_GUILESS_MAIN(ReplicationConformanceTest)
#include "replication_conformance_test.moc"
