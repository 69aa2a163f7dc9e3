// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "core/redis/members.h"

// The values that have elements.
//
// Redis keeps a small collection in one flat block of memory and turns it into tables when it grows, never
// back. What a client sees of that is OBJECT ENCODING, MEMORY USAGE, and the order in which elements come: a
// flat one has an order of its own (fields as they were set, numbers by size), one in a table has none that
// anybody may rely on. So each of ours knows whether Redis would keep it flat, and goes by that order.

namespace lockscope::redis {

/// Redis' defaults: up to so many elements, none longer than so many bytes, a collection stays flat.
inline constexpr std::size_t kFlatHashFields = 512;
inline constexpr std::size_t kFlatSetNumbers = 512;
inline constexpr std::size_t kFlatSortedMembers = 128;
inline constexpr std::size_t kFlatElementBytes = 64;

enum class ListEnd : std::uint8_t { Left, Right };

struct List {
    std::deque<std::string> items;
    std::size_t packed = 0; ///< of all items, as elements of listpacks
    std::size_t size() const { return items.size(); }
    /// After items were changed by other means than push and pop.
    void repack();

    std::size_t memory() const;
    std::size_t reportedMemory(std::size_t samples) const;
};

class Hash {
public:
    std::size_t size() const { return m_table.size(); }
    bool isFlat() const { return m_flat; }
    std::size_t bucketCount() const { return m_table.bucketCount(); }

    Member* find(std::string_view field) const { return m_table.find(field); }
    /// True if the field is new.
    bool set(std::string_view field, std::string_view value);
    bool erase(std::string_view field);
    /// At least the first `most`.
    template <typename Visit>
    void forEach(Visit&& visit, std::size_t most = kAll) const {
        if (!m_flat) return m_table.forEach(visit, most);
        for (std::size_t i = 0; i < m_order.size() && i < most; ++i)
            visit(*m_order[i]);
    }
    template <typename Visit>
    std::uint64_t scan(std::uint64_t cursor, Visit&& visit) const {
        return m_table.scan(cursor, visit);
    }
    Member& random(Random& chance) const { return *m_table.random(chance); }

    /// What it would take in a redis-server, its robj included.
    std::size_t memory() const;
    /// What MEMORY USAGE says of that, extrapolated from the first `samples` elements.
    std::size_t reportedMemory(std::size_t samples) const;

private:
    void unflatten();
    std::size_t partMemory(std::string_view part) const; ///< of a field's name, or its value

    MemberTable m_table;
    std::vector<Member*> m_order; // while it is flat
    std::size_t m_elements = 0;   // what they take: in a listpack or as strings of their own
    bool m_flat = true;
};

/// Flat means here: whole numbers alone, sorted. Redis calls it an intset.
class Set {
public:
    std::size_t size() const { return m_flat ? m_numbers.size() : m_table.size(); }
    bool isFlat() const { return m_flat; }
    std::size_t bucketCount() const { return m_table.bucketCount(); }

    bool contains(std::string_view member) const;
    bool insert(std::string_view member);
    bool erase(std::string_view member);

    /// At least the first `most` names, as views that live during the call.
    template <typename Visit>
    void forEach(Visit&& visit, std::size_t most = kAll) const {
        if (!m_flat)
            return m_table.forEach([&](Member& member) { visit(std::string_view(member.key)); }, most);
        for (std::size_t i = 0; i < m_numbers.size() && i < most; ++i)
            visit(std::string_view(std::to_string(m_numbers[i])));
    }
    template <typename Visit>
    std::uint64_t scan(std::uint64_t cursor, Visit&& visit) const {
        return m_table.scan(cursor, visit);
    }
    std::string random(Random& chance) const;

    /// What it would take in a redis-server, its robj included.
    std::size_t memory() const;
    /// What MEMORY USAGE says of that, extrapolated from the first `samples` elements.
    std::size_t reportedMemory(std::size_t samples) const;

private:
    void unflatten();
    void insertIntoTable(std::string_view member);

    std::vector<std::int64_t> m_numbers; // while it is flat
    MemberTable m_table;
    std::size_t m_elements = 0;    // the strings in the table
    std::size_t m_numberBytes = 2; // of each number: what the largest ever needed
    bool m_flat = true;
};

/// By score, then by name. The array of members costs a move of pointers where Redis' skip list costs a
/// search, and answers every question about ranks at once.
class SortedSet {
public:
    explicit SortedSet(std::string_view firstMember = {}) : m_flat(firstMember.size() <= kFlatElementBytes) {}

    std::size_t size() const { return m_byScore.size(); }
    bool isFlat() const { return m_flat; }
    std::size_t bucketCount() const { return m_table.bucketCount(); }

    Member* find(std::string_view member) const { return m_table.find(member); }
    void insert(std::string_view member, double score);
    void setScore(Member& member, double score);
    void erase(Member& member);
    /// Those from rank `first` on, `count` of them.
    void erase(std::size_t first, std::size_t count);

    std::size_t rankOf(const Member& member) const;
    const std::vector<Member*>& byScore() const { return m_byScore; }
    template <typename Visit>
    void forEach(Visit&& visit) const {
        for (const Member* member : m_byScore)
            visit(*member);
    }
    template <typename Visit>
    std::uint64_t scan(std::uint64_t cursor, Visit&& visit) const {
        return m_table.scan(cursor, visit);
    }

    /// What it would take in a redis-server, its robj included.
    std::size_t memory() const;
    /// What MEMORY USAGE says of that, extrapolated from the first `samples` elements.
    std::size_t reportedMemory(std::size_t samples) const;

private:
    void unflatten();
    std::size_t elementMemory(const Member& member) const;
    /// A flat one writes scores as whole numbers where it can, and so forgets the sign of a zero.
    double kept(double score) const { return m_flat && score == 0 ? 0 : score; }

    MemberTable m_table;
    std::vector<Member*> m_byScore;
    std::size_t m_elements = 0; // what they take: in a listpack, or as strings and nodes of the skip list
    bool m_flat;
};

} // namespace lockscope::redis
