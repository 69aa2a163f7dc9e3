// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/redis/pubsub.h"

namespace lockscope::redis {

/// Keyspace notifications: what happens to keys, published on channels of their own, for the classes of
/// events that the server is set to. Off unless it is.
class Notifications {
public:
    explicit Notifications(PubSub& pubsub) : m_pubsub(pubsub) {}

    /// The letters of CONFIG SET notify-keyspace-events; false (and nothing changed) if one is unknown.
    bool configure(std::string_view letters);
    /// The same set, in the order in which CONFIG GET shows it.
    std::string letters() const;
    bool isOn() const { return m_classes != 0; }

    /// On the key's channel first, then on the event's.
    void publish(std::string_view event, std::string_view key, int database);

private:
    PubSub& m_pubsub;
    std::uint32_t m_classes = 0;
};

} // namespace lockscope::redis
