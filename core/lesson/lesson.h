// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/lesson/translation.h"
#include "core/trace/invariants.h"
#include "core/world/challenge_plan.h"
#include "core/world/failure_plan.h"
#include "core/world/odds_plan.h"
#include "core/world/scenario.h"

namespace lockscope {

enum class KnobKind : std::uint8_t { Time, Number, Choice };

/// A value of the lesson that a learner can turn. Durations are whole milliseconds, as programs get them.
struct Knob {
    std::string name;  ///< the global in programs, the NAME of --set NAME=VALUE
    std::string label; ///< for people
    std::string help;
    KnobKind kind = KnobKind::Time;
    KnobValue initial;
    KnobValue least; ///< Time and Number
    KnobValue most;
    KnobValue live;         ///< what a live run uses in place of `initial`, so that it takes seconds
    bool namesLive = false; ///< otherwise a duration goes at the lesson's pace
    std::vector<std::string> choices; ///< Choice
    int line = 0;
};

/// A part of the window that a lesson can bring in step by step.
enum class Panel : std::uint8_t {
    Lights,
    Key,
    Code,
    Events,
    Knobs,
    Strip,
    Ttl,
    Resource,
    Arrows,
    Matrix,
    Odds
};

/// As it stands in lesson files: "lights", "key".
std::string_view nameOf(Panel panel);
bool panelNamed(std::string_view name, Panel& out);

/// A question that is asked before its answer can be seen. Exactly one option is right.
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
    int line = 0;
};

/// Something that must be true of the run once a step is set up. `lockscope check` proves each.
struct Expectation {
    std::string text; ///< as it stands in the file, on one line
    int line = 0;
    // The parsed form is the business of core/lesson/expectation.*
    std::shared_ptr<const struct ExpectationForm> form;
};

/// Programs that stand in for those of the lesson with the same names; core/lesson/programs.h makes them.
using Programs = std::vector<std::shared_ptr<const Program>>;

/// What a step asks the learner to do to its programs.
struct Challenge {
    std::vector<Invariant> never; ///< the search must not break them
    int done = 1;                 ///< as ChallengePlan has it
    int despite = 0;
    std::vector<InterventionKind> tries;
    int faults = 2;
    std::uint64_t schedules = 0;
    std::vector<std::string> hints; ///< from a nudge to nearly all of it
    Programs solution;              ///< one way to meet it; others are as good
    int line = 0;
};

/// What is otherwise when the lesson, or one step of it, is run in real time. All of it is real time: nothing
/// of it is divided by the lesson's pace.
struct LiveVariant {
    std::vector<KnobSetting> knobs;
    struct Actor {
        std::string name;
        std::optional<Instant> start;
        std::optional<Duration> latency; ///< one way, both ways
    };
    std::vector<Actor> actors;
    std::optional<Instant> horizon;
    std::optional<Duration> clientTimeout; ///< of all actors
    std::optional<Duration> patience;      ///< of all keys
    std::optional<std::vector<Intervention>> interventions; ///< in place of the step's
    std::optional<std::vector<Expectation>> expectations;   ///< in place of the step's
};

/// A `##` section of the lesson: prose, and what entering it sets up.
struct Step {
    std::string title;
    std::string prose; ///< Markdown, without the fenced blocks that set things up
    int line = 0;
    std::vector<KnobSetting> knobs; ///< what the step sets; the rest is as in the front matter
    std::vector<Intervention> interventions;
    Programs programs;          ///< the step's own ones; the rest is as in the lesson
    std::vector<Panel> show;    ///< panels visible in this step (each step's full set, already accumulated)
    bool stepView = false;      ///< opens in step view rather than true time
    Instant viewFrom{};         ///< visible part of the time axis …
    Instant viewUntil = kNever; ///< … kNever: the horizon
    std::string notLive;        ///< why it cannot be proved on a real Redis; empty if it can
    LiveVariant live;
    Instant runUntil = kNever; ///< where the playhead goes on entering; kNever: it stays at the start
    std::vector<Prediction> predictions; ///< none or one, in order of their gates
    std::vector<Expectation> expectations;
    std::optional<Challenge> challenge;
    std::string notes; ///< for the speaker
};

/// A field of the scenario that takes its value from a knob: `latency: $trip`.
struct KnobBinding {
    enum class Field : std::uint8_t {
        Horizon,
        FenceEnforced,
        MemoryLimit,    ///< of the servers; a choice like "20mb", or "none"
        EvictionPolicy, ///< of the servers; a choice
        Profile,        ///< of the servers; a choice like "8.4"
        Persistence,    ///< of the servers; a choice
        ExpiresAtOnce,  ///< of the servers, a teaching aid; a choice
        Replicas,       ///< of each server; a choice: 0, 1 …
        ReplicaLag,     ///< of the servers
        Patience,       ///< of a lock key
        Start,          ///< of an actor, as are the rest
        RequestLatency,
        ReplyLatency,
        ClientTimeout,
    };
    Field field = Field::Horizon;
    int index = 0; ///< which lock key or actor
    std::string knob;
    std::string enforcedBy; ///< FenceEnforced: the choice that turns it on
};

/// What the table of a lesson compares: programs (rows) under failures (columns), each by knobs. Empty if the
/// lesson has none.
struct LessonMatrix {
    struct Program {
        std::string label;
        std::vector<KnobSetting> knobs;
    };
    struct Failure {
        std::string label;
        std::vector<KnobSetting> knobs;  ///< on top of the program's
        std::vector<Intervention> tries; ///< as in FailurePlan
    };
    std::vector<Program> programs;
    std::vector<Failure> failures;

