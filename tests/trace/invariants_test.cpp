// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "tests/trace/verdicts.h"

using namespace lockscope;
using namespace lockscope::test;

namespace {

/// A acquires at 0 and enters at 0.002 s; its work outlasts the lease.
void lateHolder(T& t, T::Task a, Duration ttl, Duration leaves) {
    t.ask(a, 0ms, ttl);
    t.enter(a, 2ms);
    t.work(a, 2ms, leaves);
    t.leave(a, leaves);
}

} // namespace

class InvariantsTest : public QObject {
    Q_OBJECT

private slots:
    // The healthy life of a lock breaks nothing.
    void healthyHandover() {
        EXPECT(10s, "", [](T& t) {
            const auto a = t.process("A"), b = t.process("B");
            t.holds(a, 0ms, 3s, 1s);
            t.ask(b, 500ms, 3s);
            t.holds(b, 1500ms, 3s, 1s);
        });
    }

    // --- stale-write

    void staleWriteOfAnOldHolder() {
        EXPECT(8s, "belief-overlap(A,B)@3.102-3.3 | stale-write(A,B)@5.0", [](T& t) {
            t.resource();
            const auto a = t.process("A"), b = t.process("B");
            t.ask(a, 0ms, 3s);
            t.enter(a, 2ms, {}, 33);
            t.pause(a, 100ms, 5s);
            t.ask(b, 3100ms, 3s);
            t.enter(b, 3102ms, {}, 34);
            t.write(b, 3200ms, "item", 34);
            t.leave(b, 3300ms);
            t.release(b, 3300ms);
            t.write(a, 5s, "item", 33);
            t.leave(a, 5s);
        });
    }
    void staleWriteStillFiresWithEqualFences() {
        EXPECT(8s, "unprotected-work(A)@1.001-1.4 | belief-overlap(A,B)@1.102-1.4 | stale-write(A,B)@1.3",
               [](T& t) {
                   t.resource(true);
                   const auto a = t.process("A"), b = t.process("B");
                   t.ask(a, 0ms, 1s);
                   t.enter(a, 2ms, {}, 1);
                   t.ask(b, 1100ms, 3s);
                   t.enter(b, 1102ms, {}, 1);
                   t.write(b, 1200ms, "item", 1);
                   t.write(a, 1300ms, "item", 1);
                   t.leave(a, 1400ms);
                   t.leave(b, 1500ms);
                   t.release(b, 1500ms);
               });
    }
    void staleWriteOfOneWhoOwnsAgainAfterAGap() {
        EXPECT(4s, "unprotected-work(A)@1.001-3.0 | belief-overlap(A,B)@1.052-1.4 | stale-write(A,B)@1.7",
               [](T& t) { // the second ask of A renews its hold, so it believes; its claim is the old one
                   t.resource();
                   const auto a = t.process("A"), b = t.process("B");
                   lateHolder(t, a, 1s, 3s);
                   t.ask(b, 1050ms, 1s);
                   t.enter(b, 1052ms);
                   t.write(b, 1100ms);
                   t.leave(b, 1400ms);
                   t.release(b, 1400ms);
                   t.extendOrSet(a, 1600ms, 3s);
                   t.write(a, 1700ms);
                   t.release(a, 3s);
               });
    }
    void staleWriteOfAWriterThatNeverHeld() {
        EXPECT(6s,
               "stale-write(C,A)@0.3 | belief-overlap(A,B)@0.502-0.7 | unprotected-work(B)@0.502-0.7 | "
               "stale-write(B,A)@0.6",
               [](T& t) {
                   t.resource();
                   const auto a = t.process("A"), b = t.process("B"), c = t.process("C");
                   t.ask(a, 0ms, 5s);
                   t.enter(a, 2ms);
                   t.write(a, 100ms);
                   t.write(c, 200ms, "other item"); // nobody has written that under the lock
                   t.write(c, 300ms);
                   t.ask(b, 500ms, 5s);
                   t.enter(b, 502ms); // ignores the refusal
                   t.write(b, 600ms);
                   t.leave(b, 700ms);
                   t.leave(a, 800ms);
                   t.release(a, 800ms);
               });
    }
    void writesInOrderAreNotStale() { // also the late one of a holder whom nobody has overtaken, and a
                                      // rejected one
        EXPECT(6s, "unprotected-work(A)@1.001-2.0", [](T& t) {
            t.resource();
            const auto a = t.process("A"), b = t.process("B");
            lateHolder(t, a, 1s, 2s);
            t.write(a, 1500ms);
            t.holds(b, 3s, 1s, 500ms);
            t.write(b, 3100ms);
            t.reject(a, 3200ms, 1, 2);
        });
    }
    void aWriteOfAnInheritingTaskIsItsParentsClaim() {
        EXPECT(6s, "", [](T& t) {
            t.resource();
            const auto a = t.process("A"), b = t.process("B");
            t.holds(b, 0ms, 1s, 100ms);
            t.write(b, 50ms);
            t.ask(a, 200ms, 3s);
            t.enter(a, 202ms);
            const auto child = t.task(a, TaskKind::Spawn, 210ms);
            t.write(child, 300ms);
            t.leave(a, 400ms);
            t.release(a, 400ms);
        });
    }

