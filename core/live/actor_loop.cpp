// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/live/actor_loop.h"

#include <QCoreApplication>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <ctime>

#include <unistd.h>

#include "core/base/assert.h"

namespace lockscope::live {

namespace {

constexpr std::chrono::milliseconds kNoteInterval{5};

std::int64_t monotonicNanos() {
    timespec t{};
    ::clock_gettime(CLOCK_MONOTONIC, &t); // also within a signal handler
    return std::int64_t{t.tv_sec} * 1'000'000'000 + t.tv_nsec;
}

std::atomic<std::int64_t> continuedAt{0}; // until it is noted
std::atomic<std::int64_t> lastContinuedAt{0};
static_assert(std::atomic<std::int64_t>::is_always_lock_free);
void onContinue(int) {
    continuedAt = lastContinuedAt = monotonicNanos();
}

} // namespace

ActorLoop::ActorLoop(int in, int out)
    : m_in(in), m_out(out), m_notifier(in, QSocketNotifier::Read), m_scheduler(m_runtime, *this) {
    m_timer.setSingleShot(true);
    m_timer.setTimerType(Qt::PreciseTimer);
    connect(&m_timer, &QTimer::timeout, this, &ActorLoop::onTimer);
    connect(&m_notifier, &QSocketNotifier::activated, this, &ActorLoop::hear);
}

ActorLoop::~ActorLoop() {
    m_scheduler.abandon();
}

void ActorLoop::begin() {
    struct sigaction action {};
    action.sa_handler = onContinue;
    action.sa_flags = SA_RESTART;
    ::sigaction(SIGCONT, &action, nullptr);
    say(readyFrame());
}

// ---- the host
// --------------------------------------------------------------------------------------------------

void ActorLoop::say(const QByteArray& frame) {
    for (qsizetype written = 0; written < frame.size();) {
        const ssize_t n =
            ::write(m_out, frame.constData() + written, static_cast<std::size_t>(frame.size() - written));
        if (n < 0 && errno != EINTR) ::_exit(0); // the host is gone
        if (n > 0) written += n;
    }
}

void ActorLoop::hear() {
    char bytes[16 * 1024];
    const ssize_t n = ::read(m_in, bytes, sizeof bytes);
    if (n < 0 && errno == EINTR) return;
    if (n <= 0) ::_exit(0); // the host is gone
    m_messages.feed(QByteArray(bytes, n));
    while (const auto message = m_messages.next())
        take(*message);
}

void ActorLoop::take(const Message& message) {
    switch (message.kind) {
    case MessageKind::Order:
        return obey(message.order());
    case MessageKind::Go:
        m_runStart = message.runStart();
        return startWhenDue();
    case MessageKind::Arm:
        return interfere(message.fault());
    default:
        LOCKSCOPE_ASSERT(false); // an answer comes only while it is waited for
    }
}

void ActorLoop::obey(const ActorOrder& order) {
    LOCKSCOPE_ASSERT(!m_started && m_links.empty());
    m_order = order;
    m_clockOffset = order.spec.clockOffset;
    m_trace.actors.push_back({m_order.spec.name, false});
    m_trace.processes.push_back({0, 1});
    for (const std::string& key : m_order.lockKeys) {
        m_trace.lockKeys.emplace_back().name = m_trace.strings.intern(key);
    }
    for (int node = 0; node < nodes(); ++node)
        connectTo(node);
}

/// Waits for the answer. Faults that the host arms meanwhile are kept.
ResourceAnswer ActorLoop::ask(const ResourceQuestion& question) {
    report(); // what led to the question stands before it
    say(frameOf(question));
    while (true) {
        if (const auto message = m_messages.next()) {
            if (message->kind == MessageKind::Answer) {
                if (m_turn) m_turn = std::nullopt, m_turn = now(); // that took its time
                return message->answer();
            }
            take(*message);
            continue;
        }
        char bytes[4096];
        const ssize_t n = ::read(m_in, bytes, sizeof bytes);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) ::_exit(0); // the host is gone
        m_messages.feed(QByteArray(bytes, n));
    }
}

void ActorLoop::report() {
    ActorReport report;
    const auto text = [this](StringId id) { return std::string(m_trace.text(id)); };
    for (; m_reportedTasks < m_trace.tasks.size(); ++m_reportedTasks)
        report.tasks.push_back(m_trace.tasks[m_reportedTasks]);
    for (; m_reportedRequests < m_trace.requests.size(); ++m_reportedRequests) {
        const TraceRequest& r = m_trace.requests[m_reportedRequests];
        report.requests.push_back({r, text(r.command), text(r.text), text(r.key)});
    }
    for (const Event& e : m_trace.events)
        report.events.push_back({e, text(e.key), text(e.text), text(e.text2)});
    m_trace.events.clear();
    report.sendings = std::exchange(m_sendings, {});
    report.answers = std::exchange(m_answers, {});
    report.leavings = std::exchange(m_leavings, {});
    if (report.isEmpty()) return;
    report.late = std::exchange(m_late, {});
    say(frameOf(report));
}

// ---- the clock
// -------------------------------------------------------------------------------------------------

/// What tasks do in one turn they do at one instant, as in the simulator: between an answer and what follows
/// from it at once there is no time in which it would not have followed yet.
ActorLoop::Turn::Turn(ActorLoop& loop) : m_loop(loop) {
    m_loop.m_turn = m_loop.now();
}

ActorLoop::Turn::~Turn() {
    m_loop.m_turn.reset();
}

