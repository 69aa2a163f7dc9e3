// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/live_runs.h"

#include <QCoreApplication>
#include <QDeadlineTimer>
#include <QTimer>

#include <algorithm>
#include <deque>
#include <numeric>

#include "core/live/live_run.h"

namespace lockscope::app {

namespace {

/// A start takes a processor for a moment, and so does a load of a cache. Runs that begin together would be
/// late together, at every beginning and every load.
constexpr std::chrono::milliseconds kBetweenStarts{200};
constexpr std::chrono::milliseconds kBetweenLoads{2500};

bool fillsMemory(const Scenario& scenario) {
    return std::any_of(scenario.interventions.begin(), scenario.interventions.end(),
                       [](const Intervention& i) { return i.kind == InterventionKind::Load; });
}

/// Keeps as many runs under way as are wanted until all are done.
class Batch : public QObject {
public:
    using Done = std::function<void(std::size_t, LiveResult&)>;

    Batch(const std::vector<Scenario>& scenarios, const live::LivePlace& place,
          std::shared_ptr<live::Janitor> janitor, std::size_t atOnce, const Done& done)
        : m_scenarios(scenarios), m_place(place), m_janitor(std::move(janitor)), m_atOnce(atOnce),
          m_done(done), m_waiting(scenarios.size()) {
        std::iota(m_waiting.begin(), m_waiting.end(), 0);
        connect(&m_starts, &QTimer::timeout, this, &Batch::startNext);
        m_starts.start(kBetweenStarts);
        startNext();
    }

private:
    void startNext() {
        if (m_open == m_atOnce) return;
        const auto next = std::find_if(m_waiting.begin(), m_waiting.end(), [this](std::size_t number) {
            return m_lastLoad.hasExpired() || !fillsMemory(m_scenarios[number]);
        });
        if (next == m_waiting.end()) return;
        const std::size_t number = *next;
        m_waiting.erase(next);
        if (fillsMemory(m_scenarios[number])) m_lastLoad.setRemainingTime(kBetweenLoads);
        ++m_open;
        auto* run = new live::LiveRun(m_place, m_janitor, this);
        connect(run, &live::LiveRun::finished, this, [this, run, number] { end(run, number, {}); });
        connect(run, &live::LiveRun::failed, this,
                [this, run, number](const QString& why) { end(run, number, why.toStdString()); });
        if (const Result<void> started = run->start(m_scenarios[number]); !started)
            QMetaObject::invokeMethod(
                this, [this, run, number, started] { end(run, number, started.error().message); },
                Qt::QueuedConnection);
    }

    void end(live::LiveRun* run, std::size_t number, const std::string& failure) {
        run->disconnect(this);
        LiveResult result;
        result.failure = failure;
        if (const auto trace = run->trace()) {
            result.run.trace = std::move(*trace);
            judge(result.run);
            result.doubts = run->doubts();
            result.late = run->lateness();
        }
        m_done(number, result);
        run->deleteLater();
        --m_open;
        if (m_open == 0 && m_waiting.empty()) QCoreApplication::quit();
    }

    const std::vector<Scenario>& m_scenarios;
    const live::LivePlace& m_place;
    std::shared_ptr<live::Janitor> m_janitor;
    std::size_t m_atOnce;
    const Done& m_done;
    std::deque<std::size_t> m_waiting;
    std::size_t m_open = 0;
    QTimer m_starts;
    QDeadlineTimer m_lastLoad; ///< until when no other run with a load begins
};

} // namespace

Result<void> runLive(const std::vector<Scenario>& scenarios, const live::LivePlace& place, std::size_t atOnce,
                     const std::function<void(std::size_t, LiveResult&)>& done) {
    int count = 1;
    char name[] = "lockscope";
    char* arguments[] = {name, nullptr};
    QCoreApplication application(count, arguments);
    const auto janitor = live::Janitor::start();
    if (!janitor) return janitor.error();
    if (scenarios.empty()) return {};
    const Batch batch(scenarios, place, *janitor, atOnce, done);
    QCoreApplication::exec();
    return {};
}

} // namespace lockscope::app
