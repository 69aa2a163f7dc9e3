// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/live/connection_failure.h"

#include <QCoreApplication>

namespace lockscope::live {

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("ConnectionFailure", text);
}

QString timedOut(ConnectionStage stage, const QString& where, const QString& limit) {
    switch (stage) {
    case ConnectionStage::Connecting:
        return tr("%1 does not answer: no connection within %2 s.").arg(where, limit);
    case ConnectionStage::Securing:
        return tr("%1 took the connection but did not answer to TLS within %2 s. Is it a plain redis:// one?")
            .arg(where, limit);
    case ConnectionStage::Greeting:
        return tr("%1 took the connection but did not answer to PING within %2 s.").arg(where, limit);
    case ConnectionStage::Closed:
    case ConnectionStage::Ready:
        break;
    }
    return tr("%1 did not answer in time.").arg(where);
}

QString closed(ConnectionStage stage, const QString& where) {
    if (stage == ConnectionStage::Ready) return tr("%1 closed the connection.").arg(where);
    return tr("%1 closed the connection before it answered. Perhaps it wants rediss://, or is not a Redis.")
        .arg(where);
}

QString sentence(const ConnectionFailure& failure, const RedisEndpoint& endpoint) {
    const QString where = endpoint.shown();
    switch (failure.kind) {
    case FailureKind::Unresolvable:
        return tr("No machine is known by the name %1.").arg(endpoint.host);
    case FailureKind::Refused:
        return tr("Nothing listens at %1: the connection was refused.").arg(where);
    case FailureKind::Unreachable:
        return tr("%1 cannot be reached from here.").arg(where);
    case FailureKind::NoSocket:
        return tr("There is no socket %1.").arg(endpoint.socketPath);
    case FailureKind::SocketForbidden:
        return tr("The permissions of %1 do not let you in.").arg(endpoint.socketPath);
    case FailureKind::TimedOut:
        return timedOut(failure.stage, where,
                        QString::number(static_cast<double>(endpoint.connectTimeout.count()) / 1000));
    case FailureKind::CertificateFile:
        return tr("The certificate file %1 cannot be used.").arg(endpoint.caFile);
    case FailureKind::Certificate:
        return tr("The certificate of %1 does not hold.").arg(where);
    case FailureKind::NoTls:
        return tr("%1 does not speak TLS as it should. Is it a plain redis:// one?").arg(where);
    case FailureKind::NotARedis:
        return tr("What answers at %1 is not a Redis.").arg(where);
    case FailureKind::PasswordNeeded:
        return tr("%1 wants a password.").arg(where);
    case FailureKind::WrongPassword:
        return endpoint.user.isEmpty()
                   ? tr("%1 does not accept this password.").arg(where)
                   : tr("%1 does not accept this password for the user %2.").arg(where, endpoint.user);
    case FailureKind::NoPasswordThere:
        return tr("%1 has no password set, but one was given.").arg(where);
    case FailureKind::NoPermission:
        return tr("%1 does not permit this.").arg(where);
    case FailureKind::Loading:
        return tr("%1 is still loading its data. Try again in a moment.").arg(where);
    case FailureKind::ReadOnlyReplica:
        return tr("%1 is a read-only replica: no lock can be taken there. Connect to its primary.")
            .arg(where);
    case FailureKind::NoSuchDatabase:
        return tr("%1 has no database %2.").arg(where, QString::number(endpoint.database));
    case FailureKind::TooManyClients:
        return tr("%1 has as many clients as it takes.").arg(where);
    case FailureKind::Closed:
        return closed(failure.stage, where);
    case FailureKind::Broken:
        return tr("%1 answered what no Redis answers; the connection was closed.").arg(where);
    }
    return {};
}

} // namespace

bool ConnectionFailure::mayPass() const {
    switch (kind) {
    case FailureKind::Refused:
    case FailureKind::Unreachable:
    case FailureKind::NoSocket:
    case FailureKind::TimedOut:
    case FailureKind::Loading:
    case FailureKind::TooManyClients:
    case FailureKind::Closed:
    case FailureKind::Broken:
        return true;
    default:
        return false;
    }
}

QString describe(const ConnectionFailure& failure, const RedisEndpoint& endpoint) {
    const QString text = sentence(failure, endpoint);
    return failure.detail.isEmpty() ? text : QStringLiteral("%1 (%2)").arg(text, failure.detail);
}

} // namespace lockscope::live
