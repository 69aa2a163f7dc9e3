// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Tasks that listen to a channel. A message lies with the process until a task takes it, in the order in which
// they came; of several tasks that listen, the one that began first gets the next one. A message that was
// published before the server had the subscription is not there: nothing is kept for who comes later.

#include "core/base/assert.h"
#include "core/world/task_scheduler.h"

namespace lockscope {

namespace {

constexpr const char* kClosed = "CLOSED this subscription has ended";

} // namespace

unsigned TaskScheduler::newSubscription(StringId channel) {
    m_subscriptions.emplace_back().channel = channel;
    return static_cast<unsigned>(m_subscriptions.size() - 1);
}

void TaskScheduler::unsubscribe(unsigned number) {
    if (m_subscriptions[number].over) return;
    m_host.unsubscribe(number);
    endSubscription(number);
}

/// The task wants a message. Values on its thread if it can go on at once; -1 if it has to wait.
int TaskScheduler::receive(unsigned number) {
    Task& t = task(number);
    Subscription& subscription = m_subscriptions[t.operation.subscription];
    if (!subscription.messages.empty() || subscription.over || t.operation.length == Duration{0})
        return takeMessage(t);
    const bool forEver = t.operation.length == kForEver;
    const Instant until = forEver ? kNever : m_host.now() + t.operation.length;
    Event& event = recordFor(t, EventKind::ReceiveStarted, t.line);
    event.text = subscription.channel;
    event.a = micros(until);
    if (!forEver) m_host.startTimer(until, {number, t.serial, Wake::Kind::Sleep});
    subscription.listening.push_back({number, t.serial, Wake::Kind::Message});
    return -1;
}

/// The next message, nil if there is none, or an error if there will be none: one value on the task's thread.
int TaskScheduler::takeMessage(Task& t) {
    Subscription& subscription = m_subscriptions[t.operation.subscription];
    lua_State* L = t.frames.back().thread.L;
    ++t.serial; // the other one of message and time-out comes too late
    Event& event = recordFor(t, EventKind::ReceiveEnded, t.line);
    event.text = subscription.channel;
    if (!subscription.messages.empty()) {
        event.b = 1;
        event.text2 = subscription.messages.front().shown;
        m_runtime.box().pushText(L, subscription.messages.front().text);
        subscription.messages.pop_front();
    } else if (subscription.over) {
        pushRedisError(L, kClosed, false);
        t.raising = true;
    } else {
        lua_pushnil(L);
    }
    return 1;
}

void TaskScheduler::hear(unsigned number, std::string_view text, StringId shown) {
    Subscription& subscription = m_subscriptions[number];
    if (subscription.over) return;
    subscription.messages.push_back({std::string(text), shown});
    wakeListener(subscription);
    runReady();
}

void TaskScheduler::loseSubscription(unsigned number) {
    endSubscription(number);
    runReady();
}

void TaskScheduler::endSubscription(unsigned number) {
    Subscription& subscription = m_subscriptions[number];
    subscription.over = true;
    while (!subscription.listening.empty())
        wakeListener(subscription);
}

void TaskScheduler::wakeListener(Subscription& subscription) {
    while (!subscription.listening.empty()) {
        const Wake wake = subscription.listening.front();
        subscription.listening.pop_front();
        if (!alive(task(wake.task)) || task(wake.task).serial != wake.serial) continue;
        return deliver(wake);
    }
}

} // namespace lockscope
