// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/timeline/prepared_run.h"

namespace lockscope::ui {

/// Where a run's lanes differ from another run's, as tracks, ready to be painted on the lanes of a third one
/// (which is one of the two). `source` of an entry is an index into the spans of lane() in `run`.
class PreparedDifference {
public:
    struct Actor {
        const ActorLane* lane = nullptr; ///< null: the run has no such lane
        std::vector<SpanTrack> does;     ///< by row
        std::vector<SpanTrack> thinks;   ///< by row
    };
    struct Key {
        const KeyLane* lane = nullptr;
        SpanTrack owners;
    };

    /// What `run` shows and `other` does not, for longer than `least`, in the order of `shownOn`'s lanes.
    PreparedDifference(std::shared_ptr<const Run> run, const Run& other, const Run& shownOn,
                       Duration least = Duration{0});

    const Run& run() const { return *m_run; }
    /// Parallel to the lanes of the run it is shown on.
    const std::vector<Actor>& actors() const { return m_actors; }
    const std::vector<Key>& keys() const { return m_keys; }

private:
    std::shared_ptr<const Run> m_run;
    std::vector<Actor> m_actors;
    std::vector<Key> m_keys;
};

} // namespace lockscope::ui
