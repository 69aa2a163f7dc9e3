// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/world/intervention.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "core/base/assert.h"
#include "core/redis/resp.h"
#include "core/world/load.h"

namespace lockscope {

namespace {

constexpr std::string_view kServerName = "Redis";

std::string allowedKinds() {
    std::string names;
    for (const InterventionKindInfo& info : interventionKinds()) {
        if (!names.empty()) names += ", ";
        names += info.id;
    }
    return names;
}

Error badForm(const InterventionKindInfo& info, std::string_view text, std::string_view why) {
    const bool server = info.target == InterventionTarget::Server;
    std::string form = server ? "Redis@TIME" : "ACTOR@TIME";
    std::string example = server ? "Redis@20s" : "Server A@20s";
    if (info.hasLength()) {
        form += info.length == LengthRule::Signed ? "+LENGTH or -LENGTH" : "+LENGTH";
        example += "+15s";
    }
    if (info.hasCommand) {
        form += info.kind == InterventionKind::Load ? " WRITES x BYTES" : " COMMAND";
        example += info.kind == InterventionKind::Load ? " 60000 x 1024" : " DEL lock:report";
    }
    return Error{
        fmt::format("{} '{}': {}; write {}, as in '{} {}'", info.id, text, why, form, info.id, example)};
}

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && text.front() == ' ')
        text.remove_prefix(1);
    while (!text.empty() && text.back() == ' ')
        text.remove_suffix(1);
    return text;
}

} // namespace

const std::vector<InterventionKindInfo>& interventionKinds() {
    using Kind = InterventionKind;
    using enum InterventionTarget;
    static const std::vector<InterventionKindInfo> kinds{
        {Kind::Pause, "pause", Actor, LengthRule::Positive, false},
        {Kind::Kill, "kill", Actor, LengthRule::None, false},
        {Kind::Restart, "restart", Actor, LengthRule::None, false},
        {Kind::LostRequest, "lost-request", Actor, LengthRule::None, false},
        {Kind::LostReply, "lost-reply", Actor, LengthRule::None, false},
        {Kind::Delay, "delay", Actor, LengthRule::Positive, false},
        {Kind::DelayReply, "delay-reply", Actor, LengthRule::Positive, false},
        {Kind::Partition, "partition", Actor, LengthRule::Positive, false},
        {Kind::ClockJump, "clock-jump", Actor, LengthRule::Signed, false},
        {Kind::ServerStall, "server-stall", Server, LengthRule::Positive, false},
        {Kind::ServerClockJump, "server-clock-jump", Server, LengthRule::Signed, false},
        {Kind::Admin, "admin", Server, LengthRule::None, true},
        {Kind::Load, "load", Server, LengthRule::None, true},
        {Kind::ServerKill, "server-kill", Server, LengthRule::None, false},
        {Kind::ServerRestart, "server-restart", Server, LengthRule::None, false},
        {Kind::Promote, "promote", Server, LengthRule::None, false},
        {Kind::LinkCut, "link-cut", Server, LengthRule::Positive, false},
        {Kind::SaveFails, "save-fails", Server, LengthRule::Positive, false},
    };
    return kinds;
}

const InterventionKindInfo& infoOf(InterventionKind kind) {
    const auto& kinds = interventionKinds();
    const auto row =
        std::find_if(kinds.begin(), kinds.end(), [&](const auto& info) { return info.kind == kind; });
    LOCKSCOPE_ASSERT(row != kinds.end());
    return *row;
}

int serverNode(std::string_view name) {
    if (!name.starts_with(kServerName)) return -1;
    name.remove_prefix(kServerName.size());
    if (name.empty()) return 0;
    if (name.front() != ' ') return -1;
    name.remove_prefix(1);
    int number = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
    return error == std::errc() && end == name.data() + name.size() && number >= 1 ? number - 1 : -1;
}

std::string serverName(int node) {
    return node == 0 ? std::string(kServerName) : fmt::format("{} {}", kServerName, node + 1);
}

Result<std::vector<std::string>> splitCommand(std::string_view line) {
    std::vector<std::string> words;
    if (!redis::splitArguments(line, words)) return Error{"a quote is not closed, or does not end its word"};
    if (words.empty()) return Error{"the command is missing"};
    return words;
}

Result<void> checkCommand(InterventionKind kind, std::string_view command) {
    LOCKSCOPE_ASSERT(infoOf(kind).hasCommand);
    if (kind == InterventionKind::Load) {
        const Result<Load> load = parseLoad(command);
        return load ? Result<void>() : load.error();
    }
    const Result<std::vector<std::string>> words = splitCommand(command);
    return words ? Result<void>() : words.error();
}

Result<Intervention> parseIntervention(InterventionKind kind, std::string_view text) {
    const InterventionKindInfo& info = infoOf(kind);
    // Names of actors may have spaces and signs in them, instants cannot have an '@'; a command can.
    const std::size_t at = info.hasCommand ? text.find('@') : text.rfind('@');
    if (at == std::string_view::npos)
        return badForm(info, text, "it has no '@' between the name and the time");
    const std::string_view name = trimmed(text.substr(0, at));
    if (name.empty()) return badForm(info, text, "it names nobody before the '@'");
    std::string_view time = trimmed(text.substr(at + 1));
    std::string_view length;
    std::string_view command;
    bool back = false;
    if (info.hasCommand) {
        const std::size_t space = time.find(' ');
        if (space != std::string_view::npos) command = trimmed(time.substr(space));
        time = time.substr(0, space);
        const Result<void> checked = checkCommand(kind, command);
        if (!checked) return badForm(info, text, checked.error().message);
    }
    const std::size_t sign = time.find_first_of(info.length == LengthRule::Signed ? "+-" : "+");
    if (sign != std::string_view::npos) {
        if (!info.hasLength()) return badForm(info, text, "this kind has no length");
        length = trimmed(time.substr(sign + 1));
        back = time[sign] == '-';
        time = trimmed(time.substr(0, sign));
    } else if (info.hasLength()) {
        return badForm(info, text, "its length is missing");
    }
    const Result<Duration> when = parseDuration(time);
    if (!when) return badForm(info, text, when.error().message);
    Intervention intervention{kind, std::string(name), instantAt(*when), Duration{0}, std::string(command)};
    if (info.hasLength()) {
        const Result<Duration> howLong = parseDuration(length);
        if (!howLong) return badForm(info, text, howLong.error().message);
        intervention.length = back ? -*howLong : *howLong;
    }
    return intervention;
}

Result<Intervention> parseIntervention(std::string_view text) {
    const std::string_view whole = trimmed(text);
    const std::size_t space = whole.find(' ');
    const std::string_view id = whole.substr(0, space);
    for (const InterventionKindInfo& info : interventionKinds()) {
        if (info.id != id) continue;
        return parseIntervention(info.kind, space == std::string_view::npos ? std::string_view{}
                                                                            : whole.substr(space + 1));
    }
    return Error{fmt::format("'{}' is no kind of intervention; allowed are {}", id, allowedKinds())};
}

std::string formatIntervention(const Intervention& intervention) {
    const InterventionKindInfo& info = infoOf(intervention.kind);
    std::string text = fmt::format("{} {}@{}", info.id, intervention.actor,
                                   formatDuration(intervention.at.time_since_epoch()));
    if (info.hasLength())
        text += (intervention.length < Duration{0} ? "-" : "+") +
                formatDuration(std::chrono::abs(intervention.length));
    if (info.hasCommand) text += " " + intervention.command;
    return text;
}

} // namespace lockscope
