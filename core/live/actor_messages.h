// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/live/redis_url.h"
#include "core/trace/trace.h"
#include "core/world/connections.h"
#include "core/world/scenario.h"
#include "core/world/task_host.h"

namespace lockscope::live {

/// What the host and an actor's process say to each other, over the process' standard input and output. Each
/// message is a frame: its length in four bytes, its kind in one, and its fields.
enum class MessageKind : std::uint8_t {
    // From the host.
    Order,  ///< an ActorOrder: who you are; connect
    Go,     ///< the run's zero on the monotonic clock, ns: begin when your start has come
    Arm,    ///< an ArmedFault
    Answer, ///< a ResourceAnswer, which the actor waits for
    // From the actor.
    Ready,  ///< it runs, and may be stopped from now on
    Report, ///< an ActorReport
    Ask,    ///< a ResourceQuestion
    Link,   ///< a LinkChange
    Ended,  ///< no task is left; text: why the program had to be stopped, or empty
};

/// Everything that an actor's process needs to know. It holds passwords and goes nowhere but into the pipe.
struct ActorOrder {
    ActorSpec spec;
    std::vector<KnobSetting> knobs;
    std::vector<std::string> lockKeys;
    std::uint64_t seed = 0;
    std::vector<RedisEndpoint> nodes;
    QByteArray keyPrefix; ///< empty on a server of our own
    bool hasResource = false;
};

/// What is done to an actor's messages or to its machine's clock, from now on.
struct ArmedFault {
    InterventionKind kind = InterventionKind::LostReply;
    Duration length{0};
    std::int32_t intervention = kNone; ///< its index in the run's list, for the event that tells of it
    Instant at{};                      ///< of a message: for what is sent from then on
};

struct ResourceQuestion {
    bool write = false;
    std::string name;
    std::string value;
    std::int64_t fence = -1;
};

struct ResourceAnswer {
    bool yes = false; ///< accepted; or, of a read, there is such a value
    std::int64_t version = 0;
    std::int64_t highestFence = -1;
    std::string text; ///< why not; or the value
};

struct LinkChange {
    int node = 0;
    bool up = false;
    QString why;
    QString address; ///< of this end, as the server's MONITOR shows it; empty on a unix socket
};

/// Tasks, requests and events that are new, in the actor's own numbers, with their texts.
struct ActorReport {
    struct Request {
        TraceRequest request;
        std::string command, text, key;
    };
    struct Happening {
        Event event;
        std::string key, text, text2;
    };
    /// A request was handed to its connection just then; told before it is.
    struct Sending {
        RequestIndex request = kNone;
        Instant at{};
        std::vector<std::string> args;           ///< as the program gave them
        unsigned subscription = kNoSubscription; ///< by whose connection, if not by the process' own
        QString address;                         ///< of that one
    };
    /// The connection of a subscription was closed.
    struct Leaving {
        unsigned subscription = kNoSubscription;
        NodeIndex node = 0;
        Instant at{};
    };
    /// The server's reply was there, whatever becomes of it on its way to the program.
    struct Answer {
        RequestIndex request = kNone;
        Instant at{};
        std::string shown;
        std::int64_t flags = 0; ///< as in the events
    };
    std::vector<TraceTask> tasks;
    std::vector<Request> requests;
    std::vector<Happening> events;
    std::vector<Sending> sendings;
    std::vector<Answer> answers;
    std::vector<Leaving> leavings;
    Duration late{0}; ///< by so much, at the most, something happened later than it was due

    bool isEmpty() const {
        return tasks.empty() && requests.empty() && events.empty() && sendings.empty() && answers.empty() &&
               leavings.empty();
    }
};

/// Puts the reports of one process into the trace of a run, which has other numbers for the same things.
class ReportAppender {
public:
    ReportAppender(Trace& trace, ActorIndex actor, ProcessIndex process)
        : m_trace(trace), m_actor(actor), m_process(process) {}
    /// Events go where their instant belongs, behind those of the same instant.
    void append(const ActorReport& report);
    RequestIndex requestOf(RequestIndex own) const {
        return own < 0 ? kNone : m_requests[static_cast<std::size_t>(own)];
    }
    ProcessIndex process() const { return m_process; }

private:
    TaskIndex taskOf(TaskIndex own) const { return own < 0 ? kNone : m_tasks[static_cast<std::size_t>(own)]; }

    Trace& m_trace;
    ActorIndex m_actor;
    ProcessIndex m_process;
    std::vector<TaskIndex> m_tasks;
    std::vector<RequestIndex> m_requests;
};

QByteArray frameOf(const ActorOrder& order);
QByteArray goFrame(std::int64_t runStart);
QByteArray frameOf(const ArmedFault& fault);
QByteArray frameOf(const ResourceQuestion& question);
QByteArray frameOf(const ResourceAnswer& answer);
QByteArray frameOf(const LinkChange& change);
QByteArray frameOf(const ActorReport& report);
QByteArray readyFrame();
QByteArray endedFrame(const std::string& why);

struct Message {
    MessageKind kind = MessageKind::Ready;
    QByteArray fields;

    ActorOrder order() const;
    std::int64_t runStart() const;
    ArmedFault fault() const;
    ResourceQuestion question() const;
    ResourceAnswer answer() const;
    LinkChange link() const;
    ActorReport report() const;
    std::string text() const;
};

/// Cuts a stream into messages.
class MessageReader {
public:
    void feed(const QByteArray& bytes) { m_bytes += bytes; }
    std::optional<Message> next();

private:
    QByteArray m_bytes;
};

} // namespace lockscope::live
