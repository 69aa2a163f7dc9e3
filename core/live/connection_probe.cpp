// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/live/connection_probe.h"

#include <QHash>
#include <QStringList>

#include <algorithm>
#include <initializer_list>
#include <utility>

namespace lockscope::live {

namespace {

using redis::Reply;

using Facts = QHash<QString, QString>;

Facts factsOf(const std::string& info) {
    Facts facts;
    for (const QString& line : QString::fromStdString(info).split('\n')) {
        const qsizetype colon = line.indexOf(':');
        if (colon > 0 && !line.startsWith('#')) facts.insert(line.left(colon), line.mid(colon + 1).trimmed());
    }
    return facts;
}

/// Those that answer like Redis say so in a field of their own.
void nameProduct(const Facts& facts, ProbeReport& report) {
    struct Product {
        const char* field;
        const char* name;
    };
    for (const Product& p : {Product{"valkey_version", "Valkey"},
                             {"dragonfly_version", "Dragonfly"},
                             {"garnet_version", "Garnet"},
                             {"keydb_version", "KeyDB"},
                             {"redis_version", "Redis"}}) {
        const auto found = facts.constFind(QLatin1String(p.field));
        if (found == facts.constEnd()) continue;
        report.product = QLatin1String(p.name);
        report.version = *found;
        break;
    }
    if (facts.contains(QStringLiteral("mvcc_depth")) && report.product == QLatin1String("Redis")) {
        report.product = QStringLiteral("KeyDB");
    }
}

bool isRefusal(const Reply& reply) {
    return reply.isError() && reply.text.starts_with("NOPERM");
}

} // namespace

ConnectionProbe::ConnectionProbe(QObject* parent) : QObject(parent) {
    m_limit.setSingleShot(true);
    connect(&m_connection, &RedisConnection::ready, this, &ConnectionProbe::ask);
    connect(&m_connection, &RedisConnection::failed, this,
            [this](const ConnectionFailure& failure) { finish(failure); });
    connect(&m_limit, &QTimer::timeout, this, [this] {
        finish(ConnectionFailure{FailureKind::TimedOut, m_connection.stage(), {}});
    });
}

void ConnectionProbe::start(const RedisEndpoint& endpoint, std::chrono::milliseconds limit) {
    m_report = {};
    m_open = 0;
    m_running = true;
    m_endpoint = endpoint;
    m_endpoint.connectTimeout = std::min(endpoint.connectTimeout, limit);
    m_limit.start(limit);
    m_connection.open(m_endpoint);
}

void ConnectionProbe::ask() {
    const auto question = [this](std::initializer_list<std::string_view> args, auto&& answer) {
        ++m_open;
        m_connection.send({args.begin(), args.size()}, [this, answer](const CallResult& result) {
            if (!result.reply) return; // lost, which has been told already
            answer(*result.reply);
            if (--m_open == 0) finish();
        });
    };
    const std::string user = m_endpoint.user.isEmpty() ? "default" : m_endpoint.user.toStdString();
    question({"INFO"}, [this](const Reply& reply) { onInfo(reply); });
    question({"HELLO", "2"}, [this](const Reply& reply) { onHello(reply); });
    question({"ACL", "DRYRUN", user, "CONFIG", "GET", "maxmemory"},
             [this](const Reply& reply) { onDryRun(m_report.config, reply); });
    question({"ACL", "DRYRUN", user, "MONITOR"},
             [this](const Reply& reply) { onDryRun(m_report.monitor, reply); });
}

void ConnectionProbe::onInfo(const Reply& reply) {
    m_report.info = reply.isError() ? (isRefusal(reply) ? Permission::Denied : Permission::Unknown)
                                    : Permission::Permitted;
    if (reply.isError()) return;
    const Facts facts = factsOf(reply.text);
    nameProduct(facts, m_report);
    m_report.mode = facts.value(QStringLiteral("redis_mode"), facts.value(QStringLiteral("server_mode")));
    m_report.role = facts.value(QStringLiteral("role"));
    m_report.maxMemoryPolicy = facts.value(QStringLiteral("maxmemory_policy"));
    m_report.maxMemory = facts.value(QStringLiteral("maxmemory")).toLongLong();
    if (facts.value(QStringLiteral("loading")) == QLatin1String("1")) {
        m_report.failure = ConnectionFailure{FailureKind::Loading, ConnectionStage::Ready, {}};
    } else if (m_report.role == QLatin1String("slave") &&
               facts.value(QStringLiteral("slave_read_only")) != QLatin1String("0")) {
        m_report.failure = ConnectionFailure{FailureKind::ReadOnlyReplica, ConnectionStage::Ready, {}};
    }
}

/// Says less than INFO, but is open to every user.
void ConnectionProbe::onHello(const Reply& reply) {
    if (reply.type != Reply::Type::Array) return;
    for (std::size_t i = 0; i + 1 < reply.items.size(); i += 2) {
        const std::string& field = reply.items[i].text;
        const QString value = QString::fromStdString(reply.items[i + 1].text);
        if (field == "version" && m_report.version.isEmpty()) m_report.version = value;
        if (field == "mode" && m_report.mode.isEmpty()) m_report.mode = value;
        if (field == "server" && m_report.product.isEmpty()) {
            m_report.product = value == QLatin1String("redis") ? QStringLiteral("Redis") : value;
        }
        if (field != "role" || !m_report.role.isEmpty()) continue;
        m_report.role = value == QLatin1String("replica") ? QStringLiteral("slave") : value;
        if (m_report.role == QLatin1String("slave")) {
            m_report.failure = ConnectionFailure{FailureKind::ReadOnlyReplica, ConnectionStage::Ready, {}};
        }
    }
}

void ConnectionProbe::onDryRun(Permission& permission, const Reply& reply) {
    if (reply.isError()) return; // before 7.0, or the user may not even ask
    permission = reply.text == "OK" ? Permission::Permitted : Permission::Denied;
}

void ConnectionProbe::finish(std::optional<ConnectionFailure> failure) {
    if (!std::exchange(m_running, false)) return; // told already
    m_limit.stop();
    m_connection.close();
    if (failure) m_report.failure = std::move(failure);
    emit finished(m_report);
}

QString ProbeReport::sentence(const RedisEndpoint& endpoint) const {
    if (failure) return describe(*failure, endpoint);
    QStringList parts;
    parts += product.isEmpty() ? ConnectionProbe::tr("It speaks Redis' protocol, and does not say what it is")
                               : QStringLiteral("%1 %2").arg(product, version).trimmed();
    if (!mode.isEmpty()) parts += mode;
    if (role == QLatin1String("master")) parts += ConnectionProbe::tr("primary");
    if (role == QLatin1String("slave")) parts += ConnectionProbe::tr("replica");
    if (!maxMemoryPolicy.isEmpty()) {
        parts += maxMemory == 0 ? ConnectionProbe::tr("no memory limit")
                                : ConnectionProbe::tr("memory limit with policy %1").arg(maxMemoryPolicy);
    }
    QStringList denied;
    if (info == Permission::Denied) denied += QStringLiteral("INFO");
    if (config == Permission::Denied) denied += QStringLiteral("CONFIG");
    if (monitor == Permission::Denied) denied += QStringLiteral("MONITOR");
    if (!denied.isEmpty())
        parts += ConnectionProbe::tr("not permitted: %1").arg(denied.join(QStringLiteral(", ")));
    return parts.join(QStringLiteral(" · "));
}

} // namespace lockscope::live
