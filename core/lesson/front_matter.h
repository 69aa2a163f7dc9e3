// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/lesson/lesson.h"
#include "core/lesson/yaml_tree.h"

namespace lockscope {

class Problems;

/// Reads the front matter into everything of `lesson` but its steps. `lesson.programs` must be filled
/// already: actors name them.
void readFrontMatter(const YamlNode& node, Lesson& lesson, Problems& problems);

/// Reads a map of knobs to values, as in a step.
std::vector<KnobSetting> readKnobSettings(const YamlNode& node, const Lesson& lesson, Problems& problems);

/// Reads `matrix`. Everything else of the lesson but its steps must be there.
LessonMatrix readMatrix(const YamlNode& node, const Lesson& lesson, Problems& problems);

/// Reads `odds`. The knobs must be there.
LessonOdds readOdds(const YamlNode& node, const Lesson& lesson, Problems& problems);

/// `20mb`, as CONFIG SET maxmemory takes it, or `none`, which is 0.
std::optional<std::uint64_t> memoryLimitNamed(std::string_view text);

/// `true` or `false`; as a knob's choice `at once` or `as Redis does`.
std::optional<bool> expiresAtOnceNamed(std::string_view text);

/// `0` to `3`: how many replicas each server has.
std::optional<int> replicasNamed(std::string_view text);

class Fields;
/// The list under `goals`.
std::vector<TraceGoal> readGoals(const std::vector<const YamlNode*>& nodes, Problems& problems);
/// `authority` of the server: whether most nodes say to whom a lock belongs.
bool majorityIn(const Fields& fields, const std::vector<TraceLockKey>& keys, Problems& problems);
/// `clock` of an actor, a signed duration: `3s`, `-250ms`.
Duration clockIn(const Fields& fields, Problems& problems);

/// Reads `live` of the front matter, and a step's where it is a map. The lesson's knobs and actors must be
/// there.
LiveVariant readLiveVariant(const YamlNode& node, const Lesson& lesson, Problems& problems);
LiveVariant readLiveVariantOfStep(const YamlNode& node, const Lesson& lesson, Problems& problems);

/// Reads the list under `knobs`.
std::vector<Knob> readKnobs(const std::vector<const YamlNode*>& nodes, Problems& problems);

} // namespace lockscope
