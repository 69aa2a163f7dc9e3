// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/assert.h"
#include "core/base/random.h"

namespace lockscope::redis {

/// The hash of a key, mixed with the store's seed: the same on every machine, so that a walk over a table is
/// too.
inline std::uint64_t hashOf(std::string_view key, std::uint64_t seed) {
    constexpr std::uint64_t kMix = 0xD6E8FEB86659FD93ull;
    std::uint64_t h = seed ^ (key.size() * 0x9E3779B97F4A7C15ull);
    const char* at = key.data();
    std::size_t left = key.size();
    while (left > 0) {
        // Eight bytes as a number, least first whatever the machine's order is.
        std::uint64_t word = 0;
        const std::size_t taken = left < sizeof word ? left : sizeof word;
        if (std::endian::native == std::endian::little && taken == sizeof word)
            std::memcpy(&word, at, sizeof word);
        else
            for (std::size_t i = 0; i < taken; ++i)
                word |= static_cast<std::uint64_t>(static_cast<unsigned char>(at[i])) << (8 * i);
        h = (h ^ word) * kMix;
        h ^= h >> 32;
        at += taken;
        left -= taken;
    }
    h *= kMix;
    return h ^ (h >> 32);
}

/// Redis' dict: buckets in a power of two, chained, new entries first. The nodes belong to the caller and
/// carry their own link, `key` and `hash`, so that one node can lie in two tables, as a key with a deadline
/// does.
///
/// Invariants:
///  1. bucketCount() is a power of two, at least kLeastBuckets, and at least size() unless an insert was not
///  to
///     make it grow.
///  2. Order depends on hashes and on the history of inserts and erases alone, never on addresses.
///  3. A node that lies in the table for the whole of a scan() from cursor 0 back to 0 is visited, whatever
///  is
///     inserted, erased or resized in between: the cursor counts in reversed bits, as Redis' does.
/// Unlike Redis it rehashes at once: no instant of a run lasts, so there is nothing to spread the work over.
template <typename Node, Node* Node::*Next>
class HashTable {
public:
    static constexpr std::size_t kLeastBuckets = 4;

    std::size_t size() const { return m_size; }
    /// Another number after whatever could change a walk over the table.
    std::uint64_t changes() const { return m_changes; }
    std::size_t bucketCount() const { return m_buckets.size(); }
    Node* bucket(std::size_t index) const { return m_buckets[index & (m_buckets.size() - 1)]; }

    Node* find(std::string_view key, std::uint64_t hash) const {
        for (Node* node = bucket(hash); node; node = node->*Next)
            if (node->hash == hash && node->key == key) return node;
        return nullptr;
    }

    /// The next insert makes it grow.
    bool full() const { return m_size >= m_buckets.size(); }

    /// `node` is in no table of this kind, and no equal key is in this one.
    void insert(Node& node, bool mayGrow = true) {
        if (full() && mayGrow) {
            std::size_t count = m_buckets.size() * 2;
            while (count <= m_size)
                count *= 2;
            resize(count);
        }
        push(node);
        ++m_size;
        ++m_changes;
    }

    void erase(Node& node) {
        Node** link = &m_buckets[node.hash & (m_buckets.size() - 1)];
        while (*link != &node) {
            LOCKSCOPE_ASSERT(*link);
            link = &((*link)->*Next);
        }
        *link = node.*Next;
        node.*Next = nullptr;
        --m_size;
        ++m_changes;
    }

    /// Fewer than a tenth of the buckets could be used: Redis' cron shrinks such a table, ours after the
    /// command.
    bool sparse() const { return m_buckets.size() > kLeastBuckets && m_size * 10 < m_buckets.size(); }
    void shrink() {
        std::size_t count = kLeastBuckets;
        while (count < m_size)
            count *= 2;
        resize(count);
    }

    /// Forgets the nodes without touching them, and keeps the memory.
    void clear() {
        m_buckets.assign(kLeastBuckets, nullptr);
        m_size = 0;
        m_outgrown = 0;
        ++m_changes;
    }

