// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/redis/disk.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/redis/numbers.h"

namespace lockscope::redis {

namespace {

constexpr std::int64_t kSyncPeriod = 1'000'000;

} // namespace

std::string showSavePoints(const std::vector<SavePoint>& points) {
    std::string text;
    for (const SavePoint& point : points)
        text += fmt::format("{}{} {}", text.empty() ? "" : " ", point.seconds, point.changes);
    return text;
}

std::optional<std::vector<SavePoint>> parseSavePoints(std::string_view text) {
    std::vector<std::int64_t> numbers;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(' '), text.size());
        if (end > 0) {
            const std::optional<std::int64_t> number = parseInteger(text.substr(0, end));
            if (!number || *number < 0) return std::nullopt;
            numbers.push_back(*number);
        }
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    if (numbers.size() % 2 != 0) return std::nullopt;
    std::vector<SavePoint> points;
    for (std::size_t i = 0; i < numbers.size(); i += 2) {
        if (numbers[i] < 1) return std::nullopt;
        points.push_back({numbers[i], numbers[i + 1]});
    }
    return points;
}

void Disk::reset(const PersistenceOptions& options, std::int64_t nowMicros) {
    m_options = options;
    m_snapshot.clear();
    m_log.clear();
    m_savesFail = m_lastSaveFailed = false;
    noteStarted(nowMicros);
}

void Disk::append(const StoredCommand& command, std::int64_t nowMicros) {
    m_log.push_back({command, nowMicros});
}

void Disk::rewrite(std::span<const StoredCommand> contents, std::int64_t nowMicros) {
    if (!keepsLog()) return;
    m_log.clear();
    for (const StoredCommand& command : contents)
        m_log.push_back({command, nowMicros});
}

void Disk::save(std::vector<StoredCommand> contents, std::uint64_t changes, std::int64_t nowMicros) {
    m_snapshot = std::move(contents);
    m_changesSaved = changes;
    m_lastSave = nowMicros / kSyncPeriod;
    m_lastSaveFailed = false;
}

void Disk::failSaves(bool fail) {
    m_savesFail = m_lastSaveFailed = fail;
}

std::optional<std::int64_t> Disk::nextSave(std::uint64_t changes) const {
    std::optional<std::int64_t> next;
    const auto since = static_cast<std::int64_t>(changesSinceSave(changes));
    for (const SavePoint& point : m_options.savePoints)
        if (since >= point.changes && !m_savesFail) {
            const std::int64_t then = (m_lastSave + point.seconds + 1) * kSyncPeriod;
            next = next ? std::min(*next, then) : then;
        }
    return next;
}

void Disk::losePower(std::int64_t nowMicros) {
    if (m_options.sync == PersistenceOptions::Sync::Always) return;
    const std::int64_t synced = nowMicros / kSyncPeriod * kSyncPeriod;
    const auto lost = std::ranges::find_if(m_log, [&](const Written& one) { return one.at >= synced; });
    m_log.erase(lost, m_log.end());
}

std::vector<StoredCommand> Disk::contents() const {
    if (!keepsLog()) return m_snapshot;
    std::vector<StoredCommand> all;
    for (const Written& one : m_log)
        all.push_back(one.command);
    return all;
}

void Disk::noteStarted(std::int64_t nowMicros) {
    m_lastSave = nowMicros / kSyncPeriod;
    m_changesSaved = 0;
}

} // namespace lockscope::redis
