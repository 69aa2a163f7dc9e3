// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/redis/collections.h"
#include "core/redis/resp.h"
#include "core/redis/store.h"

namespace lockscope::redis {

struct Command;

/// The one user there is.
inline constexpr std::string_view kDefaultUser = "default";

/// What makes the server look at a client's command twice before it runs. Combined by or.
enum ClientState : std::uint32_t {
    kInTransaction = 1u << 0, ///< between MULTI and EXEC: commands are queued
    kExecuting = 1u << 1,     ///< in EXEC: nothing blocks
    kDirtyQueue = 1u << 2,    ///< a command could not be queued: EXEC aborts
    kDirtyKeys = 1u << 3,     ///< a watched key changed: EXEC does nothing
    kSubscribed = 1u << 4,    ///< to a channel or a pattern
    kBlocked = 1u << 5,
    kUnauthenticated = 1u << 6,
    kMonitoring = 1u << 7,
    kClosing = 1u << 8, ///< it said QUIT, or was killed by a command of its own
    kSilent = 1u << 9,  ///< CLIENT REPLY OFF
    kSkipNextReply = 1u << 10,
    kSkipThisReply = 1u << 11,
    kNoTouch = 1u << 12, ///< its commands do not count as a use of the keys (since 7.2)
};

/// The arguments of a command that runs later.
using KeptCommand = std::vector<std::string>;

/// What a client waits for that has no reply yet.
struct Blocked {
    enum class Kind : std::uint8_t {
        PopList,
        MoveItem,
        PopSortedSet,
        Replicas,
        PutOff, ///< until clients are served again: see Standstill
        Script, ///< its script does not end
        Sleep,  ///< of the whole server, which it asked for
    };

    Kind kind = Kind::PopList;
    int database = 0;
    std::vector<std::string> keys; ///< any of them will do, the first that comes
    ListEnd from = ListEnd::Left;  ///< of a list
    ListEnd to = ListEnd::Left;    ///< MoveItem
    std::string target;            ///< MoveItem: the other list
    bool highest = false;          ///< PopSortedSet
    KeptCommand command;           ///< PutOff
    std::int64_t replicas = 0;     ///< Replicas: how many, and
    std::int64_t offset = 0;       ///< how far in the stream they must be
    UnixMillis deadline = 0;       ///< of the steady clock; it waits no longer than this; 0: for ever
};

/// What a server remembers of a connection.
struct Client {
    ClientId id = 0;
    std::uint32_t state = 0; ///< ClientState
    int database = 0;
    Protocol protocol = Protocol::Resp2;
    std::string name;        ///< by CLIENT SETNAME
    std::string libraryName; ///< by CLIENT SETINFO, since 7.2
    std::string libraryVersion;
    std::string address;          ///< as whoever serves it calls it
    std::int64_t connectedAt = 0; ///< Unix microseconds
    std::int64_t lastCommandAt = 0;
    const Command* lastCommand = nullptr;
    std::int64_t writtenUpTo = 0; ///< how far the stream was after its last command: what WAIT waits for

    std::vector<KeptCommand> queue;        ///< of its transaction
    std::size_t queueBytes = 0;            ///< that this takes
    std::vector<Reply>* inlined = nullptr; ///< in EXEC: where messages to it go, among the replies
    std::vector<std::string> channels;
    std::vector<std::string> patterns;
    std::unique_ptr<Blocked> blocked;

    bool is(ClientState one) const { return (state & one) != 0; }
    std::int64_t subscriptions() const {
        return static_cast<std::int64_t>(channels.size() + patterns.size());
    }
};

/// Where everything goes to a client that is not the reply of the command at hand.
class Outbox {
public:
    void connect(DeliveryPort* port) { m_port = port; }
    void send(const Client& client, const Reply& reply) const {
        if (reply.type == Reply::Type::None) return;
        // Who wants no replies still gets messages, which are none.
        const bool message = reply.type == Reply::Type::Push;
        if ((client.state & (kSilent | kSkipThisReply)) != 0 && !message) return;
        if (client.inlined)
            client.inlined->push_back(reply);
        else if (m_port)
            m_port->onDelivery(client.id, reply);
    }

    /// An array whose head announces fewer elements than it has: what is left stands behind it. So it is with
    /// messages that come to a client amid its own EXEC, in both protocols (checked on 7.0.15). `reply` is
    /// sent then.
    void sendInParts(const Client& client, Reply& reply, std::size_t announced) const {
        const std::vector<Reply> parts(reply.items.begin() + static_cast<std::ptrdiff_t>(announced),
                                       reply.items.end());
        reply.items.resize(announced);
        send(client, reply);
        for (const Reply& part : parts)
            send(client, part);
        reply.become(Reply::Type::None);
    }

    /// Whether whoever serves the store will end.
    bool shutDown() const { return m_port && m_port->onShutDown(); }

    void hangUp(const Client& client) const {
        if (m_port) m_port->onHangUp(client.id);
    }

private:
    DeliveryPort* m_port = nullptr;
};

} // namespace lockscope::redis
