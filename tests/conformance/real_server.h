// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QProcess>
#include <QString>
#include <QStringList>
#include <QTemporaryDir>

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/redis/reply.h"

namespace lockscope::redis {

/// A keyspace notification: which database, which event, which key.
struct KeyspaceEvent {
    int database = 0;
    std::string event;
    std::string key;

    bool operator==(const KeyspaceEvent&) const = default;
    bool operator<(const KeyspaceEvent& other) const {
        if (database != other.database) return database < other.database;
        return event != other.event ? event < other.event : key < other.key;
    }
    std::string text() const { return std::to_string(database) + ":" + event + ":" + key; }
};

/// A redis-server of the test's own, with a clock that stands where the test puts it. It dies with this
/// object, and with the test however that ends.
class RealServer {
public:
    RealServer() = default;
    ~RealServer();
    RealServer(const RealServer&) = delete;
    RealServer& operator=(const RealServer&) = delete;

    /// Empty if it runs, else why not. `options` are more of its command line.
    QString start(const QStringList& options = {});
    /// The folder it runs in, where its snapshots go.
    QString folder() const { return m_folder.path(); }
    qint64 processId() const { return m_process.processId(); }

    void setClock(std::int64_t unixMicros) { m_clock->store(unixMicros); }
    /// Lets the server notice that its clock has moved: who waited long enough is answered.
    void settle();
    /// Sends a command on one of the connections and waits until the server has done all that follows from
    /// it. `events` are those it caused, in order.
    void send(int connection, const std::vector<std::string>& args, std::vector<KeyspaceEvent>& events);
    /// Sends a command and waits for nothing.
    void post(int connection, const std::vector<std::string>& args) {
        m_connections[static_cast<std::size_t>(connection)].write(args);
    }
    /// What has arrived on a connection since the last call.
    std::vector<Reply> received(int connection);
    /// Runs a command on a connection that no sequence uses.
    Reply execute(const std::vector<std::string>& args);
    /// Runs many commands on that connection, without waiting for each: `seen` gets the replies in order.
    void executeAll(const std::vector<std::vector<std::string>>& commands,
                    const std::function<void(const Reply&)>& seen);
    /// A number in what INFO says of a section.
    std::int64_t info(const std::string& section, const std::string& field);
    /// From now on it takes this object for a replica.
    void listenToStream();
    /// That replica leaves it.
    void leaveStream() {
        m_stream.close();
        settle();
    }
    /// What it has sent its replicas since, or since the last call: each command with its words.
    std::vector<std::vector<std::string>> streamed();
    /// Gives every sequence connection a fresh start.
    void reconnect();

    static constexpr int kConnections = 4;
    static constexpr int kInspector = 3;   ///< the connection that sequences leave alone
    static constexpr int kOwnPatterns = 2; ///< to which this object itself is subscribed
    static constexpr std::string_view kFence =
        "lockscope-fence"; ///< the channel by which it knows where it is

private:
    /// A socket, and the bytes that came and are not read yet.
    class Connection {
    public:
        Connection() = default;
        ~Connection() { close(); }
        Connection(const Connection&) = delete;
        Connection& operator=(const Connection&) = delete;
        bool open(const QByteArray& path);
        void close();
        void write(std::span<const std::vector<std::string>> commands);
        void write(const std::vector<std::string>& command) { write(std::span(&command, 1)); }
        Reply waitForReply();
        std::vector<Reply> arrived();
        /// A file of a length that is told first, as SYNC sends it.
        void discardFile();

    private:
        void waitForBytes();

        int m_socket = -1;
        std::string m_bytes;
    };

    QString connectTo(const QString& socket);
    QString complaint(const QString& what);
    void readEventsUpToFence(std::vector<KeyspaceEvent>& events);

    QByteArray m_path;
    QTemporaryDir m_folder;
    QProcess m_process;
    std::atomic<std::int64_t>* m_clock = nullptr;
    std::array<Connection, kConnections> m_connections;
    Connection m_control;
    Connection m_subscriber;
    Connection m_stream;
    std::int64_t m_fence = 0;
};

} // namespace lockscope::redis
