// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/trace/invariants.h"
#include "core/world/scenario.h"

namespace lockscope {

enum class KnobKind : std::uint8_t { Duration, Number, Choice };

struct Knob {
    std::string name;  ///< the global in programs, the NAME of --set NAME=VALUE
    std::string label; ///< for people
    std::string help;
    KnobKind kind = KnobKind::Duration;
    KnobValue initial;
    KnobValue least;   ///< Duration and Number
    KnobValue most;
    KnobValue live;    ///< what a live run uses, so that it takes seconds; equals `initial` if the lesson names none
    std::vector<std::string> choices; ///< Choice
    int line = 0;
};

/// A part of the window that a lesson can bring in step by step.
enum class Panel : std::uint8_t { Lights, Key, Code, Events, Knobs, Strip, Ttl, Resource, Arrows };

struct Prediction {
    std::string question; ///< Markdown
    struct Option {
        std::string text;
        bool right = false;
        std::string because; ///< shown after answering, may be empty
    };
    std::vector<Option> options;
    std::string explanation; ///< Markdown; shown after answering
    Instant gate{};          ///< what lies after it is veiled until the answer
};

/// Something that must be true of the run once a step is set up. `lockscope check` proves each.
struct Expectation {
    std::string text; ///< as it stands in the file
    int line = 0;
    // The parsed form is the business of core/lesson/expectation.*
    std::shared_ptr<const struct ExpectationForm> form;
};

struct Step {
    std::string title;
    std::string prose; ///< Markdown, without the fenced blocks that set things up
    int line = 0;
    std::vector<KnobSetting> knobs;           ///< what the step sets; the rest is as in the front matter
    std::vector<Intervention> interventions;
    std::vector<Panel> show;                  ///< panels visible in this step (each step's full set, already accumulated)
    bool stepView = false;                    ///< opens in step view rather than true time
    Instant viewFrom{};                       ///< visible part of the time axis …
    Instant viewUntil = kNever;               ///< … kNever: the horizon
    Instant runUntil = kNever;                ///< where the playhead goes on entering; kNever: it stays at the start
    std::vector<Prediction> predictions;      ///< none or one, in order of their gates
    std::vector<Expectation> expectations;
    std::string notes;                        ///< for the speaker
};

struct LessonActor {
    ActorSpec spec;     ///< spec.program shared with other actors that run the same
};

struct Lesson {
    std::string id;
    int number = 0;     ///< its place in the course; 0 if it has none
    std::string title;
    std::string goal;   ///< one line
    std::string file;   ///< path it was read from
    std::string intro;  ///< Markdown before the first step
    std::vector<Knob> knobs;
    std::vector<std::shared_ptr<const Program>> programs;
    std::vector<Step> steps;
    std::vector<Invariant> lights; ///< the invariants this lesson is about, in order of severity
    /// Everything but knob values and interventions.
    Scenario base;

    const Knob* knob(std::string_view name) const;
};

/// Reads a lesson file. Errors name file, line, key and what is allowed.
Result<Lesson> readLesson(const std::string& path);
/// The same from text; `path` is for messages.
Result<Lesson> parseLesson(std::string_view text, const std::string& path);

/// Reads a knob's value as people write it and checks its range or choices.
Result<KnobValue> parseKnobValue(const Knob& knob, std::string_view text);

/// The scenario of a lesson with all knobs at their initial values, then `knobs` over them.
/// Unknown names, wrong kinds and values out of range are errors that say what is allowed.
Result<Scenario> makeScenario(const Lesson& lesson, const std::vector<KnobSetting>& knobs,
                              const std::vector<Intervention>& interventions, std::uint64_t seed);
/// The scenario that entering a step sets up.
Result<Scenario> makeScenario(const Lesson& lesson, const Step& step);

/// What one expectation came to.
struct CheckFinding {
    std::string file;
    int line = 0;
    std::string step;
    std::string expectation;
    bool holds = false;
    std::string instead; ///< what was found, if it does not hold
};
/// Runs every step of a lesson and tries its expectations.
std::vector<CheckFinding> checkLesson(const Lesson& lesson);

/// The lesson files of a folder, by number, then id. Files that cannot be read come as errors beside them.
struct LessonShelf {
    std::vector<Lesson> lessons;
    std::vector<Error> broken;
};
LessonShelf readLessonFolder(const std::string& folder);

} // namespace lockscope
