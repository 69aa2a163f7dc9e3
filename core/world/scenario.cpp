// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/world/scenario.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/base/assert.h"

namespace lockscope {

namespace {

std::string allowedKinds() {
    std::string names;
    for (const InterventionKindInfo& info : interventionKinds()) {
        if (!names.empty()) names += ", ";
        names += info.id;
    }
    return names;
}

Error badForm(const InterventionKindInfo& info, std::string_view text, std::string_view why) {
    return Error{fmt::format("{} '{}': {}; write {}, as in '{} Server A@20s{}'", info.id, text, why,
                             info.hasLength ? "ACTOR@TIME+LENGTH" : "ACTOR@TIME", info.id,
                             info.hasLength ? "+15s" : "")};
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
    static const std::vector<InterventionKindInfo> kinds{
        {InterventionKind::Pause, "pause", true},
        {InterventionKind::Kill, "kill", false},
        {InterventionKind::Restart, "restart", false},
        {InterventionKind::LostRequest, "lost-request", false},
        {InterventionKind::LostReply, "lost-reply", false},
        {InterventionKind::Delay, "delay", true},
        {InterventionKind::DelayReply, "delay-reply", true},
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

Result<Intervention> parseIntervention(InterventionKind kind, std::string_view text) {
    const InterventionKindInfo& info = infoOf(kind);
    // Names may have spaces and signs in them, instants cannot have an '@'.
    const std::size_t at = text.rfind('@');
    if (at == std::string_view::npos) return badForm(info, text, "it has no '@' between actor and time");
    const std::string_view actor = trimmed(text.substr(0, at));
    if (actor.empty()) return badForm(info, text, "it names no actor");
    std::string_view time = trimmed(text.substr(at + 1));
    std::string_view length;
    const std::size_t plus = time.find('+');
    if (plus != std::string_view::npos) {
        if (!info.hasLength) return badForm(info, text, "this kind has no length");
        length = trimmed(time.substr(plus + 1));
        time = trimmed(time.substr(0, plus));
    } else if (info.hasLength) {
        return badForm(info, text, "its length is missing");
    }
    const Result<Duration> when = parseDuration(time);
    if (!when) return badForm(info, text, when.error().message);
    Intervention intervention{kind, std::string(actor), instantAt(*when), Duration{0}};
    if (info.hasLength) {
        const Result<Duration> howLong = parseDuration(length);
        if (!howLong) return badForm(info, text, howLong.error().message);
        intervention.length = *howLong;
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
    if (info.hasLength) text += "+" + formatDuration(intervention.length);
    return text;
}

std::string formatKnobValue(const KnobValue& value) {
    if (const auto* duration = std::get_if<Duration>(&value)) return formatDuration(*duration);
    if (const auto* number = std::get_if<double>(&value)) return fmt::format("{}", *number);
    return std::get<std::string>(value);
}

} // namespace lockscope
