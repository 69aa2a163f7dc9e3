// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/trace/verdicts.h"

using namespace lockscope;
using namespace lockscope::test;

class StuckLockTest : public QObject {
    Q_OBJECT

private slots:
    void killedBetweenSetnxAndExpire() {
        EXPECT(10s, "stuck-lock(A)@0.0015-…", [](T& t) {
            const auto a = t.process("A"), b = t.process("B");
            t.ask(a, 0ms, {});
            t.kill(a, 1500us);
            t.ask(b, 1s, {});
            t.ask(b, 2s, {});
        });
        EXPECT(10s, "stuck-lock(A)@0.001-…",
               [](T& t) { // killed before the server ran it: stuck from the grant
                   const auto a = t.process("A");
                   t.ask(a, 0ms, {});
                   t.kill(a, 500us);
               });
    }
    void healthySetnxAndExpireIsNotStuck() {
        EXPECT(10s, "", [](T& t) {
            const auto a = t.process("A");
            t.ask(a, 0ms, {});
            t.pexpire(a, 2ms, 3s);
            t.enter(a, 4ms);
            t.leave(a, 1s);
            t.del(a, 1s);
        });
    }
    void killedWithTheExpireOnItsWay() { // it still arrives, so the lock has a deadline
        EXPECT(10s, "", [](T& t) {
            const auto a = t.process("A");
            t.ask(a, 0ms, {});
            t.pexpire(a, 2ms, 3s);
            t.kill(a, 2500us);
        });
    }
    void renewedForEverAfterGivingUp() { // the late reply starts a renewer that nobody stops
        EXPECT(10s, "stuck-lock(A)@3.061-…", [](T& t) {
            const auto a = t.process("A");
            t.ask(a, 0ms, 3s, {.reply = 300ms, .timeout = 50ms});
            t.release(a, 50ms,
                      {.request = 200us}); // overtakes nothing: it finds its own lock gone, or takes it
            const auto renewer = t.task(a, TaskKind::Every, 301ms);
            t.ask(a, 60ms, 3s, {.reply = 300ms, .timeout = 50ms});
            for (Duration at = 1s; at < 10s; at += 1s)
                t.renew(renewer, at, 3s);
        });
    }
    void renewedForEverAfterLeaving() {
        EXPECT(10s, "stuck-lock(A)@4.002-9.001", [](T& t) {
            const auto a = t.process("A");
            const auto renewer = t.task(a, TaskKind::Every, 0ms);
            t.ask(a, 0ms, 3s);
            t.enter(a, 2ms);
            t.renew(renewer, 1s, 3s);
            t.leave(a, 1500ms); // and forgets to release
            for (Duration at = 2s; at < 7s; at += 1s)
                t.renew(renewer, at, 3s);
        });
    }
    void diesRightAfterARenewal() { // long recovery, but nothing is broken
        EXPECT(120s, "", [](T& t) {
            const auto a = t.process("A"), b = t.process("B");
            t.ask(a, 0ms, 60s);
            t.enter(a, 2ms);
            t.renew(a, 48s, 60s);
            t.kill(a, 48500ms);
            for (Duration at = 50s; at < 109s; at += 1s)
                t.ask(b, at, 60s);
            t.ask(b, 109s, 60s);
            t.enter(b, 109002ms);
        });
    }
    void diesWithARenewalOnItsWay() {
        EXPECT(10s, "", [](T& t) {
            const auto a = t.process("A");
            t.ask(a, 0ms, 3s);
            t.enter(a, 2ms);
            t.renew(a, 1s, 3s, {.request = 5ms});
            t.kill(a, 1001ms);
        });
    }
    void lockedOutByItsOwnGhost() { // the reply was late, the retry has a new token
        EXPECT(6s, "stuck-lock(A)@0.401-5.001", [](T& t) {
            const auto a = t.process("A");
            t.ask(a, 0ms, 5s, {.reply = 299ms, .timeout = 200ms});
            t.ask(a, 400ms, 5s, {}, "new");
            t.ask(a, 900ms, 5s, {}, "new");
        });
        EXPECT(6s, "", [](T& t) { // the token kept and released
            const auto a = t.process("A");
            t.ask(a, 0ms, 5s, {.reply = 299ms, .timeout = 200ms});
            t.release(a, 200ms);
            t.ask(a, 400ms, 5s, {}, "new");
            t.enter(a, 402ms);
            t.leave(a, 1s);
            t.release(a, 1s, {}, "new");
        });
    }
    void aLockNobodyWantsAnyMore() { // queued while the server was away, run when nobody waited for it
        EXPECT(8s, "stuck-lock(A)@2.501-7.0", [](T& t) {
            const auto a = t.process("A"), b = t.process("B");
            t.ask(a, 0ms, 5s, {.request = 2s, .timeout = 500ms});
            t.ask(b, 2500ms, 5s);
            t.ask(b, 3500ms, 5s);
        });
    }
    void keepingOnPurposeIsNotStuck() {
        EXPECT(4s, "", [](T& t) {
            const auto a = t.process("A"), b = t.process("B");
            t.ask(a, 0ms, 3s);
            t.enter(a, 2ms);
            t.leave(a, 1s, true);
            t.ask(b, 2s, 3s);
        });
    }
    void forgettingToReleaseIsStuckOnceSomebodyAsks() {
        EXPECT(4s, "stuck-lock(A)@2.001-3.001", [](T& t) {
            const auto a = t.process("A"), b = t.process("B");
            t.ask(a, 0ms, 3s);
            t.enter(a, 2ms);
            t.leave(a, 1s);
            t.ask(b, 2s, 3s);
        });
    }
    /// WAIT is about everything that was written, so it speaks for each lock of its client.
    void askingForCopiesOfSeveralLocksIsNotStuck() {
        EXPECT(4s, "", [](T& t) {
            t.lock("one").lock("two");
            const auto a = t.process("A");
            for (const char* lock : {"one", "two"})
                t.about(lock).set(a, 0ms, {});
            t.askForCopies(a, 1ms, {.reply = 2s});
            for (const char* lock : {"one", "two"})
                t.about(lock).del(a, 2002ms);
        });
    }
    /// A task of the same program asked before the lock was granted.
    void askingForCopiesBeforehandIsNotStuck() {
        EXPECT(4s, "", [](T& t) {
            const auto a = t.process("A");
            const auto other = t.task(a, TaskKind::Spawn, 0ms);
            t.askForCopies(other, 0ms, {.reply = 2s});
            t.set(a, 10ms, {});
            t.del(a, 2s);
        });
    }
    void aReleaseOnItsWayIsNotStuck() {
        EXPECT(4s, "", [](T& t) {
            const auto a = t.process("A"), b = t.process("B");
            t.ask(a, 0ms, 3s);
            t.enter(a, 2ms);
            t.leave(a, 1s);
            t.ask(b, 1100ms, 3s);
            t.end(b, 1200ms);
            t.release(a, 1s, {.request = 500ms});
        });
    }
    void aFrozenAuthorIsNotStuck() {
        EXPECT(4s, "", [](T& t) {
            const auto a = t.process("A"), b = t.process("B");
            t.ask(a, 0ms, 3s, {.readAt = 2s});
            t.pause(a, 500us, 2s);
            t.ask(b, 1s, 3s);
            t.enter(a, 2s);
            t.leave(a, 2100ms);
            t.release(a, 2100ms);
        });
    }
};

QTEST_GUILESS_MAIN(StuckLockTest)
#include "stuck_lock_test.moc"
