// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/trace/trace.h"

namespace lockscope {

/// How a lock is kept under its key: what libraries of the field put there.
enum class LockShape : std::uint8_t {
    Token,   ///< a string: the token of its one holder
    Counted, ///< a hash of holder → how often he has taken it: re-entrant, as Redisson's uuid:threadId →
             ///< count
    ReadWrite, ///< the same with a field `mode`: Redisson's read-write lock
    Dated,     ///< a hash of holder → when: sidekiq's …:LOCKED
    Semaphore, ///< a sorted set of holders, each with an instant
    Symfony,   ///< such a set of which a member marks whether it is held for writing
    Members,   ///< a set of holders
    Queue,     ///< a list: whoever stands at its head
    Other,
};

/// What a token looks like, and so who may have made it.
enum class TokenForm : std::uint8_t {
    Free,    ///< anything else
    Uuid,    ///< 36 characters
    Hex,     ///< 32 or 40 digits: redis-py, node-redlock, redlock-py
    Base64,  ///< 22 to 44 characters: redsync, Symfony
    Process, ///< host:pid: names a process, so that two of its threads, and two of its lives, are one
    Number,
};

struct LockHolder {
    std::string name;
    std::string value; ///< the count, or the instant, as Redis shows it; empty if there is none
};

/// A lock as its value shows it.
struct LockView {
    LockShape shape = LockShape::Other;
    TokenForm form = TokenForm::Free; ///< of Token
    std::vector<LockHolder> holders;
    bool cut = false;     ///< there are more
    bool writing = false; ///< of ReadWrite and Symfony: held by a writer
};

/// `type` and `value` as a trace tells them: a value that is no string comes as "{a: 1, b: 2}" or "[a, b]".
LockView lockView(std::string_view type, std::string_view value);
TokenForm tokenFormOf(std::string_view token);

/// A key or a channel that belongs to a lock: by its name, which contains the lock's, or ends in the same
/// word
/// ("fence:report" for "lock:report").
struct KinKey {
    enum class Kind : std::uint8_t {
        Queue,   ///< who waits, in order
        Fence,   ///< a counter that rises with each grant
        Channel, ///< where it is told that the lock is free
        Other
    };
    std::string name;
    Kind kind = Kind::Other;
    bool exists = false; ///< channels always do
    std::string type;
    std::string value;
    Instant deadline = kNever;
};

/// Those that were heard of up to `t`, keys first, each by name.
std::vector<KinKey> kinOf(const Trace& trace, StringId lock, Instant t, NodeIndex node = 0);

} // namespace lockscope
