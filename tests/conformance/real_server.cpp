// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/conformance/real_server.h"

#include <QDeadlineTimer>
#include <QFile>
#include <QProcessEnvironment>
#include <QStandardPaths>
#include <QThread>

#include <csignal>
#include <string_view>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "core/base/assert.h"

namespace lockscope::redis {

namespace {

constexpr int kStartTimeoutMs = 10'000;
constexpr timeval kPatience{10, 0}; // a server that does not answer for so long hangs
constexpr std::int64_t kSomeInstant = 1'700'000'000'000'000;
const std::string kFence = "lockscope-fence";

Reply converted(const redisReply& reply) {
    const std::string text = reply.str ? std::string(reply.str, reply.len) : std::string();
    switch (reply.type) {
    case REDIS_REPLY_STATUS:
        return Reply::status(text);
    case REDIS_REPLY_ERROR:
        return Reply::error(text);
    case REDIS_REPLY_INTEGER:
        return Reply::integerOf(reply.integer);
    case REDIS_REPLY_STRING:
        return Reply::bulk(text);
    case REDIS_REPLY_ARRAY: {
        Reply array = Reply::array({});
        for (std::size_t i = 0; i < reply.elements; ++i)
            array.items.push_back(converted(*reply.element[i]));
        return array;
    }
    default:
        return Reply::null();
    }
}

void append(redisContext& context, const std::vector<std::string>& args) {
    std::vector<const char*> texts;
    std::vector<std::size_t> lengths;
    for (const std::string& arg : args) {
        texts.push_back(arg.data());
        lengths.push_back(arg.size());
    }
    redisAppendCommandArgv(&context, static_cast<int>(args.size()), texts.data(), lengths.data());
}

Reply receive(redisContext& context) {
    void* raw = nullptr;
    if (redisGetReply(&context, &raw) != REDIS_OK) qFatal("redis-server gave no reply: %s", context.errstr);
    Reply reply = converted(*static_cast<redisReply*>(raw));
    freeReplyObject(raw);
    return reply;
}

} // namespace

RealServer::~RealServer() {
    m_process.kill();
    m_process.waitForFinished();
    if (m_clock) munmap(m_clock, sizeof *m_clock);
}

QString RealServer::complaint(const QString& what) {
    return what + "\n" + QString::fromLocal8Bit(m_process.readAllStandardOutput());
}

QString RealServer::start() {
    const QString program = QStandardPaths::findExecutable("redis-server");
    if (program.isEmpty()) return "redis-server is not on the PATH: install the package redis-server";
    if (!m_folder.isValid()) return "no temporary folder: " + m_folder.errorString();

    const QString clockFile = m_folder.filePath("clock");
    const int file = open(clockFile.toLocal8Bit().constData(), O_RDWR | O_CREAT, 0600);
    if (file < 0 || ftruncate(file, sizeof *m_clock) != 0) return "cannot make " + clockFile;
    void* page = mmap(nullptr, sizeof *m_clock, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (page == MAP_FAILED) return "cannot map " + clockFile;
    m_clock = static_cast<std::atomic<std::int64_t>*>(page);
    setClock(kSomeInstant);

    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert("LD_PRELOAD", FROZEN_CLOCK_LIBRARY);
    environment.insert("LOCKSCOPE_CLOCK_FILE", clockFile);
    m_process.setProcessEnvironment(environment);
    m_process.setProcessChannelMode(QProcess::MergedChannels);
    m_process.setWorkingDirectory(m_folder.path());
    m_process.setChildProcessModifier([] { prctl(PR_SET_PDEATHSIG, SIGKILL); });
    const QString socket = m_folder.filePath("socket");
    m_process.start(program, {"--port", "0", "--unixsocket", socket, "--save", "", "--appendonly", "no",
                              "--enable-debug-command", "yes", "--notify-keyspace-events", "KEA"});
    if (!m_process.waitForStarted()) return "cannot start " + program + ": " + m_process.errorString();
    return connectTo(socket);
}

QString RealServer::connectTo(const QString& socket) {
    const QByteArray path = socket.toLocal8Bit();
    QDeadlineTimer deadline(kStartTimeoutMs);
    while (true) {
        Connection first(redisConnectUnix(path.constData()));
        if (first && first->err == 0) {
            m_connections.push_back(std::move(first));
            break;
        }
        if (m_process.state() == QProcess::NotRunning) return complaint("redis-server ended at once");
        if (deadline.hasExpired()) return complaint("redis-server does not listen");
        m_process.waitForFinished(5);
    }
    while (m_connections.size() < kConnections)
        m_connections.emplace_back(redisConnectUnix(path.constData()));
    m_subscriber.reset(redisConnectUnix(path.constData()));
    m_connections.front()->err = 0;
    for (const Connection& connection : m_connections)
        redisSetTimeout(connection.get(), kPatience);
    redisSetTimeout(m_subscriber.get(), kPatience);

    append(*m_subscriber, {"PSUBSCRIBE", "__keyevent@*", kFence});
    receive(*m_subscriber);
    receive(*m_subscriber);
    const Reply time = execute({"TIME"});
    if (time.items.size() != 2 || time.items[0].text != std::to_string(kSomeInstant / 1'000'000))
        return complaint("redis-server does not take its time from the test: " +
                         QString::fromStdString(display(time)));
    return {};
}

Reply RealServer::execute(const std::vector<std::string>& args) {
    std::vector<KeyspaceEvent> events;
    return execute(0, args, events);
}

Reply RealServer::execute(int connection, const std::vector<std::string>& args,
                          std::vector<KeyspaceEvent>& events) {
    redisContext& context = *m_connections[static_cast<std::size_t>(connection)];
    append(context, args);
    append(context, {"PUBLISH", kFence, std::to_string(++m_fence)});
    Reply reply = receive(context);
    receive(context);
    readEventsUpToFence(events);
    return reply;
}

void RealServer::readEventsUpToFence(std::vector<KeyspaceEvent>& events) {
    // pmessage, pattern, channel "__keyevent@0__:set", key
    while (true) {
        const Reply message = receive(*m_subscriber);
        LOCKSCOPE_ASSERT(message.items.size() == 4);
        const std::string& channel = message.items[2].text;
        if (channel == kFence) return;
        const std::size_t at = channel.find('@') + 1;
        const std::size_t colon = channel.find(':');
        events.push_back({std::stoi(channel.substr(at)), channel.substr(colon + 1), message.items[3].text});
    }
}

} // namespace lockscope::redis
