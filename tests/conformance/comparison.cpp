// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/conformance/comparison.h"

#include <algorithm>

#include "core/redis/glob.h"
#include "core/redis/numbers.h"
#include "core/redis/resp.h"
#include "tests/conformance/resp_reader.h"

namespace lockscope::redis {

namespace {

StoreOptions withoutActiveExpiry() {
    StoreOptions options;
    options.activeExpiry = false;
    options.notifications = "KEA";
    return options;
}

/// The reply as it arrives: what the protocol cannot say is folded.
Reply seenByClient(const Reply& reply, Protocol protocol) {
    std::string bytes;
    encodeReply(reply, protocol, bytes);
    return takeReply(bytes).value();
}

/// Messages by patterns come in the order of a table in Redis.
void sortIfByPattern(std::vector<Reply>& replies) {
    const bool byPattern = std::ranges::any_of(replies, [](const Reply& reply) {
        return reply.items.size() == 4 && reply.items[0].text == "pmessage";
    });
    if (byPattern) std::ranges::sort(replies, {}, [](const Reply& reply) { return display(reply, 400); });
}

/// UNSUBSCRIBE without names takes them in the order of a table, and counts down.
void sortUnsubscribed(std::vector<Reply>& replies) {
    std::vector<Reply*> confirmed;
    for (Reply& reply : replies)
        if (reply.items.size() == 3 && reply.items[0].text.ends_with("unsubscribe"))
            confirmed.push_back(&reply);
    std::vector<std::string> names;
    for (const Reply* reply : confirmed)
        names.push_back(reply->items[1].text);
    std::ranges::sort(names);
    for (std::size_t i = 0; i < names.size(); ++i)
        confirmed[i]->items[1].text = names[i];
}

std::string shown(const std::vector<Reply>& replies) {
    std::string text;
    for (const Reply& reply : replies)
        text += " " + display(reply, 400);
    return text.empty() ? " nothing" : text;
}

void sortItems(Reply& reply) {
    std::ranges::sort(reply.items, {}, [](const Reply& item) { return item.text; });
}

std::vector<std::string_view> viewsOf(const std::vector<std::string>& args) {
    return {args.begin(), args.end()};
}

void sortPairs(Reply& reply) {
    std::vector<std::pair<std::string, std::string>> pairs;
    for (std::size_t i = 0; i + 1 < reply.items.size(); i += 2)
        pairs.emplace_back(reply.items[i].text, reply.items[i + 1].text);
    std::ranges::sort(pairs);
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        reply.items[2 * i].text = pairs[i].first;
        reply.items[2 * i + 1].text = pairs[i].second;
    }
}

bool isOneOf(std::string_view name, std::initializer_list<std::string_view> names) {
    return std::ranges::find(names, name) != names.end();
}

/// Goes on with a SCAN to its end: all keys that it met, each once, in order.
template <typename Next>
Reply wholeScan(Reply part, Next next) {
    Reply whole = Reply::array({});
    while (part.items.size() == 2) {
        std::ranges::move(part.items[1].items, std::back_inserter(whole.items));
        if (part.items[0].text == "0") break;
        part = next(std::string(part.items[0].text));
    }
    sortItems(whole);
    whole.items.erase(std::unique(whole.items.begin(), whole.items.end()), whole.items.end());
    return whole;
}

std::string shown(const std::vector<KeyspaceEvent>& events) {
    std::string text;
    for (const KeyspaceEvent& event : events)
        text += " " + event.text();
    return text.empty() ? " none" : text;
}

std::string difference(const std::string& what, const std::string& real, const std::string& ours) {
    return what + "\n  redis-server: " + real + "\n  store:        " + ours;
}

} // namespace

Comparison::Comparison(RealServer& real) : m_real(real), m_store(withoutActiveExpiry(), this) {
    m_store.deliverTo(this);
}

