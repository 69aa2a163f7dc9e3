// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Commands with any arguments, of several clients, at any times, on any of the servers: each ends in a reply
// that can be sent, the store says the same when it does it again, and the keys it counts are those that it
// lists.
//
// The bytes are read as a list of steps: what client, which command of the table, how much time passes, and
// then words up to a line break. A few words come up so often that a byte stands for each.
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/redis/command_table.h"
#include "core/redis/store.h"
#include "tests/fuzz/must.h"

using namespace lockscope;
using namespace lockscope::redis;

namespace {

constexpr std::int64_t kBegin = 1'700'000'000'000'000;
constexpr std::size_t kMostSteps = 60;
constexpr ClientId kClients = 3;

constexpr std::array<std::string_view, 48> kWords = {"lock",
                                                     "a",
                                                     "b",
                                                     "set",
                                                     "hash",
                                                     "zset",
                                                     "list",
                                                     "0",
                                                     "1",
                                                     "-1",
                                                     "2",
                                                     "100",
                                                     "1.5",
                                                     "NX",
                                                     "XX",
                                                     "PX",
                                                     "EX",
                                                     "GET",
                                                     "IFEQ",
                                                     "IFDNE",
                                                     "KEEPTTL",
                                                     "LIMIT",
                                                     "COUNT",
                                                     "MATCH",
                                                     "*",
                                                     "(1",
                                                     "+inf",
                                                     "-inf",
                                                     "[a",
                                                     "LEFT",
                                                     "RIGHT",
                                                     "BYSCORE",
                                                     "BYLEX",
                                                     "REV",
                                                     "WITHSCORES",
                                                     "",
                                                     "9223372036854775807",
                                                     "-9223372036854775808",
                                                     "999999999",
                                                     "YES",
                                                     "no",
                                                     "kEA",
                                                     "maxmemory",
                                                     "allkeys-lru",
                                                     "notify-keyspace-events",
                                                     "return redis.call('GET', KEYS[1])",
                                                     "before",
                                                     "AGGREGATE"};

/// Reads steps from the bytes; once they are used up, zeros.
class StepReader {
public:
    StepReader(const unsigned char* data, std::size_t size) : m_data(data), m_size(size) {}
    bool atEnd() const { return m_at >= m_size; }
    unsigned char byte() { return m_at < m_size ? m_data[m_at++] : 0; }

    std::vector<std::string> words() {
        std::vector<std::string> words;
        std::string literal;
        bool inLiteral = false;
        while (!atEnd() && words.size() < 12) {
            const unsigned char next = byte();
            if (next == '\n') break;
            if (next >= 0x80 && next < 0x80 + kWords.size()) {
                words.emplace_back(kWords[next - 0x80]);
            } else if (next == ' ' || next == 0) {
                if (inLiteral) words.push_back(literal);
                literal.clear();
                inLiteral = false;
            } else {
                literal += static_cast<char>(next);
                inLiteral = true;
            }
        }
        if (inLiteral) words.push_back(literal);
        return words;
    }

private:
    const unsigned char* m_data;
    std::size_t m_size;
    std::size_t m_at = 0;
};

/// Listens to everything, and keeps what was said.
class Listener : public StoreObserver, public DeliveryPort {
public:
    std::string said;

    void onWritten(std::string_view key, std::string_view type, std::string_view value,
                   std::optional<UnixMillis> deadline, Before) override {
        note("w", key), note(type, value), note("d", std::to_string(deadline.value_or(-1)));
    }
    void onDeadlineChanged(std::string_view key, std::optional<UnixMillis>,
                           std::optional<UnixMillis> after) override {
        note("d", key), note("", std::to_string(after.value_or(-1)));
    }
    void onLeaseEnded(std::string_view key, UnixMillis) override { note("e", key); }
    void onRemoved(std::string_view key, Removal, std::string_view) override { note("r", key); }
    void onKeyspaceEvent(std::string_view event, std::string_view key) override { note(event, key); }
    void onDelivery(ClientId, const Reply& reply) override { encodeReply(reply, Protocol::Resp3, said); }
    void onHangUp(ClientId) override { said += "h"; }

private:
    void note(std::string_view what, std::string_view of) {
        said.append(what).append(" ").append(of).append("\n");
    }
};

std::size_t keysOf(Store& store, std::int64_t now) {
    // A client of its own: whatever the others did to their connections, this one can ask.
    std::size_t listed = 0;
    std::string cursor = "0";
    do {
        const Reply& reply =
            store.execute(kClients, std::vector<std::string_view>{"SCAN", cursor, "COUNT", "1000"}, now);
        if (reply.type != Reply::Type::Array || reply.items.size() != 2)
            return SIZE_MAX; // paused, busy, password
        listed += reply.items[1].items.size();
        cursor = reply.items[0].text;
    } while (cursor != "0");
    return listed;
}

/// All that was said; nothing if a script ended where earlier lives could have made it end.
std::optional<std::string> play(const unsigned char* data, std::size_t size) {
    // One store lives through all of them: what earlier lives leave behind would show as a difference.
    static Listener listener;
    static Store store({}, &listener);
    StepReader steps(data, size);
    StoreOptions options;
    options.profile = kProfiles[steps.byte() % kProfiles.size()];
    options.maxStringBytes = 1u << 16;
    options.scriptLimits.steps = 20'000;
    store.reset(options);
    store.deliverTo(&listener);
    listener.said.clear();
    const std::span<const Command> table = commandTable();
    std::int64_t now = kBegin;
    for (std::size_t step = 0; step < kMostSteps && !steps.atEnd(); ++step) {
        const unsigned char head = steps.byte();
        const auto client = static_cast<ClientId>(head % kClients);
        now += std::int64_t{head / 8} * (head < 128 ? 1'000 : 40'000);
        const Command& command = table[(steps.byte() + std::size_t{head >= 200} * 128) % table.size()];
        std::vector<std::string> words = steps.words();
        const std::size_t bar = command.name.find('|');
        if (bar != std::string_view::npos)
            words.insert(words.begin(), std::string(command.name.substr(bar + 1)));
        words.insert(words.begin(), std::string(command.name.substr(0, bar)));
        store.advance(now);
        if (store.factsOf(client).blocked) continue; // what it sends waits with whoever serves it
        const std::vector<std::string_view> args(words.begin(), words.end());
        firstKeyOf(args);
        canGrant(args);
        const bool again = store.hasNoEffectAgain(client, args);
        encodeReply(store.execute(client, args, now), store.factsOf(client).protocol, listener.said);
        if (again) store.executeAgain(client, args, now, 3);
        if (store.factsOf(client).closing) store.disconnect(client);
    }
    // Every deadline is over: whoever is listed then has none.
    must(store.memoryUse().used < (64u << 20), "so few steps make no big store");
    const std::size_t listed = keysOf(store, now);
    if (listed != SIZE_MAX) {
        const Reply& size2 = store.execute(kClients, std::vector<std::string_view>{"DBSIZE"}, now);
        must(size2.type != Reply::Type::Integer || static_cast<std::size_t>(size2.integer) >= listed,
             "DBSIZE counts what SCAN lists");
    }
    if (store.strained()) return std::nullopt;
    return listener.said;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
    if (size > 4096) return 0;
    const std::optional<std::string> said = play(data, size);
    const std::optional<std::string> again = play(data, size);
    must(!said || !again || *said == *again, "the same commands go the same way");
    return 0;
}
