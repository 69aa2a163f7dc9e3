// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lesson/front_matter.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "core/lesson/fields.h"

namespace lockscope {

namespace {

constexpr Duration kLongestTrip = seconds(600);
constexpr Duration kLongestRun = seconds(24 * 3600);
constexpr std::size_t kMostActors = 26;
constexpr std::size_t kMostKeys = 16;
constexpr std::size_t kMostKnobs = 32;

using Field = KnobBinding::Field;

/// Reads the front matter from top to bottom; later parts may refer to earlier ones.
class FrontMatter {
public:
    FrontMatter(const YamlNode& node, Lesson& lesson, Problems& problems)
        : m_problems(problems), m_lesson(lesson),
          m_top(node, "",
                {"id", "number", "title", "goal", "knobs", "keys", "lights", "server", "network", "resource",
                  "actors", "goals", "horizon", "pace", "live", "seed", "matrix", "odds"},
                problems) {}

    void read() {
        readHead();
        const std::vector<const YamlNode*> knobs = m_top.list("knobs");
        limit(knobs.size(), kMostKnobs, "knobs");
        m_lesson.knobs = readKnobs(knobs, m_problems);
        readHorizon();
        m_lesson.pace = m_top.integer("pace", 1, 1, 100);
        readKeys();
        readLights();
        readServer();
        readResource();
        readActors();
        m_lesson.base.goals = readGoals(m_top.list("goals"), m_problems);
        readSeed();
        if (const YamlNode* live = m_top.find("live"))
            m_lesson.live = readLiveVariant(*live, m_lesson, m_problems);
        if (const YamlNode* matrix = m_top.find("matrix"))
            m_lesson.matrix = readMatrix(*matrix, m_lesson, m_problems);
        if (const YamlNode* odds = m_top.find("odds")) m_lesson.odds = readOdds(*odds, m_lesson, m_problems);
    }

private:
    void limit(std::size_t size, std::size_t most, std::string_view key) {
        const YamlNode* node = m_top.find(key);
        if (size > most && node != nullptr)
            m_problems.add(node->line, fmt::format("{}: {} entries at most, here are {}", key, most, size));
    }

    void readHead() {
        m_lesson.id = m_top.requiredText("id");
        const auto fits = [](unsigned char c) {
            return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
        };
        if (const YamlNode* id = m_top.find("id");
            id != nullptr && (!std::all_of(m_lesson.id.begin(), m_lesson.id.end(), fits) ||
                              m_lesson.id.starts_with('-') || m_lesson.id.size() > 40))
            m_problems.add(id->line,
                           fmt::format("id: '{}' is not allowed: small letters, digits and '-', 40 at most",
                                       m_lesson.id));
        m_lesson.number = m_top.integer("number", 0, 0, 999);
        m_lesson.title = m_top.requiredText("title");
        m_lesson.goal = m_top.requiredText("goal");
        m_lesson.base.lesson = m_lesson.id;
    }

    void readHorizon() {
        m_top.require("horizon");
        m_lesson.base.horizon = instantAt(
            bound(m_top, "horizon", seconds(60), millis(1), kLongestRun, {{Field::Horizon, 0, {}, {}}}));
    }

    void readSeed() {
        m_lesson.base.seed = 1;
        const YamlNode* node = m_top.find("seed");
        if (node == nullptr) return;
        const std::string text = scalarOf(*node, "seed", m_problems).value_or("1");
        const auto [stop, problem] =
            std::from_chars(text.data(), text.data() + text.size(), m_lesson.base.seed);
        if (problem != std::errc{} || stop != text.data() + text.size())
            m_problems.add(node->line, fmt::format("seed: '{}' is not a whole number from 0 on", text));
    }

    void readKeys() {
        m_top.require("keys");
        const std::vector<const YamlNode*> nodes = m_top.list("keys");
        limit(nodes.size(), kMostKeys, "keys");
        for (const YamlNode* node : nodes) {
            TraceLockKey key;
            std::string name;
            if (node->kind == YamlNode::Kind::Scalar) {
                name = node->text;
            } else {
                const Fields fields(*node, "keys", {"name", "holders", "patience", "overtakes"}, m_problems);
                name = fields.requiredText("name");
                key.holders = fields.integer("holders", key.holders, 1, 1000);
                const int index = static_cast<int>(m_lesson.base.lockKeys.size());
                key.patience = bound(fields, "patience", key.patience, millis(1), kLongestRun,
                                     {{Field::Patience, index, {}, {}}});
                key.overtakes = fields.integer("overtakes", key.overtakes, 1, 1000);
            }
            std::vector<std::string>& names = m_lesson.base.lockKeyNames;
            if (std::find(names.begin(), names.end(), name) != names.end())
                m_problems.add(node->line, fmt::format("keys: '{}' stands here twice", name));
            names.push_back(std::move(name));
            m_lesson.base.lockKeys.push_back(key);
        }
        if (nodes.empty() && m_top.find("keys") != nullptr)
            m_problems.add(m_top.find("keys")->line, "keys: at least one lock key belongs here");
    }

