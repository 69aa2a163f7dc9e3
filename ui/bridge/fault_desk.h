// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include <functional>

#include "ui/bridge/lease_knob.h"
#include "ui/bridge/message_faults.h"

namespace lockscope::ui {

/// Where hands and keys work on the faults of the run that is shown: what a gesture tries out while the mouse
/// moves, and what a key does at once. Everything goes through the LessonModel, so every view follows and
/// everything can be undone.
///
/// A fault is named by its index among faults(), which is also its index in Trace::interventions. Keys of the
/// same kind on the same fault, one after the other, are undone as one.
class FaultDesk : public QObject {
    Q_OBJECT
public:
    FaultDesk(LessonModel& lesson, RunModel& run, QObject* parent = nullptr);

    /// Whether there is a run whose past can be changed.
    bool usable() const;
    const std::vector<Intervention>& faults() const { return m_lesson.interventions(); }
    const Run& run() const { return *m_run.run(); }
    std::shared_ptr<const Run> shownRun() const { return m_run.run(); }
    /// The fault that is selected, or -1.
    int picked() const;
    void pick(int fault);
    /// Picks the next or previous fault in time, and puts the playhead on it.
    void walk(int direction);

    // A gesture, from begin() to keep() or drop(). Playing stops. If something else ends it, held() becomes
    // false and the rest does nothing.
    void begin();
    bool held() const { return m_held; }
    /// Shows the run with these faults, one of them picked (-1: none). False, and told, if it cannot be.
    bool show(std::vector<Intervention> faults, int picked);
    bool showKnob(const std::string& name, Duration value);
    /// `what` completes "Undo …", `said` tells what has been done.
    void keep(const QString& what, const QString& said);
    /// Run, selection and playhead are as they were before begin().
    void drop();

    // At once. What comes to nothing, as a move beyond the end of the run, is refused.
    void add(const Intervention& fault);
    void remove(int fault);
    void duplicate(int fault);
    /// To another instant: no further than the run goes.
    void shift(int fault, Duration by);
    void stretch(int fault, Duration by);
    /// To the actor above or below, where the fault concerns an actor.
    void handOver(int fault, int direction);
    void resume(const std::string& actor, Instant at);
    void delayMessage(RequestIndex request, Leg leg, Duration by);
    /// Loses the message, or delivers one that was lost by hand.
    void loseMessage(RequestIndex request, Leg leg);
    std::optional<LeaseKnob> leaseKnob(int grant) const;
    void stretchLease(int grant, Duration by);

    /// Tells why something cannot be done.
    void refuse(const QString& why) { emit refused(why); }
    /// A length that this kind of fault can have, nearest to the wanted one.
    static Duration possibleLength(InterventionKind kind, Duration wanted);
    Instant horizon() const { return run().trace->horizon; }

signals:
    /// Something has been done, said in a sentence. `undoable`: undoing now takes back just that.
    void done(const QString& said, bool undoable);
    /// Something cannot be done, and why.
    void refused(const QString& why);
    void heldChanged();
    /// A gesture has ended, and nothing has come of it.
    void dropped();

private:
    bool attempt(const std::function<QString()>& act);
    void tell(const QString& said);
    bool change(std::vector<Intervention> faults, int picked, const QString& what, const QString& merge);

    LessonModel& m_lesson;
    RunModel& m_run;
    bool m_held = false;
    int m_undoBefore = 0; ///< where the history stood when the last change began
    Selection m_selectionBefore;
    Instant m_playheadBefore{};
};

} // namespace lockscope::ui
