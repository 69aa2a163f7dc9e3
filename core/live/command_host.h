// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QTimer>

#include <span>
#include <string_view>

#include "core/live/secret.h"
#include "core/redis/reply.h"
#include "core/redis/store.h"

namespace lockscope::live {

/// Whoever runs the commands of the clients that a StoreServer serves: a store of its own that goes by the
/// wall clock, or a running world that takes them at its playhead. All calls come from the server's thread.
class CommandHost {
public:
    virtual ~CommandHost() = default;

    /// Where it is served and within what limits, and the password that it must ask clients for; empty lets
    /// everybody in.
    virtual void serveAs(const redis::Serving& serving, const Secret& password) = 0;
    /// Where messages and late replies of its store go from now on; null: nowhere.
    virtual void deliverTo(redis::DeliveryPort* port) = 0;
    virtual redis::Store::ClientFacts factsOf(redis::ClientId client) const = 0;

    virtual void attached(redis::ClientId, std::string_view /*address*/) {}
    /// The client gave itself a name (CLIENT SETNAME); empty takes it back.
    virtual void renamed(redis::ClientId, std::string_view /*name*/) {}
    virtual void detached(redis::ClientId) {}

    /// Runs one command; the reply stays valid until the next call. Of type None: nothing is to be sent now.
    /// While the client's facts then say that it is blocked, its further commands wait, until what is
    /// delivered finds it blocked no more.
    virtual const redis::Reply& execute(redis::ClientId client, std::span<const std::string_view> args) = 0;
};

/// A store that goes by the wall clock, and never backwards when that clock does.
class WallClockHost : public QObject, public CommandHost {
    Q_OBJECT

public:
    explicit WallClockHost(redis::StoreOptions options = {}, redis::StoreObserver* observer = nullptr);

    void serveAs(const redis::Serving& serving, const Secret& password) override;
    void deliverTo(redis::DeliveryPort* port) override { m_store.deliverTo(port); }
    redis::Store::ClientFacts factsOf(redis::ClientId client) const override {
        return m_store.factsOf(client);
    }
    void attached(redis::ClientId client, std::string_view address) override;
    void detached(redis::ClientId client) override { m_store.disconnect(client); }
    const redis::Reply& execute(redis::ClientId client, std::span<const std::string_view> args) override;
    redis::Store& store() { return m_store; }

private:
    std::int64_t now();
    void letTimePass();
    void armTimer();

    redis::Store m_store;
    QTimer m_timer; ///< to the store's next deadline
    std::int64_t m_now = 0;
    std::int64_t m_due = 0; ///< what the timer is set to, 0 if it is not
};

} // namespace lockscope::live
