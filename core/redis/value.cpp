// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/redis/value.h"

#include <algorithm>
#include <type_traits>

#include "core/redis/numbers.h"

namespace lockscope::redis {

namespace {

constexpr std::size_t kShownElements = 8;
constexpr std::size_t kShownBytes = 64; // of one element

/// Appends elements between brackets until there are enough.
class Rendering {
public:
    Rendering(std::string& text, char opening) : m_text(text) {
        m_text.clear();
        m_text += opening;
    }
    void add(std::string_view element, std::string_view value = {}) {
        if (m_count > kShownElements) return;
        if (m_count > 0) m_text += ", ";
        if (m_count++ == kShownElements) {
            m_text += "…";
            return;
        }
        append(element);
        if (value.data() == nullptr) return;
        m_text += ": ";
        append(value);
    }
    bool isFull() const { return m_count > kShownElements; }
    std::string_view finish(char closing) {
        m_text += closing;
        return m_text;
    }

private:
    void append(std::string_view part) {
        m_text += part.substr(0, kShownBytes);
        if (part.size() > kShownBytes) m_text += "…";
    }
    std::string& m_text;
    std::size_t m_count = 0;
};

std::string_view shownElements(const List& list, std::string& scratch) {
    Rendering text(scratch, '[');
    for (std::size_t i = 0; i < list.size() && !text.isFull(); ++i)
        text.add(list.items[i]);
    return text.finish(']');
}

std::string_view shownElements(const Set& set, std::string& scratch) {
    Rendering text(scratch, '{');
    set.forEach([&](std::string_view member) { text.add(member); }, kShownElements + 1);
    return text.finish('}');
}

std::string_view shownElements(const SortedSet& set, std::string& scratch) {
    Rendering text(scratch, '{');
    for (std::size_t i = 0; i < set.size() && !text.isFull(); ++i)
        text.add(set.byScore()[i]->key, formatDouble(set.byScore()[i]->score));
    return text.finish('}');
}

std::string_view shownElements(const Hash& hash, std::string& scratch) {
    Rendering text(scratch, '{');
    hash.forEach([&](const Member& field) { text.add(field.key, field.value); }, kShownElements + 1);
    return text.finish('}');
}

} // namespace

std::string_view typeName(const Value& value) {
    static constexpr std::string_view kNames[] = {"string", "list", "set", "zset", "hash"};
    static_assert(std::variant_size_v<Value> == std::size(kNames));
    return kNames[value.index()];
}

std::string_view collectionEncoding(const Value& value) {
    return std::visit(
        [](const auto& held) -> std::string_view {
            using T = std::decay_t<decltype(held)>;
            if constexpr (std::is_same_v<T, std::string>) {
                return {};
            } else if constexpr (std::is_same_v<T, std::unique_ptr<List>>) {
                return "quicklist";
            } else if constexpr (std::is_same_v<T, std::unique_ptr<Set>>) {
                return held->isFlat() ? "intset" : "hashtable";
            } else if constexpr (std::is_same_v<T, std::unique_ptr<SortedSet>>) {
                return held->isFlat() ? "listpack" : "skiplist";
            } else {
                return held->isFlat() ? "listpack" : "hashtable";
            }
        },
        value);
}

std::size_t sizeOf(const Value& value) {
    return std::visit(
        [](const auto& held) -> std::size_t {
            if constexpr (std::is_same_v<std::decay_t<decltype(held)>, std::string>)
                return held.size();
            else
                return held->size();
        },
        value);
}

std::string_view shown(const Value& value, std::string& scratch) {
    if (const auto* text = std::get_if<std::string>(&value)) return *text;
    return std::visit(
        [&](const auto& held) -> std::string_view {
            if constexpr (std::is_same_v<std::decay_t<decltype(held)>, std::string>)
                return held;
            else
                return shownElements(*held, scratch);
        },
        value);
}

} // namespace lockscope::redis
