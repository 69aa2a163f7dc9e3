// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include <functional>
#include <memory>

#include "core/live/janitor.h"
#include "core/live/live_trace.h"
#include "core/live/redis_connection.h"
#include "core/redis/stored_command.h"
#include "core/world/scenario.h"

namespace lockscope::live {

/// Which Redis a live run takes.
struct LivePlace {
    enum class Kind : std::uint8_t {
        Private,  ///< a redis-server of our own, started for this run and gone with it
        Embedded, ///< the embedded store, served on a loopback port by this process
        Foreign,  ///< somebody's server, at `endpoint`
    };
    Kind kind = Kind::Private;
    RedisEndpoint endpoint;

    /// Whether faults can be done to the server itself.
    bool isOurs() const { return kind != Kind::Foreign; }
};

/// One server of a live run, wherever it is, and what can be seen of it. Signals come from the event loop.
class LiveServer : public QObject {
    Q_OBJECT

public:
    /// `keyPrefix` is of a foreign server only.
    static std::unique_ptr<LiveServer> make(const LivePlace& place, const ServerSpec& spec,
                                            const QByteArray& keyPrefix, std::shared_ptr<Janitor> janitor);

    /// ready() or failed() follows.
    virtual void start() = 0;
    virtual RedisEndpoint endpoint() const = 0;
    /// Every command that it executes comes by executed(), in its order.
    virtual bool isMonitored() const = 0;
    /// Stands still, as a process that is stopped. False if this one cannot.
    virtual bool freeze() { return false; }
    virtual void thaw() {}

    // What else happens to servers. False if there is nothing to which it could be done. Where nobody answers
    // from then on wentDown() comes, and cameUp() when somebody does.

    /// Its machine loses its power.
    virtual bool kill() { return false; }
    /// One that is down is started again, on whatever is on its disk. One that runs is shut down first.
    virtual bool restart() { return false; }
    /// The replica that has heard most takes the place of the primary.
    virtual bool promote() { return false; }
    /// From now on nothing gets through between a primary and its replicas; and gets through again.
    virtual bool cutLink() { return false; }
    virtual void mendLink() {}
    /// settled() comes when all has been told that it did before.
    virtual void settle() = 0;
    /// Stops looking at what it executes, when all has been told that it did before, and calls `then`: while
    /// it is told everything, a server that fills up would fill up with that.
    virtual void lookAway(std::function<void()> then) { then(); }
    /// Looks at it again, and calls `then` when it does; otherwise unwatched() comes.
    virtual void lookAgain(std::function<void()> then) { then(); }
    /// Leaves nothing of ours there; gone() follows.
    virtual void leave() { QMetaObject::invokeMethod(this, &LiveServer::gone, Qt::QueuedConnection); }

signals:
    void ready();
    /// It did not get ready; in a sentence.
    void failed(const QString& why);
    /// It was ready, and nobody answers there any more; then perhaps again.
    void lost(const QString& why);
    void back();
    /// Nobody answers under its name; the replies of what was done before have been sent or never will be.
    void wentDown(qint64 unixMicros);
    /// Somebody does. He has these keys, whatever there was before; what is missing is so for that reason.
    void cameUp(qint64 unixMicros, const std::vector<lockscope::redis::StoredCommand>& keys,
                lockscope::EndReason why);
    /// It was to be looked at again, and that failed: nobody knows what it executes from now on.
    void unwatched(const QString& why);
    void executed(const lockscope::live::SeenCommand& command);
    void keyRemoved(qint64 unixMicros, const QByteArray& key, bool evicted);
    void settled();
    void gone();
};

} // namespace lockscope::live
