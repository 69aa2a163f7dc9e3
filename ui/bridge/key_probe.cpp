// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/bridge/key_probe.h"

#include <algorithm>
#include <charconv>
#include <chrono>

#include "core/world/simulator.h"
#include "ui/bridge/same_scenario.h"

namespace lockscope::ui {

namespace {

constexpr std::chrono::milliseconds kRest{120};
constexpr Duration kAfter{1}; // what happens at the instant itself has happened

/// The number of "(integer) 72".
std::optional<std::int64_t> numberIn(std::string_view reply) {
    const std::size_t at = reply.rfind("(integer) ");
    if (at == std::string_view::npos) return std::nullopt;
    const std::string_view digits = reply.substr(at + 10);
    std::int64_t number = 0;
    if (std::from_chars(digits.data(), digits.data() + digits.size(), number).ec != std::errc{})
        return std::nullopt;
    return number;
}

} // namespace

std::string quotedForRedis(std::string_view text) {
    const auto plain = [](unsigned char c) { return c > ' ' && c != '"' && c != '\'' && c != '\\'; };
    if (!text.empty() && std::all_of(text.begin(), text.end(), plain)) return std::string(text);
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') out += '\\';
        if (c == '\n')
            out += "\\n";
        else
            out += c;
    }
    return out + '"';
}

KeyProbe::KeyProbe(QObject* parent) : QObject(parent) {
    m_rest.setSingleShot(true);
    m_rest.setInterval(kRest);
    connect(&m_rest, &QTimer::timeout, this, &KeyProbe::begin);
}

void KeyProbe::ask(const Scenario& scenario, const std::string& key, const std::vector<std::string>& channels,
                   Instant at) {
    if (m_question && m_question->key == key && m_question->at == at && m_question->channels == channels &&
        sameScenario(m_question->scenario, scenario))
        return;
    m_question = Question{scenario, key, channels, at};
    m_facts.reset();
    m_job.drop();
    m_rest.start();
}

void KeyProbe::forget() {
    m_question.reset();
    m_facts.reset();
    m_rest.stop();
    m_job.drop();
}

void KeyProbe::begin() {
    if (!m_question) return;
    m_job.start([this, question = *m_question](ProbePool&, const LatestJob::Task& task) {
        KeyFacts facts = look(question.scenario, question.key, question.channels, question.at);
        task.tell([this, facts = std::move(facts)] {
            m_facts = facts;
            emit found();
        });
    });
}

KeyFacts KeyProbe::look(const Scenario& scenario, const std::string& key,
                        const std::vector<std::string>& channels, Instant at) {
    std::vector<std::string> commands = {"MEMORY USAGE " + quotedForRedis(key),
                                         "OBJECT IDLETIME " + quotedForRedis(key)};
    for (const std::string& channel : channels)
        commands.push_back("PUBSUB NUMSUB " + quotedForRedis(channel));
    Scenario asked = scenario;
    asked.horizon = at + kAfter + millis(1);
    std::erase_if(asked.interventions, [&](const Intervention& each) { return each.at > at + kAfter; });
    for (const std::string& command : commands) {
        Intervention intervention;
        intervention.kind = InterventionKind::Admin;
        intervention.actor = serverName(0);
        intervention.at = at + kAfter;
        intervention.command = command;
        asked.interventions.push_back(std::move(intervention));
    }
    Trace trace;
    Simulator().run(asked, trace);

    // The last commands of the administrator's are ours, in this order.
    std::vector<std::string> replies;
    for (const Event& e : trace.events)
        if (e.kind == EventKind::RequestExecuted && e.at >= at + kAfter && e.actor != kNone &&
            trace.actors[static_cast<std::size_t>(e.actor)].outside)
            replies.emplace_back(trace.text(e.text));
    KeyFacts facts;
    if (replies.size() != commands.size()) return facts; // the server does not answer at that instant
    facts.bytes = numberIn(replies[0]);
    facts.idleSeconds = numberIn(replies[1]);
    for (std::size_t i = 0; i < channels.size(); ++i)
        if (const auto number = numberIn(replies[i + 2])) facts.subscribers[channels[i]] = *number;
    return facts;
}

} // namespace lockscope::ui