    void readLights() {
        const std::vector<const YamlNode*> nodes = m_top.list("lights");
        for (const Invariant invariant : kInvariants) {
            const auto named = [&](const YamlNode* node) { return node->text == nameOf(invariant); };
            if (nodes.empty() || std::any_of(nodes.begin(), nodes.end(), named))
                m_lesson.lights.push_back(invariant);
        }
        for (const YamlNode* node : nodes) {
            Invariant known{};
            if (invariantNamed(node->text, known)) continue;
            std::vector<std::string> allowed;
            for (const Invariant invariant : kInvariants)
                allowed.emplace_back(nameOf(invariant));
            m_problems.add(node->line, fmt::format("lights: '{}' is no invariant; allowed: {}", node->text,
                                                   listed(allowed)));
        }
    }

    void readServer() {
        const YamlNode* node = m_top.find("server");
        if (node == nullptr) return;
        const Fields fields(*node, "server",
                            {"profile", "nodes", "authority", "hz", "active-expiry", "expire-at-once",
                             "maxmemory", "maxmemory-policy", "maxmemory-samples", "persistence",
                             "save-every", "loading", "replicas", "replica-lag", "failover-after",
                             "min-replicas-to-write", "min-replicas-max-lag"},
                            m_problems);
        ServerSpec& server = m_lesson.base.server;
        server.profile = redis::profileNamed(choice(fields, "profile", "7.0", Field::Profile,
                                                    &redis::profileNamed, redis::profileNames()))
                             .value_or(server.profile);
        server.nodes = fields.integer("nodes", server.nodes, 1, 9);
        server.majority = majorityIn(fields, m_lesson.base.lockKeys, m_problems);
        server.hz = fields.integer("hz", server.hz, 1, 500);
        server.activeExpiry = fields.flag("active-expiry", server.activeExpiry);
        server.expiresAtOnce =
            expiresAtOnceNamed(choice(fields, "expire-at-once", "false", Field::ExpiresAtOnce,
                                      &expiresAtOnceNamed,
                                      "true, false; of a knob also at once, as Redis does"))
                .value_or(server.expiresAtOnce);
        server.memory.limit = memoryLimitNamed(choice(fields, "maxmemory", "none", Field::MemoryLimit,
                                                      &memoryLimitNamed, "a size like 20mb, or none"))
                                  .value_or(0);
        server.memory.policy =
            redis::evictionPolicyNamed(choice(fields, "maxmemory-policy", "noeviction", Field::EvictionPolicy,
                                              &redis::evictionPolicyNamed, redis::evictionPolicyNames()))
                .value_or(server.memory.policy);
        server.memory.samples = fields.integer("maxmemory-samples", server.memory.samples, 1, 64);
        readLives(fields, server);
    }

    /// What outlives a server: its disk, and its replicas.
    void readLives(const Fields& fields, ServerSpec& server) {
        server.persistence = persistenceNamed(choice(fields, "persistence", "none", Field::Persistence,
                                                     &persistenceNamed, persistenceNames()))
                                 .value_or(server.persistence);
        server.saveEvery = fields.duration("save-every", server.saveEvery, seconds(1), kLongestRun);
        server.loading = fields.duration("loading", server.loading, Duration{0}, kLongestRun);
        const std::string replicas =
            choice(fields, "replicas", "0", Field::Replicas, &replicasNamed, "0 to 3");
        server.replicas = replicasNamed(replicas).value_or(0);
        server.replicaLag = bound(fields, "replica-lag", server.replicaLag, Duration{0}, kLongestTrip,
                                  {{Field::ReplicaLag, 0, {}, {}}});
        server.failoverAfter =
            fields.duration("failover-after", server.failoverAfter, Duration{0}, kLongestRun);
        server.minReplicasToWrite = fields.integer("min-replicas-to-write", server.minReplicasToWrite, 0, 3);
        server.minReplicasMaxLag =
            fields.duration("min-replicas-max-lag", server.minReplicasMaxLag, seconds(1), kLongestRun);
    }

