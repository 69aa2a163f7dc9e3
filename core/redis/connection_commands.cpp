// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <optional>

#include <fmt/format.h>

#include "core/redis/call.h"
#include "core/redis/commands.h"
#include "core/redis/numbers.h"
#include "core/redis/server.h"

// Coming in and going: HELLO, AUTH, RESET, QUIT. There is one user, `default`.

namespace lockscope::redis::commands {

namespace {

/// Takes the same time wherever the texts differ.
bool sameSecret(std::string_view secret, std::string_view guess) {
    std::size_t difference = secret.size() ^ guess.size();
    for (std::size_t i = 0; i < guess.size(); ++i)
        difference |=
            static_cast<unsigned char>((secret.empty() ? '\0' : secret[i % secret.size()]) ^ guess[i]);
    return difference == 0;
}

/// False, and the reply is the error, if the pair does not open the door.
bool authenticate(Call& call, std::string_view user, std::string_view password) {
    const std::string& secret = call.server.settings().password;
    if (user != kDefaultUser || (!secret.empty() && !sameSecret(secret, password))) {
        call.reply.becomeError("WRONGPASS invalid username-password pair or user is disabled.");
        return false;
    }
    call.client.state &= ~kUnauthenticated;
    return true;
}

void answerHello(Call& call) {
    call.reply.become(Reply::Type::Map);
    const auto add = [&](std::string_view name) -> Reply& {
        call.reply.items.emplace_back().becomeBulk(name);
        return call.reply.items.emplace_back();
    };
    const ProfileFacts& facts = factsOf(call.profile());
    add("server").becomeBulk(facts.product == Product::Redis ? "redis" : "valkey");
    add("version").becomeBulk(facts.version);
    add("proto").becomeInteger(static_cast<int>(call.client.protocol));
    add("id").becomeInteger(call.client.id);
    add("mode").becomeBulk("standalone");
    add("role").becomeBulk("master");
    add("modules").becomeArray();
}

} // namespace

void auth(Call& call) {
    if (call.count() > 3) return call.reply.becomeError(errors::kSyntax);
    if (call.count() == 2 && call.server.settings().password.empty())
        return call.reply.becomeError(
            "ERR AUTH <password> called without any password configured for the default user. "
            "Are you sure your configuration is correct?");
    const bool named = call.count() == 3;
    if (authenticate(call, named ? call.arg(1) : kDefaultUser, call.arg(named ? 2 : 1)))
        call.reply.becomeStatus("OK");
}

void hello(Call& call) {
    std::optional<std::int64_t> version;
    if (call.count() > 1) {
        version = parseInteger(call.arg(1));
        if (!version) return call.reply.becomeError("ERR Protocol version is not an integer or out of range");
        if (*version != 2 && *version != 3)
            return call.reply.becomeError("NOPROTO unsupported protocol version");
    }
    for (std::size_t i = 2; i < call.count();) {
        if (equalsIgnoringCase(call.arg(i), "auth") && i + 2 < call.count()) {
            if (!authenticate(call, call.arg(i + 1), call.arg(i + 2))) return;
            i += 3;
        } else if (equalsIgnoringCase(call.arg(i), "setname") && i + 1 < call.count()) {
            if (!setClientName(call, call.arg(i + 1))) return;
            i += 2;
        } else {
            return call.reply.becomeError(errors::onOneLine(
                fmt::format("ERR Syntax error in HELLO option '{}'", errors::printed(call.arg(i)))));
        }
    }
    if (call.client.is(kUnauthenticated))
        return call.reply.becomeError("NOAUTH HELLO must be called with the client already authenticated, "
                                      "otherwise the HELLO <proto> AUTH "
                                      "<user> <pass> option can be used to authenticate the client and "
                                      "select the RESP protocol version at "
                                      "the same time");
    if (version) call.client.protocol = static_cast<Protocol>(*version);
    answerHello(call);
}

void reset(Call& call) {
    call.server.resetClient(call.client);
    call.reply.becomeStatus("RESET");
}

void quit(Call& call) {
    call.client.state |= kClosing;
    call.reply.becomeStatus("OK");
}

void aclWhoAmI(Call& call) {
    call.reply.becomeBulk(kDefaultUser);
}

/// The password, if there is one, shows as a hash of nothing: nobody may take it from here.
void aclList(Call& call) {
    call.reply.becomeArray();
    const bool open = call.server.settings().password.empty();
    call.reply.items.emplace_back().becomeBulk(
        fmt::format("user default on {} ~* &* +@all", open ? "nopass" : "#(hidden)"));
}

void aclUsers(Call& call) {
    call.reply.becomeArray();
    call.reply.items.emplace_back().becomeBulk(kDefaultUser);
}

} // namespace lockscope::redis::commands
