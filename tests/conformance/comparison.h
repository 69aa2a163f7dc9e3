// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/redis/store.h"
#include "tests/conformance/real_server.h"
#include "tests/conformance/sequence.h"

namespace lockscope::redis {

/// The store and a real server, side by side.
///
/// Replies, errors and events must be equal. Only where Redis leaves the order open are they compared as
/// sets: the keys of KEYS and SCAN, the elements of a hash or set in a table, and the events of keys that a
/// SCAN removes, the channels that UNSUBSCRIBE takes without being told which. SPOP and its kin are compared
/// where there is one element to draw. RANDOMKEY is compared by whether its answer may be, and is left out
/// while dead keys lie about, because which of them it meets and removes is chance.
class Comparison : private StoreObserver, private DeliveryPort {
public:
    explicit Comparison(RealServer& real);

    /// Runs the sequence from an empty state on both. Nothing if they agree, else what differs, for people.
    std::optional<std::string> firstDifference(const Sequence& sequence);

private:
    void startAfresh();
    std::optional<std::string> compare(const Step& step);
    bool isLeftOut(const Step& step, const std::vector<std::string>& args, const std::string& name);
    void putInOrder(const Step& step, const std::vector<std::string>& args, const std::string& name,
                    Reply& real, Reply& ours, std::vector<KeyspaceEvent>& realEvents);
    std::optional<std::string> compareKeyspaces(std::int64_t atMicros);
    bool mayBeRandomKey(const Reply& reply) const;
    bool deadKeysLieAbout() const;
    bool isUnordered(int connection, const std::string& key) const;
    std::size_t elementsIn(int connection, const std::string& key) const;

    void onWritten(std::string_view key, std::string_view, std::string_view, std::optional<UnixMillis>,
                   Before) override;
    void onDeadlineChanged(std::string_view, std::optional<UnixMillis>, std::optional<UnixMillis>) override {}
    void onLeaseEnded(std::string_view, UnixMillis) override {}
    void onRemoved(std::string_view key, Removal, std::string_view) override;
    void onKeyspaceEvent(std::string_view event, std::string_view key) override;
    void onDelivery(ClientId client, const Reply& reply) override;
    void onHangUp(ClientId) override;

    RealServer& m_real;
    Store m_store;
    std::vector<KeyspaceEvent> m_events;
    std::vector<std::pair<int, std::string>>
        m_keys;                                 ///< that the store has told of: database and name, sorted
    std::vector<int> m_selected;                ///< by connection
    std::vector<bool> m_hasSubscribed;          ///< by connection, at any time
    std::vector<bool> m_inTransaction;          ///< by connection
    std::vector<std::string> m_silence;         ///< by connection: "off", "skip" (one command), or empty
    std::vector<std::vector<Reply>> m_received; ///< from the store, by connection
    bool m_mustReconnect = false;               ///< something of the last sequence may linger
    std::int64_t m_now = 0;
};

/// The shortest sequence that still differs, as far as taking steps out one by one gets.
Sequence shrunk(Comparison& comparison, Sequence sequence);

} // namespace lockscope::redis
