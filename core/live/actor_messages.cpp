// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/live/actor_messages.h"

#include <QDataStream>
#include <QtEndian>

#include <algorithm>
#include <type_traits>

namespace lockscope::live {

namespace {

constexpr qsizetype kHeader = 5;

/// Writes fields, and by the same list of them reads them again.
class Writer {
public:
    explicit Writer(MessageKind kind) : m_stream(&m_bytes, QIODevice::WriteOnly) {
        m_stream.setVersion(QDataStream::Qt_6_4);
        m_stream << quint32(0) << static_cast<quint8>(kind);
    }
    template <typename T>
    void field(const T& value) {
        if constexpr (std::is_enum_v<T> || std::is_integral_v<T>) {
            m_stream << static_cast<qint64>(value);
        } else if constexpr (std::is_same_v<T, std::string>) {
            m_stream << QByteArray::fromRawData(value.data(), static_cast<qsizetype>(value.size()));
        } else if constexpr (std::is_same_v<T, Duration>) {
            m_stream << static_cast<qint64>(value.count());
        } else if constexpr (std::is_same_v<T, Instant>) {
            m_stream << static_cast<qint64>(micros(value));
        } else if constexpr (std::is_same_v<T, Secret>) {
            m_stream << value.reveal();
        } else {
            m_stream << value;
        }
    }
    template <typename... T>
    void operator()(const T&... values) {
        (field(values), ...);
    }
    template <typename T, typename Each>
    void list(const std::vector<T>& values, Each each) {
        field(static_cast<qint64>(values.size()));
        for (const T& value : values)
            each(*this, value);
    }
    QByteArray frame() {
        qToBigEndian(static_cast<quint32>(m_bytes.size() - kHeader), m_bytes.data());
        return m_bytes;
    }

private:
    QByteArray m_bytes;
    QDataStream m_stream;
};

class Reader {
public:
    explicit Reader(const QByteArray& bytes) : m_stream(bytes) { m_stream.setVersion(QDataStream::Qt_6_4); }
    template <typename T>
    void field(T& value) {
        if constexpr (std::is_enum_v<T> || std::is_integral_v<T>) {
            value = static_cast<T>(number());
        } else if constexpr (std::is_same_v<T, std::string>) {
            value = bytes().toStdString();
        } else if constexpr (std::is_same_v<T, Duration>) {
            value = Duration{number()};
        } else if constexpr (std::is_same_v<T, Instant>) {
            value = instantAt(Duration{number()});
        } else if constexpr (std::is_same_v<T, Secret>) {
            value = Secret(bytes());
        } else {
            m_stream >> value;
        }
    }
    template <typename... T>
    void operator()(T&... values) {
        (field(values), ...);
    }
    template <typename T, typename Each>
    void list(std::vector<T>& values, Each each) {
        values.resize(static_cast<std::size_t>(number()));
        for (T& value : values)
            each(*this, value);
    }

private:
    qint64 number() {
        qint64 n = 0;
        m_stream >> n;
        return n;
    }
    QByteArray bytes() {
        QByteArray b;
        m_stream >> b;
        return b;
    }
    QDataStream m_stream;
};

// One list of fields for both directions: `Thing` is const when it is written.

template <typename Codec, typename Endpoint>
void pass(Codec& codec, Endpoint& e) {
    auto timeout = static_cast<qint64>(e.connectTimeout.count());
    codec(e.transport, e.host, e.port, e.socketPath, e.user, e.password, e.database, e.caFile, e.serverName,
          e.clientName, timeout);
    if constexpr (!std::is_const_v<Endpoint>) e.connectTimeout = std::chrono::milliseconds(timeout);
}

void passKnob(Writer& codec, const KnobSetting& knob) {
    codec(knob.name, static_cast<qint64>(knob.value.index()));
    std::visit([&](const auto& value) { codec(value); }, knob.value);
}

void passKnob(Reader& codec, KnobSetting& knob) {
    qint64 type = 0;
    codec(knob.name, type);
    const auto read = [&]<typename T>(T value) {
        codec(value);
        knob.value = value;
    };
    if (type == 0) {
        read(Duration{});
    } else if (type == 1) {
        read(0.0);
    } else {
        read(std::string());
    }
}

template <typename Codec, typename Spec, typename Text>
void passSpec(Codec& codec, Spec& spec, Text& program) {
    codec(spec.name, spec.start, spec.requestLatency, spec.replyLatency, spec.clientTimeout,
          spec.clockOffset);
    codec(program.name, program.source, program.file, program.firstLine);
}

template <typename Codec, typename Order>
void passOrder(Codec& codec, Order& order) {
    codec.list(order.knobs, [](Codec& c, auto& knob) { passKnob(c, knob); });
    codec.list(order.lockKeys, [](Codec& c, auto& key) { c(key); });
    codec.list(order.nodes, [](Codec& c, auto& node) { pass(c, node); });
    codec(order.seed, order.keyPrefix, order.hasResource);
}

template <typename Codec, typename Report>
void passReport(Codec& codec, Report& report) {
    codec.list(report.tasks, [](Codec& c, auto& t) { c(t.parent, t.loop, t.kind, t.period); });
    codec.list(report.requests, [](Codec& c, auto& r) {
        c(r.request.task, r.request.node, r.request.line, r.request.ask, r.command, r.text, r.key);
    });
    codec.list(report.events, [](Codec& c, auto& h) {
        c(h.event.at, h.event.a, h.event.b, h.event.kind, h.event.reason, h.event.node, h.event.task,
          h.event.request, h.event.line, h.key, h.text, h.text2);
    });
    codec.list(report.sendings, [](Codec& c, auto& s) {
        c(s.request, s.at, s.subscription, s.address);
        c.list(s.args, [](Codec& each, auto& arg) { each(arg); });
    });
    codec.list(report.answers, [](Codec& c, auto& a) { c(a.request, a.at, a.shown, a.flags); });
    codec.list(report.leavings, [](Codec& c, auto& l) { c(l.subscription, l.node, l.at); });
    codec(report.late);
}

template <typename Codec, typename T>
void passFault(Codec& c, T& f) {
    c(f.kind, f.length, f.intervention, f.at);
}
template <typename Codec, typename T>
void passQuestion(Codec& c, T& q) {
    c(q.write, q.name, q.value, q.fence);
}
template <typename Codec, typename T>
void passAnswer(Codec& c, T& a) {
    c(a.yes, a.version, a.highestFence, a.text);
}
template <typename Codec, typename T>
void passLink(Codec& c, T& l) {
    c(l.node, l.up, l.why, l.address);
}

} // namespace

QByteArray frameOf(const ActorOrder& order) {
    Writer writer(MessageKind::Order);
    passSpec(writer, order.spec, *order.spec.program);
    passOrder(writer, order);
    return writer.frame();
}

QByteArray goFrame(std::int64_t runStart) {
    Writer writer(MessageKind::Go);
    writer(runStart);
    return writer.frame();
}

QByteArray frameOf(const ArmedFault& fault) {
    Writer writer(MessageKind::Arm);
    passFault(writer, fault);
    return writer.frame();
}

QByteArray frameOf(const ResourceQuestion& question) {
    Writer writer(MessageKind::Ask);
    passQuestion(writer, question);
    return writer.frame();
}

QByteArray frameOf(const ResourceAnswer& answer) {
    Writer writer(MessageKind::Answer);
    passAnswer(writer, answer);
    return writer.frame();
}

QByteArray frameOf(const LinkChange& change) {
    Writer writer(MessageKind::Link);
    passLink(writer, change);
    return writer.frame();
}

QByteArray frameOf(const ActorReport& report) {
    Writer writer(MessageKind::Report);
    passReport(writer, report);
    return writer.frame();
}

QByteArray readyFrame() {
    return Writer(MessageKind::Ready).frame();
}

QByteArray endedFrame(const std::string& why) {
    Writer writer(MessageKind::Ended);
    writer(why);
    return writer.frame();
}

ActorOrder Message::order() const {
    ActorOrder order;
    Program program;
    Reader reader(fields);
    passSpec(reader, order.spec, program);
    passOrder(reader, order);
    order.spec.program = std::make_shared<const Program>(std::move(program));
    return order;
}

std::int64_t Message::runStart() const {
    std::int64_t runStart = 0;
    Reader reader(fields);
    reader(runStart);
    return runStart;
}

ArmedFault Message::fault() const {
    ArmedFault fault;
    Reader reader(fields);
    passFault(reader, fault);
    return fault;
}

ResourceQuestion Message::question() const {
    ResourceQuestion question;
    Reader reader(fields);
    passQuestion(reader, question);
    return question;
}

ResourceAnswer Message::answer() const {
    ResourceAnswer answer;
    Reader reader(fields);
    passAnswer(reader, answer);
    return answer;
}

LinkChange Message::link() const {
    LinkChange change;
    Reader reader(fields);
    passLink(reader, change);
    return change;
}

ActorReport Message::report() const {
    ActorReport report;
    Reader reader(fields);
    passReport(reader, report);
    return report;
}

std::string Message::text() const {
    std::string text;
    Reader reader(fields);
    reader(text);
    return text;
}

std::optional<Message> MessageReader::next() {
    if (m_bytes.size() < kHeader) return std::nullopt;
    const auto size = static_cast<qsizetype>(qFromBigEndian<quint32>(m_bytes.constData()));
    if (m_bytes.size() < kHeader + size) return std::nullopt;
    Message message{static_cast<MessageKind>(m_bytes[4]), m_bytes.mid(kHeader, size)};
    m_bytes.remove(0, kHeader + size);
    return message;
}

void ReportAppender::append(const ActorReport& report) {
    for (TraceTask task : report.tasks) {
        task.process = m_process;
        task.parent = taskOf(task.parent);
        m_tasks.push_back(static_cast<TaskIndex>(m_trace.tasks.size()));
        m_trace.tasks.push_back(task);
    }
    for (const ActorReport::Request& sent : report.requests) {
        TraceRequest request = sent.request;
        request.task = taskOf(request.task);
        request.actor = m_actor;
        request.command = m_trace.strings.intern(sent.command);
        request.text = m_trace.strings.intern(sent.text);
        request.key = m_trace.strings.intern(sent.key);
        m_requests.push_back(static_cast<RequestIndex>(m_trace.requests.size()));
        m_trace.requests.push_back(request);
    }
    for (const ActorReport::Happening& happening : report.events) {
        Event event = happening.event;
        event.actor = m_actor;
        event.process = m_process;
        event.task = taskOf(event.task);
        event.request = requestOf(event.request);
        event.key = m_trace.strings.intern(happening.key);
        event.text = m_trace.strings.intern(happening.text);
        event.text2 = m_trace.strings.intern(happening.text2);
        const auto later = [](const Event& a, const Event& b) { return a.at < b.at; };
        m_trace.events.insert(std::upper_bound(m_trace.events.begin(), m_trace.events.end(), event, later),
                              event);
    }
}

} // namespace lockscope::live
