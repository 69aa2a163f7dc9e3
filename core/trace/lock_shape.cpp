// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/lock_shape.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

// Nothing in Redis says that a key is a lock, let alone whose. People find out by knowing what their library
// puts there, and key browsers show them a hash. The shapes here are those that lock libraries write; a value
// that looks like none is shown as it is.

namespace lockscope {

namespace {

constexpr double kFirstInstant = 1e9; // a number from here on is an instant in Unix time, not a count

bool allOf(std::string_view text, int (*is)(int)) {
    return std::ranges::all_of(text, [is](unsigned char c) { return is(c) != 0; });
}

bool isNumber(std::string_view text) {
    if (text.starts_with('-')) text.remove_prefix(1);
    return !text.empty() && text.size() < 20 && std::ranges::count(text, '.') <= 1 &&
           std::ranges::all_of(text, [](unsigned char c) { return std::isdigit(c) != 0 || c == '.'; });
}

bool isBase64(std::string_view text) {
    const std::size_t size = text.size();
    while (text.ends_with('='))
        text.remove_suffix(1);
    const auto fits = [](unsigned char c) {
        return std::isalnum(c) != 0 || c == '+' || c == '/' || c == '-' || c == '_';
    };
    const bool mixed = std::ranges::any_of(text, [](unsigned char c) { return std::isupper(c) != 0; }) &&
                       std::ranges::any_of(text, [](unsigned char c) { return std::islower(c) != 0; });
    return size >= 22 && size <= 44 && mixed && std::ranges::all_of(text, fits);
}

bool isUuid(std::string_view text) {
    if (text.size() != 36) return false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool dash = i == 8 || i == 13 || i == 18 || i == 23;
        if (dash ? text[i] != '-' : std::isxdigit(static_cast<unsigned char>(text[i])) == 0) return false;
    }
    return true;
}

/// "app-3:4711": a word, a colon and a process number.
bool isProcess(std::string_view text) {
    const std::size_t colon = text.rfind(':');
    if (colon == std::string_view::npos || colon == 0) return false;
    const std::string_view pid = text.substr(colon + 1);
    return !pid.empty() && pid.size() <= 7 && allOf(pid, std::isdigit) && !isUuid(text.substr(0, colon));
}

/// Takes "{a: 1, b: 2, …}" apart. Names may contain ": ", the value is what stands behind the last one.
void readElements(std::string_view text, bool pairs, LockView& into) {
    if (text.size() < 2) return;
    const char last = text.back();
    into.cut = last != '}' && last != ']'; // the trace cuts long texts
    text.remove_prefix(1);
    if (!into.cut) text.remove_suffix(1);
    while (!text.empty()) {
        const std::size_t comma = text.find(", ");
        const std::string_view element = text.substr(0, comma);
        text.remove_prefix(comma == std::string_view::npos ? text.size() : comma + 2);
        if (element == "…") {
            into.cut = true;
            continue;
        }
        const std::size_t colon = pairs ? element.rfind(": ") : std::string_view::npos;
        LockHolder holder;
        holder.name = element.substr(0, colon);
        if (colon != std::string_view::npos) holder.value = element.substr(colon + 2);
        into.holders.push_back(std::move(holder));
    }
}

/// Takes the holder of that name out; his value, empty if there is none.
std::string takeMark(LockView& view, std::string_view name) {
    const auto found = std::ranges::find(view.holders, name, &LockHolder::name);
    if (found == view.holders.end()) return {};
    std::string value = found->value.empty() ? std::string(name) : found->value;
    view.holders.erase(found);
    return value;
}

void readHash(LockView& view) {
    const std::string mode = takeMark(view, "mode");
    const bool counts = std::ranges::all_of(view.holders, [](const LockHolder& holder) {
        return isNumber(holder.value) && std::stod(holder.value) < kFirstInstant;
    });
    const bool dates = std::ranges::all_of(view.holders, [](const LockHolder& holder) {
        return isNumber(holder.value) && std::stod(holder.value) >= kFirstInstant;
    });
    view.writing = mode == "write";
    view.shape = !mode.empty() ? LockShape::ReadWrite
                 : counts      ? LockShape::Counted
                 : dates       ? LockShape::Dated
                               : LockShape::Other;
}

std::string_view lastWord(std::string_view name) {
    name = name.substr(name.find_last_of(':') + 1);
    while (name.starts_with('{'))
        name.remove_prefix(1);
    while (name.ends_with('}'))
        name.remove_suffix(1);
    return name;
}

bool isKin(std::string_view lock, std::string_view other) {
    constexpr std::size_t kShortestWord = 3;
    if (other == lock) return false;
    if (other.find(lock) != std::string_view::npos) return true;
    const std::string_view word = lastWord(lock);
    return word.size() >= kShortestWord && word != lock && lastWord(other) == word;
}

bool mentions(std::string_view name, std::initializer_list<std::string_view> words) {
    return std::ranges::any_of(words,
                               [&](std::string_view w) { return name.find(w) != std::string_view::npos; });
}

KinKey::Kind kindOf(const KinKey& key) {
    if (key.type == "list") return KinKey::Kind::Queue;
    if (key.type == "zset" && mentions(key.name, {"queue", "timeout", "wait"})) return KinKey::Kind::Queue;
    if (key.type == "string" && isNumber(key.value) &&
        mentions(key.name, {"fence", "fencing", "seq", "count"}))
        return KinKey::Kind::Fence;
    return KinKey::Kind::Other;
}

/// "SUBSCRIBE lock:report:free"; the channel a command is about.
std::string_view channelOf(std::string_view command) {
    for (const std::string_view name : {"SUBSCRIBE ", "PUBLISH "}) {
        if (!command.starts_with(name)) continue;
        command.remove_prefix(name.size());
        return command.substr(0, command.find(' '));
    }
    return {};
}

} // namespace

