// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/live_host.h"

#include <QProcessEnvironment>

#include "core/live/connection_probe.h"
#include "core/live/key_watch.h"
#include "core/live/live_run.h"

namespace lockscope::app {

namespace {

using Kind = ui::LiveChoice::Kind;

QString text(const std::string& words) {
    return QString::fromStdString(words);
}

Result<live::LivePlace> placeFor(const ui::LiveChoice& choice) {
    if (choice.kind == Kind::Private) return live::LivePlace{live::LivePlace::Kind::Private, {}};
    if (choice.kind == Kind::Embedded) return live::LivePlace{live::LivePlace::Kind::Embedded, {}};
    Result<live::RedisEndpoint> endpoint = live::parseRedisUrl(choice.url);
    if (!endpoint) return endpoint.error();
    if (!choice.user.isEmpty()) endpoint->user = choice.user;
    if (!choice.password.isEmpty()) endpoint->password = live::Secret(choice.password.toUtf8());
    if (!choice.caFile.isEmpty()) endpoint->caFile = choice.caFile;
    if (!choice.serverName.isEmpty()) endpoint->serverName = choice.serverName;
    live::takeCredentials(*endpoint, QProcessEnvironment::systemEnvironment());
    return live::LivePlace{live::LivePlace::Kind::Foreign, *endpoint};
}

class LiveHost final : public ui::LiveHost {
public:
    LiveHost() {
        connect(&m_probe, &live::ConnectionProbe::finished, this, [this](const live::ProbeReport& report) {
            emit tested(!report.failure, report.sentence(m_probed));
        });
    }

    QString whyNot(const Scenario& scenario, const ui::LiveChoice& where, bool shipped) const override {
        const Result<live::LivePlace> place = placeFor(where);
        if (!place) return text(place.error().message);
        if (!place->isOurs() && !shipped)
            return tr(
                "This lesson does not come with Lockscope, and a script of a lesson can write any key: on a "
                "server of yours it is not run. A private Redis will do.");
        const Result<void> can = live::LiveRun::canRun(scenario, *place);
        return can ? QString() : text(can.error().message);
    }
    QString start(const Scenario& scenario, const ui::LiveChoice& where, bool shipped) override {
        if (const QString why = whyNot(scenario, where, shipped); !why.isEmpty()) return why;
        const Result<live::LivePlace> place = placeFor(where);
        if (!m_janitor) {
            auto janitor = live::Janitor::start();
            if (!janitor) return text(janitor.error().message);
            m_janitor = *janitor;
        }
        auto run = std::make_unique<live::LiveRun>(*place, m_janitor);
        connect(run.get(), &live::LiveRun::begun, this, &LiveHost::begun);
        connect(run.get(), &live::LiveRun::finished, this, &LiveHost::finished);
        connect(run.get(), &live::LiveRun::failed, this, &LiveHost::failed);
        if (const Result<void> started = run->start(scenario); !started) return text(started.error().message);
        m_run = std::move(run);
        return {};
    }
    void stop() override {
        if (!m_run) return;
        if (m_run->state() != live::LiveRun::State::Starting) return m_run->finish();
        m_run.reset();
        QMetaObject::invokeMethod(
            this, [this] { emit failed(tr("The run was given up before it began.")); }, Qt::QueuedConnection);
    }
    QString intervene(const Intervention& intervention) override {
        if (!m_run) return tr("The run is not under way.");
        const Result<void> done = m_run->intervene(intervention);
        return done ? QString() : text(done.error().message);
    }
    QString takeBack(const Intervention& planned) override {
        if (!m_run) return tr("The run is not under way.");
        const Result<void> done = m_run->takeBack(planned);
        return done ? QString() : text(done.error().message);
    }
    void resume(std::string_view actor) override {
        if (m_run) m_run->resume(actor);
    }
    bool isAlive(std::string_view actor) const override { return m_run && m_run->isAlive(actor); }
    bool isPaused(std::string_view actor) const override { return m_run && m_run->isPaused(actor); }
    Instant now() const override { return m_run ? m_run->now() : Instant{}; }
    std::shared_ptr<const Trace> trace() override { return m_run ? m_run->trace() : nullptr; }
    const Scenario& scenario() const override { return m_run ? m_run->scenario() : m_none; }
    QStringList doubts() const override {
        QStringList out;
        if (m_run)
            for (const std::string& doubt : m_run->doubts())
                out += text(doubt);
        return out;
    }

