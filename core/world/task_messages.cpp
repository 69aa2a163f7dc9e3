// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What tasks send, and how they are answered.

#include <algorithm>
#include <utility>

#include "core/base/assert.h"
#include "core/world/task_scheduler.h"

namespace lockscope {

void TaskScheduler::send(unsigned number) {
    Task& t = task(number);
    const Command& command = m_runtime.commands()[t.operation.command];
    TraceRequest& request = m_trace->requests.emplace_back();
    request.task = t.index;
    request.actor = m_identity.actor;
    request.node = t.operation.node;
    request.command = command.name;
    request.text = command.text;
    request.key = command.key;
    request.line = t.line;
    request.ask = command.onLockKey &&
                  (command.canGrant || (command.needsStore && m_host.canGrant(command, request.node)));
    t.request = static_cast<RequestIndex>(m_trace->requests.size() - 1);
    recordMessage(EventKind::RequestSent, t.request);
    const Wake wake{number, t.serial, Wake::Kind::Reply};
    if (t.operation.subscription == kNoSubscription)
        m_host.send(t.request, command, wake);
    else
        m_host.subscribe(t.request, command, wake, t.operation.subscription);
    if (m_identity.clientTimeout > Duration{0})
        m_host.startTimer(m_host.now() + m_identity.clientTimeout, {number, t.serial, Wake::Kind::TimeOut});
}

Event& TaskScheduler::recordMessage(EventKind kind, RequestIndex request) {
    const TraceRequest& sent = m_trace->requests[static_cast<std::size_t>(request)];
    Event& event = m_trace->events.emplace_back();
    event.at = m_host.now();
    event.kind = kind;
    event.actor = sent.actor;
    event.process = m_identity.process;
    event.task = sent.task;
    event.node = sent.node;
    event.request = request;
    event.key = sent.key;
    event.line = sent.line;
    return event;
}

void TaskScheduler::reply(const Wake& wake, RequestIndex request, const redis::Reply& reply, StringId text,
                          std::int64_t flags) {
    Task& t = task(wake.task);
    if (!alive(t) || t.serial != wake.serial) {
        answerLate(request, text, flags);
        return;
    }
    const Loop& loop = m_loops[static_cast<std::size_t>(t.loop)];
    if (loop.computing != kNoTask) {
        m_held.push_back({wake, request, reply, text, flags});
        deliver(wake);
        return;
    }
    Event& event = recordMessage(EventKind::ReplyReceived, request);
    event.text = text;
    event.b = flags;
    answer(wake.task, reply);
    runReady();
}

void TaskScheduler::answer(unsigned number, const redis::Reply& reply) {
    Task& t = task(number);
    if (t.repeated.notEntered && answeredAgain(t, reply)) return;
    enter(number);
    noteAnswer(t, reply);
    if (t.operation.subscription != kNoSubscription && !reply.isError())
        pushSubscriptionHandle(t.frames.back().thread.L, handleOf(t.operation.subscription));
    else
        pushReply(t.frames.back().thread.L, reply);
    t.raising = reply.isError() && t.operation.raises;
    t.arguments = 1;
    t.request = kNone;
    makeReady(number);
}

TaskScheduler::HeldReply TaskScheduler::takeHeld(const Wake& wake) {
    const auto held =
        std::find_if(m_held.begin(), m_held.end(), [&](const HeldReply& h) { return h.wake == wake; });
    LOCKSCOPE_ASSERT(held != m_held.end());
    HeldReply taken = std::move(*held);
    m_held.erase(held);
    return taken;
}

// A reply whose client gave up on it, or is gone.
void TaskScheduler::answerLate(RequestIndex request, StringId text, std::int64_t flags) {
    Event& event = recordMessage(EventKind::ReplyReceived, request);
    event.text = text;
    event.b = flags | 4;
}

} // namespace lockscope
