// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/live/redis_url.h"

#include <QSet>
#include <QUrl>

#include "core/base/time.h"

namespace lockscope::live {

namespace {

using Transport = RedisEndpoint::Transport;

QString decoded(QStringView part) {
    return QString::fromUtf8(QByteArray::fromPercentEncoding(part.toUtf8()));
}
QString encoded(const QString& part, const QByteArray& allowed = {}) {
    return QString::fromLatin1(QUrl::toPercentEncoding(part, allowed));
}

Result<int> readDatabase(QStringView text) {
    bool number = false;
    const int database = text.toInt(&number);
    if (!number || database < 0) return Error{"the database of a Redis URL is a number from 0"};
    return database;
}

Result<void> readUserInfo(QStringView info, RedisEndpoint& endpoint) {
    const qsizetype colon = info.indexOf(':');
    if (colon >= 0) endpoint.user = decoded(info.left(colon));
    endpoint.password = Secret(QByteArray::fromPercentEncoding(info.mid(colon + 1).toUtf8()));
    return {};
}

Result<void> readHost(QStringView text, RedisEndpoint& endpoint) {
    QStringView port;
    if (text.startsWith('[')) {
        const qsizetype end = text.indexOf(']');
        if (end < 0) return Error{"the IPv6 address in a Redis URL needs a closing ]"};
        endpoint.host = text.mid(1, end - 1).toString();
        const QStringView rest = text.mid(end + 1);
        if (!rest.isEmpty() && !rest.startsWith(':'))
            return Error{"after the ] of a Redis URL comes :port or nothing"};
        port = rest.mid(1);
    } else {
        const qsizetype colon = text.indexOf(':');
        const QStringView host = colon < 0 ? text : text.left(colon);
        if (!host.isEmpty()) endpoint.host = decoded(host);
        if (colon >= 0) port = text.mid(colon + 1);
    }
    if (port.isEmpty()) return {};
    bool number = false;
    const int n = port.toInt(&number);
    if (!number || n < 1 || n > 65535) return Error{"the port of a Redis URL is a number from 1 to 65535"};
    endpoint.port = static_cast<std::uint16_t>(n);
    return {};
}

Result<void> readOption(const QString& name, QStringView value, RedisEndpoint& endpoint) {
    const bool tls = endpoint.transport == Transport::Tls;
    if (name == QLatin1String("db")) {
        const auto database = readDatabase(value);
        if (!database) return database.error();
        endpoint.database = *database;
    } else if (name == QLatin1String("user")) {
        endpoint.user = decoded(value);
    } else if (name == QLatin1String("password")) {
        endpoint.password = Secret(QByteArray::fromPercentEncoding(value.toUtf8()));
    } else if (name == QLatin1String("name")) {
        endpoint.clientName = decoded(value);
    } else if (name == QLatin1String("timeout")) {
        const auto timeout = parseDuration(value.toString().toStdString());
        if (!timeout) return Error{"the timeout of a Redis URL: " + timeout.error().message};
        endpoint.connectTimeout = std::chrono::ceil<std::chrono::milliseconds>(*timeout);
    } else if (tls && name == QLatin1String("cafile")) {
        endpoint.caFile = decoded(value);
    } else if (tls && name == QLatin1String("servername")) {
        endpoint.serverName = decoded(value);
    } else {
        return Error{"a Redis URL knows no option '" + name.toStdString() +
                     "' here; it knows db, user, password, name, timeout" +
                     (tls ? ", cafile, servername" : " (and for rediss:// cafile, servername)")};
    }
    return {};
}

Result<void> readOptions(QStringView query, RedisEndpoint& endpoint) {
    QSet<QString> seen;
    for (const QStringView option : query.split('&', Qt::SkipEmptyParts)) {
        const qsizetype equals = option.indexOf('=');
        if (equals < 0) return Error{"an option of a Redis URL is written name=value"};
        const QString name = decoded(option.left(equals)).toLower();
        if (seen.contains(name))
            return Error{"option '" + name.toStdString() + "' stands twice in the Redis URL"};
        seen.insert(name);
        if (auto read = readOption(name, option.mid(equals + 1), endpoint); !read) return read;
    }
    return {};
}

Result<void> readScheme(const QString& scheme, RedisEndpoint& endpoint) {
    if (scheme == QLatin1String("redis")) {
        endpoint.transport = Transport::Tcp;
    } else if (scheme == QLatin1String("rediss")) {
        endpoint.transport = Transport::Tls;
    } else if (scheme == QLatin1String("unix") || scheme == QLatin1String("redis+unix") ||
               scheme == QLatin1String("redis+socket")) {
        endpoint.transport = Transport::UnixSocket;
    } else {
        return Error{"a Redis URL starts with redis://, rediss:// or unix://"};
    }
    return {};
}

} // namespace

Result<RedisEndpoint> parseRedisUrl(const QString& url) {
    RedisEndpoint endpoint;
    const qsizetype schemeEnd = url.indexOf(QLatin1String("://"));
    if (auto scheme = readScheme(url.left(std::max<qsizetype>(schemeEnd, 0)).toLower(), endpoint); !scheme) {
        return scheme.error();
    }
    QStringView rest = QStringView(url).mid(schemeEnd + 3);
    QStringView query;
    if (const qsizetype mark = rest.indexOf('?'); mark >= 0) {
        query = rest.mid(mark + 1);
        rest = rest.left(mark);
    }
    const qsizetype slash = rest.indexOf('/');
    const QStringView authority = slash < 0 ? rest : rest.left(slash);
    const QStringView path = slash < 0 ? QStringView() : rest.mid(slash);

    const qsizetype at = authority.lastIndexOf('@');
    if (at >= 0) {
        if (auto read = readUserInfo(authority.left(at), endpoint); !read) return read.error();
    }
    const QStringView host = authority.mid(at + 1);
    if (endpoint.transport == Transport::UnixSocket) {
        if (!host.isEmpty() || path.size() < 2) {
            return Error{"the socket of a Redis URL is an absolute path: unix:///path/of/socket"};
        }
        endpoint.host.clear();
        endpoint.port = 0;
        endpoint.socketPath = decoded(path);
    } else {
        if (auto read = readHost(host, endpoint); !read) return read.error();
        if (path.size() > 1) {
            const auto database = readDatabase(path.mid(1));
            if (!database) return database.error();
            endpoint.database = *database;
        }
    }
    if (auto read = readOptions(query, endpoint); !read) return read.error();
    return endpoint;
}

QString RedisEndpoint::shown() const {
    QString who;
    if (!user.isEmpty() || !password.isEmpty()) {
        who = encoded(user) + (password.isEmpty() ? QString() : QStringLiteral(":***")) + QLatin1Char('@');
    }
    if (transport == Transport::UnixSocket) {
        const QString base = QStringLiteral("unix://") + who + encoded(socketPath, "/");
        return database == 0 ? base : base + QStringLiteral("?db=%1").arg(database);
    }
    const QString scheme =
        transport == Transport::Tls ? QStringLiteral("rediss://") : QStringLiteral("redis://");
    const QString where = host.contains(':') ? QStringLiteral("[%1]").arg(host) : host;
    const QString base = scheme + who + where + QStringLiteral(":%1").arg(port);
    return database == 0 ? base : base + QStringLiteral("/%1").arg(database);
}

void takeCredentials(RedisEndpoint& endpoint, const QProcessEnvironment& environment) {
    if (endpoint.user.isEmpty()) endpoint.user = environment.value(QStringLiteral("LOCKSCOPE_REDIS_USER"));
    for (const char* name : {"LOCKSCOPE_REDIS_PASSWORD", "REDISCLI_AUTH"}) {
        if (endpoint.password.isEmpty())
            endpoint.password = Secret(environment.value(QLatin1String(name)).toUtf8());
    }
}

} // namespace lockscope::live
