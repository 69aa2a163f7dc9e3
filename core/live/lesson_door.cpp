// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/live/lesson_door.h"

#include <algorithm>

#include "core/redis/numbers.h"

namespace lockscope::live {

namespace {

bool isNamed(std::span<const std::string_view> args, std::string_view name) {
    return redis::equalsIgnoringCase(args[0], name);
}

/// Where HELLO's `AUTH user password` begins; 0 if it has none.
std::size_t authIn(std::span<const std::string_view> args) {
    if (!isNamed(args, "hello")) return 0;
    for (std::size_t i = 2; i < args.size(); ++i) {
        if (redis::equalsIgnoringCase(args[i], "setname"))
            ++i;
        else if (redis::equalsIgnoringCase(args[i], "auth"))
            return i;
    }
    return 0;
}

/// CONFIG SET of a password. It would be the store's, which nobody can ever be asked for behind the door.
bool setsPassword(std::span<const std::string_view> args) {
    if (!isNamed(args, "config") || args.size() < 4 || !redis::equalsIgnoringCase(args[1], "set"))
        return false;
    for (std::size_t i = 2; i < args.size(); i += 2)
        if (redis::equalsIgnoringCase(args[i], "requirepass")) return true;
    return false;
}

} // namespace

LessonDoor::LessonDoor(VisitedRun& run, int node, std::function<void()> toNow)
    : m_run(run), m_node(node), m_toNow(std::move(toNow)) {}

std::vector<LessonDoor::Guest> LessonDoor::guests() const {
    std::vector<std::pair<int, Guest>> inside;
    for (const auto& [client, caller] : m_callers)
        if (caller.visitor >= 0) inside.emplace_back(caller.visitor, caller.guest);
    std::sort(inside.begin(), inside.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<Guest> out;
    for (auto& [visitor, guest] : inside)
        out.push_back(std::move(guest));
    return out;
}

void LessonDoor::serveAs(const redis::Serving& serving, const Secret& password) {
    const QByteArray& text = password.reveal();
    m_porter.serveAs(serving, {text.data(), static_cast<std::size_t>(text.size())});
    m_locked = !password.isEmpty();
}

redis::Store::ClientFacts LessonDoor::factsOf(redis::ClientId client) const {
    const auto found = m_callers.find(client);
    if (found == m_callers.end()) return {};
    const Caller& caller = found->second;
    redis::Store::ClientFacts facts =
        caller.visitor >= 0 ? m_run.factsOf(caller.visitor) : m_porter.factsOf(client);
    facts.blocked = caller.waits;
    facts.authenticated = caller.visitor >= 0;
    facts.closing = facts.closing || caller.turnedAway;
    return facts;
}

void LessonDoor::attached(redis::ClientId client, std::string_view address) {
    Caller& caller = m_callers[client];
    caller.guest.address = address;
    if (!m_locked) letIn(client, caller);
}

void LessonDoor::letIn(redis::ClientId client, Caller& caller) {
    m_toNow();
    if (m_run.isOver() || m_run.isFull()) {
        caller.turnedAway = true;
        if (m_run.isFull()) tellFull();
        return;
    }
    caller.visitor = m_run.come(m_node, caller.guest.address);
    m_byVisitor[caller.visitor] = client;
    if (changed) changed();
}

void LessonDoor::renamed(redis::ClientId client, std::string_view name) {
    const auto found = m_callers.find(client);
    if (found == m_callers.end()) return;
    found->second.guest.name = name;
    if (changed) changed();
}

void LessonDoor::detached(redis::ClientId client) {
    const auto found = m_callers.find(client);
    if (found == m_callers.end()) return;
    const int visitor = found->second.visitor;
    m_callers.erase(found);
    m_porter.disconnect(client);
    if (visitor < 0) return;
    m_byVisitor.erase(visitor);
    m_toNow();
    m_run.leave(visitor);
    if (changed) changed();
}

bool LessonDoor::asksForPassword(const Caller& caller, std::span<const std::string_view> args) const {
    return (m_locked && caller.visitor < 0) || isNamed(args, "auth") || authIn(args) > 0;
}

/// At the door: false if the porter has answered, in m_reply. Else the words go on, without the password.
bool LessonDoor::passes(redis::ClientId client, Caller& caller, std::vector<std::string>& words) {
    const std::vector<std::string_view> args(words.begin(), words.end());
    m_reply = m_porter.execute(client, args, 0);
    const bool in = !m_locked || m_porter.factsOf(client).authenticated;
    if (in && caller.visitor < 0 && !caller.turnedAway) letIn(client, caller);
    const std::size_t auth = authIn(args);
    if (m_reply.isError() || auth == 0) return false;
    words.erase(words.begin() + static_cast<std::ptrdiff_t>(auth),
                words.begin() + static_cast<std::ptrdiff_t>(auth + 3));
    return true;
}

const redis::Reply& LessonDoor::turnAway(Caller& caller, std::string_view why) {
    caller.turnedAway = true;
    m_reply.becomeError(why);
    return m_reply;
}

const redis::Reply& LessonDoor::execute(redis::ClientId client, std::span<const std::string_view> args) {
    Caller& caller = m_callers[client];
    std::vector<std::string> words(args.begin(), args.end());
    if (asksForPassword(caller, args) && !passes(client, caller, words)) return m_reply;
    if (setsPassword(args)) {
        m_reply.becomeError(
            "ERR CONFIG SET failed (possibly related to argument 'requirepass') - a lesson asks for "
            "its password at the door, and keeps none in its run");
        return m_reply;
    }
    m_toNow();
    if (m_run.isOver()) return turnAway(caller, "ERR the lesson is over");
    if (m_run.isFull()) tellFull();
    if (caller.visitor < 0 || m_run.isFull())
        return turnAway(caller, "ERR the lesson keeps what its clients do, and can keep no more");
    m_asked = m_run.acts();
    m_answered = false;
    m_run.send(caller.visitor, std::move(words));
    if (m_answered) return m_reply;
    caller.waits = true;
    m_reply.become(redis::Reply::Type::None);
    return m_reply;
}

void LessonDoor::onAnswer(std::size_t act, int visitor, const redis::Reply& reply) {
    if (act == m_asked && !m_answered) {
        Caller& caller = m_callers[m_byVisitor[visitor]];
        if (!caller.waits) {
            m_reply = reply;
            m_answered = true;
            return;
        }
    }
    const auto client = m_byVisitor.find(visitor);
    if (client == m_byVisitor.end()) return;
    m_callers[client->second].waits = false;
    if (m_port != nullptr) m_port->onDelivery(client->second, reply);
}

void LessonDoor::onMessage(int visitor, const redis::Reply& message) {
    const auto client = m_byVisitor.find(visitor);
    if (client != m_byVisitor.end() && m_port != nullptr) m_port->onDelivery(client->second, message);
}

void LessonDoor::onHangUp(int visitor) {
    const auto client = m_byVisitor.find(visitor);
    if (client != m_byVisitor.end() && m_port != nullptr) m_port->onHangUp(client->second);
}

} // namespace lockscope::live
