// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Twenty real processes at one private redis-server, in the real live window at 1600 × 900: how many frames a
// second it paints, how long each takes, and how long after it really happened each event is on the screen.
//     lockscope_bench_live [SECONDS] [ACTORS]
#include <QApplication>
#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QTimer>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <string_view>
#include <tuple>
#include <vector>

#include "app/live_host.h"
#include "core/live/actor_process.h"
#include "core/live/janitor.h"
#include "core/world/session.h"
#include "ui/bridge/run_model.h"
#include "ui/live/live_window.h"
#include "ui/look.h"
#include "ui/main_window.h"
#include "ui/timeline/canvas.h"
#include "ui/timeline/timeline_view.h"

using namespace lockscope;

namespace {

constexpr double kLeastFrames = 60;
constexpr double kMostDelay = 50; // ms
/// An event that is known later than that after it happened is counted as that late, and not looked for.
constexpr Duration kLookBack = seconds(2);

/// Twenty that want one lock, hold it for a while and ask again every 50 ms.
QString lessonOf(int actors, int seconds) {
    QString text =
        QStringLiteral("---\nid: crowd\ntitle: Crowd\ngoal: Many at once.\nkeys: [lock]\nactors:\n");
    for (int i = 1; i <= actors; ++i)
        text += QStringLiteral("  - {name: Server %1, program: server}\n").arg(i);
    return text + QStringLiteral("horizon: %1s\n---\n\n```lua server\n"
                                 "while true do\n"
                                 "  if redis.call(\"SET\", lock, uuid(), \"NX\", \"PX\", 500) then\n"
                                 "    enter(lock)\n"
                                 "    work(\"Job\", 60)\n"
                                 "    leave(lock)\n"
                                 "    redis.call(\"DEL\", lock)\n"
                                 "  end\n"
                                 "  sleep(40 + random(20))\n"
                                 "end\n```\n\n## It runs\n")
                      .arg(seconds);
}

double percentile(std::vector<double> values, double part) {
    if (values.empty()) return 0;
    std::sort(values.begin(), values.end());
    return values[std::min(values.size() - 1,
                           static_cast<std::size_t>(part * static_cast<double>(values.size())))];
}

/// Sees the timeline paint, and which events that brought to the screen.
class Watcher : public QObject {
public:
    Watcher(ui::LiveWindow& window, ui::LiveHost& host) : m_window(window), m_host(host) {
        m_canvas = &window.findChild<ui::TimelineView*>(QStringLiteral("liveTimeline"))->canvas();
        window.installEventFilter(this);
        m_canvas->installEventFilter(this);
    }

    int frames() const { return static_cast<int>(m_gaps.size()) + 1; }
    void print() const {
        double sum = 0;
        for (const double gap : m_gaps)
            sum += gap;
        const double rate = sum > 0 ? 1e3 * static_cast<double>(m_gaps.size()) / sum : 0;
        std::printf("frames        %6zu   %6.1f a second   gap p50 %5.1f  p99 %5.1f  max %5.1f ms   %s\n",
                    m_gaps.size(), rate, percentile(m_gaps, 0.5), percentile(m_gaps, 0.99),
                    percentile(m_gaps, 1), rate >= kLeastFrames ? "ok" : "TOO FEW");
        const double p99 = percentile(m_delays, 0.99);
        std::printf("event→screen  %6zu   p50 %5.1f  p90 %5.1f  p99 %5.1f  max %5.1f ms   %s\n",
                    m_delays.size(), percentile(m_delays, 0.5), percentile(m_delays, 0.9), p99,
                    percentile(m_delays, 1), p99 < kMostDelay ? "ok" : "TOO LATE");
        m_good = rate >= kLeastFrames && p99 < kMostDelay;
    }
    bool good() const { return m_good; }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override {
        // The window's update request paints every widget that wants it; then the picture is whole.
        if (watched == m_canvas && event->type() == QEvent::Paint) m_painted = true;
        if (watched == &m_window && event->type() == QEvent::UpdateRequest)
            QTimer::singleShot(0, this, [this] { note(); });
        return false;
    }

private:
    using Key = std::tuple<std::int64_t, int, int, int, int, std::int64_t>;

    void note() {
        if (!std::exchange(m_painted, false) || !m_window.running() || !m_window.run().run()) return;
        if (m_clock.isValid()) m_gaps.push_back(static_cast<double>(m_clock.nsecsElapsed()) / 1e6);
        m_clock.start();
        const Instant now = m_host.now();
        const auto trace = m_window.run().run()->trace;
        const Instant from = std::max(Instant{}, trace->reached - kLookBack);
        m_seen.erase(m_seen.begin(), m_seen.lower_bound(Key{micros(from), -1, -1, -1, -1, 0}));
        for (auto event = trace->events.rbegin(); event != trace->events.rend() && event->at >= from;
             ++event) {
            const Key key{micros(event->at), static_cast<int>(event->kind),
                          event->process,    event->task,
                          event->request,    event->b};
            if (!m_seen.insert(key).second) continue;
            m_delays.push_back(static_cast<double>((now - event->at).count()) / 1e3);
        }
    }

    ui::LiveWindow& m_window;
    ui::LiveHost& m_host;
    ui::TimelineCanvas* m_canvas = nullptr;
    bool m_painted = false;
    mutable bool m_good = false;
    QElapsedTimer m_clock;
    std::vector<double> m_gaps;
    std::vector<double> m_delays;
    std::set<Key> m_seen;
};

} // namespace

int main(int argc, char** argv) {
    const std::string_view mode = argc > 1 ? argv[1] : "";
    if (mode == live::ActorProcess::kArgument) return live::runActor(argc, argv);
    if (mode == live::Janitor::kArgument) return live::runJanitor(argc, argv);
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    const int seconds = argc > 1 ? std::atoi(argv[1]) : 10;
    const int actors = argc > 2 ? std::atoi(argv[2]) : 20;
    QTemporaryDir home;
    QFile file(home.filePath(QStringLiteral("crowd.md")));
    if (!file.open(QIODevice::WriteOnly) || file.write(lessonOf(actors, seconds).toUtf8()) < 0) return 1;
    file.close();
    ui::WindowOptions options;
    options.session = makeSimulatedSession();
    options.live = app::makeLiveHost();
    ui::LiveHost& host = *options.live;
    options.lessonFolder = QStringLiteral(LOCKSCOPE_SOURCE_DIR "/lessons");
    options.open = file.fileName();
    options.settingsFile = home.filePath(QStringLiteral("window.ini"));
    ui::MainWindow window(std::move(options));
    window.show();
    ui::LiveWindow* live = window.showLive();
    window.hide(); // the lesson's window lies behind it and paints nothing
    live->resize(1600, 900);
    Watcher watcher(*live, host);
    QObject::connect(&host, &ui::LiveHost::finished, &application, &QApplication::quit, Qt::QueuedConnection);
    QObject::connect(&host, &ui::LiveHost::failed, &application, [](const QString& why) {
        std::fprintf(stderr, "%s\n", qPrintable(why));
        QApplication::exit(1);
    });
    live->start();
    if (const int code = QApplication::exec(); code != 0) return code;
    const Trace& trace = *live->run().run()->trace;
    std::printf("%d actors, %d s: %zu events, %zu requests\n", actors, seconds, trace.events.size(),
                trace.requests.size());
    watcher.print();
    return watcher.good() ? 0 : 1;
}
