// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/world/resource.h"

#include <algorithm>

#include <fmt/format.h>

namespace lockscope {

void Resource::reset(const ResourceSpec& spec) {
    m_spec = spec;
    m_highestFence = -1;
    m_items.clear();
}

WriteAnswer Resource::write(std::string_view name, std::string_view value, std::int64_t fence) {
    if (m_spec.enforceFence && fence < m_highestFence) {
        m_why = refusalOf(fence, m_highestFence);
        return {false, 0, m_highestFence, m_why};
    }
    m_highestFence = std::max(m_highestFence, fence);
    auto item = std::find_if(m_items.begin(), m_items.end(), [&](const Item& i) { return i.name == name; });
    if (item == m_items.end()) item = m_items.insert(m_items.end(), Item{std::string(name), {}, 0});
    item->value.assign(value);
    return {true, ++item->version, m_highestFence, {}};
}

std::string Resource::refusalOf(std::int64_t fence, std::int64_t highest) {
    return fence < 0 ? fmt::format("no fence given, {} was seen", highest)
                     : fmt::format("fence {} is lower than {}", fence, highest);
}

StoredValue Resource::read(std::string_view name) const {
    for (const Item& item : m_items)
        if (item.name == name) return {true, item.value, item.version};
    return {};
}

} // namespace lockscope
