// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "core/lesson/judged_run.h"
#include "core/lesson/lesson.h"
#include "core/lesson/yaml_tree.h"

namespace lockscope {

class Problems;

/// What the `step` block under a heading says, as far as it can be read without running anything.
struct StepReading {
    Step step;
    /// `until` names something that happens (`belief-overlap`) rather than a time; findMoment() tells when.
    std::string untilEvent;
    int untilLine = 0;
};

/// `shown` are the panels of the step before; they stay unless this one hides them.
StepReading readStep(const YamlNode& node, const Lesson& lesson, const std::vector<Panel>& shown,
                     Problems& problems);

/// Reads `challenge` and the `hints` beside it; the solution is in a block of its own.
Challenge readChallenge(const YamlNode& node, const std::vector<const YamlNode*>& hints, const Lesson& lesson,
                        Problems& problems);

/// When `event` happens in a run: the instant of the first episode of an invariant, `first grant of ACTOR`,
/// `lease end of ACTOR`, `end`. Nothing if it does not happen.
std::optional<Instant> findMoment(const std::string& event, const JudgedRun& run);

} // namespace lockscope
