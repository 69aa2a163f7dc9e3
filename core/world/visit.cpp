// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/world/visit.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/redis/command_table.h"
#include "core/redis/commands.h"
#include "core/redis/resp.h"

namespace lockscope {

namespace {

constexpr std::size_t kLongestAnswer = 120;

/// FNV-1a.
std::uint64_t hashOf(std::string_view bytes) {
    std::uint64_t hash = 14695981039346656037u;
    for (const char c : bytes)
        hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
    return hash;
}

bool isPlainWord(std::string_view word) {
    const auto plain = [](char c) { return c > ' ' && c < 0x7F && c != '"' && c != '\'' && c != '\\'; };
    return !word.empty() && std::all_of(word.begin(), word.end(), plain);
}

/// Without blanks and what does not print: it names a lane.
bool isOneWord(std::string_view word) {
    return std::all_of(word.begin(), word.end(), [](char c) { return c > ' ' && c < 0x7F; });
}

} // namespace

std::string answerText(const redis::Reply& reply) {
    std::string text = redis::display(reply, kLongestAnswer);
    std::string bytes;
    redis::encodeReply(reply, redis::Protocol::Resp3, bytes);
    if (text.size() <= kLongestAnswer && bytes.size() <= kLongestAnswer) return text;
    std::size_t end = std::min(text.size(), kLongestAnswer);
    while (end > 0 && (static_cast<unsigned char>(text[end - 1]) & 0x80) != 0)
        --end; // not within a character
    return fmt::format("{}… #{:016x}", text.substr(0, end), hashOf(bytes));
}

std::string commandLineOf(std::span<const std::string> words) {
    std::string line;
    for (const std::string& word : words) {
        if (!line.empty()) line += ' ';
        if (isPlainWord(word)) {
            line += word;
            continue;
        }
        line += '"';
        for (const char c : word) {
            if (c == '"' || c == '\\')
                (line += '\\') += c;
            else if (c == '\n')
                line += "\\n";
            else if (c >= ' ' && c < 0x7F)
                line += c;
            else
                line += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
        }
        line += '"';
    }
    return line;
}

bool concernsConnectionAlone(std::span<const std::string_view> words) {
    const redis::Command* command = redis::resolveCommand(words);
    if (command == nullptr) return false;
    // These look like a word about oneself, and reach others.
    for (const std::string_view name : {"client|kill", "client|pause", "client|unpause", "client|unblock"})
        if (command->name == name) return false;
    return command->group == redis::Group::Connection || command->name == "info" ||
           command->name.substr(0, command->name.find('|')) == "command";
}

bool sameVisits(const std::shared_ptr<const Visits>& a, const std::shared_ptr<const Visits>& b) {
    const bool noneOfA = a == nullptr || a->empty();
    const bool noneOfB = b == nullptr || b->empty();
    if (noneOfA || noneOfB) return noneOfA == noneOfB;
    return a == b || *a == *b;
}

std::string whatIsWrongWith(const Visits& visits, int nodes) {
    using Kind = VisitorAct::Kind;
    if (visits.size() > kMostVisits)
        return fmt::format("it has {} acts of visitors, {} are the most", visits.size(), kMostVisits);
    enum class Is : std::uint8_t { Here, Gone };
    std::vector<Is> visitors;
    std::size_t bytes = 0;
    Instant last{};
    for (std::size_t i = 0; i < visits.size(); ++i) {
        const VisitorAct& act = visits[i];
        if (act.at < last) return fmt::format("act {} of the visitors is earlier than the one before", i + 1);
        last = act.at;
        if (act.kind == Kind::Came) {
            if (act.visitor != static_cast<int>(visitors.size()))
                return fmt::format("visitor {} comes out of turn", act.visitor);
            if (act.node < 0 || act.node >= nodes)
                return fmt::format("visitor {} comes to server {}, which the lesson does not have",
                                   act.visitor, act.node);
            if (!isOneWord(act.address))
                return fmt::format("visitor {} comes from what is no address", act.visitor);
            visitors.push_back(Is::Here);
            continue;
        }
        const bool here = act.visitor >= 0 && act.visitor < static_cast<int>(visitors.size()) &&
                          visitors[static_cast<std::size_t>(act.visitor)] == Is::Here;
        if (!here) return fmt::format("visitor {} acts without being there", act.visitor);
        if (act.kind == Kind::Left) visitors[static_cast<std::size_t>(act.visitor)] = Is::Gone;
        if (act.kind == Kind::Sent && act.words.empty())
            return fmt::format("visitor {} sends nothing", act.visitor);
        for (const std::string& word : act.words)
            bytes += word.size();
    }
    if (bytes > kMostVisitBytes)
        return fmt::format("its visitors send {} bytes, {} are the most", bytes, kMostVisitBytes);
    return {};
}

} // namespace lockscope
