// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/redis/store.h"

namespace lockscope::redis {

/// When the stories begin: 0 ms of a story.
inline constexpr std::int64_t kStoryStart = 1'700'000'000'000'000;

/// Splits a command line at blanks; "…" and '…' keep a word together. A word @1500 becomes the Unix time in
/// milliseconds at 1500 ms of the story, @s2 the one in seconds at 2 s.
std::vector<std::string> wordsOf(std::string_view line);

/// Plays a story with a store and writes down all that it says, so that a test compares text with text:
///
///     at 0                          time passes to so many milliseconds of the story; what the store tells
///     meanwhile > SET lock A NX PX 100        a command; 2> is one of client 2 OK its reply, as redis-cli
///     shows it
///     * written lock=A until 100    before that what the observer was told, with the instant if it is not
///     now
///     * set lock                    a keyspace event
///     to 2: [1) "message" …]      what a client gets that is no reply to its command
///
/// play() takes such a text, runs its `at` and `>` lines alone and returns the text that comes out.
class StorePlayer : private StoreObserver, private DeliveryPort {
public:
    explicit StorePlayer(const StoreOptions& options = {}) : m_store(options, this) {
        m_store.deliverTo(this);
    }

    std::string play(std::string_view story);
    /// One command's reply as text, without the notes.
    std::string reply(std::string_view line);

    void advance(std::int64_t micros);
    const Reply& execute(const std::vector<std::string>& args, ClientId client = 0);
    /// Lets time pass by the command alone.
    const Reply& executeAt(std::int64_t micros, const std::vector<std::string>& args);

    Store& store() { return m_store; }
    std::int64_t now() const { return m_now; }
    /// What was told since the last call, a line each.
    std::string takeNotes();
    /// From now on every note says its instant.
    void sayInstants() { m_sayInstants = true; }
    /// Back to the beginning, with an empty store.
    void startOver(const StoreOptions& options);

private:
    void note(const std::string& text);

    void onWritten(std::string_view key, std::string_view type, std::string_view value,
                   std::optional<UnixMillis> deadline, Before before) override;
    void onDeadlineChanged(std::string_view key, std::optional<UnixMillis> before,
                           std::optional<UnixMillis> after) override;
    void onLeaseEnded(std::string_view key, UnixMillis deadline) override;
    void onRemoved(std::string_view key, Removal why, std::string_view value) override;
    void onKeyspaceEvent(std::string_view event, std::string_view key) override;
    void onDelivery(ClientId client, const Reply& reply) override;
    void onHangUp(ClientId client) override;

    Store m_store;
    std::int64_t m_now = kStoryStart;
    std::string m_notes;
    bool m_sayInstants = false;
};

} // namespace lockscope::redis
