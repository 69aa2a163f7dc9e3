// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/redis/memory_model.h"

#include <algorithm>
#include <limits>

// How much memory the keys of a redis-server take
//
// A server that is full refuses writes or drops keys, and "full" is a number of bytes. How many keys fit into
// 20 MB is not the sum of their lengths: a cache of 1,000-byte values and one of 1,024-byte values differ by
// a fifth. Three things decide.
//
// The allocator. jemalloc hands out fixed sizes: 8, 16, 32, 48, … 128, then 160, 192, 224, 256, 320 and so
// on, four to each doubling. What is asked for is rounded up: a value of 1,024 bytes is a string of 1,030
// with its header and its zero, and takes 1,280. `used_memory` counts the rounded sizes, and so do we
// (allocation.h).
//
// The parts of a key. Each has an entry in the dictionary of keys (24 bytes, so 32), its name (a string of
// its own), and its value: a head of 16 bytes, and the content as its encoding has it:
//
//     string       int      a number: nothing but the head; 0 to 9999 not even that, they exist once
//                  embstr   up to 44 bytes: in one piece with the head
//                  raw      longer ones: a string of its own; twice what is needed once it grew in place
//     list         quicklist: nodes of 48 bytes, each with a listpack of up to 8 kB
//     set          intset: whole numbers in one piece. hashtable: a dictionary, an entry and a string each
//     hash         listpack, or hashtable as for sets with two strings a field
//     sorted set   listpack, or skiplist: a dictionary, and a node of the skip list for each member
//
// A deadline costs one more dictionary entry of 32 bytes, in the dictionary of volatile keys.
//
// The dictionaries' tables: eight bytes a bucket, and a table doubles when there are as many keys as buckets.
// While the keys move over, a few buckets with each command, both tables exist. A table does not double if
// that would go over maxmemory, until its chains are 1.6 keys long on average.
//
// And the server itself: 876 kB when it is empty, and for every command that was ever called a histogram of
// the time it took, 24,688 bytes each. That is as much as twenty cached values of 1,024 bytes.
//
// What this leaves out: buffers of clients apart from a fixed sum for each, output that waits, subscriptions,
// watched keys, replication, and the fragmentation that only the operating system sees. A list is reckoned as
// nodes filled with elements of its mean length, as pushing them one after the other fills them. Tables
// inside values double at once. What a test holds against a real server: growth of used_memory within 3 % for
// every type from 10,000 keys on, and the number of the first write that is refused, and of the keys that are
// evicted, within 2 %.
//
// The failure that it shows: a lock key is a key. When the sum reaches the limit, the server does not know
// that 112 of its 20 million bytes were holding two servers apart.

