// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/redis/collections.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/redis/allocation.h"
#include "core/redis/numbers.h"

namespace lockscope::redis {

namespace {

constexpr double kWholeScores = 1e15; // up to here a flat sorted set writes them as numbers

std::size_t bytesFor(std::int64_t number) {
    if (number == static_cast<std::int16_t>(number)) return 2;
    return number == static_cast<std::int32_t>(number) ? 4 : 8;
}

/// A node of Redis' skip list has a quarter's chance of each further level. Here the name decides, so that
/// the same members take the same memory.
std::size_t skipListNode(const Member& member) {
    constexpr std::size_t kHead = 24;
    constexpr std::size_t kLevel = 16;
    std::size_t levels = 1;
    for (std::uint64_t bits = member.hash; (bits & 3) == 0 && bits != 0; bits >>= 2)
        ++levels;
    return allocated(kHead + kLevel * levels);
}

} // namespace

void List::repack() {
    packed = 0;
    for (const std::string& item : items)
        packed += listpackEntry(item);
}

bool Hash::set(std::string_view field, std::string_view value) {
    if (m_flat && std::max(field.size(), value.size()) > kFlatElementBytes) unflatten();
    Member* known = m_table.find(field);
    if (known) {
        m_elements += partMemory(value) - partMemory(known->value);
        known->value = value;
        return false;
    }
    m_elements += partMemory(field) + partMemory(value);
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
    m_elements -= partMemory(field) + partMemory(known->value);
    m_table.erase(*known);
    return true;
}

void Hash::unflatten() {
    m_flat = false;
    m_elements = 0;
    for (const Member* member : m_order)
        m_elements += partMemory(member->key) + partMemory(member->value);
    m_order = {};
}

std::size_t Hash::partMemory(std::string_view part) const {
    return m_flat ? listpackEntry(part) : stringBlock(part.size());
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
            m_numberBytes = std::max(m_numberBytes, bytesFor(*number));
            if (m_numbers.size() > kFlatSetNumbers) unflatten();
            return true;
        }
        unflatten();
    }
    if (m_table.find(member)) return false;
    insertIntoTable(member);
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
    if (!known) return false;
    m_elements -= stringBlock(member.size());
    m_table.erase(*known);
    return true;
}

std::string Set::random(Random& chance) const {
    if (m_flat) return std::to_string(m_numbers[chance.below(m_numbers.size())]);
    return m_table.random(chance)->key;
}

void Set::unflatten() {
    m_flat = false;
    for (const std::int64_t number : m_numbers)
        insertIntoTable(std::to_string(number));
    m_numbers = {};
}

void Set::insertIntoTable(std::string_view member) {
    m_table.insert(member);
    m_elements += stringBlock(member.size());
}

namespace {

bool before(const Member* a, const Member* b) {
    return a->score != b->score ? a->score < b->score : a->key < b->key;
}

} // namespace

void SortedSet::insert(std::string_view name, double score) {
    if (m_flat && (m_byScore.size() + 1 > kFlatSortedMembers || name.size() > kFlatElementBytes)) unflatten();
    Member& member = m_table.insert(name);
    member.score = kept(score);
    m_elements += elementMemory(member);
    m_byScore.insert(std::ranges::lower_bound(m_byScore, &member, before), &member);
}

void SortedSet::setScore(Member& member, double score) {
    m_byScore.erase(m_byScore.begin() + static_cast<std::ptrdiff_t>(rankOf(member)));
    m_elements -= elementMemory(member);
    member.score = kept(score);
    m_elements += elementMemory(member);
    m_byScore.insert(std::ranges::lower_bound(m_byScore, &member, before), &member);
}

void SortedSet::erase(Member& member) {
    m_byScore.erase(m_byScore.begin() + static_cast<std::ptrdiff_t>(rankOf(member)));
    m_elements -= elementMemory(member);
    m_table.erase(member);
}

void SortedSet::erase(std::size_t first, std::size_t count) {
    const auto begin = m_byScore.begin() + static_cast<std::ptrdiff_t>(first);
    const auto end = begin + static_cast<std::ptrdiff_t>(count);
    std::for_each(begin, end, [this](Member* member) {
        m_elements -= elementMemory(*member);
        m_table.erase(*member);
    });
    m_byScore.erase(begin, end);
}

void SortedSet::unflatten() {
    m_flat = false;
    m_elements = 0;
    for (const Member* member : m_byScore)
        m_elements += elementMemory(*member);
}

std::size_t SortedSet::elementMemory(const Member& member) const {
    if (!m_flat) return stringBlock(member.key.size()) + skipListNode(member);
    const bool whole = std::abs(member.score) < kWholeScores && std::trunc(member.score) == member.score;
    return listpackEntry(member.key) + (whole ? listpackEntry(static_cast<std::int64_t>(member.score))
                                              : listpackEntry(formatDouble(member.score)));
}

std::size_t SortedSet::rankOf(const Member& member) const {
    const auto place = std::ranges::lower_bound(m_byScore, &member, before);
    return static_cast<std::size_t>(place - m_byScore.begin());
}

} // namespace lockscope::redis
