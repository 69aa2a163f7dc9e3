// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/search/probe_pool.h"
#include "core/world/failure_plan.h"

namespace lockscope {

/// What was found out about one program under one kind of failure.
struct MatrixCell {
    struct Broken {
        Invariant invariant = Invariant::StaleWrite;
        /// The plainest way to break it that was found, made small; empty if the program does it by itself.
        std::vector<Intervention> interventions;

        bool operator==(const Broken&) const = default;
    };

    std::vector<Broken> broken; ///< in order of severity
    std::uint64_t schedules = 0;
    bool complete = false; ///< every single fault and every pair was tried, or all that was looked for broke
};

/// The cells in the order of the plan's scenarios.
struct Matrix {
    std::vector<MatrixCell> cells;
    bool cancelled = false; ///< then the later cells may be empty

    std::uint64_t schedules() const;
};

/// Tries all single faults, then pairs until `schedulesPerCell` are used up, in each cell of `plan`. The same
/// plan gives the same matrix on every machine. `progress` is told on the calling thread how many cells of
/// the plan are done.
Matrix searchMatrix(ProbePool& pool, const FailurePlan& plan, std::uint64_t schedulesPerCell,
                    const std::atomic<bool>* cancel = nullptr,
                    const std::function<void(std::size_t)>& progress = {});

inline constexpr std::uint64_t kSchedulesPerCell = 10'000;

/// The names of what broke, and how many faults it took if it took several; or `not broken in 1,234
/// schedules`.
std::string sentenceFor(const MatrixCell& cell);

std::string toJson(const FailurePlan& plan, const Matrix& matrix, double elapsedSeconds);
/// A table: programs are its rows, failures its columns.
std::string toMarkdown(const FailurePlan& plan, const Matrix& matrix);
/// A paragraph a program.
std::string toText(const FailurePlan& plan, const Matrix& matrix);

} // namespace lockscope
