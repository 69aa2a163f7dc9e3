// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <optional>

#include "core/redis/call.h"
#include "core/redis/commands.h"
#include "core/redis/conditional.h"
#include "core/redis/numbers.h"
#include "core/redis/server.h"

// SET and its kin share one set of options. Redis reads them from left to right: a second expiry of the same
// kind replaces the first, one of another kind is a syntax error, and so is NX together with XX. The expiry
// is checked before the key is looked at, so a bad one is an error even where NX would have refused.

namespace lockscope::redis::commands {

namespace {

enum class ExpiryKind : std::uint8_t { None, Ex, Px, ExAt, PxAt, KeepTtl, Persist };

struct Options {
    bool onlyIfAbsent = false;
    bool onlyIfPresent = false;
    bool answerOld = false;
    ExpiryKind expiry = ExpiryKind::None;
    std::string_view expiryText;
    std::optional<ValueCondition> condition;

    bool hasTime() const { return expiry >= ExpiryKind::Ex && expiry <= ExpiryKind::PxAt; }
    bool isAbsolute() const { return expiry == ExpiryKind::ExAt || expiry == ExpiryKind::PxAt; }
};

enum class Word : std::uint8_t { Unknown, Nx, Xx, Get, KeepTtl, Persist, Ex, Px, ExAt, PxAt };

/// By length first: most of what programs send is NX, PX and EX.
Word wordOf(std::string_view text) {
    const auto is = [text](std::string_view lower) { return equalsIgnoringCase(text, lower); };
    switch (text.size()) {
    case 2:
        return is("nx")   ? Word::Nx
               : is("px") ? Word::Px
               : is("ex") ? Word::Ex
               : is("xx") ? Word::Xx
                          : Word::Unknown;
    case 3:
        return is("get") ? Word::Get : Word::Unknown;
    case 4:
        return is("exat") ? Word::ExAt : is("pxat") ? Word::PxAt : Word::Unknown;
    case 7:
        return is("keepttl") ? Word::KeepTtl : is("persist") ? Word::Persist : Word::Unknown;
    default:
        return Word::Unknown;
    }
}

ExpiryKind expiryKindOf(Word word) {
    switch (word) {
    case Word::Ex:
        return ExpiryKind::Ex;
    case Word::Px:
        return ExpiryKind::Px;
    case Word::ExAt:
        return ExpiryKind::ExAt;
    case Word::PxAt:
        return ExpiryKind::PxAt;
    case Word::KeepTtl:
        return ExpiryKind::KeepTtl;
    case Word::Persist:
        return ExpiryKind::Persist;
    default:
        return ExpiryKind::None;
    }
}

/// Reads SET's options, or GETEX's. Nothing is a syntax error. Of NX, XX and the conditions on the value only
/// one can be.
std::optional<Options> readOptions(std::span<const std::string_view> words, bool ofSet, Profile profile) {
    Options options;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const Word word = wordOf(words[i]);
        const auto condition =
            word == Word::Unknown && ofSet ? conditionNamed(words[i], profile) : std::nullopt;
        if (condition) {
            const bool alone = !options.onlyIfAbsent && !options.onlyIfPresent && !options.condition;
            if (!alone || i + 1 == words.size()) return std::nullopt;
            options.condition = ValueCondition{*condition, words[++i]};
        } else if (word == Word::Nx && ofSet && !options.onlyIfPresent && !options.condition) {
            options.onlyIfAbsent = true;
        } else if (word == Word::Xx && ofSet && !options.onlyIfAbsent && !options.condition) {
            options.onlyIfPresent = true;
        } else if (word == Word::Get && ofSet) {
            options.answerOld = true;
        } else {
            const ExpiryKind kind = expiryKindOf(word);
            const bool here = kind != (ofSet ? ExpiryKind::Persist : ExpiryKind::KeepTtl);
            const bool fits = options.expiry == ExpiryKind::None || options.expiry == kind;
            if (kind == ExpiryKind::None || !here || !fits) return std::nullopt;
            options.expiry = kind;
            if (kind == ExpiryKind::KeepTtl || kind == ExpiryKind::Persist) continue;
            if (i + 1 == words.size()) return std::nullopt;
            options.expiryText = words[++i];
        }
    }
    return options;
}

/// The deadline that the options name. Nothing (and the reply is the error) if it is not a time that can be.
std::optional<UnixMillis> deadlineOf(const Call& call, const Options& options) {
    std::optional<std::int64_t> number = parseInteger(options.expiryText);
    if (!number) {
        call.reply.becomeError(errors::kNotAnInteger);
        return std::nullopt;
    }
    const bool inSeconds = options.expiry == ExpiryKind::Ex || options.expiry == ExpiryKind::ExAt;
    const std::int64_t base = options.isAbsolute() ? -call.keyspace.clockLead() : call.keyspace.clockMillis();
    UnixMillis deadline = 0;
    if (*number <= 0 || __builtin_mul_overflow(*number, std::int64_t{inSeconds ? 1000 : 1}, &deadline) ||
        __builtin_add_overflow(deadline, base, &deadline)) {
        call.reply.becomeError(errors::invalidExpireTime(call.command));
        return std::nullopt;
    }
    return deadline;
}

/// A length of time is told as the instant that it means, and then nothing else is; what GET answered is of
/// no use elsewhere.
void propagateSet(Call& call, const Options& options, std::string_view value, UnixMillis deadline) {
    if (options.hasTime() && options.expiry != ExpiryKind::PxAt) {
        call.server.propagation().instead(
            {"SET", call.arg(1), value, "PXAT", std::to_string(call.keyspace.machineMillis(deadline))});
    } else if (options.answerOld) {
        std::vector<std::string> words;
        for (const std::string_view word : call.args)
            if (words.size() < 3 || !equalsIgnoringCase(word, "get")) words.emplace_back(word);
        call.server.propagation().instead(std::move(words));
    }
}

/// What SET, SETNX, SETEX and PSETEX have in common. `done` and `refused` answer, unless GET asks for the old
/// value.
template <typename Done, typename Refused>
void setWith(Call& call, const Options& options, std::string_view value, Done done, Refused refused) {
    const std::string_view key = call.arg(1);
    UnixMillis deadline = kNoDeadline;
    if (options.hasTime()) {
        const std::optional<UnixMillis> named = deadlineOf(call, options);
        if (!named) return;
        deadline = *named;
    }
    if (options.condition && !options.condition->complaint().empty())
        return call.reply.becomeError(options.condition->complaint());
    const Found found = call.find(key);
    if (options.answerOld) {
        const std::string* old = found ? call.stringIn(*found.entry) : nullptr;
        if (found && !old) return;
        if (old)
            call.reply.becomeBulk(*old);
        else
            call.reply.becomeNull();
    }
    bool refuses = (options.onlyIfAbsent && found) || (options.onlyIfPresent && !found);
    if (options.condition) {
        const std::string* now = found ? call.stringIn(*found.entry) : nullptr;
        if (found && !now) return;
        refuses = !options.condition->holds(now);
    }
    if (refuses) {
        if (!options.answerOld) refused();
        return;
    }
    if (options.expiry == ExpiryKind::KeepTtl && found) deadline = found.entry->deadline;
    call.putString(key, found, value, deadline);
    call.notify("set", key);
    if (options.hasTime()) call.notify("expire", key);
    if (call.server.propagation().isOn()) propagateSet(call, options, value, deadline);
    if (!options.answerOld) done();
}

} // namespace

