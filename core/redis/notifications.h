// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/redis/pubsub.h"

namespace lockscope::redis {

/// Keyspace notifications: what happens to keys, published on channels of their own, for the classes of
/// events that the server is set to. Off unless it is.
class Notifications {
public:
    explicit Notifications(PubSub& pubsub) : m_pubsub(pubsub) {}

    /// The classes that letters stand for, as in CONFIG SET notify-keyspace-events; nothing if one is
    /// unknown.
    static std::optional<std::uint32_t> classesOf(std::string_view letters);
    /// The letters of classes, in the order in which CONFIG GET shows them.
    static std::string lettersOf(std::uint32_t classes);

    void configure(std::string_view letters) { m_classes = classesOf(letters).value_or(0); }
    bool isOn() const { return m_classes != 0; }

    /// On the key's channel first, then on the event's.
    void publish(std::string_view event, std::string_view key, int database);

private:
    PubSub& m_pubsub;
    std::uint32_t m_classes = 0;
};

} // namespace lockscope::redis
