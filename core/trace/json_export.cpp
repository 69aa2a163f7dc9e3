// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/divergence.h"
#include "core/trace/exports.h"
#include "core/trace/json_interventions.h"
#include "core/trace/json_writer.h"
#include "core/trace/key_history.h"
#include "core/trace/statements.h"

namespace lockscope {

namespace {

class TraceWriter {
public:
    TraceWriter(const Trace& trace, const Analysis& analysis, std::string& out)
        : m_trace(trace), m_analysis(analysis), m_statements(trace), m_json(out) {}

    void write(const std::vector<Violation>& violations, const Outcome& outcome) {
        m_json.beginObject();
        head();
        tables();
        events();
        judgement(violations);
        ownership();
        keys();
        counts(violations);
        readout(outcome);
        m_json.endObject();
    }

private:
    void head() {
        m_json.member("schema", m_trace.schema);
        m_json.member("lesson", std::string_view(m_trace.lesson));
        m_json.member("seed", m_trace.seed);
        m_json.member("world", nameOf(m_trace.world));
        m_json.member("horizon_us", m_trace.horizon);
        m_json.member("reached_us", m_trace.reached);
        if (!m_trace.server.empty()) m_json.member("server", std::string_view(m_trace.server));
        if (m_trace.majorityOf > 0) m_json.member("majority_of", m_trace.majorityOf);
        if (!m_trace.failure.empty()) m_json.member("failure", std::string_view(m_trace.failure));
        line("knobs");
        m_json.beginObject();
        for (const TraceKnob& knob : m_trace.knobs)
            m_json.member(knob.name, std::string_view(knob.value));
        m_json.endObject();
        std::size_t i = 0;
        list("interventions", m_trace.interventions,
             [&](const TraceIntervention&) { writeIntervention(m_json, m_trace, i++); });
        writeDivergence(m_json, m_trace);
    }

    void tables() {
        list("actors", m_trace.actors, [this](const TraceActor& a) {
            m_json.member("name", std::string_view(a.name));
            m_json.member("outside", a.outside);
        });
        list("processes", m_trace.processes, [this](const TraceProcess& p) {
            actor(p.actor);
            m_json.member("incarnation", p.incarnation);
        });
        list("tasks", m_trace.tasks, [this](const TraceTask& t) {
            m_json.member("process", t.process);
            index("parent", t.parent);
            m_json.member("loop", t.loop);
            m_json.member("kind", nameOf(t.kind));
            if (t.period.count() > 0) m_json.member("period_us", t.period);
        });
        list("lock_keys", m_trace.lockKeys, [this](const TraceLockKey& k) {
            m_json.member("key", m_trace.text(k.name));
            m_json.member("holders", k.holders);
            m_json.member("patience_us", k.patience);
            m_json.member("overtakes", k.overtakes);
        });
        std::size_t r = 0;
        list("requests", m_trace.requests, [&](const TraceRequest& q) {
            const RequestTimes& times = m_analysis.requests[r++];
            actor(q.actor);
            index("task", q.task);
            m_json.member("node", q.node);
            m_json.member("command", m_trace.text(q.command));
            m_json.member("text", m_trace.text(q.text));
            if (q.key != StringId::Empty) m_json.member("key", m_trace.text(q.key));
            if (q.line > 0) m_json.member("line", q.line);
            m_json.member("ask", q.ask);
            instant("sent_us", times.sent);
            instant("executed_us", times.executed);
            instant("replied_us", times.replied);
            instant("gave_up_us", times.gaveUp);
            instant("request_lost_us", times.requestLost);
            instant("reply_lost_us", times.replyLost);
            if (times.executed != kNever) m_json.member("reply", m_trace.text(times.reply));
            if (times.refusal) m_json.member("refused", true);
            index("grant", times.grant);
        });
    }

    void events() {
        list("events", m_trace.events, [this](const Event& e) {
            m_json.member("at_us", e.at);
            m_json.member("kind", nameOf(e.kind));
            actor(e.actor);
            index("process", e.process);
            index("task", e.task);
            index("request", e.request);
            index("node", e.node);
            if (e.line > 0) m_json.member("line", e.line);
            if (e.key != StringId::Empty) m_json.member("key", m_trace.text(e.key));
            particulars(e);
        });
    }

