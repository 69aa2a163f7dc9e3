// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

#include <memory>
#include <string_view>
#include <vector>

#include "core/live/lesson_door.h"
#include "core/live/store_server.h"
#include "core/world/visited_run.h"

namespace lockscope::live {

/// A simulated lesson whose servers real clients can connect to: each has a port, and virtual time goes by
/// the wall clock. The lesson's actors are simulated as always; who comes in from outside takes part at the
/// frontier, and all it does is kept in the scenario.
///
/// Time stands until the first client is in. Everything runs on the event loop of the thread that made it.
class ServedLesson : public QObject, private VisitorPort {
    Q_OBJECT

public:
    explicit ServedLesson(QObject* parent = nullptr);
    ~ServedLesson() override;

    /// What a client of a lesson may send and hold: less than of a store that is served for its own sake,
    /// since it is kept.
    static ServingLimits limits();

    /// Runs to `from` at once, and listens there. Node n is at the port after that of node n - 1, or at any
    /// free one if `options.port` is 0.
    Result<void> start(const Scenario& scenario, Instant from, const ListenOptions& options);
    /// Time begins, though nobody has come.
    void begin();
    /// Everybody is sent away, and the lesson goes on without them to its horizon; finished() follows.
    void stop();

    bool isServing() const { return !m_nodes.empty(); }
    bool hasBegun() const { return m_begun; }
    /// The run's own time.
    Instant now() const;

    /// At its instant, or now if that has passed.
    Result<void> intervene(const Intervention& intervention);
    void resume(std::string_view actor);

    /// As far as time has come. A new object whenever anything has changed.
    std::shared_ptr<const Trace> trace();
    /// With what everybody has done.
    Scenario scenario() const { return m_run.scenario(); }

    int nodes() const { return static_cast<int>(m_nodes.size()); }
    std::uint16_t port(int node) const;
    /// Who can do what by this, in a sentence.
    QString exposure() const;
    std::vector<LessonDoor::Guest> guests() const;

signals:
    /// A client came, went or named itself.
    void guestsChanged();
    /// A client was cut off for taking too much; a sentence.
    void clientCutOff(const QString& why);
    /// Once: the run can keep no more, and clients are turned away from now on; a sentence.
    void recordingFull(const QString& why);
    void begun();
    /// The run has come to its horizon, and nobody is served any more.
    void finished();

private:
    struct Node {
        std::shared_ptr<LessonDoor> door;
        std::unique_ptr<StoreServer> server;
    };

    void onAnswer(std::size_t act, int visitor, const redis::Reply& reply) override;
    void onMessage(int visitor, const redis::Reply& message) override;
    void onHangUp(int visitor) override;
    LessonDoor* doorOf(int visitor) const;
    Result<void> openDoors(int count, const ListenOptions& options);
    void toNow();
    void letTimePass();
    void armTimer();
    void close();
    void tellFull();

    VisitedRun m_run;
    std::vector<Node> m_nodes;
    QHostAddress m_address;
    QTimer m_timer; ///< to what is due next
    QElapsedTimer m_clock;
    Instant m_from{};
    bool m_begun = false;
    bool m_over = false;
    bool m_toldFull = false;
    std::shared_ptr<const Trace> m_trace;
    std::size_t m_actsInTrace = 0;
};

} // namespace lockscope::live