void set(Call& call) {
    const std::optional<Options> options = readOptions(call.args.subspan(3), true, call.profile());
    if (!options) return call.reply.becomeError(errors::kSyntax);
    setWith(
        call, *options, call.arg(2), [&] { call.reply.becomeStatus("OK"); },
        [&] { call.reply.becomeNull(); });
}

void setNx(Call& call) {
    Options options;
    options.onlyIfAbsent = true;
    setWith(
        call, options, call.arg(2), [&] { call.reply.becomeInteger(1); },
        [&] { call.reply.becomeInteger(0); });
}

void setEx(Call& call) {
    Options options;
    options.expiry = ExpiryKind::Ex;
    options.expiryText = call.arg(2);
    setWith(
        call, options, call.arg(3), [&] { call.reply.becomeStatus("OK"); }, [] {});
}

void pSetEx(Call& call) {
    Options options;
    options.expiry = ExpiryKind::Px;
    options.expiryText = call.arg(2);
    setWith(
        call, options, call.arg(3), [&] { call.reply.becomeStatus("OK"); }, [] {});
}

void getEx(Call& call) {
    const std::optional<Options> options = readOptions(call.args.subspan(2), false, call.profile());
    if (!options) return call.reply.becomeError(errors::kSyntax);
    const std::string_view key = call.arg(1);
    const Found found = call.find(key);
    if (!found) return call.reply.becomeNull();
    const std::string* text = call.stringIn(*found.entry);
    if (!text) return;
    std::optional<UnixMillis> deadline;
    if (options->hasTime()) {
        deadline = deadlineOf(call, *options);
        if (!deadline) return;
    }
    call.reply.becomeBulk(*text);
    Propagation& propagation = call.server.propagation();
    if (deadline && options->isAbsolute() && *deadline <= call.keyspace.clockMillis()) {
        if (propagation.isOn()) propagation.instead({"DEL", key});
        call.keyspace.remove(*found.entry, Removal::DeadlineInPast);
        call.notify("del", key);
    } else if (deadline) {
        if (propagation.isOn())
            propagation.instead({"PEXPIREAT", key, std::to_string(call.keyspace.machineMillis(*deadline))});
        call.keyspace.changeDeadline(*found.entry, *deadline);
        call.notify("expire", key);
    } else if (options->expiry == ExpiryKind::Persist && found.entry->isVolatile()) {
        if (propagation.isOn()) propagation.instead({"PERSIST", key});
        call.keyspace.changeDeadline(*found.entry, kNoDeadline);
        call.notify("persist", key);
    }
}

} // namespace lockscope::redis::commands