    /// What the kind says beyond the common fields.
    void particulars(const Event& e) {
        switch (e.kind) {
        case EventKind::ProgramFailed:
            m_json.member("message", m_trace.text(e.text));
            break;
        case EventKind::TaskEnded:
            if (e.text2 != StringId::Empty) m_json.member("cancelled", true);
            break;
        case EventKind::WorkStarted:
        case EventKind::ComputeStarted:
            m_json.member("label", m_trace.text(e.text));
            m_json.member("planned_us", e.a);
            break;
        case EventKind::WorkEnded:
        case EventKind::ComputeEnded:
            m_json.member("label", m_trace.text(e.text));
            m_json.member("finished", e.b == 1);
            break;
        case EventKind::SleepStarted:
            m_json.member("until_us", instantAt(Duration{e.a}));
            break;
        case EventKind::Logged:
            m_json.member("text", m_trace.text(e.text));
            break;
        case EventKind::Entered:
            m_json.member("deadline_us", instantAt(Duration{e.a}));
            fence(e.b);
            break;
        case EventKind::Left:
            m_json.member("keep", e.b == 1);
            break;
        case EventKind::RequestExecuted:
        case EventKind::ReplyReceived:
            m_json.member("reply", m_trace.text(e.text));
            m_json.member("error", (e.b & 1) != 0);
            m_json.member("empty", (e.b & 2) != 0);
            if (e.kind == EventKind::ReplyReceived) m_json.member("late", (e.b & 4) != 0);
            break;
        case EventKind::MessageSent:
        case EventKind::MessageLost:
        case EventKind::MessageReceived:
            m_json.member("channel", m_trace.text(e.text));
            m_json.member("message", m_trace.text(e.text2));
            break;
        case EventKind::ReceiveStarted:
            m_json.member("channel", m_trace.text(e.text));
            m_json.member("until_us", instantAt(Duration{e.a}));
            break;
        case EventKind::ReceiveEnded:
            m_json.member("channel", m_trace.text(e.text));
            if (e.b == 1) m_json.member("message", m_trace.text(e.text2));
            break;
        case EventKind::KeyWritten: {
            constexpr std::string_view kBefore[] = {"absent", "expired", "live"};
            m_json.member("value", m_trace.text(e.text));
            m_json.member("type", m_trace.text(e.text2));
            m_json.member("deadline_us", instantAt(Duration{e.a}));
            m_json.member("before", kBefore[e.b >= 0 && e.b <= 2 ? e.b : 0]);
            break;
        }
        case EventKind::DeadlineChanged:
            m_json.member("deadline_us", instantAt(Duration{e.a}));
            m_json.member("was_us", instantAt(Duration{e.b}));
            break;
        case EventKind::KeyRemoved:
            m_json.member("reason", nameOf(e.reason));
            m_json.member("value", m_trace.text(e.text));
            break;
        case EventKind::KeyspaceEvent:
            m_json.member("event", m_trace.text(e.text));
            break;
        case EventKind::WriteAccepted:
        case EventKind::WriteRejected:
            m_json.member("name", m_trace.text(e.text));
            m_json.member("value", m_trace.text(e.text2));
            fence(e.a);
            m_json.member(e.kind == EventKind::WriteAccepted ? "version" : "highest", e.b);
            if (const StringId sql = m_statements.of(std::size_t(&e - m_trace.events.data()));
                sql != StringId::Empty)
                m_json.member("sql", m_trace.text(sql));
            break;
        case EventKind::ResourceRead:
            m_json.member("name", m_trace.text(e.text));
            m_json.member("version", e.b);
            break;
        case EventKind::InterventionApplied:
            m_json.member("intervention", e.a);
            break;
        default:
            break;
        }
    }

    void judgement(const std::vector<Violation>& violations) {
        list("violations", violations, [this](const Violation& v) {
            m_json.member("invariant", nameOf(v.invariant));
            m_json.member("key", m_trace.text(v.key));
            m_json.member("at_us", v.at);
            m_json.member("until_us", v.until);
            m_json.key("actors");
            m_json.beginArray();
            for (const ActorIndex a : v.actors)
                if (a != kNone) m_json.value(name(a));
            m_json.endArray();
            index("grant", v.grant);
            index("request", v.request);
        });
    }

    void ownership() {
        list("grants", m_analysis.grants, [this](const Grant& g) {
            m_json.member("key", m_trace.text(g.key));
            if (g.node != kMajority) m_json.member("node", g.node);
            m_json.member("number", g.number);
            actor(g.actor);
            m_json.member("from_us", g.from);
            m_json.member("until_us", g.until);
            m_json.member("end", nameOf(g.end));
            index("ended_by", g.endedBy);
            m_json.member("deadline_when_granted_us", g.deadlineWhenGranted);
            fence(g.fence);
            index("whole", g.whole);
        });
        list("claims", m_analysis.claims, [this](const Claim& c) {
            m_json.member("key", m_trace.text(c.key));
            actor(c.actor);
            index("task", c.task);
            m_json.member("from_us", c.from);
            m_json.member("until_us", c.until);
            m_json.member("deadline_us", c.deadline);
            fence(c.fence);
            index("grant", c.base);
            m_json.member("keep", c.keep);
            m_json.member("inferred", c.inferred);
        });
    }

