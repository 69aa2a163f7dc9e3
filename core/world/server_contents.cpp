// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/world/server_contents.h"

#include <algorithm>
#include <utility>

namespace lockscope {

std::vector<KeyFacts> keysOf(const redis::Store& store, std::int64_t nowMicros) {
    std::vector<KeyFacts> all;
    for (const redis::StoredCommand& command : store.contents()) {
        if (command.words[0] == "PEXPIREAT") continue;
        KeyFacts facts{command.database, command.words[1], {}};
        facts.info = *store.peek(facts.key, nowMicros, facts.database);
        all.push_back(std::move(facts));
    }
    std::sort(all.begin(), all.end(), [](const KeyFacts& a, const KeyFacts& b) {
        return a.database != b.database ? a.database < b.database : a.key < b.key;
    });
    return all;
}

const KeyFacts* keyAmong(const std::vector<KeyFacts>& all, int database, std::string_view key) {
    const auto found = std::find_if(all.begin(), all.end(), [&](const KeyFacts& one) {
        return one.database == database && one.key == key;
    });
    return found == all.end() ? nullptr : &*found;
}

void tellDifference(StoreRecorder& recorder, const redis::Store& store, const std::vector<KeyFacts>& before,
                    EndReason why, std::int64_t nowMicros) {
    recorder.causedBy(kNone);
    const std::vector<KeyFacts> after = keysOf(store, nowMicros);
    for (const KeyFacts& old : before) {
        const KeyFacts* now = keyAmong(after, old.database, old.key);
        const bool over = old.info.deadline && nowMicros > (*old.info.deadline + 1) * 1000;
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
        const KeyFacts* old = keyAmong(before, now.database, now.key);
        if (now.info.dead || (old && old->info.value == now.info.value && old->info.type == now.info.type))
            continue;
        recorder.causedBy(recorder.authorOf(now.key, now.info.value));
        recorder.onWritten(now.key, now.info.type, now.info.value, now.info.deadline,
                           redis::StoreObserver::Before::Absent);
        recorder.causedBy(kNone);
    }
}

} // namespace lockscope
