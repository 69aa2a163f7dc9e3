// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

#include "core/world/scenario.h"
#include "ui/bridge/run_model.h"

namespace lockscope::ui {

/// A message is half a round trip.
enum class Leg { Request, Reply };

/// A message of a run, and what is done to it. A fault concerns the next message of its actor, so one that is
/// to hit this very message begins at the instant at which the request was sent.
class MessageFault {
public:
    /// The message as it is in this run, under these faults.
    MessageFault(const Run& run, const std::vector<Intervention>& faults, RequestIndex request, Leg leg);

    RequestIndex request() const { return m_request; }
    Leg leg() const { return m_leg; }
    Instant sent() const { return m_at; }
    /// By how much it is delayed already; zero if it is not.
    Duration delay() const { return m_delay; }
    bool lost() const { return m_lost; }

    /// The faults with this message delayed by so much (zero and less: not at all), or lost. `index` becomes
    /// the fault's place among them, -1 if none is left.
    std::vector<Intervention> delayed(Duration by, int& index) const;
    std::vector<Intervention> withLoss(int& index) const;

    /// Whether the fault at `index` hit this message in `run`, and not another one of its actor that was
    /// under way at the same instant.
    bool hits(const Run& run, int index) const;

private:
    std::vector<Intervention> with(InterventionKind kind, Duration length, int& index) const;

    std::vector<Intervention> m_others; ///< all faults but this message's
    std::string m_actor;
    RequestIndex m_request;
    Leg m_leg;
    Instant m_at{};
    int m_place = -1; ///< where the message's fault stood
    Duration m_delay{0};
    bool m_lost = false;
};

} // namespace lockscope::ui