    // --- foreign-delete

    void blindDeletionOfTheNextHolder() { // stale-del, with times of its story from 0
        EXPECT(60s,
               "unprotected-work(A)@30.001-45.002 | belief-overlap(A,B)@31.002-45.002 | "
               "foreign-delete(A,B)@45.003 | "
               "unprotected-work(B)@45.003-51.002 | belief-overlap(B,C)@46.002-51.002 | "
               "foreign-delete(B,C)@51.003 | "
               "unprotected-work(C)@51.003-56.002",
               [](T& t) {
                   const auto a = t.process("A"), b = t.process("B"), c = t.process("C");
                   lateHolder(t, a, 30s, 45002ms);
                   t.ask(b, 31s, 30s);
                   t.enter(b, 31002ms);
                   t.del(a, 45002ms);
                   t.ask(c, 46s, 30s);
                   t.enter(c, 46002ms);
                   t.leave(b, 51002ms);
                   t.del(b, 51002ms);
                   t.leave(c, 56002ms);
                   t.del(c, 56002ms);
               });
    }
    void compareAndDeleteTakesNobodysLock() {
        EXPECT(60s, "unprotected-work(A)@30.001-45.002 | belief-overlap(A,B)@31.002-45.002", [](T& t) {
            const auto a = t.process("A"), b = t.process("B");
            lateHolder(t, a, 30s, 45002ms);
            t.ask(b, 31s, 30s);
            t.enter(b, 31002ms);
            t.release(a, 45002ms);
            t.leave(b, 51002ms);
            t.release(b, 51002ms);
        });
    }
    void theftByPlainSet() {
        EXPECT(5s, "foreign-delete(B,A)@1.001 | unprotected-work(A)@1.001-2.0", [](T& t) {
            const auto a = t.process("A"), b = t.process("B");
            t.ask(a, 0ms, 3s);
            t.enter(a, 2ms);
            t.set(b, 1s, 3s);
            t.leave(a, 2s);
            t.release(a, 2s);
            t.leave(b, 2s);
            t.release(b, 2100ms);
        });
    }
    void deadlinePutIntoThePastAndFlushAreDeletions() {
        EXPECT(6s,
               "foreign-delete(B,A)@1.001 | unprotected-work(A)@1.001-1.5 | foreign-delete(B,A)@3.001 | "
               "unprotected-work(A)@3.001-3.5",
               [](T& t) {
                   const auto a = t.process("A"), b = t.process("B");
                   t.ask(a, 0ms, 3s);
                   t.enter(a, 2ms);
                   t.pexpire(b, 1s, 0ms);
                   t.leave(a, 1500ms);
                   t.ask(a, 2s, 3s);
                   t.enter(a, 2002ms);
                   t.flush(b, 3s);
                   t.leave(a, 3500ms);
               });
    }
    void aReplyStillOnItsWayCountsAsHolding() {
        EXPECT(5s, "foreign-delete(B,A)@0.101", [](T& t) {
            const auto a = t.process("A"), b = t.process("B");
            t.ask(a, 0ms, 3s, {.reply = 500ms});
            t.del(b, 100ms);
        });
    }
    void repairByHandIsNoForeignDelete() { // the dead owner's key, by You
        EXPECT(12s, "stuck-lock(A)@0.0015-5.001", [](T& t) {
            const auto a = t.process("A"), b = t.process("B");
            const auto you = t.outsider("You");
            t.ask(a, 0ms, {});
            t.kill(a, 1500us);
            t.ask(b, 1s, 3s);
            t.del(you, 5s);
            t.holds(b, 6s, 3s, 1s);
        });
    }
    void youCanTakeALiveLock() {
        EXPECT(5s, "foreign-delete(You,A)@1.001 | unprotected-work(A)@1.001-2.0", [](T& t) {
            const auto a = t.process("A");
            const auto you = t.outsider("You");
            t.ask(a, 0ms, 3s);
            t.enter(a, 2ms);
            t.del(you, 1s);
            t.leave(a, 2s);
        });
    }
    void expiryAndEvictionAreNoForeignDelete() {
        EXPECT(5s, "unprotected-work(A)@1.0-2.0", [](T& t) {
            const auto a = t.process("A");
            t.ask(a, 0ms, 3s);
            t.enter(a, 2ms);
            t.evict(1s);
            t.leave(a, 2s);
        });
    }
    void twoThreadsWithOneTokenAreStrangers() {
        EXPECT(3s,
               "unprotected-work(P)@1.001-1.5 | belief-overlap(P,P)@1.052-1.5 | foreign-delete(P,P)@1.501 | "
               "unprotected-work(P)@1.501-1.54",
               [](T& t) {
                   const auto p = t.process("P"), other = t.process("Q");
                   const auto t1 = t.task(p, TaskKind::Thread, 0ms), t2 = t.task(p, TaskKind::Thread, 0ms);
                   t.ask(t1, 0ms, 1s, {}, "h:42");
                   t.enter(t1, 2ms);
                   t.ask(t2, 1050ms, 1s, {}, "h:42");
                   t.enter(t2, 1052ms);
                   t.leave(t1, 1500ms);
                   t.release(t1, 1500ms, {}, "h:42");
                   t.ask(other, 1550ms, 300ms);
                   t.leave(t2, 1540ms);
               });
    }
    void aHelperTaskMayReleaseForItsParent() {
        EXPECT(5s, "", [](T& t) {
            const auto a = t.process("A");
            const auto helper = t.task(a, TaskKind::Spawn, 0ms);
            const auto other = t.task(a, TaskKind::Spawn, 0ms);
            t.ask(helper, 0ms, 3s);
            t.enter(a, 2ms); // on the reply that its helper got
            t.renew(other, 1s, 3s);
            t.leave(a, 2s);
            t.del(other, 2s);
        });
    }

