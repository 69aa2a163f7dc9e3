// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/time.h"
#include "core/redis/reply.h"
#include "core/redis/store.h"

namespace lockscope {

/// What a client that is no part of the lesson did to a run: a real redis-cli, a lock library. It is kept as
/// it came, so that the run can be run again without the client. A visitor is one connection.
struct VisitorAct {
    enum class Kind : std::uint8_t { Came, Sent, Left };

    Kind kind = Kind::Sent;
    int visitor = 0; ///< by the order in which they came, from 0
    Instant at{};
    int node = 0;                   ///< Came: to which server
    std::string address;            ///< Came: from where, as CLIENT LIST shows it
    std::vector<std::string> words; ///< Sent: the command
    /// Sent: what it was answered, as answerText() puts it. Empty as long as it has not been: then there is
    /// nothing to compare a replay with.
    std::string answer;

    bool operator==(const VisitorAct&) const = default;
};

/// In the order in which they happened; at equal instants too.
using Visits = std::vector<VisitorAct>;

/// A run keeps no more of them, and no more bytes of commands.
inline constexpr std::size_t kMostVisits = 10'000;
inline constexpr std::size_t kMostVisitBytes = 2u << 20;

/// Stands for the answer to what was sent by a connection that the server closed.
inline constexpr std::string_view kClosedByServer = "(the connection was closed)";

/// Lanes for visitors; those who come later share the last one.
inline constexpr std::size_t kMostVisitorLanes = 12;

/// A reply in a line, such that different replies have different lines: long ones end in a number made of all
/// their bytes.
std::string answerText(const redis::Reply& reply);

/// The words of a command on one line, each in quotes where it needs them; splitCommand() reads them back.
std::string commandLineOf(std::span<const std::string> words);

/// Whether a command says or asks something about its own connection or about the server, and nothing about
/// keys: HELLO, CLIENT SETNAME, PING. Libraries send such while they connect; they are no act on a timeline.
bool concernsConnectionAlone(std::span<const std::string_view> words);

/// By what is in them. Null is the same as none.
bool sameVisits(const std::shared_ptr<const Visits>& a, const std::shared_ptr<const Visits>& b);

/// What can be wrong with acts that come from a file, in a sentence; empty if nothing.
std::string whatIsWrongWith(const Visits& visits, int nodes);

/// Where the replies of visitors go. Calls come while a world runs, and must not run it.
class VisitorPort {
public:
    virtual ~VisitorPort() = default;
    /// The reply to the act of that number. Of type None: there is none, or messages stand for it.
    virtual void onAnswer(std::size_t act, int visitor, const redis::Reply& reply) = 0;
    /// A message of a channel, or a line of MONITOR.
    virtual void onMessage(int visitor, const redis::Reply& message) = 0;
    /// The server has closed the connection.
    virtual void onHangUp(int visitor) = 0;
};

} // namespace lockscope
