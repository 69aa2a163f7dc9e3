// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QTimer>

#include <memory>
#include <optional>

#include "core/trace/difference.h"
#include "core/trace/invariants.h"
#include "core/trace/lanes.h"
#include "core/world/session.h"

namespace lockscope::ui {

/// One run and all that is computed from it. Immutable: views keep the pointer and compare it to notice a
/// change.
struct Run {
    std::shared_ptr<const Trace> trace;
    Analysis analysis;
    std::vector<Violation> violations;
    Outcome outcome;
    Lanes lanes;
};

/// The same for what core says of two runs.
ToldRun toldRun(const Run& run);

/// Judges and lays out a trace.
std::shared_ptr<const Run> makeRun(std::shared_ptr<const Trace> trace);

/// What the user has picked. The whole window shows one selection.
struct Selection {
    enum class Kind { None, Event, Request, Grant, Claim, Violation, Intervention, Actor };
    Kind kind = Kind::None;
    int index = -1; ///< into the table of that kind in the trace, the analysis or the run

    bool operator==(const Selection&) const = default;
};

/// The run the window shows, the playhead on it, the veil over it and the selection in it.
/// Every view reads from here and changes it through here; no view knows another.
class RunModel : public QObject {
    Q_OBJECT
public:
    explicit RunModel(std::unique_ptr<Session> session, QObject* parent = nullptr);
    ~RunModel() override;

    /// Null before the first successful start().
    std::shared_ptr<const Run> run() const { return m_run; }
    const Scenario& scenario() const;
    WorldKind world() const;
    bool pastEditable() const;

    /// Shows a run of its own, which is compared with nothing before it.
    /// Empty if it went well; otherwise one line for the user, and the old run stays. So do the next two.
    QString start(const Scenario& scenario);
    /// The same for a variation of the run that is shown: what was shown becomes the baseline.
    QString vary(const Scenario& scenario);
    QString intervene(const Intervention& intervention);
    /// Takes in how far a live run has come.
    void advance();

    /// The run before the last change, to compare with; null if there is none.
    std::shared_ptr<const Run> baseline() const { return m_baseline; }
    /// From here to releaseBaseline() everything is one change: the run shown now stays the baseline of all
    /// that follow. If the run is as it was in the end, nothing has changed and the old baseline is back.
    /// start() ends it too.
    void holdBaseline();
    void releaseBaseline();
    bool baselineHeld() const { return m_holding; }

    Instant playhead() const { return m_playhead; }
    /// Clamped to [0, the end of the run] and to the veil.
    void setPlayhead(Instant at);
    void stepForward(); ///< to the next instant at which something happens
    void stepBack();
    void toStart();
    void toEnd();
    /// The last instant that may be visited: the end of the run, or the veil.
    Instant end() const;

    bool playing() const;
    void play();
    void pause();
    /// Plays to `until` and stops there, beginning after `rest`.
    void playTo(Instant until, Duration rest = Duration{0});
    /// From a moment before the first of these faults to what comes of them.
    void playThrough(const std::vector<Intervention>& faults, Instant end);
    /// 0 is "paced by events" (60 s in about 8 s); otherwise seconds of the run per second.
    double speed() const { return m_speed; }
    void setSpeed(double speed);
    /// Seconds of the run that go by in one second of playing, at the playhead.
    double ratio() const;
    /// Whether playing jumps from event to event instead of gliding.
    void setReducedMotion(bool reduced) { m_reducedMotion = reduced; }

    /// Nothing after it may be shown or visited; kNever if there is no veil.
    Instant veil() const { return m_veil; }
    void setVeil(Instant from);

    Selection selection() const { return m_selection; }
    void select(Selection selection);

signals:
    void runChanged();
    void baselineChanged(); ///< held, released, or another one without a new run
    void playheadChanged();
    void playingChanged();
    void speedChanged();
    void veilChanged();
    void selectionChanged();

private:
    void takeTrace(std::shared_ptr<const Run> baseline);
    bool shownAsHeld() const;
    void carrySelectionOver(const Run* before);
    void tick();
    void moveTo(Instant at);
    void anchor();

    std::unique_ptr<Session> m_session;
    std::shared_ptr<const Run> m_run;
    std::shared_ptr<const Run> m_baseline;
    std::shared_ptr<const Run> m_held;       ///< what was shown at holdBaseline()
    std::shared_ptr<const Run> m_heldBefore; ///< the baseline at that time …
    Scenario m_heldScenario;                 ///< … and what was run
    bool m_holding = false;
    std::vector<Instant> m_stops; ///< the instants at which something happens, rising, each once
    Instant m_playhead{};
    Instant m_veil = kNever;
    Selection m_selection;
    double m_speed = 0;
    bool m_reducedMotion = false;
    QTimer m_ticker;
    struct Play;
    std::unique_ptr<Play> m_play;
};

} // namespace lockscope::ui
