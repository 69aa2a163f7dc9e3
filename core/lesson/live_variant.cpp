// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include <fmt/format.h>

#include "core/lesson/expectation.h"
#include "core/lesson/fields.h"
#include "core/lesson/front_matter.h"

namespace lockscope {

namespace {

constexpr Duration kLongestLive = seconds(600);
constexpr Duration kLongestLiveTrip = seconds(10);

class VariantReading {
public:
    VariantReading(const Fields& fields, const Lesson& lesson) : m_fields(fields), m_lesson(lesson) {}

    LiveVariant read() {
        readKnobs();
        readActors();
        if (m_fields.find("horizon") != nullptr)
            m_out.horizon = instantAt(m_fields.duration("horizon", seconds(1), millis(100), kLongestLive));
        if (m_fields.find("client-timeout") != nullptr)
            m_out.clientTimeout = m_fields.duration("client-timeout", seconds(1), millis(10), kLongestLive);
        if (m_fields.find("patience") != nullptr)
            m_out.patience = m_fields.duration("patience", seconds(1), millis(100), kLongestLive);
        return std::move(m_out);
    }

private:
    void readKnobs() {
        const YamlNode* node = m_fields.find("knobs");
        if (node == nullptr) return;
        std::vector<std::string> names;
        for (const Knob& knob : m_lesson.knobs)
            names.push_back(knob.name);
        const Fields knobs(*node, m_fields.path("knobs"), names, m_fields.problems());
        for (const Knob& knob : m_lesson.knobs) {
            const YamlNode* value = knobs.find(knob.name);
            if (value == nullptr) continue;
            const auto text = scalarOf(*value, knobs.path(knob.name), m_fields.problems());
            if (!text) continue;
            const Result<KnobValue> parsed = parseLiveKnobValue(knob, *text);
            if (parsed)
                m_out.knobs.push_back({knob.name, *parsed});
            else
                m_fields.problems().add(value->line, parsed.error().message);
        }
    }

    /// The latency of everybody, and what is an actor's own.
    void readActors() {
        const bool shared = m_fields.find("latency") != nullptr;
        const Duration latency = m_fields.duration("latency", Duration{0}, Duration{0}, kLongestLiveTrip);
        std::vector<std::string> names;
        for (const ActorSpec& actor : m_lesson.base.actors)
            names.push_back(actor.name);
        std::optional<Fields> actors;
        if (const YamlNode* node = m_fields.find("actors"))
            actors.emplace(*node, m_fields.path("actors"), names, m_fields.problems());
        for (const std::string& name : names) {
            LiveVariant::Actor own{name, std::nullopt, std::nullopt};
            if (shared) own.latency = latency;
            const YamlNode* values = actors ? actors->find(name) : nullptr;
            if (values != nullptr) readActor(*values, own);
            if (own.start || own.latency) m_out.actors.push_back(std::move(own));
        }
    }

    void readActor(const YamlNode& node, LiveVariant::Actor& own) {
        const Fields fields(node, "live.actors", {"start", "latency"}, m_fields.problems());
        if (fields.find("start") != nullptr)
            own.start = instantAt(fields.duration("start", Duration{0}, Duration{0}, kLongestLive));
        if (fields.find("latency") != nullptr)
            own.latency = fields.duration("latency", Duration{0}, Duration{0}, kLongestLiveTrip);
    }

    const Fields& m_fields;
    const Lesson& m_lesson;
    LiveVariant m_out;
};

} // namespace

LiveVariant readLiveVariant(const YamlNode& node, const Lesson& lesson, Problems& problems) {
    const Fields fields(node, "live", {"knobs", "latency", "client-timeout", "actors", "horizon", "patience"},
                        problems);
    return VariantReading(fields, lesson).read();
}

LiveVariant readLiveVariantOfStep(const YamlNode& node, const Lesson& lesson, Problems& problems) {
    const Fields fields(
        node, "live",
        {"knobs", "latency", "client-timeout", "actors", "horizon", "patience", "faults", "expect"},
        problems);
    LiveVariant variant = VariantReading(fields, lesson).read();
    if (fields.find("faults") != nullptr) {
        variant.interventions.emplace();
        for (const YamlNode* each : fields.list("faults")) {
            const std::optional<std::string> text = scalarOf(*each, "live.faults", problems);
            if (!text) continue;
            const Result<Intervention> parsed = parseIntervention(*text);
            if (parsed)
                variant.interventions->push_back(*parsed);
            else
                problems.add(each->line, "live.faults: " + parsed.error().message);
        }
    }
    if (fields.find("expect") != nullptr) {
        variant.expectations.emplace();
        for (const YamlNode* each : fields.list("expect"))
            if (std::optional<Expectation> one = readExpectation(*each, lesson, problems))
                variant.expectations->push_back(std::move(*one));
    }
    return variant;
}

} // namespace lockscope