void Comparison::startAfresh() {
    m_real.setClock(kSequenceStart);
    if (m_mustReconnect) m_real.reconnect();
    std::vector<KeyspaceEvent> ignored;
    for (int connection = 0; connection < RealServer::kConnections; ++connection) {
        m_real.send(connection, {"RESET"}, ignored);
        m_real.received(connection);
    }
    m_mustReconnect = false;
    m_real.execute({"FLUSHALL"});
    m_real.execute({"SCRIPT", "FLUSH"});
    m_real.execute({"CONFIG", "SET", "hz", "10"});
    m_store.reset(withoutActiveExpiry());
    m_keys.clear();
    m_selected.assign(RealServer::kConnections, 0);
    m_inTransaction.assign(RealServer::kConnections, false);
    m_hasSubscribed.assign(RealServer::kConnections, false);
    m_silence.assign(RealServer::kConnections, {});
    m_received.assign(RealServer::kConnections, {});
    m_now = kSequenceStart;
}

std::optional<std::string> Comparison::firstDifference(const Sequence& sequence) {
    startAfresh();
    for (const Step& step : sequence)
        if (std::optional<std::string> found = compare(step)) return found;
    return compareKeyspaces(sequence.empty() ? 0 : sequence.back().atMicros);
}

bool Comparison::isLeftOut(const Step& step, const std::vector<std::string>& args, const std::string& name) {
    // What a waiting client sends is read later, and by then means something else.
    if (m_store.factsOf(static_cast<ClientId>(step.connection)).blocked) return true;
    if (name == "randomkey" && deadKeysLieAbout()) return true;
    // A walk whose cursor nobody gets cannot be gone on with, and which dead keys it met is chance.
    if (name == "scan" && !m_silence[static_cast<std::size_t>(step.connection)].empty()) return true;
    // It would hear of the test's own doings.
    if (name == "psubscribe" && std::ranges::any_of(args, [](const std::string& pattern) {
            return matchesGlob(pattern, RealServer::kFence);
        }))
        return true;
    // By name among different scores: in a skip list chance decides what is met.
    const bool byName = std::ranges::any_of(args, [](const std::string& word) {
        const std::string lower = lowered(word);
        return lower == "bylex" || lower == "zlexcount" || lower.ends_with("rangebylex");
    });
    if (byName && args.size() > 1 && isUnordered(step.connection, args[1])) return true;
    // Lists of all commands, settings and categories: redis-server has more of each.
    if (isOneOf(name, {"command", "info", "acl"}) && args.size() < 3 &&
        !(args.size() == 2 && isOneOf(lowered(args[1]), {"whoami", "list"}) && name == "acl"))
        return true;
    if (name == "config" && args.size() > 3 && lowered(args[1]) == "get") return true;
    if (isOneOf(name, {"spop", "srandmember", "hrandfield"}) && args.size() > 1 &&
        elementsIn(step.connection, args[1]) > 1)
        return true;
    const bool inTransaction = m_inTransaction[static_cast<std::size_t>(step.connection)];
    // Redis 7.0 writes the messages that a command causes for its own RESP3 client into the midst of its
    // reply.
    const bool resp3 = m_store.factsOf(static_cast<ClientId>(step.connection)).protocol == Protocol::Resp3;
    const bool listens = m_hasSubscribed[static_cast<std::size_t>(step.connection)];
    if (resp3 && listens && !isOneOf(name, {"ping", "reset"}) && !name.ends_with("subscribe")) return true;
    if (resp3 && inTransaction && name.ends_with("subscribe")) return true;
    // Redis counts the confirmations of one command as one reply there, however many they are.
    if (inTransaction && name.ends_with("subscribe") && args.size() != 2) return true;
    return inTransaction && isOneOf(name, {"hello", "client", "object", "keys", "scan", "randomkey", "spop",
                                           "srandmember", "hrandfield", "smembers", "sscan", "hkeys", "hvals",
                                           "hgetall", "hscan", "zscan", "pubsub"});
}

