// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/live_runs.h"

#include <QCoreApplication>

#include "core/live/live_run.h"

namespace lockscope::app {

namespace {

/// Keeps as many runs under way as are wanted until all are done.
class Batch : public QObject {
public:
    using Done = std::function<void(std::size_t, LiveResult&)>;

    Batch(const std::vector<Scenario>& scenarios, const live::LivePlace& place,
          std::shared_ptr<live::Janitor> janitor, const Done& done)
        : m_scenarios(scenarios), m_place(place), m_janitor(std::move(janitor)), m_done(done) {}

    void startNext() {
        if (m_next == m_scenarios.size()) {
            if (m_open == 0) QCoreApplication::quit();
            return;
        }
        const std::size_t number = m_next++;
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

private:
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
        startNext();
    }

    const std::vector<Scenario>& m_scenarios;
    const live::LivePlace& m_place;
    std::shared_ptr<live::Janitor> m_janitor;
    const Done& m_done;
    std::size_t m_next = 0;
    int m_open = 0;
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
    Batch batch(scenarios, place, *janitor, done);
    for (std::size_t i = 0; i < std::min(atOnce, scenarios.size()); ++i)
        batch.startNext();
    if (!scenarios.empty()) QCoreApplication::exec();
    return {};
}

} // namespace lockscope::app