    void keys() {
        // Sorted by key once: a history each over all events would be quadratic in a run with many keys.
        struct Life {
            StringId key;
            NodeIndex node;
            std::vector<std::uint32_t> events;
        };
        std::vector<std::vector<Life>> lives(m_trace.strings.size());
        std::vector<StringId> order;
        const auto lifeOf = [&](StringId key, NodeIndex node) -> Life& {
            std::vector<Life>& nodes = lives[static_cast<std::size_t>(key)];
            if (nodes.empty()) order.push_back(key);
            for (Life& life : nodes)
                if (life.node == node) return life;
            nodes.push_back({key, node, {}});
            return nodes.back();
        };
        for (const TraceLockKey& lock : m_trace.lockKeys)
            lifeOf(lock.name, 0);
        for (std::uint32_t i = 0; i < m_trace.events.size(); ++i)
            if (const Event& e = m_trace.events[i];
                e.kind == EventKind::KeyWritten || e.kind == EventKind::DeadlineChanged ||
                e.kind == EventKind::LeaseEnded || e.kind == EventKind::KeyRemoved)
                lifeOf(e.key, e.node).events.push_back(i);

        line("keys");
        m_json.beginObject();
        for (const StringId key : order) {
            line(m_trace.text(key));
            m_json.beginObject();
            m_json.key("history");
            m_json.beginArray();
            for (const Life& life : lives[static_cast<std::size_t>(key)])
                for (const KeyMoment& m : keyHistory(m_trace, m_analysis, key, life.node, life.events))
                    moment(m, life.node);
            m_json.endArray();
            m_json.endObject();
        }
        m_json.breakLine();
        m_json.endObject();
    }

    void moment(const KeyMoment& m, NodeIndex node) {
        m_json.breakLine();
        m_json.beginObject();
        m_json.member("at_us", m.at);
        m_json.member("what", nameOf(m.kind));
        if (m.reason != EndReason::None) m_json.member("reason", nameOf(m.reason));
        actor(m.actor);
        if (node != 0) m_json.member("node", node);
        index("grant", m.grant);
        index("request", m.request);
        m_json.member("deadline_us", m.deadline);
        m_json.endObject();
    }

    void counts(const std::vector<Violation>& violations) {
        std::array<int, kInvariantCount> counts{};
        for (const Violation& v : violations)
            ++counts[static_cast<std::size_t>(v.invariant)];
        line("counts");
        m_json.beginObject();
        for (const Invariant i : kInvariants)
            m_json.member(nameOf(i), counts[static_cast<std::size_t>(i)]);
        m_json.member("events", m_trace.events.size());
        m_json.endObject();
    }

    void readout(const Outcome& outcome) {
        line("outcome");
        m_json.beginObject();
        m_json.key("goals");
        m_json.beginArray();
        for (const Outcome::Goal& goal : outcome.goals) {
            m_json.beginObject();
            m_json.member("label", std::string_view(goal.label));
            m_json.member("made", goal.made);
            m_json.member("wanted", goal.wanted);
            m_json.endObject();
        }
        m_json.endArray();
        m_json.member("lock_idle_us", outcome.lockIdle);
        m_json.member("blocked_by_nobody_us", outcome.blockedByNobody);
        m_json.member("recovery_us", outcome.recovery);
        m_json.member("gave_up_live", outcome.gaveUpLive);
        m_json.endObject();
        m_json.breakLine();
    }

    void line(std::string_view name) {
        m_json.breakLine();
        m_json.key(name);
    }
    template <typename T, typename Write>
    void list(std::string_view name, const std::vector<T>& items, Write write) {
        line(name);
        m_json.beginArray();
        for (const T& item : items) {
            m_json.breakLine();
            m_json.beginObject();
            write(item);
            m_json.endObject();
        }
        m_json.endArray();
    }
    std::string_view name(ActorIndex a) const { return m_trace.actors[static_cast<std::size_t>(a)].name; }
    void actor(ActorIndex a) {
        if (a != kNone) m_json.member("actor", name(a));
    }
    void index(std::string_view field, std::int32_t i) {
        if (i != kNone) m_json.member(field, i);
    }
    void instant(std::string_view field, Instant t) {
        if (t != kNever) m_json.member(field, t);
    }
    void fence(std::int64_t f) {
        if (f >= 0) m_json.member("fence", f);
    }

    const Trace& m_trace;
    const Analysis& m_analysis;
    const Statements m_statements;
    JsonWriter m_json;
};

} // namespace

std::string toJson(const Trace& trace, const Analysis& analysis, const std::vector<Violation>& violations,
                   const Outcome& outcome) {
    std::string out;
    out.reserve(trace.events.size() * 160 + trace.requests.size() * 240 + 4096);
    TraceWriter(trace, analysis, out).write(violations, outcome);
    out += '\n';
    return out;
}

} // namespace lockscope
