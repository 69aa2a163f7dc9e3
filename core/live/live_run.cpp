// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// How a live run begins, goes on and ends. What interventions do to it is in live_run_faults.cpp, what cannot
// be run at all in live_run_limits.cpp.
#include "core/live/live_run.h"

#include <QDir>
#include <QUuid>

#include <algorithm>
#include <chrono>

#include "core/base/assert.h"
#include "core/base/random.h"
#include "core/live/unix_time.h"

namespace lockscope::live {

namespace {

/// Between the word that the run begins and its zero, so that the word is there before.
constexpr std::chrono::milliseconds kLead{20};
/// Reports are under way for so long at most, as a rule; what is shown of a growing run ends before.
constexpr Duration kLag = millis(10);
/// A console that was closed is opened again after this.
constexpr Duration kConsoleAgain = millis(50);

std::int64_t monotonicMicros() {
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::microseconds>(now).count();
}

QByteArray newKeyPrefix() {
    return "lockscope:" + QUuid::createUuid().toByteArray(QUuid::Id128).left(12) + ':';
}

} // namespace

LiveRun::LiveRun(const LivePlace& place, std::shared_ptr<Janitor> janitor, QObject* parent)
    : QObject(parent), m_place(place), m_janitor(std::move(janitor)) {}

LiveRun::~LiveRun() {
    for (const auto& life : m_lives)
        life->host.disconnect(this);
    for (Node& node : m_nodes)
        node.server->disconnect(this);
    m_lives.clear(); // before the servers, whose clients they are
    m_nodes.clear();
    m_resource.reset();
    if (m_folder && m_janitor) {
        m_folder->remove();
        m_janitor->forgetFolder(m_folder->path());
    }
}

Result<void> LiveRun::start(const Scenario& scenario) {
    LOCKSCOPE_ASSERT(m_state == State::Idle);
    if (const Result<void> can = canRun(scenario, m_place); !can) return can;
    m_scenario = scenario;
    if (const Result<void> made = prepareResource(); !made) return made;
    if (!m_place.isOurs()) m_keyPrefix = newKeyPrefix();
    m_state = State::Starting;
    m_timers = std::make_unique<QObject>();
    m_current.assign(scenario.actors.size(), nullptr);
    m_nodes.resize(static_cast<std::size_t>(scenario.server.nodes));
    for (int node = 0; node < scenario.server.nodes; ++node)
        addNode(node);
    for (Node& node : m_nodes)
        node.server->start();
    return {};
}

Result<void> LiveRun::prepareResource() {
    if (!m_scenario.resource.present) return {};
    m_folder = std::make_unique<QTemporaryDir>(
        QDir(QDir::tempPath()).filePath(QLatin1String(Janitor::kFolderPrefix) + QStringLiteral("XXXXXX")));
    if (!m_folder->isValid())
        return Error{"cannot make a temporary folder: " + m_folder->errorString().toStdString()};
    if (m_janitor) m_janitor->watchFolder(m_folder->path());
    auto made = SqliteResource::create(m_folder->filePath(QStringLiteral("resource.db")).toStdString(),
                                       m_scenario.resource);
    if (!made) return made.error();
    m_resource = std::move(*made);
    return {};
}

void LiveRun::addNode(int index) {
    Node& node = m_nodes[static_cast<std::size_t>(index)];
    const auto number = static_cast<NodeIndex>(index);
    node.server = LiveServer::make(m_place, m_scenario.server, m_keyPrefix, m_janitor);
    node.console = std::make_unique<RedisConnection>();
    LiveServer* server = node.server.get();
    connect(server, &LiveServer::failed, this,
            [this](const QString& why) { m_state == State::Starting ? fail(why) : breakOff(why); });
    connect(server, &LiveServer::ready, this, [this, &node] { node.console->open(node.server->endpoint()); });
    connect(node.console.get(), &RedisConnection::ready, this, [this, &node, number] {
        node.ready = true;
        if (m_trace) m_trace->linked(kNone, number, node.console->localName());
        if (m_state == State::Starting &&
            std::all_of(m_nodes.begin(), m_nodes.end(), [](const Node& n) { return n.ready; }))
            startActors();
    });
    connect(node.console.get(), &RedisConnection::failed, this, [this, &node](const ConnectionFailure& why) {
        if (m_state == State::Starting) return fail(describe(why, node.server->endpoint()));
        if (running()) at(now() + kConsoleAgain, [this, &node] { openConsole(node); });
    });
    connect(server, &LiveServer::executed, this, [this, number](const SeenCommand& command) {
        if (m_trace) m_trace->saw(number, command);
    });
    connect(server, &LiveServer::keyRemoved, this,
            [this, number](qint64 at, const QByteArray& key, bool evicted) {
                if (m_trace) m_trace->sawRemoval(number, at, key, evicted);
            });
    connect(server, &LiveServer::lost, this, [this, &node, number](const QString& why) {
        if (m_state == State::Starting) return fail(why);
        node.away = true;
        noteServer(EventKind::ServerUnavailable, number, "gone");
    });
    connect(server, &LiveServer::back, this, [this, &node, number] {
        node.away = false;
        noteServer(EventKind::ServerAvailable, number, {});
        openConsole(node);
    });
    connect(server, &LiveServer::unwatched, this, &LiveRun::breakOff);
    connect(server, &LiveServer::wentDown, this, [this, &node, number](qint64 at) {
        node.away = true;
        if (m_trace) m_trace->wentDown(number, at);
    });
    connect(server, &LiveServer::cameUp, this,
            [this, &node, number](qint64 at, const std::vector<redis::StoredCommand>& keys, EndReason why) {
                node.away = false;
                if (m_trace) m_trace->cameUp(number, at, keys, why);
                openConsole(node);
            });
    connect(server, &LiveServer::settled, this, [this, &node] {
        node.settled = true;
        leaveIfSettled();
    });
    connect(server, &LiveServer::gone, this, [this, &node] {
        node.gone = true;
        overIfGone();
    });
}

/// Whoever types into it may close it, too.
void LiveRun::openConsole(Node& node) {
    if (!node.away && node.console->stage() == ConnectionStage::Closed)
        node.console->open(node.server->endpoint());
}

// ---- beginning
// ------------------------------------------------------------------------------------------------

void LiveRun::startActors() {
    if (!m_lives.empty()) return;
    for (std::size_t actor = 0; actor < m_scenario.actors.size(); ++actor)
        spawn(static_cast<ActorIndex>(actor), m_scenario.actors[actor].start);
}

LiveRun::Life& LiveRun::spawn(ActorIndex actor, Instant start) {
    Life& life = *m_lives.emplace_back(std::make_unique<Life>(m_janitor));
    life.actor = actor;
    m_current[static_cast<std::size_t>(actor)] = &life;
    int incarnation = 0;
    for (const auto& each : m_lives)
        if (each->actor == actor) ++incarnation;
    connect(&life.host, &ActorProcess::linkChanged, this,
            [this, &life](const LinkChange& change) { onLink(life, change); });
    connect(&life.host, &ActorProcess::reported, this,
            [this, &life](const ActorReport& report) { onReport(life, report); });
    connect(&life.host, &ActorProcess::asked, this,
            [this, &life](const ResourceQuestion& question) { onQuestion(life, question); });
    connect(&life.host, &ActorProcess::ended, this,
            [this, &life](const QString& overrun) { onEnded(life, overrun); });
    connect(&life.host, &ActorProcess::died, this, [this, &life](const QString& why) {
        if (m_state == State::Starting)
            return fail(
                tr("a process for %1 could not be started: %2")
                    .arg(QString::fromStdString(m_scenario.actors[static_cast<std::size_t>(life.actor)].name),
                         why));
        onDied(life);
    });
    ActorOrder order;
    order.spec = m_scenario.actors[static_cast<std::size_t>(actor)];
    order.spec.start = start;
    order.knobs = m_scenario.knobs;
    order.lockKeys = m_scenario.lockKeyNames;
    // As in the simulator, so that chance gives the same there and here.
    order.seed = Random(m_scenario.seed)
                     .fork(static_cast<std::uint64_t>(actor) * 100 + static_cast<std::uint64_t>(incarnation))
                     .next();
    for (const Node& node : m_nodes) {
        order.nodes.push_back(node.server->endpoint());
        order.nodes.back().clientName =
            QString::fromStdString(order.spec.name).replace(QLatin1Char(' '), QLatin1Char('-'));
    }
    order.keyPrefix = m_keyPrefix;
    order.hasResource = m_scenario.resource.present;
    life.host.start(order);
    return life;
}

void LiveRun::onLink(Life& life, const LinkChange& change) {
    if (change.up)
        life.linked.insert(change.node);
    else
        life.linked.erase(change.node);
    if (m_state == State::Starting) {
        life.told.push_back(change);
        if (!change.up)
            return fail(
                tr("%1 cannot connect: %2")
                    .arg(QString::fromStdString(m_scenario.actors[static_cast<std::size_t>(life.actor)].name),
                         change.why));
        return beginIfReady();
    }
    if (change.up && m_trace)
        m_trace->linked(life.process, static_cast<NodeIndex>(change.node), change.address);
}

void LiveRun::beginIfReady() {
    const bool all = m_lives.size() == m_scenario.actors.size() &&
                     std::all_of(m_lives.begin(), m_lives.end(),
                                 [this](const auto& life) { return life->linked.size() == m_nodes.size(); });
    if (all) begin();
}

void LiveRun::begin() {
    m_runStart = (std::chrono::steady_clock::now() + kLead).time_since_epoch().count();
    const std::int64_t epoch = unixMicros() + (m_runStart / 1000 - monotonicMicros());
    const bool monitored = m_nodes.front().server->isMonitored();
    const WorldKind world =
        m_place.kind == LivePlace::Kind::Embedded ? WorldKind::LiveEmbedded : WorldKind::LiveReal;
    m_trace = std::make_unique<LiveTrace>(m_scenario, world, epoch, monitored);
    m_state = State::Running;
    for (std::size_t node = 0; node < m_nodes.size(); ++node)
        m_trace->linked(kNone, static_cast<NodeIndex>(node), m_nodes[node].console->localName());
    for (const auto& life : m_lives) {
        life->process = m_trace->addProcess(life->actor);
        for (const LinkChange& change : life->told)
            m_trace->linked(life->process, static_cast<NodeIndex>(change.node), change.address);
        life->host.go(m_runStart);
        tellOfFaults(*life);
    }
    for (std::size_t i = 0; i < m_scenario.interventions.size(); ++i)
        schedule(i);
    at(m_scenario.horizon, [this] { finishAt(m_scenario.horizon); });
    emit begun();
}

Instant LiveRun::now() const {
    if (m_runStart == 0) return {};
    return std::max(Instant{}, instantAt(Duration{monotonicMicros() - m_runStart / 1000}));
}

void LiveRun::at(Instant when, std::function<void()> what) {
    const Instant due = std::max(when, now());
    // Before the run's zero it is not now() yet.
    const Duration wait = due.time_since_epoch() - Duration{monotonicMicros() - m_runStart / 1000};
    QTimer::singleShot(std::chrono::ceil<std::chrono::milliseconds>(wait), Qt::PreciseTimer, m_timers.get(),
                       [this, due, what = std::move(what)] {
                           m_late = std::max(m_late, now() - due);
                           what();
                       });
}

// ---- what actors tell
// -----------------------------------------------------------------------------------------

void LiveRun::onReport(Life& life, const ActorReport& report) {
    if (!m_trace) return;
    for (const ActorReport::Happening& happening : report.events)
        if (happening.event.kind == EventKind::ProcessStarted) life.begun = true;
    m_trace->add(life.process, report);
}

void LiveRun::onQuestion(Life& life, const ResourceQuestion& question) {
    if (question.write) {
        const WriteAnswer answer = m_resource->write(question.name, question.value, question.fence);
        if (m_trace) m_trace->addStatement(life.process, m_resource->lastStatement());
        life.host.answer({answer.accepted, answer.version, answer.highestFence, std::string(answer.why)});
    } else {
        const StoredValue value = m_resource->read(question.name);
        life.host.answer({value.present, value.version, -1, std::string(value.value)});
    }
}

void LiveRun::onEnded(Life& life, const QString& overrun) {
    life.over = true;
    if (!running()) return settleIfQuiet();
    if (overrun.isEmpty()) return;
    m_trace->setFailure(m_scenario.actors[static_cast<std::size_t>(life.actor)].name + " was " +
                        overrun.toStdString());
    finish();
}

void LiveRun::onDied(Life& life) {
    life.over = true;
    if (m_state != State::Running) return settleIfQuiet();
    const Instant end = std::max(life.killedAt.value_or(now()), m_trace->lastOf(life.process));
    m_trace->cutOffWorks(life.process, end);
    noteProcess(EventKind::ProcessKilled, life, end);
    m_trace->left(life.process, end);
}

// ---- ending
// ---------------------------------------------------------------------------------------------------

void LiveRun::finish() {
    finishAt(std::min(now(), m_scenario.horizon));
}

void LiveRun::finishAt(Instant end) {
    if (!running()) return;
    m_state = State::Finishing;
    m_endedAt = end;
    endActors();
}

void LiveRun::endActors() {
    m_timers = std::make_unique<QObject>();
    for (Node& node : m_nodes)
        node.server->thaw();
    for (const auto& life : m_lives)
        if (!life->over) life->host.kill();
    settleIfQuiet();
}

/// All last words have been heard.
void LiveRun::settleIfQuiet() {
    const bool quiet =
        std::all_of(m_lives.begin(), m_lives.end(), [](const auto& life) { return life->over; });
    if (m_state != State::Finishing || !quiet) return;
    for (Node& node : m_nodes)
        node.server->settle();
}

void LiveRun::leaveIfSettled() {
    const bool all = std::all_of(m_nodes.begin(), m_nodes.end(), [](const Node& n) { return n.settled; });
    if (m_state != State::Finishing || !all) return;
    for (Node& node : m_nodes)
        node.server->leave();
}

void LiveRun::overIfGone() {
    const bool all = std::all_of(m_nodes.begin(), m_nodes.end(), [](const Node& n) { return n.gone; });
    if (m_state != State::Finishing || !all) return;
    m_state = State::Over;
    forgetTakenBack();
    emit finished();
}

void LiveRun::fail(const QString& why) {
    if (m_state == State::Over) return;
    m_state = State::Over;
    forgetTakenBack();
    m_timers.reset();
    for (const auto& life : m_lives)
        if (!life->over) life->host.kill();
    emit failed(why);
}

std::shared_ptr<Trace> LiveRun::trace() {
    if (!m_trace) return {};
    if (m_state != State::Over) return m_trace->grow(std::max(Instant{}, now() - kLag));
    return m_trace->assemble(m_endedAt == kNever ? now() : m_endedAt);
}

std::vector<std::string> LiveRun::doubts() const {
    return m_trace ? m_trace->doubts() : std::vector<std::string>();
}

Duration LiveRun::lateness() const {
    return m_trace ? std::max(m_late, m_trace->lateness()) : m_late;
}

ActorIndex LiveRun::actorNamed(std::string_view name) const {
    for (std::size_t i = 0; i < m_scenario.actors.size(); ++i)
        if (m_scenario.actors[i].name == name) return static_cast<ActorIndex>(i);
    return kNone;
}

LiveRun::Life* LiveRun::lifeOf(ActorIndex actor) const {
    const auto index = static_cast<std::size_t>(actor); // of who is outside there is none
    return actor == kNone || index >= m_current.size() ? nullptr : m_current[index];
}

bool LiveRun::isAlive(std::string_view actor) const {
    const Life* life = lifeOf(actorNamed(actor));
    return life != nullptr && life->begun && !life->over && !life->killedAt;
}

bool LiveRun::isPaused(std::string_view actor) const {
    return isAlive(actor) && lifeOf(actorNamed(actor))->host.isPaused();
}

} // namespace lockscope::live