    /// Visits the bucket under `cursor` and returns the next cursor, 0 when the walk is complete.
    /// `visit` may erase the node it is given, and no other.
    template <typename Visit>
    std::uint64_t scan(std::uint64_t cursor, Visit&& visit) const {
        const std::uint64_t mask = m_buckets.size() - 1;
        visitBucket(cursor & mask, visit);
        cursor |= ~mask;
        return reversed(reversed(cursor) + 1);
    }

    template <typename Visit>
    void visitBucket(std::size_t index, Visit&& visit) const {
        for (Node* node = bucket(index); node;) {
            Node* next = node->*Next;
            visit(*node);
            node = next;
        }
    }

    /// A node by chance, null if there is none. A bucket is drawn first, so nodes of long chains are a little
    /// rarer.
    Node* random(Random& chance) const {
        if (m_size == 0) return nullptr;
        Node* head = nullptr;
        while (!head)
            head = bucket(chance.below(m_buckets.size()));
        std::size_t length = 0;
        for (Node* node = head; node; node = node->*Next)
            ++length;
        for (std::uint64_t skip = chance.below(length); skip > 0; --skip)
            head = head->*Next;
        return head;
    }

    /// Redis moves the nodes of a table that grew little by little, and keeps the old one meanwhile: its
    /// buckets, if with so many moved at each change since it would still be there. 0 if not.
    std::size_t outgrownBuckets(std::size_t movedPerChange) const {
        return (m_changes - m_grewAt) * movedPerChange < m_outgrown ? m_outgrown : 0;
    }

    /// Up to `count` nodes from some place on, by whole stretches of buckets: quicker than drawing each, and
    /// not quite as fair. Redis' dictGetSomeKeys; may visit fewer.
    template <typename Visit>
    void some(Random& chance, std::size_t count, Visit&& visit) const {
        constexpr std::size_t kStepsPerNode = 10;
        constexpr std::size_t kPatience = 5; // empty buckets in a row before it tries elsewhere
        const std::size_t wanted = count < m_size ? count : m_size;
        std::size_t index = chance.below(m_buckets.size());
        std::size_t empty = 0;
        std::size_t seen = 0;
        for (std::size_t steps = wanted * kStepsPerNode; seen < wanted && steps > 0; --steps, ++index) {
            Node* node = bucket(index);
            if (!node && ++empty >= kPatience && empty > wanted) {
                index = chance.below(m_buckets.size());
                empty = 0;
            }
            if (node) empty = 0;
            for (; node && seen < wanted; node = node->*Next, ++seen)
                visit(*node);
        }
    }

private:
    static std::uint64_t reversed(std::uint64_t v) {
        v = ((v >> 1) & 0x5555555555555555ull) | ((v & 0x5555555555555555ull) << 1);
        v = ((v >> 2) & 0x3333333333333333ull) | ((v & 0x3333333333333333ull) << 2);
        v = ((v >> 4) & 0x0F0F0F0F0F0F0F0Full) | ((v & 0x0F0F0F0F0F0F0F0Full) << 4);
        return __builtin_bswap64(v);
    }

    void push(Node& node) {
        Node*& head = m_buckets[node.hash & (m_buckets.size() - 1)];
        node.*Next = head;
        head = &node;
    }

    void resize(std::size_t count) {
        m_spare.assign(count, nullptr);
        m_spare.swap(m_buckets);
        m_outgrown = count > m_spare.size() ? m_spare.size() : 0;
        m_grewAt = ++m_changes;
        for (Node* node : m_spare) {
            while (node) {
                Node* next = node->*Next;
                push(*node);
                node = next;
            }
        }
    }

    std::vector<Node*> m_buckets = std::vector<Node*>(kLeastBuckets, nullptr);
    std::vector<Node*> m_spare; // the array before the last resize, kept for the next one
    std::size_t m_size = 0;
    std::uint64_t m_changes = 0;
    std::uint64_t m_grewAt = 0; // m_changes at the last resize
    std::size_t m_outgrown = 0; // the buckets before it
};

} // namespace lockscope::redis