/// Where Redis leaves the order open, both replies get the same.
void Comparison::putInOrder(const Step& step, const std::vector<std::string>& args, const std::string& name,
                            Reply& real, Reply& ours, std::vector<KeyspaceEvent>& realEvents) {
    const bool unordered = args.size() > 1 && isUnordered(step.connection, args[1]);
    if (name == "randomkey" && real.type == ours.type && mayBeRandomKey(ours) && mayBeRandomKey(real))
        ours = real;
    if (name == "hello" && real.items.size() == ours.items.size() && real.items.size() > 7)
        real.items[7] = ours.items[7]; // the number of the client
    if (name == "pubsub" && real.type == Reply::Type::Integer) real.integer -= RealServer::kOwnPatterns;
    if (name == "keys" || (name == "pubsub" && args.size() > 1 && lowered(args[1]) == "channels") ||
        (unordered && isOneOf(name, {"hkeys", "hvals", "smembers"}))) {
        sortItems(real);
        sortItems(ours);
    }
    if (unordered && name == "hgetall") {
        sortPairs(real);
        sortPairs(ours);
    }
    const bool walksElements = unordered && isOneOf(name, {"hscan", "sscan", "zscan"});
    if ((name != "scan" && !walksElements) || real.isError() || ours.isError()) return;
    const auto onward = [&](const std::string& cursor) {
        std::vector<std::string> next = args;
        next[walksElements ? 2 : 1] = cursor;
        return next;
    };
    real = wholeScan(real, [&](const std::string& cursor) {
        m_real.send(step.connection, onward(cursor), realEvents);
        return m_real.received(step.connection).back();
    });
    ours = wholeScan(ours, [&](const std::string& cursor) {
        const std::vector<std::string> next = onward(cursor);
        return m_store.execute(static_cast<ClientId>(step.connection), viewsOf(next), m_now);
    });
    std::sort(realEvents.begin(), realEvents.end());
    std::sort(m_events.begin(), m_events.end());
}

std::optional<std::string> Comparison::compare(const Step& step) {
    m_now = kSequenceStart + step.atMicros;
    const std::vector<std::string> args = resolved(step);
    const std::string name = lowered(args[0]);
    const auto client = static_cast<ClientId>(step.connection);
    const auto at = static_cast<std::size_t>(step.connection);
    for (std::vector<Reply>& replies : m_received)
        replies.clear();
    m_events.clear();
    m_real.setClock(m_now);
    if (m_mustReconnect) m_real.settle();
    m_store.advance(m_now);
    const bool leftOut = isLeftOut(step, args, name);

    std::vector<KeyspaceEvent> realEvents;
    if (!leftOut) {
        m_real.send(step.connection, args, realEvents);
        const Reply& reply = m_store.execute(client, viewsOf(args), m_now);
        if (reply.type != Reply::Type::None)
            m_received[at].push_back(seenByClient(reply, m_store.factsOf(client).protocol));
    }
    for (int connection = 0; connection < RealServer::kConnections; ++connection) {
        std::vector<Reply> real = m_real.received(connection);
        std::vector<Reply>& ours = m_received[static_cast<std::size_t>(connection)];
        if (connection == step.connection && !leftOut && !real.empty() && !ours.empty())
            putInOrder(step, args, name, real.back(), ours.back(), realEvents);
        sortIfByPattern(real);
        sortIfByPattern(ours);
        if (name.ends_with("unsubscribe") && args.size() == 1) {
            sortUnsubscribed(real);
            sortUnsubscribed(ours);
        }
        if (real != ours)
            return difference("what connection " + std::to_string(connection) + " gets", shown(real),
                              shown(ours));
    }
    if (realEvents != m_events) return difference("the events", shown(realEvents), shown(m_events));
    if (leftOut) return std::nullopt;

    const bool failed = !m_received[at].empty() && m_received[at].back().isError();
    // It may have failed without a word.
    if (name == "select" && !failed && !m_inTransaction[at] && args.size() == 2)
        if (const std::optional<std::int64_t> index = parseInteger(args[1]);
            index && *index >= 0 && *index < 16)
            m_selected[at] = static_cast<int>(*index);
    if (name == "multi" && !failed) m_inTransaction[at] = true;
    if (name == "exec" || name == "discard") m_inTransaction[at] = false;
    if (name == "reset") {
        m_inTransaction[at] = false;
        m_selected[at] = 0;
    }
    if (name.ends_with("subscribe")) m_hasSubscribed[at] = true;
    if (m_silence[at] == "skip" || name == "reset") m_silence[at].clear();
    if (name == "client" && args.size() == 3 && lowered(args[1]) == "reply")
        m_silence[at] = lowered(args[2]) == "on" ? "" : lowered(args[2]);
    if (m_store.factsOf(client).blocked) m_mustReconnect = true;
    return std::nullopt;
}

