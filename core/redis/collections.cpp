// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/redis/collections.h"

#include <algorithm>
#include <optional>

#include "core/redis/numbers.h"

namespace lockscope::redis {

bool Hash::set(std::string_view field, std::string_view value) {
    if (m_flat && std::max(field.size(), value.size()) > kFlatElementBytes) unflatten();
    Member* known = m_table.find(field);
    if (known) {
        known->value = value;
        return false;
    }
    Member& member = m_table.insert(field);
    member.value = value;
    if (m_flat) m_order.push_back(&member);
    if (m_flat && m_order.size() > kFlatHashFields) unflatten();
    return true;
}

bool Hash::erase(std::string_view field) {
    Member* known = m_table.find(field);
    if (!known) return false;
    if (m_flat) m_order.erase(std::ranges::find(m_order, known));
    m_table.erase(*known);
    return true;
}

void Hash::unflatten() {
    m_flat = false;
    m_order = {};
}

bool Set::contains(std::string_view member) const {
    if (!m_flat) return m_table.find(member) != nullptr;
    const std::optional<std::int64_t> number = parseInteger(member);
    return number && std::ranges::binary_search(m_numbers, *number);
}

bool Set::insert(std::string_view member) {
    if (m_flat) {
        if (const std::optional<std::int64_t> number = parseInteger(member)) {
            const auto place = std::ranges::lower_bound(m_numbers, *number);
            if (place != m_numbers.end() && *place == *number) return false;
            m_numbers.insert(place, *number);
            if (m_numbers.size() > kFlatSetNumbers) unflatten();
            return true;
        }
        unflatten();
    }
    if (m_table.find(member)) return false;
    m_table.insert(member);
    return true;
}

bool Set::erase(std::string_view member) {
    if (m_flat) {
        const std::optional<std::int64_t> number = parseInteger(member);
        if (!number) return false;
        const auto place = std::ranges::lower_bound(m_numbers, *number);
        if (place == m_numbers.end() || *place != *number) return false;
        m_numbers.erase(place);
        return true;
    }
    Member* known = m_table.find(member);
    if (known) m_table.erase(*known);
    return known != nullptr;
}

std::string Set::random(Random& chance) const {
    if (m_flat) return std::to_string(m_numbers[chance.below(m_numbers.size())]);
    return m_table.random(chance)->key;
}

void Set::unflatten() {
    m_flat = false;
    for (const std::int64_t number : m_numbers)
        m_table.insert(std::to_string(number));
    m_numbers = {};
}

namespace {

bool before(const Member* a, const Member* b) {
    return a->score != b->score ? a->score < b->score : a->key < b->key;
}

} // namespace

void SortedSet::insert(std::string_view name, double score) {
    if (m_byScore.size() + 1 > kFlatSortedMembers || name.size() > kFlatElementBytes) m_flat = false;
    Member& member = m_table.insert(name);
    member.score = kept(score);
    m_byScore.insert(std::ranges::lower_bound(m_byScore, &member, before), &member);
}

void SortedSet::setScore(Member& member, double score) {
    m_byScore.erase(m_byScore.begin() + static_cast<std::ptrdiff_t>(rankOf(member)));
    member.score = kept(score);
    m_byScore.insert(std::ranges::lower_bound(m_byScore, &member, before), &member);
}

void SortedSet::erase(Member& member) {
    m_byScore.erase(m_byScore.begin() + static_cast<std::ptrdiff_t>(rankOf(member)));
    m_table.erase(member);
}

void SortedSet::erase(std::size_t first, std::size_t count) {
    const auto begin = m_byScore.begin() + static_cast<std::ptrdiff_t>(first);
    const auto end = begin + static_cast<std::ptrdiff_t>(count);
    std::for_each(begin, end, [this](Member* member) { m_table.erase(*member); });
    m_byScore.erase(begin, end);
}

std::size_t SortedSet::rankOf(const Member& member) const {
    const auto place = std::ranges::lower_bound(m_byScore, &member, before);
    return static_cast<std::size_t>(place - m_byScore.begin());
}

} // namespace lockscope::redis
