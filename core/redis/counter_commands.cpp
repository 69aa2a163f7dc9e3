// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>

#include "core/redis/call.h"
#include "core/redis/commands.h"
#include "core/redis/numbers.h"
#include "core/redis/server.h"

namespace lockscope::redis::commands {

namespace {

constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();

void add(Call& call, std::int64_t increment) {
    const std::string_view key = call.arg(1);
    const Found found = call.find(key);
    std::int64_t value = 0;
    if (found) {
        const std::string* text = call.stringIn(*found.entry);
        if (!text) return;
        const std::optional<std::int64_t> number = parseInteger(*text);
        if (!number) return call.reply.becomeError(errors::kNotAnInteger);
        value = *number;
    }
    if (__builtin_add_overflow(value, increment, &value))
        return call.reply.becomeError("ERR increment or decrement would overflow");
    char digits[24];
    const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
    call.putString(key, found, {digits, end}, found ? found.entry->deadline : kNoDeadline);
    call.notify("incrby", key);
    call.reply.becomeInteger(value);
}

} // namespace

void incr(Call& call) {
    add(call, 1);
}
void decr(Call& call) {
    add(call, -1);
}

void incrBy(Call& call) {
    if (const std::optional<std::int64_t> increment = call.integerArg(2)) add(call, *increment);
}

void decrBy(Call& call) {
    const std::optional<std::int64_t> decrement = call.integerArg(2);
    if (!decrement) return;
    if (*decrement == kLeast) return call.reply.becomeError("ERR decrement would overflow");
    add(call, -*decrement);
}

void incrByFloat(Call& call) {
    const std::string_view key = call.arg(1);
    const Found found = call.find(key);
    std::optional<long double> value = 0;
    if (found) {
        const std::string* text = call.stringIn(*found.entry);
        if (!text) return;
        value = parseLongDouble(*text);
        if (!value) return call.reply.becomeError(errors::kNotAFloat);
    }
    const std::optional<long double> increment = parseLongDouble(call.arg(2));
    if (!increment) return call.reply.becomeError(errors::kNotAFloat);
    const long double sum = *value + *increment;
    if (!std::isfinite(sum)) return call.reply.becomeError("ERR increment would produce NaN or Infinity");
    const std::string text = formatLongDouble(sum);
    call.putString(key, found, text, found ? found.entry->deadline : kNoDeadline).form = StringForm::Text;
    if (call.server.propagation().isOn()) call.server.propagation().instead({"SET", key, text, "KEEPTTL"});
    call.notify("incrbyfloat", key);
    call.reply.becomeBulk(text);
}

} // namespace lockscope::redis::commands
