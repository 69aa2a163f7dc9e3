// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <utility>

#include "ui/bridge/run_model.h"

namespace lockscope::ui {

/// Everything that a selection stands for, so that each view can show its own side of it. kNone, -1, Empty or
/// kNever for what it does not touch.
struct SelectionFacts {
    int event = -1; ///< the event that stands for it in the list
    RequestIndex request = kNone;
    int grant = kNone;
    int claim = kNone;
    ActorIndex actor = kNone;
    StringId key = StringId::Empty;
    int line = 0; ///< of the actor's program
    Instant at = kNever;
};

SelectionFacts factsOf(const Run& run, Selection selection);

/// From when to when what is selected lasts: a pause, a claim, a grant, an episode. Twice the same for what
/// is over at once, and `otherwise` for what has no time.
std::pair<Instant, Instant> spanOf(const Run& run, Selection selection, Instant otherwise);

} // namespace lockscope::ui
