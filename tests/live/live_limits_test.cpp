// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "core/live/live_run.h"

using namespace lockscope;
using namespace lockscope::live;

namespace {

Scenario plain() {
    Scenario scenario;
    scenario.horizon = instantAt(seconds(2));
    return scenario;
}

} // namespace

class LiveLimitsTest : public QObject {
    Q_OBJECT

private slots:
    void whatCannotBeDoneIsSaid() {
        Scenario scenario = plain();
        scenario.interventions = {
            {InterventionKind::ServerClockJump, "Redis", instantAt(millis(100)), seconds(1)}};
        QVERIFY(!LiveRun::canRun(scenario, {LivePlace::Kind::Private, {}}).ok());
        scenario.interventions = {
            {InterventionKind::ServerStall, "Redis", instantAt(millis(100)), seconds(1)}};
        QVERIFY(LiveRun::canRun(scenario, {LivePlace::Kind::Private, {}}).ok());
        QVERIFY(!LiveRun::canRun(scenario, {LivePlace::Kind::Embedded, {}}).ok());
        Intervention load{InterventionKind::Load, "Redis", instantAt(millis(100))};
        load.command = "10 x 100";
        scenario.interventions = {load};
        QVERIFY(LiveRun::canRun(scenario, {LivePlace::Kind::Private, {}}).ok());
        QVERIFY(!LiveRun::canRun(scenario, {LivePlace::Kind::Foreign, {}}).ok());
        scenario = plain();
        scenario.server.nodes = 3;
        QVERIFY(!LiveRun::canRun(scenario, {LivePlace::Kind::Foreign, {}}).ok());
        scenario = plain();
        scenario.server.replicas = 1;
        scenario.interventions = {{InterventionKind::ServerKill, "Redis", instantAt(millis(100))}};
        QVERIFY(LiveRun::canRun(scenario, {LivePlace::Kind::Private, {}}).ok());
        QVERIFY(!LiveRun::canRun(scenario, {LivePlace::Kind::Embedded, {}}).ok());
        QVERIFY(!LiveRun::canRun(scenario, {LivePlace::Kind::Foreign, {}}).ok());
        scenario.server.loading = seconds(1);
        QVERIFY(!LiveRun::canRun(scenario, {LivePlace::Kind::Private, {}}).ok());
        scenario = plain();
        scenario.server.persistence = ServerSpec::Persistence::Snapshot;
        scenario.interventions = {{InterventionKind::SaveFails, "Redis", instantAt(millis(100)), seconds(1)}};
        QVERIFY(!LiveRun::canRun(scenario, {LivePlace::Kind::Private, {}}).ok());
    }
};

QTEST_GUILESS_MAIN(LiveLimitsTest)
#include "live_limits_test.moc"