    // --- foreign-extend

    void blindRenewalOfTheNextHolder() {
        EXPECT(6s,
               "unprotected-work(A)@2.001-2.6 | belief-overlap(A,B)@2.052-2.6 | foreign-extend(A,B)@2.501",
               [](T& t) {
                   const auto a = t.process("A"), b = t.process("B");
                   t.ask(a, 0ms, 2s);
                   t.enter(a, 2ms);
                   t.ask(b, 2050ms, 2s);
                   t.enter(b, 2052ms);
                   t.pexpire(a, 2500ms, 2s);
                   t.leave(a, 2600ms);
                   t.leave(b, 3s);
                   t.release(b, 3s);
               });
    }
    void shorteningAndPersistingAreForeignExtends() {
        EXPECT(40s, "foreign-extend(B,A)@1.001 | foreign-extend(B,A)@2.001", [](T& t) {
            const auto a = t.process("A"), b = t.process("B");
            t.ask(a, 0ms, 30s);
            t.enter(a, 2ms);
            t.pexpire(b, 1s, 2s);
            t.persist(b, 2s);
            t.persist(b, 2100ms); // changes nothing any more
            t.leave(a, 2500ms);
            t.release(a, 2500ms);
        });
    }
    void extendingADeadOwnersLockIsForeignToo() {
        EXPECT(4s, "foreign-extend(B,A)@1.001 | stuck-lock(A)@2.001-2.501", [](T& t) {
            const auto a = t.process("A"), b = t.process("B");
            t.ask(a, 0ms, 2s);
            t.enter(a, 2ms);
            t.kill(a, 500ms);
            t.pexpire(b, 1s, 1500ms);
        });
    }

    // --- belief-overlap

