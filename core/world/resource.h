// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/world/scenario.h"
#include "core/world/task_host.h"

namespace lockscope {

/// What the lock protects: named values with a version each. If it enforces fences it compares the fence of a
/// write with the highest it has seen and stores, in one step; a lower one is refused, an equal one is
/// not: it is the same holder again, as far as numbers tell. Like a column in a database it knows no holders,
/// so two who were given the same number, by a counter that was lost, both get in; that is a stale-write to
/// be seen, not hidden.
class Resource {
public:
    void reset(const ResourceSpec& spec);
    bool present() const { return m_spec.present; }

    WriteAnswer write(std::string_view name, std::string_view value, std::int64_t fence);
    StoredValue read(std::string_view name) const;
    /// Why a write with that fence is refused.
    static std::string refusalOf(std::int64_t fence, std::int64_t highest);

private:
    struct Item {
        std::string name;
        std::string value;
        std::int64_t version = 0;
    };

    ResourceSpec m_spec;
    std::int64_t m_highestFence = -1;
    std::vector<Item> m_items; ///< a handful
    std::string m_why;
};

} // namespace lockscope
