// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QTemporaryDir>
#include <QTimer>

#include <deque>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/live/actor_process.h"
#include "core/live/janitor.h"
#include "core/live/live_server.h"
#include "core/live/live_trace.h"
#include "core/live/sqlite_resource.h"
#include "core/world/scenario.h"

namespace lockscope::live {

/// A scenario, run by real processes on a real Redis in real time.
///
/// Each actor is a process of its own (ActorProcess), a pause a SIGSTOP, a kill a SIGKILL. What comes out is
/// a Trace like the simulator's (LiveTrace). It lasts until the scenario's horizon. Interventions of the
/// scenario happen at their instants; further ones can be made while it runs, and take effect then.
///
/// A load of a cache takes no time in a simulated run. Here it takes some tenths of a second, and nobody but
/// the machine that writes it does anything meanwhile: processes stand still (SIGSTOP) until it is over.
///
/// Make and start it on the main thread, in a program whose main() knows ActorProcess::kArgument and
/// Janitor::kArgument. One object is good for one run. Destroying it at any time leaves nothing behind, and
/// with the janitor neither does SIGKILL.
class LiveRun : public QObject {
    Q_OBJECT

public:
    enum class State : std::uint8_t { Idle, Starting, Running, Finishing, Over };

    LiveRun(const LivePlace& place, std::shared_ptr<Janitor> janitor, QObject* parent = nullptr);
    ~LiveRun() override;

    /// Whether that scenario can be run there, and if not, why, in a sentence.
    static Result<void> canRun(const Scenario& scenario, const LivePlace& place);

    /// begun() or failed() follows, unless it cannot be run there.
    Result<void> start(const Scenario& scenario);
    /// At its instant, or now if that has passed.
    Result<void> intervene(Intervention intervention);
    /// What is still to come does not. Afterwards scenario() knows nothing of it.
    Result<void> takeBack(const Intervention& planned);
    /// Ends a pause of that actor before its time. Its intervention becomes as long as it was.
    void resume(std::string_view actor);
    /// Ends the run as if its horizon were now; finished() follows.
    void finish();

    State state() const { return m_state; }
    /// The run's own time. Zero until it has begun.
    Instant now() const;
    /// With the interventions as they really were.
    const Scenario& scenario() const { return m_scenario; }
    bool isPaused(std::string_view actor) const;
    bool isAlive(std::string_view actor) const;

    /// As far as is known by now; whole after finished(). Null before begun().
    std::shared_ptr<Trace> trace();
    /// What the server answered otherwise than a Redis should, in sentences; of the last trace().
    std::vector<std::string> doubts() const;
    /// By how much, at the most, anything happened later than it was due: this machine was busy elsewhere.
    Duration lateness() const;

signals:
    void begun();
    /// Everything is known and nothing of it is left.
    void finished();
    void failed(const QString& why);

private:
    struct Life {
        ActorIndex actor = kNone;
        ProcessIndex process = kNone;
        ActorProcess host;
        std::set<int> linked;         ///< nodes that it is connected to
        std::vector<LinkChange> told; ///< before the run began
        bool begun = false;           ///< its program
        bool over = false;
        std::optional<Instant> killedAt = std::nullopt;
        std::set<std::size_t> knownFaults; ///< what it was told beforehand of its messages
        Instant pausedUntil{};
        bool standsBy = false; ///< stopped as long as a load is written
        int pause = kNone;     ///< the intervention

        explicit Life(std::shared_ptr<Janitor> janitor) : host(std::move(janitor)) {}
    };
    struct Node {
        std::unique_ptr<LiveServer> server;
        std::unique_ptr<RedisConnection> console;
        bool ready = false;
        bool settled = false;
        bool gone = false;
        bool away = false;
        Instant frozenUntil{};
        Instant linkCutUntil{};
        std::deque<std::size_t> loads; ///< interventions; the first is under way
        int loaded = 0;                ///< keys of loads so far
    };

    // Beginning and ending.
    Result<void> prepareResource();
    void addNode(int node);
    void startActors();
    Life& spawn(ActorIndex actor, Instant start);
    void beginIfReady();
    void begin();
    void finishAt(Instant end);
    void endActors();
    void settleIfQuiet();
    void leaveIfSettled();
    void overIfGone();
    void fail(const QString& why);
    void forgetTakenBack();
    void openConsole(Node& node);

    // What actors tell.
    void onLink(Life& life, const LinkChange& change);
    void onReport(Life& life, const ActorReport& report);
    void onQuestion(Life& life, const ResourceQuestion& question);
    void onEnded(Life& life, const QString& overrun);
    void onDied(Life& life);

    // Interventions.
    void schedule(std::size_t index);
    void tellOfFaults(Life& life);
    void intervene(std::size_t index);
    void applyToProcess(std::size_t index, ActorIndex actor);
    void applyToServer(std::size_t index);
    void applyToLife(std::size_t index, NodeIndex node);
    void restart(ActorIndex actor);
    void pause(Life& life, std::size_t index);
    void thaw(Life& life);
    void endStall(Node& node, NodeIndex index);
    void runAsAdmin(const Intervention& intervention, NodeIndex node);
    void load(NodeIndex node);
    void fill(NodeIndex node, std::size_t index);
    void loadIsOver(NodeIndex node);
    void breakOff(const QString& why);
    bool loads() const;
    void standBy();
    void goOn();
    void noteServer(EventKind kind, NodeIndex node, std::string_view why);
    void noteProcess(EventKind kind, const Life& life, Instant at);
    void noteApplied(std::size_t index, ActorIndex actor, NodeIndex node,
                     std::optional<Instant> when = std::nullopt);
    void at(Instant when, std::function<void()> what);

    ActorIndex actorNamed(std::string_view name) const;
    Life* lifeOf(ActorIndex actor) const;
    bool running() const { return m_state == State::Running; }

    LivePlace m_place;
    std::shared_ptr<Janitor> m_janitor;
    Scenario m_scenario;
    State m_state = State::Idle;
    QByteArray m_keyPrefix;
    std::vector<Node> m_nodes;
    std::vector<std::unique_ptr<Life>> m_lives;
    std::vector<Life*> m_current; ///< per actor: its latest life
    std::set<ActorIndex> m_restartsAfterLoads;
    std::vector<std::size_t> m_livesAfterLoads; ///< interventions, as the next
    std::set<std::size_t> m_takenBack;
    std::unique_ptr<LiveTrace> m_trace;
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<SqliteResource> m_resource;
    std::unique_ptr<QObject> m_timers; ///< whose death cancels what is still to come
    std::int64_t m_runStart = 0;       ///< ns on the monotonic clock
    Instant m_endedAt = kNever;
    Duration m_late{0}; ///< of what the host itself did
};

} // namespace lockscope::live
