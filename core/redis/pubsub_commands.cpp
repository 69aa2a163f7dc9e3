// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <string>
#include <vector>

#include "core/redis/call.h"
#include "core/redis/commands.h"
#include "core/redis/glob.h"
#include "core/redis/numbers.h"
#include "core/redis/server.h"

// SUBSCRIBE and its kin have no reply: each channel is confirmed by a message of its own.

namespace lockscope::redis::commands {

namespace {

using Step = void (PubSub::*)(Client&, std::string_view);

void forEachName(Call& call, Step step) {
    call.reply.become(Reply::Type::None);
    for (const std::string_view name : call.args.subspan(1))
        (call.server.pubsub().*step)(call.client, name);
}

/// UNSUBSCRIBE without a name takes all that the client has.
void takeAway(Call& call, Step step, const std::vector<std::string>& own) {
    if (call.count() > 1) return forEachName(call, step);
    call.reply.become(Reply::Type::None);
    if (own.empty()) return call.server.pubsub().confirmNothing(call.client, call.command.name);
    for (const std::string& name : std::vector(own))
        (call.server.pubsub().*step)(call.client, name);
}

} // namespace

void subscribe(Call& call) {
    forEachName(call, &PubSub::subscribe);
}
void unsubscribe(Call& call) {
    takeAway(call, &PubSub::unsubscribe, call.client.channels);
}
void pSubscribe(Call& call) {
    forEachName(call, &PubSub::subscribeToPattern);
}
void pUnsubscribe(Call& call) {
    takeAway(call, &PubSub::unsubscribeFromPattern, call.client.patterns);
}

void publish(Call& call) {
    if (call.server.propagation().isOn()) call.server.propagation().force(true);
    call.reply.becomeInteger(call.server.pubsub().publish(call.arg(1), call.arg(2)));
}

void pubSubChannels(Call& call) {
    if (call.count() > 3) return call.reply.becomeError(errors::wrongSubcommand(call.command, call.arg(1)));
    call.reply.becomeArray();
    for (const auto& [channel, clients] : call.server.pubsub().channels())
        if (call.count() == 2 || matchesGlob(call.arg(2), channel))
            call.reply.items.emplace_back().becomeBulk(channel);
}

void pubSubNumSub(Call& call) {
    call.reply.becomeArray();
    const PubSub::Listeners& channels = call.server.pubsub().channels();
    for (const std::string_view channel : call.args.subspan(2)) {
        const auto found = channels.find(channel);
        call.reply.items.emplace_back().becomeBulk(channel);
        call.reply.items.emplace_back().becomeInteger(
            found == channels.end() ? 0 : static_cast<std::int64_t>(found->second.size()));
    }
}

void pubSubNumPat(Call& call) {
    call.reply.becomeInteger(static_cast<std::int64_t>(call.server.pubsub().patterns().size()));
}

} // namespace lockscope::redis::commands
