// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

#include "core/trace/analysis.h"

namespace lockscope {

/// One line in the life of a key.
struct KeyMoment {
    enum class Kind : std::uint8_t {
        Granted,
        Renewed,
        Rewritten,
        DeadlineChanged,
        LeaseEnded,
        Ended,
        Removed
    };
    Instant at{};
    Kind kind = Kind::Granted;
    EndReason reason = EndReason::None; ///< for Ended and Removed
    ActorIndex actor = kNone;           ///< who did it; kNone for the clock
    int grant = kNone;
    RequestIndex request = kNone;
    Instant deadline = kNever; ///< after it
    std::uint32_t event = 0;   ///< index into Trace::events
};

/// Everything that happened to a key up to the end of the trace, in order: on one node, or of what most nodes
/// say of it (kMajority).
std::vector<KeyMoment> keyHistory(const Trace& trace, const Analysis& analysis, StringId key, NodeIndex node);
/// The same of whoever says to whom it belongs.
std::vector<KeyMoment> keyHistory(const Trace& trace, const Analysis& analysis, StringId key);

/// The same from the key's own events (indices, rising), for those who have sorted the events by key already.
std::vector<KeyMoment> keyHistory(const Trace& trace, const Analysis& analysis, StringId key, NodeIndex node,
                                  const std::vector<std::uint32_t>& events);
/// The id that stands in JSON: "lease-ended".
std::string_view nameOf(KeyMoment::Kind kind);

/// A key as an inspector at `t` would find it.
struct KeyState {
    bool exists = false;   ///< by the store's rule: a command would see it
    bool inMemory = false; ///< still there physically
    StringId value = StringId::Empty;
    StringId type = StringId::Empty;
    Instant deadline = kNever; ///< kNever: none
    int grant = kNone;         ///< the live one
    int lastGrant = kNone;     ///< the live one, or the last that ended
};
KeyState keyStateAt(const Trace& trace, const Analysis& analysis, StringId key, Instant t, NodeIndex node);
/// The same of whoever says to whom it belongs.
KeyState keyStateAt(const Trace& trace, const Analysis& analysis, StringId key, Instant t);

} // namespace lockscope
