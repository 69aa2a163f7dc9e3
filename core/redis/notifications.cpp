// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/redis/notifications.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace lockscope::redis {

namespace {

// A class is a bit: its letter's place here. A stands for those before K.
constexpr std::string_view kLetters = "g$lshzxetdnKEm";
constexpr std::size_t kInAll = 10; // the first so many: n is shown with them, and is not among them
constexpr std::uint32_t kAllClasses = (1u << kInAll) - 1;

constexpr std::uint32_t classOf(char letter) {
    return 1u << kLetters.find(letter);
}

struct EventClass {
    std::string_view event;
    char letter;
};

// Those that the name of the event does not tell.
constexpr auto kEventClasses = std::to_array<EventClass>({
    {"append", '$'},
    {"del", 'g'},
    {"evicted", 'e'},
    {"expire", 'g'},
    {"expired", 'x'},
    {"incrby", '$'},
    {"incrbyfloat", '$'},
    {"keymiss", 'm'},
    {"new", 'n'},
    {"persist", 'g'},
    {"rename_from", 'g'},
    {"rename_to", 'g'},
    {"rpop", 'l'},
    {"rpush", 'l'},
    {"set", '$'},
    {"setrange", '$'},
});
static_assert(std::ranges::is_sorted(kEventClasses, {}, &EventClass::event));

/// Those of collections begin with their type's letter: hset, lpush, sadd, zadd.
std::uint32_t classOfEvent(std::string_view event) {
    const auto found = std::ranges::lower_bound(kEventClasses, event, {}, &EventClass::event);
    const bool listed = found != kEventClasses.end() && found->event == event;
    return classOf(listed ? found->letter : event.front());
}

} // namespace

std::optional<std::uint32_t> Notifications::classesOf(std::string_view letters) {
    std::uint32_t classes = 0;
    for (const char letter : letters) {
        if (letter == 'A') {
            classes |= kAllClasses;
        } else if (kLetters.find(letter) != std::string_view::npos) {
            classes |= classOf(letter);
        } else {
            return std::nullopt;
        }
    }
    return classes;
}

std::string Notifications::lettersOf(std::uint32_t classes) {
    std::string text;
    const bool all = (classes & kAllClasses) == kAllClasses;
    if (all) text += 'A';
    for (std::size_t i = 0; i < kLetters.size(); ++i)
        if ((classes & 1u << i) != 0 && !(all && i <= kInAll)) text += kLetters[i];
    return text;
}

void Notifications::publish(std::string_view event, std::string_view key, int database) {
    if ((m_classes & classOfEvent(event)) == 0) return;
    if ((m_classes & classOf('K')) != 0)
        m_pubsub.publish(fmt::format("__keyspace@{}__:{}", database, key), event);
    if ((m_classes & classOf('E')) != 0)
        m_pubsub.publish(fmt::format("__keyevent@{}__:{}", database, event), key);
}

} // namespace lockscope::redis