namespace lockscope::redis {

namespace {

constexpr std::size_t kMostEmbedded = 44;
constexpr std::size_t kEmbeddedHeader = 3;
constexpr std::size_t kReadInPlace =
    32 * 1024;                               // a value from here on stays as it was read, with its line end
constexpr std::size_t kMostGreed = 1u << 20; // growing in place takes twice the length, at most this more

constexpr std::size_t kQuickList = 40;
constexpr std::size_t kQuickListNode = 40;
constexpr std::size_t kNodeBytes = 8192;
constexpr std::size_t kNodeMargin = 8;
constexpr std::size_t kListpackFrame = 7;
constexpr std::size_t kIntset = 8;
constexpr std::size_t kSortedSet = 16;
constexpr std::size_t kSkipList = 32;
constexpr std::size_t kSkipListHeader = allocated(24 + 32 * 16);

// How many buckets of a table that has grown a command moves to the new one.
constexpr std::size_t kMovedBySAdd = 1;
constexpr std::size_t kMovedByLookingAndAdding = 2;

std::size_t grownString(std::size_t length) {
    const std::size_t room = length < kMostGreed ? 2 * length : length + kMostGreed;
    return allocated(std::max<std::size_t>(stringHeader(room), 3) + room + 1);
}

std::size_t stringMemory(const Entry& entry, bool sharesNumbers, std::size_t valueBefore) {
    const std::string& text = std::get<std::string>(entry.value);
    if (const std::optional<std::int64_t> number = storedNumber(entry))
        return sharesNumbers && *number >= 0 && *number < kSharedNumbers ? 0 : kObject;
    if (entry.form == StringForm::Changed) {
        const bool fits = valueBefore >= kObject + stringHeader(text.size()) + text.size() + 1;
        return fits ? valueBefore : kObject + grownString(text.size());
    }
    if (text.size() <= kMostEmbedded) return allocated(kObject + kEmbeddedHeader + text.size() + 1);
    const std::size_t lineEnd = text.size() >= kReadInPlace ? 2 : 0;
    return kObject + allocated(stringHeader(text.size()) + text.size() + 1 + lineEnd);
}

/// Asks the collection that `value` is.
template <typename Ask>
std::size_t onCollection(const Value& value, Ask ask) {
    return std::visit(
        [&](const auto& held) -> std::size_t {
            if constexpr (std::is_same_v<std::decay_t<decltype(held)>, std::string>)
                return 0;
            else
                return ask(*held);
        },
        value);
}

/// `bytes` for the first `seen` of `all` elements.
std::size_t extrapolated(std::size_t bytes, std::size_t seen, std::size_t all) {
    if (seen == 0) return 0;
    return static_cast<std::size_t>(static_cast<double>(bytes) / static_cast<double>(seen) *
                                    static_cast<double>(all));
}

/// How a list's elements lie in nodes, if all had the mean length and were pushed one after the other.
struct Nodes {
    std::size_t full = 0;   ///< nodes that are
    std::size_t ofFull = 0; ///< the listpack of each
    std::size_t ofLast = 0; ///< of the one that is not; 0 if there is none
};

Nodes nodesOf(const List& list) {
    constexpr std::size_t kFine = 256; // the mean length is no whole number
    if (list.size() == 0) return {};
    const std::size_t mean = std::max(list.packed * kFine / list.size(), 2 * kFine);
    // A node takes one more as long as what it holds, the new element's text and a margin stay within bounds.
    const std::size_t text = mean / kFine - (mean > 130 * kFine ? 4 : 1);
    const std::size_t taken = kListpackFrame + kNodeMargin + text;
    const std::size_t perNode = taken > kNodeBytes ? 1 : 1 + (kNodeBytes - taken) * kFine / mean;
    Nodes nodes{list.size() / perNode, listpackBlock(perNode * mean / kFine), 0};
    if (const std::size_t rest = list.size() % perNode; rest > 0)
        nodes.ofLast = listpackBlock(rest * mean / kFine);
    return nodes;
}

} // namespace

std::size_t List::memory() const {
    const Nodes nodes = nodesOf(*this);
    const std::size_t last = nodes.ofLast > 0 ? allocated(kQuickListNode) + nodes.ofLast : 0;
    return kObject + allocated(kQuickList) + nodes.full * (allocated(kQuickListNode) + nodes.ofFull) + last;
}

std::size_t List::reportedMemory(std::size_t samples) const {
    const Nodes nodes = nodesOf(*this);
    const std::size_t last = nodes.ofLast > 0 ? kQuickListNode + nodes.ofLast : 0;
    const std::size_t all = nodes.full + (last > 0 ? 1 : 0);
    // All but the last are alike; how many elements a node holds cancels out.
    if (samples < all) return kObject + kQuickList + all * (kQuickListNode + nodes.ofFull);
    return kObject + kQuickList + nodes.full * (kQuickListNode + nodes.ofFull) + last;
}

std::size_t Hash::memory() const {
    if (m_flat) return kObject + listpackBlock(m_elements);
    return kObject + allocated(kDict) +
           tableMemory(bucketCount(), m_table.outgrownBuckets(kMovedByLookingAndAdding)) +
           size() * kDictEntryBlock + m_elements;
}

std::size_t Hash::reportedMemory(std::size_t samples) const {
    if (m_flat) return memory();
    std::size_t bytes = 0;
    std::size_t seen = 0;
    forEach(
        [&](const Member& field) {
            if (seen == samples) return;
            bytes += kDictEntry + partMemory(field.key) + partMemory(field.value);
            ++seen;
        },
        samples);
    return kObject + kDict + bucketCount() * sizeof(void*) + extrapolated(bytes, seen, size());
}

std::size_t Set::memory() const {
    if (m_flat) return kObject + allocated(kIntset + m_numbers.size() * m_numberBytes);
    return kObject + allocated(kDict) + tableMemory(bucketCount(), m_table.outgrownBuckets(kMovedBySAdd)) +
           size() * kDictEntryBlock + m_elements;
}

std::size_t Set::reportedMemory(std::size_t samples) const {
    if (m_flat) return memory();
    std::size_t bytes = 0;
    std::size_t seen = 0;
    forEach(
        [&](std::string_view member) {
            if (seen == samples) return;
            bytes += kDictEntry + stringBlock(member.size());
            ++seen;
        },
        samples);
    return kObject + kDict + bucketCount() * sizeof(void*) + extrapolated(bytes, seen, size());
}

std::size_t SortedSet::memory() const {
    if (m_flat) return kObject + listpackBlock(m_elements);
    return kObject + kSortedSet + kSkipList + kSkipListHeader + allocated(kDict) +
           tableMemory(bucketCount(), m_table.outgrownBuckets(kMovedByLookingAndAdding)) +
           size() * kDictEntryBlock + m_elements;
}

std::size_t SortedSet::reportedMemory(std::size_t samples) const {
    if (m_flat) return memory();
    std::size_t bytes = 0;
    const std::size_t seen = std::min(samples, size());
    for (std::size_t i = 0; i < seen; ++i)
        bytes += kDictEntry + elementMemory(*m_byScore[i]);
    return kObject + kSortedSet + kSkipList + kSkipListHeader + kDict + bucketCount() * sizeof(void*) +
           extrapolated(bytes, seen, size());
}

std::size_t memoryOf(const Entry& entry, bool sharesNumbers, std::size_t before) {
    const std::size_t fixed = kDictEntryBlock + stringBlock(entry.key.size());
    const std::size_t valueBefore = before > fixed ? before - fixed : 0;
    if (std::holds_alternative<std::string>(entry.value))
        return fixed + stringMemory(entry, sharesNumbers, valueBefore);
    return fixed + onCollection(entry.value, [](const auto& held) { return held.memory(); });
}

std::size_t reportedMemory(const Entry& entry, std::size_t samples) {
    const std::size_t fixed = kDictEntryBlock + stringBlock(entry.key.size());
    const std::size_t valueBefore = entry.memory > fixed ? entry.memory - fixed : 0;
    const std::size_t reported = kDictEntry + stringBlock(entry.key.size());
    if (std::holds_alternative<std::string>(entry.value))
        return reported + stringMemory(entry, false, valueBefore);
    return reported +
           onCollection(entry.value, [&](const auto& held) { return held.reportedMemory(samples); });
}

std::size_t scriptMemory(std::size_t length) {
    constexpr std::size_t kShaDigits = 40;
    constexpr std::size_t kScript = 16;
    return kObject + stringBlock(length) + kScript + stringBlock(kShaDigits) + kDictEntryBlock;
}

} // namespace lockscope::redis