    void test(const ui::LiveChoice& where) override {
        const Result<live::LivePlace> place = placeFor(where);
        if (place) {
            m_probed = place->endpoint;
            return m_probe.start(m_probed);
        }
        const QString why = text(place.error().message);
        QMetaObject::invokeMethod(
            this, [this, why] { emit tested(false, why); }, Qt::QueuedConnection);
    }

    QString observe(const ui::LiveChoice& where, const QString& key) override {
        const Result<live::LivePlace> place = placeFor(where);
        if (!place) return text(place.error().message);
        m_watch = std::make_unique<live::KeyWatch>(place->endpoint, key.toUtf8());
        connect(m_watch.get(), &live::KeyWatch::observed, this,
                [this] { emit observed(text(live::describe(m_watch->observations().back()))); });
        connect(m_watch.get(), &live::KeyWatch::gaveUp, this, &LiveHost::observingFailed);
        m_watch->start();
        return {};
    }
    void stopObserving() override { m_watch.reset(); }
    std::shared_ptr<const Trace> observedTrace() const override {
        return m_watch ? m_watch->trace() : nullptr;
    }
    QList<ui::KnownFact> observedFacts() const override {
        QList<ui::KnownFact> facts;
        if (!m_watch || !m_watch->connected()) return facts;
        const live::ObservedKey& key = m_watch->key();
        const auto add = [&](const QString& name, const auto& fact, const QString& value) {
            const Duration age = std::chrono::duration_cast<Duration>(live::FactClock::now() - fact.at);
            facts.append({name, value, sourceName(fact.source), age});
        };
        add(tr("State"), *key.state, stateName(key.state->value));
        if (key.value) add(tr("Value"), *key.value, text(redis::display(key.value->value)));
        if (key.deadline)
            add(tr("Lease"), *key.deadline,
                key.deadline->value ? tr("ends %1 after watching began")
                                          .arg(text(formatDuration(
                                              m_watch->instantOf(*key.deadline->value).time_since_epoch())))
                                    : tr("has no end"));
        if (key.type) add(tr("Type"), *key.type, QString::fromUtf8(key.type->value));
        if (key.memoryBytes) add(tr("Memory"), *key.memoryBytes, tr("%1 bytes").arg(key.memoryBytes->value));
        return facts;
    }

private:
    static QString stateName(live::ObservedKey::State state) {
        switch (state) {
        case live::ObservedKey::State::Absent:
            return tr("not there");
        case live::ObservedKey::State::Held:
            return tr("held");
        case live::ObservedKey::State::LeaseEnded:
            return tr("the lease is over; it may still lie in memory");
        }
        return {};
    }
    static QString sourceName(live::FactSource source) {
        switch (source) {
        case live::FactSource::Reply:
            return tr("reply");
        case live::FactSource::Notification:
            return tr("notification");
        case live::FactSource::Poll:
            return tr("poll");
        case live::FactSource::Computed:
            return tr("computed");
        }
        return {};
    }

    std::unique_ptr<live::KeyWatch> m_watch;
    std::shared_ptr<live::Janitor> m_janitor;
    std::unique_ptr<live::LiveRun> m_run;
    live::ConnectionProbe m_probe;
    live::RedisEndpoint m_probed;
    Scenario m_none;
};

} // namespace

std::unique_ptr<ui::LiveHost> makeLiveHost() {
    return std::make_unique<LiveHost>();
}

} // namespace lockscope::app