    void leavingStandsBeforeTheRelease() { // paused after the DEL went out: B came lawfully
        EXPECT(60s, "", [](T& t) {
            const auto a = t.process("A"), b = t.process("B");
            t.ask(a, 0ms, 30s);
            t.enter(a, 2ms);
            t.leave(a, 20002ms);
            t.release(a, 20002ms, {.readAt = 40s});
            t.pause(a, 20002500us, 40s);
            t.holds(b, 21s, 30s, 20s);
        });
    }
    void ignoringARefusal() {
        EXPECT(6s, "belief-overlap(A,B)@0.502-1.0 | unprotected-work(B)@0.502-1.0", [](T& t) {
            const auto a = t.process("A"), b = t.process("B");
            t.ask(a, 0ms, 5s);
            t.enter(a, 2ms);
            t.ask(b, 500ms, 5s);
            t.enter(b, 502ms);
            t.leave(b, 1s);
            t.release(b, 1s);
            t.leave(a, 4s);
            t.release(a, 4s);
        });
    }
    void aDormantClaimDoesNotCountUntilItWakes() {
        EXPECT(8s, "belief-overlap(A,B)@5.0-5.2 | unprotected-work(A)@5.0-5.2", [](T& t) {
            const auto a = t.process("A"), b = t.process("B");
            t.ask(a, 0ms, 3s);
            t.enter(a, 2ms, 2900ms);
            t.pause(a, 1s, 5s);
            t.ask(b, 3100ms, 4s);
            t.enter(b, 3102ms);
            t.leave(a, 5200ms);
            t.leave(b, 6s);
            t.release(b, 6s);
        });
    }
    void aFrozenClaimWithoutADeadlineOfItsOwnCounts() {
        EXPECT(8s, "belief-overlap(A,B)@3.102-4.0", [](T& t) {
            const auto a = t.process("A"), b = t.process("B");
            t.ask(a, 0ms, 3s);
            t.enter(a, 2ms);
            t.pause(a, 1s, 5s);
            t.ask(b, 3100ms, 3s);
            t.enter(b, 3102ms);
            t.leave(b, 4s);
            t.release(b, 4s);
            t.leave(a, 5s);
        });
    }
    void enteringAgainIsTheSameClaim() {
        EXPECT(5s, "", [](T& t) {
            const auto a = t.process("A");
            t.ask(a, 0ms, 3s);
            t.enter(a, 2ms);
            t.enter(a, 500ms);
            t.leave(a, 600ms);
            t.work(a, 700ms, 900ms);
            t.leave(a, 1s);
            t.release(a, 1s);
        });
    }
    void aSemaphoreAllowsItsHolders() {
        EXPECT(9s,
               "unprotected-work(B)@1.0-4.0 | belief-overlap(A,C)@2.0-3.0 | belief-overlap(B,C)@2.0-3.0 | "
               "unprotected-work(C)@2.0-5.0",
               [](T& t) {
                   t.lock("seats", 2);
                   const auto a = t.process("A"), b = t.process("B"), c = t.process("C");
                   t.ask(a, 0ms, 8s);
                   t.enter(a, 2ms);
                   t.enter(b, 1s);
                   t.enter(c, 2s);
                   t.leave(a, 3s);
                   t.release(a, 3s);
                   t.leave(b, 4s);
                   t.leave(c, 5s);
               });
    }
    void threeAtOnceAreThreePairs() {
        EXPECT(9s,
               "belief-overlap(A,B)@1.0-3.0 | unprotected-work(B)@1.0-4.0 | belief-overlap(A,C)@2.0-3.0 | "
               "belief-overlap(B,C)@2.0-4.0 | unprotected-work(C)@2.0-5.0",
               [](T& t) {
                   const auto a = t.process("A"), b = t.process("B"), c = t.process("C");
                   t.ask(a, 0ms, 8s);
                   t.enter(a, 2ms);
                   t.enter(b, 1s);
                   t.enter(c, 2s);
                   t.leave(a, 3s);
                   t.release(a, 3s);
                   t.leave(b, 4s);
                   t.leave(c, 5s);
               });
    }

    // --- unprotected-work

    void worksOnWithNobodyThere() {
        EXPECT(4s, "unprotected-work(A)@2.001-2.6", [](T& t) {
            const auto a = t.process("A");
            lateHolder(t, a, 2s, 2600ms);
            t.release(a, 2600ms);
        });
    }
    void aFreezeCutsTheEpisode() {
        EXPECT(6s, "unprotected-work(A)@1.001-2.0 | unprotected-work(A)@3.0-5.0", [](T& t) {
            const auto a = t.process("A");
            lateHolder(t, a, 1s, 5s);
            t.pause(a, 2s, 3s);
        });
    }
    void owningAgainDoesNotMendTheGap() {
        EXPECT(4s, "unprotected-work(A)@1.001-2.0 | belief-overlap(A,B)@1.052-1.4", [](T& t) {
            const auto a = t.process("A"), b = t.process("B");
            t.ask(a, 0ms, 1s);
            t.enter(a, 2ms);
            t.ask(b, 1050ms, 1s);
            t.enter(b, 1052ms);
            t.leave(b, 1400ms);
            t.release(b, 1400ms);
            t.extendOrSet(a, 1600ms, 1s);
            t.leave(a, 2s);
            t.release(a, 2s);
        });
    }
    void aLateReplyIsEnteredOnADeadGrant() {
        EXPECT(4s, "unprotected-work(A)@1.501-2.0", [](T& t) {
            const auto a = t.process("A");
            t.ask(a, 0ms, 1s, {.reply = 1500ms});
            t.enter(a, 1501ms);
            t.leave(a, 2s);
        });
    }
    void deathEndsAClaim() {
        EXPECT(6s, "", [](T& t) {
            const auto a = t.process("A");
            t.ask(a, 0ms, 2s);
            t.enter(a, 2ms);
            t.kill(a, 1s);
            const auto again = t.restart(a, 1500ms);
            t.holds(again, 3s, 2s, 500ms);
        });
    }

