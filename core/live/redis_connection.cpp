// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/live/redis_connection.h"

#include <QPointer>

#include <array>
#include <cstdlib>
#include <string>
#include <vector>

#include <hiredis.h>

#include "core/base/assert.h"

namespace lockscope::live {

namespace {

using redis::Reply;

QByteArray bytesOf(std::string_view text) {
    return {text.data(), static_cast<qsizetype>(text.size())};
}
QString shown(const std::string& text) {
    return QString::fromStdString(text.substr(0, 200));
}

/// What an error in the greeting says about the way in; nothing if it does not stand in the way.
std::optional<FailureKind> obstacle(const std::string& error) {
    const auto says = [&](std::string_view start) { return error.starts_with(start); };
    if (says("WRONGPASS") || says("ERR invalid password")) return FailureKind::WrongPassword;
    if (says("ERR AUTH <password> called without any") || says("ERR Client sent AUTH, but no"))
        return FailureKind::NoPasswordThere;
    if (says("NOAUTH")) return FailureKind::PasswordNeeded;
    if (says("LOADING")) return FailureKind::Loading;
    if (says("ERR max number of clients")) return FailureKind::TooManyClients;
    if (says("DENIED")) return FailureKind::NoPermission;
    if (says("ERR DB index") || says("ERR invalid DB index")) return FailureKind::NoSuchDatabase;
    return std::nullopt;
}

} // namespace

RedisConnection::RedisConnection(QObject* parent) : QObject(parent) {
    m_openTimer.setSingleShot(true);
    m_callTimer.setSingleShot(true);
    m_callTimer.setTimerType(Qt::PreciseTimer);
    connect(&m_openTimer, &QTimer::timeout, this, [this] {
        const ConnectionStage stage = m_stage == ConnectionStage::Connecting ? m_channel->stage() : m_stage;
        fail({FailureKind::TimedOut, stage, {}});
    });
    connect(&m_callTimer, &QTimer::timeout, this, &RedisConnection::giveUpOverdue);
}

RedisConnection::~RedisConnection() {
    drop();
}

void RedisConnection::open(const RedisEndpoint& endpoint) {
    close();
    m_endpoint = endpoint;
    m_stage = ConnectionStage::Connecting;
    m_heard = m_subscriber = m_monitor = false;
    m_reader = std::make_unique<ReplyReader>();
    m_channel.reset(new ByteChannel(endpoint));
    connect(m_channel.get(), &ByteChannel::opened, this, &RedisConnection::greet);
    connect(m_channel.get(), &ByteChannel::readable, this, &RedisConnection::read);
    connect(m_channel.get(), &ByteChannel::broke, this, [this](const ConnectionFailure& failure) {
        const QPointer<RedisConnection> alive(this);
        const std::uint64_t generation = m_generation;
        if (m_stage >= ConnectionStage::Greeting) read(); // what it said before it went may explain it
        if (!alive || generation != m_generation) return;
        ConnectionFailure told = failure;
        if (m_stage == ConnectionStage::Ready) told.stage = ConnectionStage::Ready;
        fail(told);
    });
    m_channel->open();
    m_openTimer.start(endpoint.connectTimeout);
}

void RedisConnection::close() {
    std::deque<Pending> pending = std::move(m_pending);
    const bool greeting = m_stage != ConnectionStage::Ready;
    drop();
    if (greeting) return; // those are our own
    for (Pending& call : pending) {
        if (call.handler)
            QMetaObject::invokeMethod(
                this,
                [handler = std::move(call.handler)] {
                    handler({CallResult::Outcome::Lost, nullptr});
                },
                Qt::QueuedConnection);
    }
}

/// Lets go of the connection without a word.
void RedisConnection::drop() {
    ++m_generation;
    m_stage = ConnectionStage::Closed;
    m_pending.clear();
    m_openTimer.stop();
    m_callTimer.stop();
    m_callTimerAt.reset();
    if (!m_channel) return;
    m_channel->disconnect(this);
    m_channel.reset();
}

void RedisConnection::fail(ConnectionFailure failure) {
    const QPointer<RedisConnection> alive(this);
    std::deque<Pending> pending = std::move(m_pending);
    const bool wasReady = m_stage == ConnectionStage::Ready;
    drop();
    const std::uint64_t generation = m_generation;
    if (wasReady) {
        for (const Pending& call : pending) {
            if (call.handler) call.handler({CallResult::Outcome::Lost, nullptr});
            if (!alive) return;
        }
    }
    if (generation == m_generation) emit failed(failure); // unless a handler has opened another one
}

// ---- greeting
// --------------------------------------------------------------------------------------------------

void RedisConnection::greet() {
    m_stage = ConnectionStage::Greeting;
    const auto step = [this](std::vector<std::string_view> args, FailureKind orElse) {
        enqueue(args, [this, orElse](const CallResult& result) { onGreeting(orElse, *result.reply); }, {});
    };
    const std::string user = m_endpoint.user.toStdString();
    const QByteArray& password = m_endpoint.password.reveal();
    const std::string_view secret(password.data(), static_cast<std::size_t>(password.size()));
    if (!user.empty()) {
        step({"AUTH", user, secret}, FailureKind::WrongPassword);
    } else if (!secret.empty()) {
        step({"AUTH", secret}, FailureKind::WrongPassword);
    }
    if (m_endpoint.database != 0)
        step({"SELECT", std::to_string(m_endpoint.database)}, FailureKind::NoPermission);
    if (const std::string name = m_endpoint.clientName.toStdString(); !name.empty()) {
        enqueue(std::array<std::string_view, 3>{"CLIENT", "SETNAME", name}, [](const CallResult&) {}, {});
    }
    enqueue(std::array<std::string_view, 1>{"PING"},
            [this](const CallResult& result) {
                const Reply& reply = *result.reply;
                const auto obstructed = reply.isError() ? obstacle(reply.text) : std::nullopt;
                if (obstructed) return fail({*obstructed, ConnectionStage::Greeting, shown(reply.text)});
                if (!reply.isError() && reply.text != "PONG")
                    return fail({FailureKind::NotARedis, ConnectionStage::Greeting, {}});
                m_openTimer.stop();
                m_stage = ConnectionStage::Ready;
                emit ready();
            },
            {});
}

void RedisConnection::onGreeting(FailureKind orElse, const Reply& reply) {
    if (!reply.isError()) return;
    fail({obstacle(reply.text).value_or(orElse), ConnectionStage::Greeting, shown(reply.text)});
}

// ---- commands
// --------------------------------------------------------------------------------------------------

void RedisConnection::write(std::span<const std::string_view> args) {
    std::vector<const char*> texts;
    std::vector<std::size_t> lengths;
    for (std::string_view argument : args) {
        texts.push_back(argument.data() ? argument.data() : "");
        lengths.push_back(argument.size());
    }
    char* bytes = nullptr;
    const int size =
        redisFormatCommandArgv(&bytes, static_cast<int>(args.size()), texts.data(), lengths.data());
    LOCKSCOPE_ASSERT(size > 0);
    m_channel->write(bytes, size);
    redisFreeCommand(bytes);
}

void RedisConnection::enqueue(std::span<const std::string_view> args, ReplyHandler handler,
                              std::chrono::milliseconds timeout) {
    write(args);
    Pending& call = m_pending.emplace_back(Pending{std::move(handler)});
    if (timeout.count() == 0) return;
    call.giveUpAt = Clock::now() + timeout;
    if (!m_callTimerAt || *call.giveUpAt < *m_callTimerAt) armTimer();
}

bool RedisConnection::send(std::span<const std::string_view> args, ReplyHandler handler,
                           std::chrono::milliseconds timeout) {
    if (!isReady() || args.empty()) return false;
    enqueue(args, std::move(handler), timeout);
    return true;
}

bool RedisConnection::sendSubscription(std::span<const std::string_view> args) {
    if (!isReady() || args.size() < 2) return false;
    m_subscriber = true;
    enqueue(args, {}, {});
    m_pending.back().confirmations = args.size() - 1;
    return true;
}

bool RedisConnection::sendMonitor() {
    if (!isReady()) return false;
    enqueue(std::array<std::string_view, 1>{"MONITOR"},
            [this](const CallResult& result) { m_monitor = result.reply && !result.reply->isError(); }, {});
    return true;
}

void RedisConnection::giveUpOverdue() {
    const QPointer<RedisConnection> alive(this);
    const std::uint64_t generation = m_generation;
    const Clock::time_point now = Clock::now();
    m_callTimerAt.reset();
    // By position: a handler may send, which adds at the end, but no reply is taken in meanwhile.
    for (std::size_t i = 0; i < m_pending.size(); ++i) {
        if (!m_pending[i].giveUpAt || *m_pending[i].giveUpAt > now) continue;
        m_pending[i].giveUpAt.reset();
        m_pending[i].timedOut = true;
        const ReplyHandler handler = m_pending[i].handler;
        if (handler) handler({CallResult::Outcome::TimedOut, nullptr});
        if (!alive || generation != m_generation) return;
    }
    armTimer();
}

void RedisConnection::armTimer() {
    m_callTimerAt.reset();
    for (const Pending& call : m_pending) {
        if (call.giveUpAt && (!m_callTimerAt || *call.giveUpAt < *m_callTimerAt))
            m_callTimerAt = call.giveUpAt;
    }
    if (!m_callTimerAt) return m_callTimer.stop();
    const auto wait = std::chrono::ceil<std::chrono::milliseconds>(*m_callTimerAt - Clock::now());
    m_callTimer.start(std::max(wait, std::chrono::milliseconds(0)));
}

// ---- replies
// ---------------------------------------------------------------------------------------------------

void RedisConnection::read() {
    const QPointer<RedisConnection> alive(this);
    const std::uint64_t generation = m_generation;
    const QByteArray bytes = m_channel->readAll();
    m_reader->feed({bytes.data(), static_cast<std::size_t>(bytes.size())});
    Reply reply;
    while (true) {
        const ReplyReader::Outcome outcome = m_reader->next(reply);
        if (outcome == ReplyReader::Outcome::NeedMore) return;
        if (outcome == ReplyReader::Outcome::Broken) {
            const FailureKind kind = m_heard ? FailureKind::Broken : FailureKind::NotARedis;
            return fail({kind, m_stage, QString::fromStdString(m_reader->error())});
        }
        m_heard = true;
        if (!takePush(reply)) {
            if (m_pending.empty()) {
                const auto why = reply.isError() ? obstacle(reply.text) : std::nullopt;
                return fail({why.value_or(FailureKind::Broken), m_stage, shown(reply.text)});
            }
            const Pending call = std::move(m_pending.front());
            m_pending.pop_front();
            if (call.confirmations > 0) {
                emit subscriptionRefused(bytesOf(reply.text));
            } else if (call.handler) {
                call.handler(
                    {call.timedOut ? CallResult::Outcome::LateReply : CallResult::Outcome::Replied, &reply});
            }
        }
        if (!alive || generation != m_generation) return;
    }
}

/// Whether the reply is none to a command of ours but something that a subscription or MONITOR brought.
bool RedisConnection::takePush(const Reply& reply) {
    if (m_monitor && reply.type == Reply::Type::Status && m_pending.empty()) {
        emit monitored(bytesOf(reply.text));
        return true;
    }
    if (!m_subscriber || reply.type != Reply::Type::Array || reply.items.size() < 3) return false;
    const std::vector<Reply>& items = reply.items;
    const std::string& kind = items[0].text;
    if (kind == "message") {
        emit message({}, bytesOf(items[1].text), bytesOf(items[2].text));
    } else if (kind == "pmessage" && items.size() == 4) {
        emit message(bytesOf(items[1].text), bytesOf(items[2].text), bytesOf(items[3].text));
    } else if (kind == "subscribe" || kind == "psubscribe" || kind == "unsubscribe" ||
               kind == "punsubscribe") {
        if (m_pending.empty() || m_pending.front().confirmations == 0) return false;
        if (--m_pending.front().confirmations == 0) m_pending.pop_front();
        emit subscriptionChanged(bytesOf(items[1].text), !kind.starts_with('u') && !kind.starts_with("pu"),
                                 items[2].integer);
    } else {
        return false;
    }
    return true;
}

} // namespace lockscope::live
