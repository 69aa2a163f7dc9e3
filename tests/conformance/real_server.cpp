// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/conformance/real_server.h"

#include <QDeadlineTimer>
#include <QFile>
#include <QProcessEnvironment>
#include <QStandardPaths>
#include <QThread>

#include <algorithm>
#include <csignal>
#include <optional>

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "core/base/assert.h"
#include "tests/conformance/resp_reader.h"

namespace lockscope::redis {

namespace {

constexpr int kStartTimeoutMs = 10'000;
constexpr int kPatienceMs = 10'000; // a server that does not answer for so long hangs
constexpr std::int64_t kSomeInstant = 1'700'000'000'000'000;

} // namespace

RealServer::~RealServer() {
    m_process.kill();
    m_process.waitForFinished();
    if (m_clock) munmap(m_clock, sizeof *m_clock);
}

QString RealServer::complaint(const QString& what) {
    return what + "\n" + QString::fromLocal8Bit(m_process.readAllStandardOutput());
}

QString RealServer::start(const QStringList& options) {
    const QString program = QStandardPaths::findExecutable("redis-server");
    if (program.isEmpty()) return "redis-server is not on the PATH: install the package redis-server";
    if (!m_folder.isValid()) return "no temporary folder: " + m_folder.errorString();

    const QString clockFile = m_folder.filePath("clock");
    const int file = open(clockFile.toLocal8Bit().constData(), O_RDWR | O_CREAT, 0600);
    if (file < 0 || ftruncate(file, sizeof *m_clock) != 0) return "cannot make " + clockFile;
    void* page = mmap(nullptr, sizeof *m_clock, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    ::close(file);
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
    const QStringList usual{"--port",
                            "0",
                            "--unixsocket",
                            socket,
                            "--save",
                            "",
                            "--appendonly",
                            "no",
                            "--enable-debug-command",
                            "yes",
                            "--slowlog-log-slower-than",
                            "-1",
                            "--notify-keyspace-events",
                            "KEA"};
    m_process.start(program, usual + options);
    if (!m_process.waitForStarted()) return "cannot start " + program + ": " + m_process.errorString();
    return connectTo(socket);
}

QString RealServer::connectTo(const QString& socket) {
    m_path = socket.toLocal8Bit();
    QDeadlineTimer deadline(kStartTimeoutMs);
    while (!m_control.open(m_path)) {
        if (m_process.state() == QProcess::NotRunning) return complaint("redis-server ended at once");
        if (deadline.hasExpired()) return complaint("redis-server does not listen");
        m_process.waitForFinished(5);
    }
    reconnect();
    if (!m_subscriber.open(m_path)) return complaint("redis-server takes no more connections");
    m_subscriber.write({"PSUBSCRIBE", "__keyevent@*", std::string(kFence)});
    m_subscriber.waitForReply();
    m_subscriber.waitForReply();
    const Reply time = execute({"TIME"});
    if (time.items.size() != 2 || time.items[0].text != std::to_string(kSomeInstant / 1'000'000))
        return complaint("redis-server does not take its time from the test: " +
                         QString::fromStdString(display(time)));
    return {};
}

void RealServer::reconnect() {
    for (Connection& connection : m_connections) {
        connection.close();
        if (!connection.open(m_path)) qFatal("redis-server takes no more connections");
    }
    settle(); // it has noticed that the old ones are gone
}

Reply RealServer::execute(const std::vector<std::string>& args) {
    m_control.write(args);
    return m_control.waitForReply();
}

void RealServer::executeAll(const std::vector<std::vector<std::string>>& commands,
                            const std::function<void(const Reply&)>& seen) {
    constexpr std::size_t kAtOnce = 50; // few enough for the sockets' buffers
    for (std::size_t first = 0; first < commands.size(); first += kAtOnce) {
        const std::size_t count = std::min(kAtOnce, commands.size() - first);
        m_control.write(std::span(commands).subspan(first, count));
        for (std::size_t i = 0; i < count; ++i)
            seen(m_control.waitForReply());
    }
}

void RealServer::listenToStream() {
    if (!m_stream.open(m_path)) qFatal("redis-server takes no more connections");
    m_stream.write({"SYNC"});
    m_stream.discardFile();
    // What it sends from here on: its stream begins anew, and so does the database that is selected in it.
    execute({"PUBLISH", std::string(kFence), std::to_string(++m_fence)});
    std::vector<KeyspaceEvent> events;
    readEventsUpToFence(events);
    streamed();
}

std::vector<std::vector<std::string>> RealServer::streamed() {
    std::vector<std::vector<std::string>> all;
    const std::string fence = std::to_string(++m_fence);
    execute({"PUBLISH", std::string(kFence), fence});
    std::vector<KeyspaceEvent> events;
    readEventsUpToFence(events);
    while (true) {
        const Reply command = m_stream.waitForReply();
        std::vector<std::string> words;
        for (const Reply& item : command.items)
            words.push_back(item.text);
        if (words.size() == 3 && words[1] == kFence) {
            if (words[2] == fence) return all;
            continue;
        }
        if (words.size() != 1 || words[0] != "PING") all.push_back(std::move(words));
    }
}

std::int64_t RealServer::info(const std::string& section, const std::string& field) {
    const std::string text = execute({"INFO", section}).text;
    const std::size_t at = text.find("\r\n" + field + ":");
    LOCKSCOPE_ASSERT(at != std::string::npos);
    return std::stoll(text.substr(at + field.size() + 3));
}

// The server handles what it finds readable in no certain order, and writes replies at the end of each round.
// When a second command of ours has its reply, the round in which the first was handled is over.
void RealServer::settle() {
    execute({"PING"});
    execute({"PING"});
}

void RealServer::send(int connection, const std::vector<std::string>& args,
                      std::vector<KeyspaceEvent>& events) {
    m_connections[static_cast<std::size_t>(connection)].write(args);
    execute({"PING"});
    execute({"PUBLISH", std::string(kFence), std::to_string(++m_fence)});
    readEventsUpToFence(events);
}

std::vector<Reply> RealServer::received(int connection) {
    return m_connections[static_cast<std::size_t>(connection)].arrived();
}

void RealServer::readEventsUpToFence(std::vector<KeyspaceEvent>& events) {
    // pmessage, pattern, channel "__keyevent@0__:set", key
    while (true) {
        const Reply message = m_subscriber.waitForReply();
        LOCKSCOPE_ASSERT(message.items.size() == 4);
        const std::string& channel = message.items[2].text;
        if (channel == kFence) return;
        const std::size_t at = channel.find('@') + 1;
        const std::size_t colon = channel.find(':');
        events.push_back({std::stoi(channel.substr(at)), channel.substr(colon + 1), message.items[3].text});
    }
}

bool RealServer::Connection::open(const QByteArray& path) {
    close();
    m_socket = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    qstrncpy(address.sun_path, path.constData(), sizeof address.sun_path);
    if (connect(m_socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) return true;
    close();
    return false;
}

void RealServer::Connection::close() {
    if (m_socket >= 0) ::close(m_socket);
    m_socket = -1;
    m_bytes.clear();
}

void RealServer::Connection::write(std::span<const std::vector<std::string>> commands) {
    std::string bytes;
    for (const std::vector<std::string>& args : commands) {
        bytes += "*" + std::to_string(args.size()) + "\r\n";
        for (const std::string& arg : args)
            bytes += "$" + std::to_string(arg.size()) + "\r\n" + arg + "\r\n";
    }
    if (::send(m_socket, bytes.data(), bytes.size(), MSG_NOSIGNAL) != static_cast<ssize_t>(bytes.size()))
        qFatal("redis-server takes no command");
}

void RealServer::Connection::waitForBytes() {
    pollfd readable{m_socket, POLLIN, 0};
    if (poll(&readable, 1, kPatienceMs) != 1) qFatal("redis-server gave no reply");
    char part[16 * 1024];
    const ssize_t came = recv(m_socket, part, sizeof part, 0);
    if (came <= 0) qFatal("redis-server hung up");
    m_bytes.append(part, static_cast<std::size_t>(came));
}

Reply RealServer::Connection::waitForReply() {
    while (true) {
        if (std::optional<Reply> reply = takeReply(m_bytes)) return *std::move(reply);
        waitForBytes();
    }
}

// Until the file is written, blank lines come.
void RealServer::Connection::discardFile() {
    std::size_t begin = 0;
    std::size_t end = std::string::npos;
    while (begin == std::string::npos || end == std::string::npos) {
        waitForBytes();
        begin = m_bytes.find('$');
        end = begin == std::string::npos ? begin : m_bytes.find("\r\n", begin);
    }
    const std::size_t length = std::stoul(m_bytes.substr(begin + 1, end - begin - 1));
    while (m_bytes.size() < end + 2 + length)
        waitForBytes();
    m_bytes.erase(0, end + 2 + length);
}

std::vector<Reply> RealServer::Connection::arrived() {
    char part[16 * 1024];
    for (ssize_t came = 0; (came = recv(m_socket, part, sizeof part, MSG_DONTWAIT)) > 0;)
        m_bytes.append(part, static_cast<std::size_t>(came));
    std::vector<Reply> replies;
    while (std::optional<Reply> reply = takeReply(m_bytes))
        replies.push_back(*std::move(reply));
    return replies;
}

} // namespace lockscope::redis
