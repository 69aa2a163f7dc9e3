// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "core/trace/analysis.h"

namespace lockscope {

/// What can break, most severe first; this is also the order of rows and lights. Each has its file in
/// core/trace/rules, which says exactly when it fires.
enum class Invariant : std::uint8_t {
    StaleWrite,
    ForeignDelete,
    ForeignExtend,
    BeliefOverlap,
    StuckLock,
    UnprotectedWork,
    Starvation,
};
inline constexpr std::size_t kInvariantCount = 7;
inline constexpr std::array<Invariant, kInvariantCount> kInvariants{
    Invariant::StaleWrite, Invariant::ForeignDelete,   Invariant::ForeignExtend, Invariant::BeliefOverlap,
    Invariant::StuckLock,  Invariant::UnprotectedWork, Invariant::Starvation};

/// "foreign-delete", as it stands in JSON, lessons and flags.
std::string_view nameOf(Invariant invariant);
/// False if there is no invariant of that name.
bool invariantNamed(std::string_view name, Invariant& out);

/// One episode in which an invariant was broken.
struct Violation {
    Invariant invariant = Invariant::StaleWrite;
    StringId key = StringId::Empty;
    Instant at{};
    Instant until{}; ///< == at for what is over in an instant
    /// Who broke it first, then whom it concerns: the deleter before the victim, for an overlap the one who
    /// was there before the one who came.
    std::array<ActorIndex, 2> actors{kNone, kNone};
    std::array<int, 2> claims{
        kNone, kNone};            ///< indices into Analysis::claims, parallel to actors where there are any
    int grant = kNone;            ///< the grant that was hurt, or that is stuck
    RequestIndex request = kNone; ///< the command that did it
};

/// What the rules keep in mind while they judge; a Judge lends it to them.
struct JudgeScratch {
    struct Part {
        Instant from{};
        Instant until{};
    };
    struct Newest { ///< the youngest grant under which something was written so far
        StringId of = StringId::Empty;
        int number = 0;
        int claim = kNone;
    };
    std::vector<int> open;
    std::vector<Part> first;
    std::vector<Part> second;
    std::vector<Instant> bounds;
    std::vector<Newest> byKey;
    std::vector<Newest> byItem;
};

/// Judges a whole run, or a growing one as far as it has come. `out` is cleared first and comes back ordered
/// by (at, severity). Scratch memory is kept between calls.
class Judge {
public:
    void judge(const Trace& trace, const Analysis& analysis, std::vector<Violation>& out);

private:
    JudgeScratch m_scratch;
};

/// The readout under the lights: what the run achieved and what it cost.
struct Outcome {
    struct Goal {
        std::string label;
        int made = 0;
        int wanted = 1;
    };
    std::vector<Goal> goals;
    Duration lockIdle{0};        ///< the lock was free while somebody waited for it
    Duration blockedByNobody{0}; ///< somebody waited for a lock whose owner was dead or had left
    Duration recovery{0};        ///< the longest time a lock outlived the death of its holder
    int gaveUpLive = 0;          ///< leases that were granted, never used and left to run out
};
Outcome outcomeOf(const Trace& trace, const Analysis& analysis);

} // namespace lockscope
