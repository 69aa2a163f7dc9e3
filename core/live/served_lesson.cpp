// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/live/served_lesson.h"

#include <algorithm>
#include <utility>

namespace lockscope::live {

namespace {

/// Longer than this nothing stays unseen, though nothing is due.
constexpr std::chrono::milliseconds kLongestSleep{250};

} // namespace

ServedLesson::ServedLesson(QObject* parent) : QObject(parent) {
    m_timer.setSingleShot(true);
    m_timer.setTimerType(Qt::PreciseTimer);
    connect(&m_timer, &QTimer::timeout, this, &ServedLesson::letTimePass);
}

ServedLesson::~ServedLesson() {
    m_over = true;
    m_run.deliverTo(nullptr);
    close();
}

ServingLimits ServedLesson::limits() {
    ServingLimits limits;
    limits.clients = 128;
    limits.request = {10'000, 256 * 1024, 64 * 1024};
    limits.queryBytes = 512 * 1024;
    limits.replyBytes = 8 * 1024 * 1024;
    limits.totalBytes = 64 * 1024 * 1024;
    return limits;
}

Result<void> ServedLesson::start(const Scenario& scenario, Instant from, const ListenOptions& options) {
    m_over = true;
    close();
    if (const Result<void> started = m_run.start(scenario, from); !started) return started.error();
    m_run.deliverTo(this);
    if (const Result<void> open = openDoors(scenario.server.nodes, options); !open) {
        close();
        return open.error();
    }
    m_address = options.address;
    m_from = from;
    m_begun = m_over = m_toldFull = false;
    m_trace.reset();
    return {};
}

Result<void> ServedLesson::openDoors(int count, const ListenOptions& options) {
    for (int number = 0; number < count; ++number) {
        Node& node = m_nodes.emplace_back();
        node.door = std::make_shared<LessonDoor>(m_run, number, [this] { toNow(); });
        node.door->changed = [this] { emit guestsChanged(); };
        node.door->full = [this] { tellFull(); };
        node.server = std::make_unique<StoreServer>(node.door);
        ListenOptions here = options;
        if (options.port != 0) {
            if (options.port + number > 65535) return Error{"the lesson needs more ports than there are"};
            here.port = static_cast<std::uint16_t>(options.port + number);
        }
        if (const Result<void> listening = node.server->listen(here); !listening) return listening.error();
        connect(node.server.get(), &StoreServer::clientCutOff, this, &ServedLesson::clientCutOff);
    }
    return {};
}

void ServedLesson::close() {
    m_timer.stop();
    // A door must be there for as long as clients leave by it.
    for (Node& node : m_nodes)
        node.server->close();
    m_nodes.clear();
}

void ServedLesson::tellFull() {
    if (std::exchange(m_toldFull, true)) return;
    emit recordingFull(
        tr("The run keeps what its clients do, and can keep no more: from now on they are turned away. "
           "The lesson goes on without them."));
}

void ServedLesson::begin() {
    if (m_begun || !isServing()) return;
    m_begun = true;
    m_clock.start();
    armTimer();
    emit begun();
}

void ServedLesson::stop() {
    if (m_over || !isServing()) return;
    m_over = true;
    toNow();
    close();
    m_run.runUntil(kNever);
    QMetaObject::invokeMethod(this, &ServedLesson::finished, Qt::QueuedConnection);
}

Instant ServedLesson::now() const {
    if (!m_begun) return m_from;
    return m_from + std::chrono::duration_cast<Duration>(std::chrono::nanoseconds(m_clock.nsecsElapsed()));
}

/// A client is there, or wants something: by then time runs.
void ServedLesson::toNow() {
    if (!m_over) begin();
    m_run.runUntil(now());
    if (!m_over) armTimer();
}

void ServedLesson::letTimePass() {
    m_run.runUntil(now());
    if (m_run.isOver()) return stop();
    armTimer();
}

void ServedLesson::armTimer() {
    using std::chrono::milliseconds;
    const Duration wait = std::max(Duration{0}, std::min(m_run.nextDue(), now() + kLongestSleep) - now());
    m_timer.start(std::chrono::ceil<milliseconds>(wait));
}

Result<void> ServedLesson::intervene(const Intervention& intervention) {
    if (m_begun) m_run.runUntil(now());
    m_trace.reset();
    const Result<void> done = m_run.intervene(intervention);
    if (m_begun && !m_over) armTimer();
    return done;
}

void ServedLesson::resume(std::string_view actor) {
    if (m_begun) m_run.runUntil(now());
    m_trace.reset();
    m_run.resume(actor);
    if (m_begun && !m_over) armTimer();
}

std::shared_ptr<const Trace> ServedLesson::trace() {
    if (m_begun && !m_over) m_run.runUntil(now());
    const bool same = m_trace && m_trace->reached == m_run.reached() && m_actsInTrace == m_run.acts();
    if (!same) m_trace = std::make_shared<Trace>(m_run.trace());
    m_actsInTrace = m_run.acts();
    return m_trace;
}

std::uint16_t ServedLesson::port(int node) const {
    return m_nodes[static_cast<std::size_t>(node)].server->port();
}

QString ServedLesson::exposure() const {
    return isServing() ? StoreServer::exposureOf(m_address, port(0)) : QString();
}

std::vector<LessonDoor::Guest> ServedLesson::guests() const {
    std::vector<LessonDoor::Guest> all;
    for (const Node& node : m_nodes)
        for (LessonDoor::Guest& guest : node.door->guests())
            all.push_back(std::move(guest));
    return all;
}

LessonDoor* ServedLesson::doorOf(int visitor) const {
    for (const Node& node : m_nodes)
        if (node.door->knows(visitor)) return node.door.get();
    return nullptr;
}

void ServedLesson::onAnswer(std::size_t act, int visitor, const redis::Reply& reply) {
    if (LessonDoor* door = doorOf(visitor)) door->onAnswer(act, visitor, reply);
}

void ServedLesson::onMessage(int visitor, const redis::Reply& message) {
    if (LessonDoor* door = doorOf(visitor)) door->onMessage(visitor, message);
}

void ServedLesson::onHangUp(int visitor) {
    if (LessonDoor* door = doorOf(visitor)) door->onHangUp(visitor);
}

} // namespace lockscope::live