    bool empty() const { return programs.empty(); }
};

/// What the chart of a lesson asks of chance: how often turns overlap, and for how long a crash blocks, at
/// each value of a duration knob. Empty if the lesson has none.
struct LessonOdds {
    std::string knob;
    std::vector<Duration> values; ///< rising

    bool empty() const { return values.empty(); }
};

/// A lesson as its file tells it. A value: reading the same text again gives an equal one.
struct Lesson {
    std::string id;
    int number = 0; ///< its place in the course; 0 if it has none
    std::string title;
    std::string goal;        ///< one line
    std::string file;        ///< path it was read from
    std::string contentHash; ///< of the file's text, to notice that it is another one
    std::string intro;       ///< Markdown before the first step, without the title of the page
    std::vector<Knob> knobs;
    std::vector<std::shared_ptr<const Program>> programs;
    std::vector<Translation> translations; ///< of these programs; one a language at the most
    std::vector<Step> steps;
    LessonMatrix matrix;
    LessonOdds odds;
    std::vector<Invariant> lights; ///< the invariants this lesson is about, in order of severity
    /// Everything but knob values and interventions.
    Scenario base;
    std::vector<KnobBinding> bindings; ///< what knob values change in `base`
    LiveVariant live;                  ///< of every step; what a step says goes before
    double pace = 1;                   ///< how many times faster than written a live run goes

    const Knob* knob(std::string_view name) const;
};

/// Reads a lesson file. Errors name file, line, key and what is allowed.
Result<Lesson> readLesson(const std::string& path);
/// The same from text; `path` is for messages.
Result<Lesson> parseLesson(std::string_view text, const std::string& path);

/// Reads a knob's value as people write it and checks its range or choices.
Result<KnobValue> parseKnobValue(const Knob& knob, std::string_view text);
/// The same for a live run, which may be shorter than any value of the range.
Result<KnobValue> parseLiveKnobValue(const Knob& knob, std::string_view text);
/// Whether a knob may have this value: its kind, its range or choices, whole milliseconds.
Result<void> checkKnobValue(const Knob& knob, const KnobValue& value);

/// The scenario of a lesson with all knobs at their initial values, then `knobs` over them.
/// Unknown names, wrong kinds and values out of range are errors that say what is allowed.
Result<Scenario> makeScenario(const Lesson& lesson, const std::vector<KnobSetting>& knobs,
                              const std::vector<Intervention>& interventions, std::uint64_t seed,
                              const Programs& programs = {});
/// The scenario that entering a step sets up.
Result<Scenario> makeScenario(const Lesson& lesson, const Step& step);
/// The lesson's matrix, with these programs in place of the lesson's, ready to be searched. Only for a lesson
/// that has one.
FailurePlan failurePlanOf(const Lesson& lesson, const Programs& programs = {});
/// The lesson's odds, with these knobs and programs, ready to be found out. Only for a lesson that has them.
Result<OddsPlan> oddsPlanOf(const Lesson& lesson, std::vector<KnobSetting> knobs, std::uint64_t seed,
                            const Programs& programs);
/// The knobs of one of its cells.
std::vector<KnobSetting> knobsOf(const LessonMatrix& matrix, std::size_t program, std::size_t failure);

/// The scenario of a step in real time: everything that takes time goes at the lesson's pace, and knobs that
/// name a live value at that one's. What the network takes is left as it is.
Result<Scenario> makeLiveScenario(const Lesson& lesson, const Step& step);
/// The same of a lesson as it begins, with `knobs` and `interventions` that are in real time already.
Result<Scenario> makeLiveScenario(const Lesson& lesson, const std::vector<KnobSetting>& knobs,
                                  const std::vector<Intervention>& interventions, std::uint64_t seed,
                                  const Programs& programs = {});
/// The challenge of a step with these programs, ready to be searched. Only for a step that has one.
Result<ChallengePlan> challengePlanOf(const Lesson& lesson, const Step& step, const Programs& programs);

/// A knob's value in real time.
KnobValue liveValue(const Lesson& lesson, const Knob& knob, const KnobValue& value);

/// What one expectation came to.
struct CheckFinding {
    std::string file;
    int line = 0;
    std::string step;
    std::string expectation;
    bool holds = false;
    std::string instead; ///< what was found, if it does not hold
};
/// Runs every step of a lesson and tries its expectations. A run that could not be finished, and a program
/// that fails without a line that expects it, are findings too.
std::vector<CheckFinding> checkLesson(const Lesson& lesson);
/// The same for one step, by a run of makeLiveScenario() in real time. Instants may be off by what a busy
/// machine makes them.
std::vector<CheckFinding> checkLiveRun(const Lesson& lesson, const Step& step, const struct JudgedRun& run);

/// How programs did in a challenge, from whoever can try that (core/search/challenge.h).
struct ChallengeTrial {
    bool passed = false;
    std::string sentence; ///< what came of it
};
/// Whether the challenges of a lesson are what they should be: each solution passes, the programs as the step
/// begins do not, and neither do programs that do nothing.
std::vector<CheckFinding> checkChallenges(const Lesson& lesson,
                                          const std::function<ChallengeTrial(const ChallengePlan&)>& trial);

/// The lesson files of a folder, by number, then id. Files that cannot be read come as errors beside them.
struct LessonShelf {
    std::vector<Lesson> lessons;
    std::vector<Error> broken;
};
LessonShelf readLessonFolder(const std::string& folder);

} // namespace lockscope
