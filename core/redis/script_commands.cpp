// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <string>

#include "core/redis/call.h"
#include "core/redis/commands.h"
#include "core/redis/numbers.h"
#include "core/redis/server.h"

namespace lockscope::redis::commands {

namespace {

/// Splits what follows the script into KEYS and ARGV. False (and the reply is the error) if the count is
/// wrong.
bool readArguments(const Call& call, ScriptEngine::Arguments& arguments) {
    const std::optional<std::int64_t> keyCount = call.integerArg(2);
    if (!keyCount) return false;
    const std::span<const std::string_view> rest = call.args.subspan(3);
    if (*keyCount > static_cast<std::int64_t>(rest.size())) {
        call.reply.becomeError("ERR Number of keys can't be greater than number of args");
        return false;
    }
    if (*keyCount < 0) {
        call.reply.becomeError("ERR Number of keys can't be negative");
        return false;
    }
    arguments.keys = rest.first(static_cast<std::size_t>(*keyCount));
    arguments.values = rest.subspan(static_cast<std::size_t>(*keyCount));
    return true;
}

void runText(Call& call, bool readOnly) {
    ScriptEngine::Arguments arguments;
    if (!readArguments(call, arguments)) return;
    ScriptEngine& scripts = call.server.scripts();
    call.server.tellMonitors(call.client, call.command, call.args, false);
    if (Script* script = scripts.load(call.arg(1), call.reply))
        scripts.run(call, *script, arguments, readOnly);
}

void runNamed(Call& call, bool readOnly) {
    constexpr std::size_t kDigits = 40;
    if (call.arg(1).size() != kDigits) return call.reply.becomeError(errors::kNoScript);
    ScriptEngine::Arguments arguments;
    if (!readArguments(call, arguments)) return;
    ScriptEngine& scripts = call.server.scripts();
    Script* script = scripts.find(call.arg(1));
    if (!script) return call.reply.becomeError(errors::kNoScript);
    call.server.tellMonitors(call.client, call.command, call.args, false);
    scripts.run(call, *script, arguments, readOnly);
}

} // namespace

void eval(Call& call) {
    runText(call, false);
}
void evalReadOnly(Call& call) {
    runText(call, true);
}
void evalSha(Call& call) {
    runNamed(call, false);
}
void evalShaReadOnly(Call& call) {
    runNamed(call, true);
}

void scriptLoad(Call& call) {
    if (const Script* script = call.server.scripts().load(call.arg(2), call.reply))
        call.reply.becomeBulk(script->name.key);
}

void scriptExists(Call& call) {
    call.reply.becomeArray();
    for (const std::string_view sha : call.args.subspan(2))
        call.reply.items.emplace_back().becomeInteger(call.server.scripts().find(sha) ? 1 : 0);
}

void scriptFlush(Call& call) {
    if (!isFlushMode(call, 2))
        return call.reply.becomeError("ERR SCRIPT FLUSH only support SYNC|ASYNC option");
    call.server.scripts().forgetAll();
    call.reply.becomeStatus("OK");
}

/// A script takes no time here, so none is ever found running.
void scriptKill(Call& call) {
    switch (call.server.standstill().killScript()) {
    case Standstill::Kill::NotBusy:
        return call.reply.becomeError("NOTBUSY No scripts in execution right now.");
    case Standstill::Kill::Unkillable:
        return call.reply.becomeError(
            "UNKILLABLE Sorry the script already executed write commands against the dataset. You can either "
            "wait the script termination or kill the server in a hard way using the SHUTDOWN NOSAVE "
            "command.");
    case Standstill::Kill::Killed:
        return call.reply.becomeStatus("OK");
    }
}

// FUNCTION, as far as test harnesses and key browsers ask: there are no libraries to load or call.

void functionFlush(Call& call) {
    if (call.count() > 3) return call.reply.becomeError(errors::wrongSubcommand(call.command, call.arg(1)));
    if (!isFlushMode(call, 2))
        return call.reply.becomeError("ERR FUNCTION FLUSH only supports SYNC|ASYNC option");
    if (call.server.propagation().isOn()) call.server.propagation().force(false);
    call.reply.becomeStatus("OK");
}

void functionList(Call& call) {
    for (std::size_t i = 2; i < call.count(); ++i) {
        if (equalsIgnoringCase(call.arg(i), "withcode")) continue;
        if (!equalsIgnoringCase(call.arg(i), "libraryname"))
            return call.reply.becomeError(
                errors::onOneLine("ERR Unknown argument " + std::string(errors::printed(call.arg(i)))));
        if (++i == call.count()) return call.reply.becomeError("ERR library name argument was not given");
    }
    call.reply.becomeArray();
}

void functionStats(Call& call) {
    const auto addTo = [](Reply& map, std::string_view name) -> Reply& {
        map.items.emplace_back().becomeBulk(name);
        return map.items.emplace_back();
    };
    call.reply.become(Reply::Type::Map);
    addTo(call.reply, "running_script").becomeNull();
    Reply& engines = addTo(call.reply, "engines").become(Reply::Type::Map);
    Reply& lua = addTo(engines, "LUA").become(Reply::Type::Map);
    addTo(lua, "libraries_count").becomeInteger(0);
    addTo(lua, "functions_count").becomeInteger(0);
}

} // namespace lockscope::redis::commands
