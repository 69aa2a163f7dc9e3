// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <optional>

#include "core/redis/call.h"
#include "core/redis/commands.h"
#include "core/redis/server.h"

namespace lockscope::redis::commands {

namespace {

/// The string under a live key, null if there is none; nothing (and the reply is the error) if it is no
/// string.
std::optional<std::string*> lookUpString(const Call& call, const Found& found) {
    if (!found) return nullptr;
    std::string* text = call.stringIn(*found.entry);
    return text ? std::optional(text) : std::nullopt;
}

/// Answers the string under args[1], or nil. False if there is an error instead.
bool answerString(const Call& call, const Found& found) {
    const std::optional<std::string*> text = lookUpString(call, found);
    if (!text) return false;
    if (*text)
        call.reply.becomeBulk(**text);
    else
        call.reply.becomeNull();
    return true;
}

bool fits(const Call& call, std::size_t length, std::size_t more) {
    const std::size_t most = call.server.settings().longestString;
    if (length <= most && more <= most - length) return true;
    call.reply.becomeError(errors::kStringTooLong);
    return false;
}

void setPairs(Call& call) {
    for (std::size_t i = 1; i + 1 < call.count(); i += 2) {
        call.putString(call.arg(i), call.find(call.arg(i)), call.arg(i + 1), kNoDeadline);
        call.notify("set", call.arg(i));
    }
}

} // namespace

void get(Call& call) {
    answerString(call, call.find(call.arg(1)));
}

void getSet(Call& call) {
    const Found found = call.find(call.arg(1));
    if (!answerString(call, found)) return;
    if (call.server.propagation().isOn())
        call.server.propagation().instead({"SET", call.arg(1), call.arg(2)});
    call.putString(call.arg(1), found, call.arg(2), kNoDeadline);
    call.notify("set", call.arg(1));
}

void getDel(Call& call) {
    const Found found = call.find(call.arg(1));
    if (!answerString(call, found) || !found) return;
    if (call.server.propagation().isOn()) call.server.propagation().instead({"DEL", call.arg(1)});
    call.keyspace.remove(*found.entry, Removal::Deleted);
    call.notify("del", call.arg(1));
}

void strLen(Call& call) {
    const std::optional<std::string*> text = lookUpString(call, call.find(call.arg(1)));
    if (text) call.reply.becomeInteger(*text ? static_cast<std::int64_t>((*text)->size()) : 0);
}

void append(Call& call) {
    const Found found = call.find(call.arg(1));
    if (!found) {
        call.putString(call.arg(1), found, call.arg(2), kNoDeadline);
        call.notify("append", call.arg(1));
        call.reply.becomeInteger(static_cast<std::int64_t>(call.arg(2).size()));
        return;
    }
    std::string* text = call.stringIn(*found.entry);
    if (!text || !fits(call, text->size(), call.arg(2).size())) return;
    text->append(call.arg(2));
    found.entry->form = StringForm::Changed;
    call.changed(*found.entry, found, "append");
    call.reply.becomeInteger(static_cast<std::int64_t>(text->size()));
}

void setRange(Call& call) {
    const std::optional<std::int64_t> offset = call.integerArg(2);
    if (!offset) return;
    if (*offset < 0) return call.reply.becomeError("ERR offset is out of range");
    const auto begin = static_cast<std::size_t>(*offset);
    const std::string_view part = call.arg(3);
    const Found found = call.find(call.arg(1));
    std::string* text = found ? call.stringIn(*found.entry) : nullptr;
    if (found && !text) return;
    if (part.empty()) return call.reply.becomeInteger(text ? static_cast<std::int64_t>(text->size()) : 0);
    if (!fits(call, begin, part.size())) return;
    Entry& entry = found ? *found.entry : call.keyspace.create(call.database(), call.arg(1), found);
    text = &std::get<std::string>(entry.value);
    if (text->size() < begin + part.size()) text->resize(begin + part.size(), '\0');
    std::ranges::copy(part, text->begin() + *offset);
    entry.form = StringForm::Changed;
    call.changed(entry, found, "setrange");
    call.reply.becomeInteger(static_cast<std::int64_t>(text->size()));
}

void getRange(Call& call) {
    const std::optional<std::int64_t> first = call.integerArg(2);
    if (!first) return;
    const std::optional<std::int64_t> last = call.integerArg(3);
    if (!last) return;
    const std::optional<std::string*> text = lookUpString(call, call.find(call.arg(1)));
    if (!text) return;
    const std::string_view whole = *text ? std::string_view(**text) : std::string_view();
    const auto length = static_cast<std::int64_t>(whole.size());
    // Negative positions count from the end; both ends belong to the range.
    const std::int64_t begin = std::max<std::int64_t>(*first < 0 ? *first + length : *first, 0);
    const std::int64_t end =
        std::min(std::max<std::int64_t>(*last < 0 ? *last + length : *last, 0), length - 1);
    const bool crossed = *first < 0 && *last < 0 && *first > *last;
    if (crossed || begin > end) return call.reply.becomeBulk({});
    call.reply.becomeBulk(
        whole.substr(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin + 1)));
}

void mGet(Call& call) {
    call.reply.becomeArray();
    for (std::size_t i = 1; i < call.count(); ++i) {
        Reply& item = call.reply.items.emplace_back();
        const Found found = call.find(call.arg(i));
        if (!found) continue;
        if (const auto* text = std::get_if<std::string>(&found.entry->value)) item.becomeBulk(*text);
    }
}

void mSet(Call& call) {
    if (call.count() % 2 == 0) return call.reply.becomeError(errors::wrongArity(call.command));
    setPairs(call);
    call.reply.becomeStatus("OK");
}

void mSetNx(Call& call) {
    if (call.count() % 2 == 0) return call.reply.becomeError(errors::wrongArity(call.command));
    for (std::size_t i = 1; i < call.count(); i += 2)
        if (call.find(call.arg(i))) return call.reply.becomeInteger(0);
    setPairs(call);
    call.reply.becomeInteger(1);
}

} // namespace lockscope::redis::commands