TokenForm tokenFormOf(std::string_view token) {
    if (isUuid(token)) return TokenForm::Uuid;
    if (isNumber(token)) return TokenForm::Number;
    if ((token.size() == 32 || token.size() == 40) && allOf(token, std::isxdigit)) return TokenForm::Hex;
    if (isBase64(token)) return TokenForm::Base64;
    return isProcess(token) ? TokenForm::Process : TokenForm::Free;
}

LockView lockView(std::string_view type, std::string_view value) {
    LockView view;
    if (type == "string") {
        view.shape = LockShape::Token;
        view.form = tokenFormOf(value);
        view.holders.push_back({std::string(value), {}});
        return view;
    }
    readElements(value, type == "hash" || type == "zset", view);
    if (type == "hash") {
        readHash(view);
    } else if (type == "zset") {
        const std::string mark = takeMark(view, "__write__");
        view.writing = !mark.empty();
        view.shape = view.writing ? LockShape::Symfony : LockShape::Semaphore;
    } else if (type == "set") {
        view.shape = LockShape::Members;
    } else if (type == "list") {
        view.shape = LockShape::Queue;
    }
    return view;
}

std::vector<KinKey> kinOf(const Trace& trace, StringId lock, Instant t, NodeIndex node) {
    const std::string_view name = trace.text(lock);
    std::map<std::string_view, KinKey> keys;
    std::set<std::string_view> channels;
    std::set<std::string_view> locks;
    for (const TraceLockKey& other : trace.lockKeys)
        locks.insert(trace.text(other.name));
    const auto heardOf = [&](std::string_view channel) {
        if (!channel.empty() && isKin(name, channel)) channels.insert(channel);
    };
    for (const Event& e : trace.events) {
        if (e.at > t) break;
        if (e.kind == EventKind::MessageSent || e.kind == EventKind::ReceiveStarted)
            heardOf(trace.text(e.text));
        if (e.kind == EventKind::RequestExecuted && e.request != kNone)
            heardOf(channelOf(trace.text(trace.requests[static_cast<std::size_t>(e.request)].text)));
        const bool ofKey = e.kind == EventKind::KeyWritten || e.kind == EventKind::DeadlineChanged ||
                           e.kind == EventKind::LeaseEnded || e.kind == EventKind::KeyRemoved;
        if (!ofKey || e.node != node) continue;
        const std::string_view key = trace.text(e.key);
        if (locks.contains(key) || !isKin(name, key)) continue;
        KinKey& kin = keys[key];
        kin.name = key;
        if (e.kind == EventKind::KeyWritten) {
            kin.exists = true;
            kin.type = trace.text(e.text2);
            kin.value = trace.text(e.text);
            kin.kind = kindOf(kin);
        }
        if (e.kind == EventKind::KeyWritten || e.kind == EventKind::DeadlineChanged)
            kin.deadline = instantAt(Duration{e.a});
        else if (e.kind == EventKind::LeaseEnded || e.reason != EndReason::Overwritten)
            kin.exists = false;
    }
    std::vector<KinKey> all;
    for (auto& [key, kin] : keys)
        all.push_back(std::move(kin));
    for (const std::string_view channel : channels)
        all.push_back({std::string(channel), KinKey::Kind::Channel, true, {}, {}, kNever});
    return all;
}

} // namespace lockscope
