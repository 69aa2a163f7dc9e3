// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "core/redis/hash_table.h"

namespace lockscope::redis {

/// One element of a hash, a set or a sorted set: what it is called, and what belongs to the name.
struct Member {
    std::string key;
    std::uint64_t hash = 0;
    Member* next = nullptr;
    std::string value; ///< of a field of a hash
    double score = 0;  ///< in a sorted set
};

/// No bound on how many elements to visit.
inline constexpr std::size_t kAll = static_cast<std::size_t>(-1);

/// Members by name. It owns them; a member stays where it is until it is erased.
class MemberTable {
public:
    MemberTable() = default;
    MemberTable(const MemberTable&) = delete;
    MemberTable& operator=(const MemberTable&) = delete;
    ~MemberTable() { clear(); }

    std::size_t size() const { return m_table.size(); }
    std::size_t bucketCount() const { return m_table.bucketCount(); }
    std::size_t outgrownBuckets(std::size_t movedPerChange) const {
        return m_table.outgrownBuckets(movedPerChange);
    }
    Member* find(std::string_view key) const { return m_table.find(key, hashOf(key, kSeed)); }

    /// No member of this name is in.
    Member& insert(std::string_view key) {
        auto* member = new Member;
        member->key = key;
        member->hash = hashOf(key, kSeed);
        m_table.insert(*member);
        return *member;
    }

    void erase(Member& member) {
        m_table.erase(member);
        delete &member;
        if (m_table.sparse()) m_table.shrink();
    }

    void clear() {
        for (std::size_t i = 0; m_table.size() > 0 && i < m_table.bucketCount(); ++i)
            m_table.visitBucket(i, [](Member& member) { delete &member; });
        m_table.clear();
    }

    /// Those of whole buckets, until there were `most`.
    template <typename Visit>
    void forEach(Visit&& visit, std::size_t most = kAll) const {
        std::size_t seen = 0;
        for (std::size_t i = 0; i < m_table.bucketCount() && seen < most; ++i)
            m_table.visitBucket(i, [&](Member& member) {
                visit(member);
                ++seen;
            });
    }

    /// See HashTable::scan.
    template <typename Visit>
    std::uint64_t scan(std::uint64_t cursor, Visit&& visit) const {
        return m_table.scan(cursor, std::forward<Visit>(visit));
    }

    Member* random(Random& chance) const { return m_table.random(chance); }

private:
    static constexpr std::uint64_t kSeed = 0x5EED;

    HashTable<Member, &Member::next> m_table;
};

} // namespace lockscope::redis