Instant ActorLoop::now() const {
    if (m_turn) return *m_turn;
    return instantAt(Duration{(monotonicNanos() - m_runStart) / 1000});
}

std::int64_t ActorLoop::wallMillis() const {
    const auto wall = std::chrono::system_clock::now().time_since_epoch() + m_clockOffset;
    return std::chrono::floor<std::chrono::milliseconds>(wall).count();
}

void ActorLoop::startWhenDue() {
    const bool all = std::all_of(m_links.begin(), m_links.end(),
                                 [](const auto& link) { return link->connection().isReady(); });
    if (m_started || !all || m_runStart == 0) return;
    m_startDue = std::max(m_order.spec.start, now());
    m_timer.start(std::chrono::ceil<std::chrono::milliseconds>(m_startDue - now()));
}

void ActorLoop::startProgram() {
    m_started = true;
    noteLateness(m_startDue);
    Event& event = m_trace.events.emplace_back();
    event.at = now();
    event.kind = EventKind::ProcessStarted;
    Scenario scenario;
    scenario.knobs = m_order.knobs;
    scenario.lockKeyNames = m_order.lockKeys;
    scenario.actors = {m_order.spec};
    m_runtime.beginRun(scenario);
    const Result<void> pushed = m_runtime.pushProgram(0, m_order.spec);
    LOCKSCOPE_ASSERT(pushed.ok()); // the host has checked that it compiles
    {
        const Turn turn(*this);
        m_scheduler.start({0, 0, m_order.spec.clientTimeout, m_order.seed}, m_trace);
    }
    report();
    runDue();
}

void ActorLoop::startTimer(Instant due, const Wake& wake) {
    m_due.push_back({due, ++m_sequence, wake});
    std::push_heap(m_due.begin(), m_due.end(), Due::isLater);
}

void ActorLoop::startWork(Duration running, const Wake& wake) {
    if (m_works.empty()) m_lastNote = now();
    m_works.push_back({now().time_since_epoch() - m_stopped + running, wake});
}

void ActorLoop::cancelWork(const Wake& wake) {
    std::erase_if(m_works, [&](const Work& work) { return work.wake == wake; });
}

/// Whether the process was stopped since the last note. What it worked stands still by that long.
bool ActorLoop::noteStop() {
    const Instant continued = instantAt(Duration{(continuedAt.exchange(0) - m_runStart) / 1000});
    const bool wasStopped = continued > m_lastNote;
    if (wasStopped && !m_works.empty()) m_stopped += continued - m_lastNote;
    m_lastNote = now();
    return wasStopped;
}

/// A process that is stopped is not late: what fell due meanwhile is due when it goes on.
void ActorLoop::noteLateness(Instant due) {
    const Instant wentOn = instantAt(Duration{(lastContinuedAt - m_runStart) / 1000});
    m_late = std::max(m_late, now() - std::max(due, wentOn));
}

void ActorLoop::onTimer() {
    if (!m_started) return startProgram();
    // After a stop, what came by the sockets meanwhile is taken in before any time-out looks at it.
    if (noteStop()) return m_timer.start(0);
    runDue();
}

void ActorLoop::runDue() {
    while (!over()) {
        const auto work = std::min_element(m_works.begin(), m_works.end(), [](const Work& a, const Work& b) {
            return a.runningAtEnd < b.runningAtEnd;
        });
        const Instant workEnd = work == m_works.end() ? kNever : instantAt(work->runningAtEnd + m_stopped);
        const Instant timer = m_due.empty() ? kNever : m_due.front().at;
        if (std::min(workEnd, timer) > now()) break;
        noteLateness(std::min(workEnd, timer));
        if (workEnd < timer) {
            const Wake wake = work->wake;
            m_works.erase(work);
            turn(wake);
        } else {
            std::pop_heap(m_due.begin(), m_due.end(), Due::isLater);
            const Wake wake = m_due.back().wake;
            m_due.pop_back();
            turn(wake);
        }
    }
    armTimer();
}

void ActorLoop::turn(const Wake& wake) {
    m_runtime.box().refill(); // each turn may use what a whole simulated run may
    {
        const Turn turn(*this);
        m_scheduler.wake(wake);
    }
    report();
}

void ActorLoop::armTimer() {
    if (over()) {
        m_timer.stop();
        if (!std::exchange(m_over, true)) say(endedFrame(m_scheduler.overrun()));
        return;
    }
    Instant next = m_due.empty() ? kNever : m_due.front().at;
    for (const Work& work : m_works)
        next = std::min(next, instantAt(work.runningAtEnd + m_stopped));
    if (next == kNever) return m_timer.stop();
    auto wait = std::chrono::ceil<std::chrono::milliseconds>(std::max(next - now(), Duration{0}));
    if (!m_works.empty()) wait = std::min(wait, kNoteInterval);
    m_timer.start(wait);
}

// ---- the resource
// ----------------------------------------------------------------------------------------------

WriteAnswer ActorLoop::write(std::string_view name, std::string_view value, std::int64_t fence) {
    const ResourceAnswer answer = ask({true, std::string(name), std::string(value), fence});
    m_answered = answer.text;
    return {answer.yes, answer.version, answer.highestFence, m_answered};
}

StoredValue ActorLoop::read(std::string_view name) {
    const ResourceAnswer answer = ask({false, std::string(name), {}, -1});
    m_answered = answer.text;
    return {answer.yes, m_answered, answer.version};
}

} // namespace lockscope::live
