// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/search/sweep.h"
#include "ui/bridge/latest_job.h"
#include "ui/bridge/run_model.h"

namespace lockscope::ui {

/// What a pause of one length would add to the run that is shown, for every instant and each of its actors.
/// A value; views keep the pointer.
struct WhatIfStrip {
    Duration pause{0};
    std::vector<Sweep> actors; ///< parallel to the scenario's
    bool complete = false;     ///< every refinement is done
};

/// Keeps the what-if strip in step with the run and the length of the pause. It is computed away from the
/// window's thread, coarse first, and a change on either side replaces what is under way.
///
/// Invariants:
///  1. strip() belongs to the same lesson, actors and horizon as the run. While a finer one is on its way it
///     may be of the run before, for the time that a first coarse one takes (a few milliseconds).
///  2. Nothing is computed while nobody wants it.
class WhatIf : public QObject {
    Q_OBJECT
public:
    explicit WhatIf(RunModel& run, QObject* parent = nullptr);
    ~WhatIf() override;

    /// Whether somebody shows the strip. Off at first.
    void setWanted(bool wanted);

    /// The one length that every pause made by hand has. More than 0.
    static constexpr Duration kUsualPause = seconds(20);
    Duration pauseLength() const { return m_pause; }
    void setPauseLength(Duration length);
    /// The intervention that is just being dragged, as an index into the scenario's: what it would add
    /// elsewhere is asked of the run without it. -1: none.
    void leaveOut(int index);

    /// Null as long as nothing is known.
    std::shared_ptr<const WhatIfStrip> strip() const { return m_strip; }

    /// What a pause would add, told in full.
    struct Effect {
        Invariant invariant = Invariant::StaleWrite;
        Instant at{};
        std::string sentence;
    };
    /// One simulation, made here and now, and another one when the run has changed since; most severe first.
    /// Empty if it adds nothing.
    std::vector<Effect> effectsAt(ActorIndex actor, Instant at);

signals:
    void changed();
    void pauseLengthChanged(lockscope::Duration length);

private:
    void ask();
    Scenario base() const;
    void forget();
    const std::vector<Break>& breaksWithout(const Scenario& scenario);

    RunModel& m_run;
    bool m_wanted = false;
    Duration m_pause = kUsualPause;
    int m_leftOut = -1;
    SweepRequest m_asked; ///< the latest; no actors: none
    std::shared_ptr<const WhatIfStrip> m_strip;
    Probe m_probe;
    std::optional<Scenario> m_without; ///< whose breaks are known …
    std::vector<Break> m_breaks;       ///< … and these are they
    LatestJob m_worker{this};
};

} // namespace lockscope::ui
