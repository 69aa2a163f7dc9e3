// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/redis/client.h"

namespace lockscope::redis {

/// Who listens to which channel and which pattern of channels. Nothing is kept for who is not there: a
/// message reaches those who are subscribed at that moment.
class PubSub {
public:
    using Listeners = std::map<std::string, std::vector<Client*>, std::less<>>;

    explicit PubSub(const Outbox& outbox) : m_outbox(outbox) {}

    /// Each sends the client its confirmation.
    void subscribe(Client& client, std::string_view channel);
    void unsubscribe(Client& client, std::string_view channel);
    void subscribeToPattern(Client& client, std::string_view pattern);
    void unsubscribeFromPattern(Client& client, std::string_view pattern);
    /// The confirmation of an UNSUBSCRIBE that had nothing to take away.
    void confirmNothing(Client& client, std::string_view kind) { confirm(client, kind, nullptr); }
    /// From all, telling nothing.
    void forget(Client& client);
    void clear();

    /// How many times the message was sent.
    std::int64_t publish(std::string_view channel, std::string_view message);

    const Listeners& channels() const { return m_channels; }
    const Listeners& patterns() const { return m_patterns; }

private:
    void confirm(Client& client, std::string_view kind, const std::string_view* name);
    void add(Listeners& listeners, std::vector<std::string>& own, Client& client, std::string_view name);
    void remove(Listeners& listeners, std::vector<std::string>& own, Client& client, std::string_view name);

    const Outbox& m_outbox;
    Listeners m_channels;
    Listeners m_patterns;
    Reply m_message; // used again for each
};

} // namespace lockscope::redis