    /// A word as written, or `$KNOB`: then the knob's initial choice, and the field bound to it. Every word
    /// that could come must be `known`.
    template <typename Read>
    std::string choice(const Fields& fields, std::string_view key, std::string otherwise, Field field,
                       Read known, std::string_view allowed) {
        const YamlNode* node = fields.find(key);
        if (node == nullptr) return otherwise;
        std::string text = scalarOf(*node, fields.path(key), m_problems).value_or(otherwise);
        std::vector<std::string> words{text};
        if (text.starts_with('$')) {
            const Knob* knob = boundKnob(text.substr(1), KnobKind::Choice, fields.path(key), node->line);
            if (knob == nullptr) return otherwise;
            words = knob->choices;
            text = std::get<std::string>(knob->initial);
            m_lesson.bindings.push_back({field, 0, knob->name, {}});
        }
        for (const std::string& word : words)
            if (!known(word))
                m_problems.add(node->line, fmt::format("{}: '{}' is not allowed; allowed: {}",
                                                       fields.path(key), word, allowed));
        return text;
    }

    void readResource() {
        const YamlNode* node = m_top.find("resource");
        if (node == nullptr) return;
        const Fields fields(*node, "resource", {"name", "fence"}, m_problems);
        ResourceSpec& resource = m_lesson.base.resource;
        resource.present = true;
        resource.name = fields.text("name", resource.name);
        const YamlNode* fence = fields.find("fence");
        if (fence == nullptr) return;
        if (fence->kind == YamlNode::Kind::Map) {
            const Fields choice(*fence, "resource.fence", {"knob", "enforced"}, m_problems);
            bindFence(choice.requiredText("knob"), choice.requiredText("enforced"), fence->line);
            return;
        }
        const std::string text = scalarOf(*fence, "resource.fence", m_problems).value_or("ignored");
        if (text.starts_with('$'))
            bindFence(text.substr(1), "enforced", fence->line);
        else if (text == "enforced" || text == "ignored")
            resource.enforceFence = text == "enforced";
        else
            m_problems.add(fence->line,
                           fmt::format("resource.fence: '{}' is not allowed; allowed: enforced, ignored, "
                                       "$KNOB, {{knob: KNOB, enforced: CHOICE}}",
                                       text));
    }

    void bindFence(const std::string& name, const std::string& choice, int line) {
        const Knob* knob = boundKnob(name, KnobKind::Choice, "resource.fence", line);
        if (knob == nullptr) return;
        if (std::find(knob->choices.begin(), knob->choices.end(), choice) == knob->choices.end())
            m_problems.add(line, fmt::format("resource.fence: '{}' is no choice of the knob {}; allowed: {}",
                                             choice, name, listed(knob->choices)));
        m_lesson.base.resource.enforceFence = std::get<std::string>(knob->initial) == choice;
        m_lesson.bindings.push_back({Field::FenceEnforced, 0, name, choice});
    }

    /// Latencies and time-out: the network's for everybody, or an actor's own.
    void readNetwork(const Fields& fields, ActorSpec& actor, int index) {
        const KnobBinding request{Field::RequestLatency, index, {}, {}};
        const KnobBinding reply{Field::ReplyLatency, index, {}, {}};
        if (fields.find("latency") != nullptr) {
            unbind(index, {Field::RequestLatency, Field::ReplyLatency});
            actor.requestLatency = actor.replyLatency =
                bound(fields, "latency", actor.requestLatency, Duration{0}, kLongestTrip, {request, reply});
            for (const char* half : {"request", "reply"})
                if (const YamlNode* node = fields.find(half))
                    m_problems.add(node->line,
                                   fmt::format("{}: 'latency' covers both ways already", fields.path(half)));
        }
        if (fields.find("request") != nullptr) {
            unbind(index, {Field::RequestLatency});
            actor.requestLatency =
                bound(fields, "request", actor.requestLatency, Duration{0}, kLongestTrip, {request});
        }
        if (fields.find("reply") != nullptr) {
            unbind(index, {Field::ReplyLatency});
            actor.replyLatency =
                bound(fields, "reply", actor.replyLatency, Duration{0}, kLongestTrip, {reply});
        }
        if (fields.find("client-timeout") != nullptr) {
            unbind(index, {Field::ClientTimeout});
            actor.clientTimeout = bound(fields, "client-timeout", actor.clientTimeout, Duration{0},
                                        kLongestTrip, {{Field::ClientTimeout, index, {}, {}}});
        }
    }

    void readActors() {
        m_top.require("actors");
        const std::vector<const YamlNode*> nodes = m_top.list("actors");
        limit(nodes.size(), kMostActors, "actors");
        if (nodes.empty() && m_top.find("actors") != nullptr)
            m_problems.add(m_top.find("actors")->line, "actors: at least one actor belongs here");
        for (const YamlNode* node : nodes)
            readActor(*node);
        for (const auto& program : m_lesson.programs) {
            const auto runs = [&](const ActorSpec& actor) { return actor.program == program; };
            if (std::none_of(m_lesson.base.actors.begin(), m_lesson.base.actors.end(), runs))
                m_problems.add(program->firstLine - 1,
                               fmt::format("no actor runs the program '{}'", program->name));
        }
    }

