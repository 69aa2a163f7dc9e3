// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/lanes.h"

namespace lockscope {

/// Lays out the lanes of actors. Everything but the rows is taken from the events and the analysis as it
/// stands; a strand (one piece of work with its gaps, one wait, one claim) keeps its row from end to end.
class ActorLanes {
public:
    ActorLanes(const Trace& trace, const Analysis& analysis, std::vector<ActorLane>& out);
    void build();

private:
    /// What belongs on one row.
    struct Strand {
        Instant from{};
        Instant until{};
        std::size_t first = 0; ///< its spans in the lane
        std::size_t count = 0;
    };
    /// A work or compute that has begun.
    struct Doing {
        std::uint32_t event = 0;
        bool open = false;
    };

    void readEvents();
    void addDoing(const Event& begin, Instant until, bool finished);
    void addLives();
    void addWaits();
    void addWaiting(Instant from, Instant until, StringId what, TaskIndex task, ProcessIndex process,
                    ActorIndex actor);
    void endListening(TaskIndex task, Instant until);
    void addFreezes();
    void addCannotRun(const Event& sleep, Instant woke);
    void addMissedTicks();
    void addCannotRun(TaskIndex task, Instant from, Instant until);
    void addClaims();
    void addUnknown();
    void addRefusals();
    void addHatches(ActorLane& lane);
    bool governs(int claim, TaskIndex task, const std::vector<int>& open) const;
    Instant resolved(RequestIndex ask) const;

    template <typename Span>
    static int assignRows(std::vector<Strand>& strands, std::vector<Span>& spans);

    ActorLane& laneOf(ProcessIndex process);
    const std::vector<Freeze>& freezesOf(ProcessIndex p) const {
        return m_freezes[static_cast<std::size_t>(p)];
    }

    const Trace& m_trace;
    const Analysis& m_analysis;
    std::vector<ActorLane>& m_out;
    std::vector<std::vector<Freeze>> m_freezes;           ///< by process
    std::vector<std::vector<Strand>> m_does;              ///< by actor
    std::vector<std::vector<Strand>> m_thinks;            ///< by actor
    std::vector<Doing> m_doing;                           ///< by task
    std::vector<Doing> m_sleeping;                        ///< by task
    std::vector<Doing> m_listening;                       ///< by task: to a channel, or for a command
    std::vector<std::pair<TaskIndex, Instant>> m_everies; ///< and when they started
    std::vector<StringId> m_failures;                     ///< by process: the error that ended its main task
    std::vector<DoesSpan> m_computes;
};

/// What Redis says of every lock key, on every node that was spoken to about it.
void layOutKeys(const Trace& trace, const Analysis& analysis, std::vector<KeyLane>& out);

} // namespace lockscope