    // --- starvation

    void sleepsThroughARelease() {
        EXPECT(6s, "starvation(B)@2.2-5.0", [](T& t) {
            const auto a = t.process("A"), b = t.process("B");
            t.ask(a, 0ms, 3s);
            t.enter(a, 2ms);
            t.ask(b, 100ms, 3s);
            t.leave(a, 199ms);
            t.release(a, 199ms);
            t.end(b, 5s);
        });
    }
    void pollingOnAGridIsNoStarvation() { // free from 30.001 to 31.001 while B waits
        EXPECT(60s, "", [](T& t) {
            const auto a = t.process("A"), b = t.process("B");
            t.ask(a, 0ms, 30s);
            t.enter(a, 2ms);
            t.kill(a, 10s);
            for (Duration at = 1s; at < 31s; at += 1s)
                t.ask(b, at, 30s);
            t.holds(b, 31s, 30s, 20s);
        });
    }
    void aFrozenWaiterDoesNotStarve() {
        EXPECT(6s, "", [](T& t) {
            const auto a = t.process("A"), b = t.process("B");
            t.holds(a, 0ms, 3s, 198ms);
            t.ask(b, 100ms, 3s);
            t.pause(b, 1s, 4s);
            t.holds(b, 5500ms, 400ms, 100ms);
        });
    }
    void aRefusingServerIsNotFree() { // writes are disabled: the key is absent, and an ask would be refused
        EXPECT(10s, "", [](T& t) {
            const auto a = t.process("A"), b = t.process("B");
            t.holds(a, 0ms, 1s, 100ms);
            for (Duration at = 50ms; at < 9s; at += 1s)
                t.failingAsk(b, at, "MISCONF");
        });
    }
    void passedOverByLaterComers() {
        EXPECT(8s, "starvation(B)@3.001-5.002", [](T& t) {
            const auto a = t.process("A"), b = t.process("B"), c = t.process("C"), d = t.process("D");
            t.holds(a, 0ms, 2s, 900ms);
            t.ask(b, 100ms, 2s);
            t.holds(c, 1s, 2s, 900ms);
            t.ask(b, 1500ms, 2s);
            t.holds(d, 2s, 2s, 900ms);
            t.holds(a, 3s, 2s, 900ms);
            t.holds(b, 5s, 2s, 100ms);
        });
    }
    void thoseWhoCameBeforeDoNotOvertake() {
        EXPECT(8s, "", [](T& t) {
            const auto a = t.process("A"), b = t.process("B"), c = t.process("C"), d = t.process("D");
            t.ask(a, 0ms, 2s);
            t.enter(a, 2ms);
            t.ask(c, 50ms, 2s);
            t.ask(d, 60ms, 2s);
            t.ask(b, 100ms, 2s);
            t.leave(a, 900ms);
            t.release(a, 900ms);
            t.holds(c, 1s, 2s, 900ms);
            t.holds(d, 2s, 2s, 900ms);
            t.holds(a, 3s, 2s, 900ms);
            t.holds(b, 4s, 2s, 100ms);
        });
    }
    void aRefusedRenewalOfAHolderIsNoWait() {
        EXPECT(10s, "unprotected-work(A)@1.001-9.0 | belief-overlap(A,B)@1.502-1.602", [](T& t) {
            const auto a = t.process("A"), b = t.process("B");
            lateHolder(t, a, 1s, 9s);
            t.holds(b, 1500ms, 2s, 100ms);
            t.about("lock").ask(a, 1550ms, 2s); // finds B there; then the key stays free
        });
    }
};

QTEST_GUILESS_MAIN(InvariantsTest)
#include "invariants_test.moc"
