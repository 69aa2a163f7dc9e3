// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/redis/store_player.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace lockscope::redis {

namespace {

std::string millisText(std::int64_t micros) {
    const std::int64_t sinceStart = micros - kStoryStart;
    if (sinceStart % 1000 == 0) return fmt::format("{}", sinceStart / 1000);
    return fmt::format("{}.{:03}", sinceStart / 1000, sinceStart % 1000);
}

std::string deadlineText(std::optional<UnixMillis> deadline) {
    return deadline ? fmt::format("{}", *deadline - kStoryStart / 1000) : "no end";
}

std::string_view nameOf(Removal why) {
    switch (why) {
    case Removal::Deleted:
        return "deleted";
    case Removal::DeadlineInPast:
        return "deadline in the past";
    case Removal::Expired:
        return "expired";
    case Removal::Evicted:
        return "evicted";
    case Removal::Flushed:
        return "flushed";
    }
    return {};
}

/// The next line of `text`, without blanks at its ends.
std::string_view takeLine(std::string_view& text) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::size_t first = line.find_first_not_of(' ');
    line.remove_prefix(std::min(first, line.size()));
    return line;
}

} // namespace

std::vector<std::string> wordsOf(std::string_view line) {
    std::vector<std::string> words;
    for (std::size_t at = 0; at < line.size();) {
        if (line[at] == ' ') {
            ++at;
            continue;
        }
        const bool quoted = line[at] == '"' || line[at] == '\'';
        const std::size_t begin = quoted ? at + 1 : at;
        const std::size_t end = std::min(line.find(quoted ? line[at] : ' ', begin), line.size());
        std::string word(line.substr(begin, end - begin));
        if (!quoted && word.starts_with("@s"))
            word = std::to_string(kStoryStart / 1'000'000 + std::stoll(word.substr(2)));
        else if (!quoted && word.starts_with('@'))
            word = std::to_string(kStoryStart / 1000 + std::stoll(word.substr(1)));
        words.push_back(std::move(word));
        at = quoted ? end + 1 : end;
    }
    return words;
}

std::string StorePlayer::play(std::string_view story) {
    std::string text = "\n";
    while (!story.empty()) {
        const std::string_view line = takeLine(story);
        if (line.starts_with("at ")) {
            advance(kStoryStart +
                    static_cast<std::int64_t>(std::stod(std::string(line.substr(3))) * 1000 + 0.5));
            text += fmt::format("{}\n{}", line, takeNotes());
        } else if (const std::size_t mark = line.find("> "); mark <= 1) {
            const auto client = static_cast<ClientId>(mark == 1 ? line[0] - '0' : 0);
            const std::string answer = display(execute(wordsOf(line.substr(mark + 2)), client), 400);
            text += fmt::format("{}\n{}{}\n", line, takeNotes(), answer);
        }
    }
    return text;
}

std::string StorePlayer::reply(std::string_view line) {
    const std::string text = display(execute(wordsOf(line)), 400);
    m_notes.clear();
    return text;
}

void StorePlayer::advance(std::int64_t micros) {
    m_now = micros;
    m_store.advance(micros);
}

const Reply& StorePlayer::execute(const std::vector<std::string>& args, ClientId client) {
    return m_store.execute(client, std::vector<std::string_view>(args.begin(), args.end()), m_now);
}

const Reply& StorePlayer::executeAt(std::int64_t micros, const std::vector<std::string>& args) {
    m_now = micros;
    return execute(args);
}

std::string StorePlayer::takeNotes() {
    return std::exchange(m_notes, {});
}

void StorePlayer::startOver(const StoreOptions& options) {
    m_store.reset(options);
    m_now = kStoryStart;
    m_notes.clear();
}

void StorePlayer::note(const std::string& text) {
    const std::int64_t at = m_store.observerTime();
    m_notes += "* " + text;
    if (m_sayInstants || at != m_now) m_notes += " @" + millisText(at);
    if (m_store.observerDatabase() != 0)
        m_notes += fmt::format(" in database {}", m_store.observerDatabase());
    m_notes += '\n';
}

void StorePlayer::onWritten(std::string_view key, std::string_view type, std::string_view value,
                            std::optional<UnixMillis> deadline, Before before) {
    std::string text = fmt::format("written {}={}", key, value);
    if (type != "string") text += fmt::format(" ({})", type);
    if (deadline) text += " until " + deadlineText(deadline);
    if (before == Before::Live) text += " over a live one";
    if (before == Before::Expired) text += " over a dead one";
    note(text);
}

void StorePlayer::onDeadlineChanged(std::string_view key, std::optional<UnixMillis> before,
                                    std::optional<UnixMillis> after) {
    note(fmt::format("deadline {} {} -> {}", key, deadlineText(before), deadlineText(after)));
}

void StorePlayer::onLeaseEnded(std::string_view key, UnixMillis deadline) {
    note(fmt::format("lease over {} ({})", key, deadlineText(deadline)));
}

void StorePlayer::onRemoved(std::string_view key, Removal why, std::string_view value) {
    note(fmt::format("removed {}={}: {}", key, value, nameOf(why)));
}

void StorePlayer::onKeyspaceEvent(std::string_view event, std::string_view key) {
    note(fmt::format("{} {}", event, key));
}

void StorePlayer::onDelivery(ClientId client, const Reply& reply) {
    m_notes += fmt::format("to {}: {}\n", client, display(reply, 400));
}

void StorePlayer::onHangUp(ClientId client) {
    m_notes += fmt::format("to {}: hung up\n", client);
}

} // namespace lockscope::redis
