// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What a trace is told when another server answers for a node: how its keys differ.

#include <algorithm>

#include "core/world/world.h"

namespace lockscope {

std::vector<KeyFacts> World::keysOf(const redis::Store& store) const {
    std::vector<KeyFacts> all;
    for (const redis::StoredCommand& command : store.contents()) {
        if (command.words[0] == "PEXPIREAT") continue;
        KeyFacts facts{command.database, command.words[1], {}};
        facts.info = *store.peek(facts.key, kEpochMicros + micros(m_now), facts.database);
        all.push_back(std::move(facts));
    }
    std::sort(all.begin(), all.end(), [](const KeyFacts& a, const KeyFacts& b) {
        return a.database != b.database ? a.database < b.database : a.key < b.key;
    });
    return all;
}

void World::tellDifference(NodeIndex number, const std::vector<KeyFacts>& before, EndReason why) {
    StoreRecorder& recorder = recorderOf(number);
    recorder.causedBy(kNone);
    const std::vector<KeyFacts> after = keysOf(primaryOf(number));
    const auto in = [](const std::vector<KeyFacts>& all, const KeyFacts& wanted) {
        const auto found = std::find_if(all.begin(), all.end(), [&](const KeyFacts& one) {
            return one.database == wanted.database && one.key == wanted.key;
        });
        return found == all.end() ? nullptr : &*found;
    };
    for (const KeyFacts& old : before) {
        const KeyFacts* now = in(after, old);
        const bool over = old.info.deadline && kEpochMicros + micros(m_now) > (*old.info.deadline + 1) * 1000;
        if (!now)
            recorder.lost(old.key, over || old.info.dead ? EndReason::LeaseEnded : why, old.info.value);
        else if (now->info.value != old.info.value || now->info.type != old.info.type)
            recorder.lost(old.key, why, old.info.value);
        else if (now->info.deadline != old.info.deadline)
            recorder.onDeadlineChanged(old.key, old.info.deadline, now->info.deadline);
        if (now && now->info.dead && !old.info.dead)
            recorder.onLeaseEnded(old.key, now->info.deadline.value_or(0));
    }
    for (const KeyFacts& now : after) {
        const KeyFacts* old = in(before, now);
        if (now.info.dead || (old && old->info.value == now.info.value && old->info.type == now.info.type))
            continue;
        recorder.causedBy(recorder.authorOf(now.key, now.info.value));
        recorder.onWritten(now.key, now.info.type, now.info.value, now.info.deadline,
                           redis::StoreObserver::Before::Absent);
        recorder.causedBy(kNone);
    }
}

} // namespace lockscope