    void readActor(const YamlNode& node) {
        const Fields fields(
            node, "actors",
            {"name", "program", "start", "latency", "request", "reply", "client-timeout", "clock"},
            m_problems);
        ActorSpec actor;
        const int index = static_cast<int>(m_lesson.base.actors.size());
        actor.name = fields.requiredText("name");
        if (actor.name.find_first_of("@+,=\"") != std::string::npos || actor.name == "nobody" ||
            actor.name == "You")
            m_problems.add(node.line,
                           fmt::format("actors.name: '{}' is not allowed: no @ + , = or quotes, and not "
                                       "'nobody' or 'You'",
                                       actor.name));
        for (const ActorSpec& other : m_lesson.base.actors)
            if (other.name == actor.name)
                m_problems.add(node.line, fmt::format("actors: there is already an actor '{}'", actor.name));
        actor.program = programNamed(fields.requiredText("program"), node.line);
        actor.start = instantAt(
            bound(fields, "start", Duration{0}, Duration{0}, kLongestRun, {{Field::Start, index, {}, {}}}));
        if (const YamlNode* network = m_top.find("network"))
            readNetwork(
                Fields(*network, "network", {"latency", "request", "reply", "client-timeout"}, m_problems),
                actor, index);
        readNetwork(fields, actor, index);
        actor.clockOffset = clockIn(fields, m_problems);
        m_lesson.base.actors.push_back(std::move(actor));
    }

    std::shared_ptr<const Program> programNamed(const std::string& name, int line) {
        std::vector<std::string> names;
        for (const auto& program : m_lesson.programs) {
            if (program->name == name) return program;
            names.push_back(program->name);
        }
        m_problems.add(line, names.empty()
                                 ? fmt::format("actors.program: the file has no ```lua {} block", name)
                                 : fmt::format("actors.program: the file has no ```lua {} block; it has: {}",
                                               name, listed(names)));
        return nullptr;
    }

    /// A duration as written, or `$KNOB`: then the knob's initial value, and `targets` bound to it.
    Duration bound(const Fields& fields, std::string_view key, Duration otherwise, Duration least,
                   Duration most, std::vector<KnobBinding> targets) {
        const YamlNode* node = fields.find(key);
        if (node == nullptr || node->kind != YamlNode::Kind::Scalar || !node->text.starts_with('$'))
            return fields.duration(key, otherwise, least, most);
        const Knob* knob = boundKnob(node->text.substr(1), KnobKind::Time, fields.path(key), node->line);
        if (knob == nullptr) return otherwise;
        if (std::get<Duration>(knob->least) < least || std::get<Duration>(knob->most) > most)
            m_problems.add(node->line, fmt::format("{}: the knob {} leaves what is allowed here: {} to {}",
                                                   fields.path(key), knob->name, formatDuration(least),
                                                   formatDuration(most)));
        for (KnobBinding& target : targets) {
            target.knob = knob->name;
            m_lesson.bindings.push_back(std::move(target));
        }
        return std::get<Duration>(knob->initial);
    }

    /// An actor's own value replaces the network's, also if that was a knob's.
    void unbind(int index, std::initializer_list<Field> fields) {
        std::erase_if(m_lesson.bindings, [&](const KnobBinding& binding) {
            return binding.index == index &&
                   std::find(fields.begin(), fields.end(), binding.field) != fields.end();
        });
    }

    const Knob* boundKnob(const std::string& name, KnobKind kind, const std::string& path, int line) {
        const Knob* knob = m_lesson.knob(name);
        if (knob != nullptr && knob->kind == kind) return knob;
        std::vector<std::string> allowed;
        for (const Knob& other : m_lesson.knobs)
            if (other.kind == kind) allowed.push_back("$" + other.name);
        m_problems.add(line, fmt::format("{}: '${}' is no {} knob of this lesson; allowed: {}", path, name,
                                         kind == KnobKind::Choice ? "choice" : "duration",
                                         allowed.empty() ? "none is declared" : listed(allowed)));
        return nullptr;
    }

    Problems& m_problems;
    Lesson& m_lesson;
    Fields m_top;
};

} // namespace

void readFrontMatter(const YamlNode& node, Lesson& lesson, Problems& problems) {
    FrontMatter(node, lesson, problems).read();
}

} // namespace lockscope
