// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/lesson/judged_run.h"
#include "core/lesson/lesson.h"
#include "core/lesson/yaml_tree.h"

namespace lockscope {

class Problems;
struct Leniency;

/// `@ 30.2s`, `@ 30.2s ± 5ms`: when something must happen. Without it any instant will do.
struct When {
    std::optional<Instant> at;
    Duration tolerance = millis(50);

    bool fits(Instant found, const Leniency& leniency) const;
};

/// What must be true of a run. One expectation has one of these forms.
struct ExpectationForm {
    /// `violations: [belief-overlap Server A + Server B @ 31s]`: these episodes and no others.
    struct Violations {
        struct Episode {
            std::string text;
            Invariant invariant = Invariant::StaleWrite;
            std::vector<std::string> actors; ///< the first one or both; an overlap's in either order
            std::string key;                 ///< empty: any
            When when;
        };
        std::vector<Episode> episodes;
    };
    /// `never: foreign-delete`
    struct Never {
        std::vector<Invariant> invariants;
    };
    /// `count: belief-overlap = 1`, `made: Report = 2`, `refused: Server B = 30`
    struct Count {
        enum class Of { Episodes, Made, Refused };
        enum class Relation { Equal, AtLeast, AtMost };
        Of of = Of::Episodes;
        Relation relation = Relation::Equal;
        std::string subject;
        int number = 0;
    };
    /// `owner @ 31.5s: Server B`, `claims @ …`, `works @ …`: exactly these, nobody if empty.
    struct Who {
        enum class Row { Owner, Claims, Works };
        Row row = Row::Owner;
        std::string key;               ///< of Owner and Claims
        std::optional<NodeIndex> node; ///< of Owner: whom this node calls the owner
        Instant at{};
        std::vector<std::string> actors;
    };
    /// `key @ 30.25s: in memory`
    struct Key {
        enum class State { Exists, InMemory, Gone };
        State state = State::Exists;
        std::string key;
        std::optional<NodeIndex> node; ///< as that node has it
        Instant at{};
    };
    /// `ttl @ 1.201s: 29s ± 5ms`; no length: the key has no deadline.
    struct Ttl {
        std::string key;
        std::optional<NodeIndex> node; ///< as that node has it
        Instant at{};
        std::optional<Duration> left;
        Duration tolerance = millis(50);
    };
    /// `Server A executes DEL → 1 @ 45.2s`, `Server A never executes DEL`, `Server A writes Report →
    /// rejected`, `Server A fails`
    struct Act {
        enum class Verb { Executes, Writes, Fails };
        Verb verb = Verb::Executes;
        bool never = false;
        std::string actor;
        std::string subject; ///< the command as typed, or its beginning; the name that is written
        std::string result;  ///< the reply; accepted or rejected; empty: any
        When when;
    };
    /// `load @ 10s: 45249 evicted`, `14731 first refused`: what came of the load of that instant.
    struct OfLoad {
        enum class Of { Answered, Refused, FirstRefused, Evicted };
        Of of = Of::Answered;
        Instant at{};
        std::int64_t number = 0;
    };
    /// `outcome: Report made 2× (wanted 1) · …`: the line under the lights.
    struct OutcomeLine {
        std::string text;
    };
    std::variant<Violations, Never, Count, Who, Key, Ttl, Act, OfLoad, OutcomeLine> what;
};

/// Reads one entry of an `expect` list. Actors, keys and goals it names must be the lesson's.
std::optional<Expectation> readExpectation(const YamlNode& node, const Lesson& lesson, Problems& problems);

/// How exactly a run must keep to what stands in the file. A simulated one does to the microsecond; one in
/// real time goes at the lesson's pace, and is early or late by what the machine is busy with.
struct Leniency {
    double pace = 1;      ///< instants of the file are so many times those of the run
    Duration instants{0}; ///< something may happen that much earlier or later, at the least
    Duration states{0};   ///< what is to be so at an instant may be so that much earlier or later
    int asks = 0;         ///< so many refusals more or fewer
    /// Two at work, or work without the lock, for so long: what a process does between waking up and its
    /// first look at the clock.
    Duration blinks{0};
    double memory = 0; ///< such a part more or less of what fitted into a server's memory

    Duration of(Duration written) const;
    Instant of(Instant written) const { return instantAt(of(written.time_since_epoch())); }
};

/// Nothing if the run is as expected; otherwise what was found instead, in plain words.
std::optional<std::string> whatIsInstead(const ExpectationForm& form, const JudgedRun& run,
                                         const Leniency& leniency = {});

} // namespace lockscope
