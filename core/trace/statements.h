// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "core/trace/trace.h"

namespace lockscope {

/// What each write of a live run made the resource execute. A process' statements are told in the order of
/// its writes, so the first of one belongs to the first of the other. Made in time linear in the trace.
class Statements {
public:
    explicit Statements(const Trace& trace);

    /// The SQL of an event, by its index; empty for one that is no write, and in a simulated run.
    StringId of(std::size_t event) const;

private:
    std::vector<std::pair<std::size_t, StringId>> m_ofWrites; ///< by event
};

} // namespace lockscope