/// What lies there in the end: every key with its deadline and value, and what the store tells its inspector
/// about it.
std::optional<std::string> Comparison::compareKeyspaces(std::int64_t atMicros) {
    for (const auto& [database, key] : std::vector(m_keys)) {
        if (database != 0) continue;
        const std::optional<Store::KeyInfo> info = m_store.peek(key, m_now);
        if (!info) return "the store told of the key '" + key + "' and does not show it";
        const std::vector<std::vector<std::string>> looks = {{"PEXPIRETIME", key},
                                                             {"OBJECT", "ENCODING", key},
                                                             {"TYPE", key},
                                                             {"GET", key},
                                                             {"HGETALL", key},
                                                             {"SMEMBERS", key},
                                                             {"LRANGE", key, "0", "-1"},
                                                             {"ZRANGE", key, "0", "-1", "WITHSCORES"}};
        for (const std::vector<std::string>& look : looks)
            if (std::optional<std::string> found = compare({atMicros, RealServer::kInspector, look}))
                return found;
        if (info->type != "string") continue;
        const Reply value = m_real.execute({"GET", key});
        if (info->dead ? value.type != Reply::Type::Null : value.text != info->value)
            return difference("what lies under '" + key + "'", display(value),
                              info->dead ? "(dead)" : info->value);
    }
    return std::nullopt;
}

/// Whether the elements under a key lie in a table, in no order that anybody may rely on.
bool Comparison::isUnordered(int connection, const std::string& key) const {
    const int database = m_selected[static_cast<std::size_t>(connection)];
    const std::optional<Store::KeyInfo> info = m_store.peek(key, m_now, database);
    return info && (info->encoding == "hashtable" || info->encoding == "skiplist");
}

std::size_t Comparison::elementsIn(int connection, const std::string& key) const {
    const int database = m_selected[static_cast<std::size_t>(connection)];
    const std::optional<Store::KeyInfo> info = m_store.peek(key, m_now, database);
    return info && !info->dead && (info->type == "set" || info->type == "hash") ? info->size : 0;
}

bool Comparison::mayBeRandomKey(const Reply& reply) const {
    if (reply.type == Reply::Type::Null) return m_keys.empty();
    return std::ranges::any_of(m_keys, [&](const auto& known) { return known.second == reply.text; });
}

bool Comparison::deadKeysLieAbout() const {
    return std::ranges::any_of(m_keys, [&](const auto& known) {
        const std::optional<Store::KeyInfo> info = m_store.peek(known.second, m_now, known.first);
        return info && info->dead;
    });
}

void Comparison::onWritten(std::string_view key, std::string_view, std::string_view,
                           std::optional<UnixMillis>, Before) {
    const std::pair<int, std::string> name{m_store.observerDatabase(), key};
    const auto place = std::ranges::lower_bound(m_keys, name);
    if (place == m_keys.end() || *place != name) m_keys.insert(place, name);
}

void Comparison::onRemoved(std::string_view key, Removal, std::string_view) {
    std::erase(m_keys, std::pair<int, std::string>{m_store.observerDatabase(), key});
}

void Comparison::onKeyspaceEvent(std::string_view event, std::string_view key) {
    m_events.push_back({m_store.observerDatabase(), std::string(event), std::string(key)});
}

void Comparison::onDelivery(ClientId client, const Reply& reply) {
    m_received[client].push_back(seenByClient(reply, m_store.factsOf(client).protocol));
}

void Comparison::onHangUp(ClientId) {}

Sequence shrunk(Comparison& comparison, Sequence sequence) {
    for (std::size_t piece = std::max<std::size_t>(sequence.size() / 2, 1);;
         piece = std::max<std::size_t>(piece / 2, 1)) {
        bool taken = false;
        for (std::size_t at = 0; at + piece <= sequence.size();) {
            Sequence shorter = sequence;
            const auto begin = shorter.begin() + static_cast<std::ptrdiff_t>(at);
            shorter.erase(begin, begin + static_cast<std::ptrdiff_t>(piece));
            if (!shorter.empty() && comparison.firstDifference(shorter)) {
                sequence = std::move(shorter);
                taken = true;
            } else {
                at += piece;
            }
        }
        if (piece == 1 && !taken) return sequence;
    }
}

} // namespace lockscope::redis
