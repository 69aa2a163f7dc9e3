// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/trace/trace_builder.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "core/base/assert.h"

namespace lockscope::test {

namespace {

/// At one instant a reply comes first, then what the program does on it, then what it sends.
int turnOf(const Event& e) {
    if (e.kind == EventKind::RequestSent) return 2;
    return e.kind < EventKind::RequestSent || e.kind >= EventKind::WriteAccepted ? 1 : 0;
}

} // namespace

TraceBuilder::TraceBuilder() {
    m_trace.lesson = "by-hand";
}

TraceBuilder& TraceBuilder::lock(std::string_view name, int holders, Duration patience, int overtakes) {
    m_trace.lockKeys.push_back({m_trace.strings.intern(name), holders, patience, overtakes});
    return *this;
}

TraceBuilder& TraceBuilder::goal(std::string label, std::string work, int wanted) {
    m_trace.goals.push_back({std::move(label), std::move(work), {}, wanted});
    return *this;
}

TraceBuilder& TraceBuilder::resource(bool fenceEnforced) {
    m_trace.hasResource = true;
    m_trace.fenceEnforced = fenceEnforced;
    return *this;
}

TraceBuilder& TraceBuilder::effectsFirst(bool yes) {
    m_effectsFirst = yes;
    return *this;
}

TraceBuilder& TraceBuilder::about(std::string_view key) {
    m_about = m_trace.strings.intern(key);
    return *this;
}

TraceBuilder::Task TraceBuilder::process(const std::string& actor, Duration at) {
    m_trace.actors.push_back({actor, false});
    m_trace.processes.push_back({static_cast<ActorIndex>(m_trace.actors.size() - 1), 1});
    m_trace.tasks.push_back(
        {static_cast<ProcessIndex>(m_trace.processes.size() - 1), kNone, 0, TaskKind::Main});
    const auto task = static_cast<Task>(m_trace.tasks.size() - 1);
    addFor(EventKind::ProcessStarted, task, at);
    addFor(EventKind::TaskStarted, task, at);
    return task;
}

TraceBuilder::Task TraceBuilder::restart(Task old, Duration at) {
    const TraceProcess before =
        m_trace.processes[static_cast<std::size_t>(m_trace.tasks[static_cast<std::size_t>(old)].process)];
    m_trace.processes.push_back({before.actor, before.incarnation + 1});
    m_trace.tasks.push_back(
        {static_cast<ProcessIndex>(m_trace.processes.size() - 1), kNone, 0, TaskKind::Main});
    const auto task = static_cast<Task>(m_trace.tasks.size() - 1);
    addFor(EventKind::ProcessStarted, task, at);
    return task;
}

/// An outside actor has no tasks; it is named by the negative of its actor index, less two.
TraceBuilder::Task TraceBuilder::outsider(const std::string& name) {
    m_trace.actors.push_back({name, true});
    return -static_cast<Task>(m_trace.actors.size() - 1) - 2;
}

TraceBuilder::Task TraceBuilder::task(Task parent, TaskKind kind, Duration at, Duration period) {
    TraceTask made = m_trace.tasks[static_cast<std::size_t>(parent)];
    made.parent = parent;
    made.kind = kind;
    made.period = period;
    if (kind == TaskKind::Thread) made.loop = static_cast<std::int32_t>(m_trace.tasks.size());
    m_trace.tasks.push_back(made);
    const auto task = static_cast<Task>(m_trace.tasks.size() - 1);
    addFor(EventKind::TaskStarted, task, at);
    return task;
}

void TraceBuilder::endTask(Task task, Duration at) {
    addFor(EventKind::TaskEnded, task, at);
}

Event& TraceBuilder::add(EventKind kind, Instant at) {
    Event e;
    e.kind = kind;
    e.at = at;
    if (m_running) {
        m_effects.push_back(e);
        return m_effects.back();
    }
    m_events.push_back({e, m_events.size()});
    return m_events.back().event;
}

Event& TraceBuilder::addFor(EventKind kind, Task who, Duration at) {
    Event& e = add(kind, instantAt(at));
    if (who <= -2) {
        e.actor = static_cast<ActorIndex>(-who - 2);
        return e;
    }
    e.task = who;
    e.process = m_trace.tasks[static_cast<std::size_t>(who)].process;
    e.actor = m_trace.processes[static_cast<std::size_t>(e.process)].actor;
    return e;
}

void TraceBuilder::stampRequest(Event& e, RequestIndex index) const {
    const TraceRequest& r = m_trace.requests[static_cast<std::size_t>(index)];
    e.request = index;
    e.task = r.task;
    e.actor = r.actor;
    e.node = r.node;
    if (r.task != kNone) e.process = m_trace.tasks[static_cast<std::size_t>(r.task)].process;
    if (e.key == StringId::Empty) e.key = r.key;
}

StringId TraceBuilder::aboutKey() {
    if (m_trace.lockKeys.empty()) lock("lock");
    return m_about == StringId::Empty ? m_trace.lockKeys.front().name : m_about;
}

TraceBuilder::Key& TraceBuilder::keyOf(StringId name) {
    for (Key& k : m_keys)
        if (k.name == name) return k;
    m_keys.push_back({name, false, false, StringId::Empty, kNever});
    return m_keys.back();
}

std::string TraceBuilder::tokenOf(Task who) const {
    if (who <= -2) return m_trace.actors[static_cast<std::size_t>(-who - 2)].name;
    const ProcessIndex p = m_trace.tasks[static_cast<std::size_t>(who)].process;
    return m_trace.actors[static_cast<std::size_t>(m_trace.processes[static_cast<std::size_t>(p)].actor)]
        .name;
}

// --- commands

void TraceBuilder::command(Task who, Duration at, std::string_view name, std::string_view text, bool ask,
                           const Trip& trip, std::function<Answer(const Deed&)> run) {
    TraceRequest r;
    if (who <= -2) {
        r.actor = static_cast<ActorIndex>(-who - 2);
    } else {
        const ProcessIndex p = m_trace.tasks[static_cast<std::size_t>(who)].process;
        r.task = who;
        r.actor = m_trace.processes[static_cast<std::size_t>(p)].actor;
    }
    r.command = m_trace.strings.intern(name);
    r.text = m_trace.strings.intern(text);
    r.key = name == "FLUSHALL" || name == "WAIT" ? StringId::Empty : aboutKey();
    r.ask = ask;
    m_trace.requests.push_back(r); // in order of telling; build() puts them in order of sending
    m_deeds.push_back({instantAt(at + trip.request), static_cast<RequestIndex>(m_trace.requests.size() - 1),
                       instantAt(at), trip, std::move(run)});
}

void TraceBuilder::play(const Deed& deed) {
    for (Key& k : m_keys)
        settle(k, deed.at);
    if (deed.request == kNone) {
        deed.run(deed);
        return;
    }
    const Trip& trip = deed.trip;
    stampRequest(add(EventKind::RequestSent, deed.sent), deed.request);
    const bool answeredLate = trip.timeout && trip.request + trip.reply > *trip.timeout;
    if (trip.timeout && (trip.requestLost || trip.replyLost || answeredLate))
        stampRequest(add(EventKind::RequestTimedOut, deed.sent + *trip.timeout), deed.request);
    if (trip.requestLost) return stampRequest(add(EventKind::RequestLost, deed.at), deed.request);

    m_running = true;
    const Answer answer = deed.run(deed);
    m_running = false;
    const std::vector<Event> effects = std::exchange(m_effects, {});
    const auto tellEffects = [&] {
        for (const Event& e : effects)
            m_events.push_back({e, m_events.size()});
    };
    if (m_effectsFirst) tellEffects();
    const StringId text = m_trace.strings.intern(answer.reply);
    const std::int64_t flags = (answer.error ? 1 : 0) | (answer.empty ? 2 : 0);
    Event& done = add(EventKind::RequestExecuted, deed.at);
    stampRequest(done, deed.request);
    done.text = text;
    done.b = flags;
    if (!m_effectsFirst) tellEffects();
    const Instant back = trip.readAt ? instantAt(*trip.readAt) : deed.at + trip.reply;
    if (trip.replyLost) return stampRequest(add(EventKind::ReplyLost, back), deed.request);
    Event& received = add(EventKind::ReplyReceived, back);
    stampRequest(received, deed.request);
    received.text = text;
    received.b = flags | (answeredLate ? 4 : 0);
}

/// Lets the lease end that ended before `now`.
void TraceBuilder::settle(Key& k, Instant now) {
    if (!k.live || k.deadline >= now) return;
    k.live = false;
    Event& e = add(EventKind::LeaseEnded, k.deadline);
    e.key = k.name;
    e.node = 0;
}

void TraceBuilder::put(const Deed& deed, Key& k, std::string_view value, Instant deadline) {
    Event& e = add(EventKind::KeyWritten, deed.at);
    e.key = k.name;
    stampRequest(e, deed.request);
    e.text = m_trace.strings.intern(value);
    e.text2 = m_trace.strings.intern("string");
    e.a = micros(deadline);
    e.b = static_cast<std::int64_t>(k.live       ? KeyBefore::Live
                                    : k.inMemory ? KeyBefore::Expired
                                                 : KeyBefore::Absent);
    k.inMemory = k.live = true;
    k.value = e.text;
    k.deadline = deadline;
}

void TraceBuilder::moveDeadline(const Deed& deed, Key& k, Instant deadline) {
    if (deadline <= deed.at) return remove(deed, k, EndReason::DeadlineInPast);
    Event& e = add(EventKind::DeadlineChanged, deed.at);
    e.key = k.name;
    stampRequest(e, deed.request);
    e.a = micros(deadline);
    e.b = micros(k.deadline);
    k.deadline = deadline;
}

void TraceBuilder::remove(const Deed& deed, Key& k, EndReason reason) {
    Event& e = add(EventKind::KeyRemoved, deed.at);
    e.key = k.name;
    e.node = 0;
    if (deed.request != kNone) stampRequest(e, deed.request);
    e.reason = reason;
    e.text = k.value;
    k = {k.name, false, false, StringId::Empty, kNever};
}

void TraceBuilder::ask(Task who, Duration at, std::optional<Duration> ttl, Trip trip, std::string token) {
    if (token.empty()) token = tokenOf(who);
    command(who, at, "SET", "SET lock " + token + " NX", true, trip,
            [this, key = aboutKey(), token, ttl](const Deed& deed) -> Answer {
                if (keyOf(key).live) return {"(nil)", false, true};
                put(deed, keyOf(key), token, ttl ? deed.at + *ttl : kNever);
                return {"OK"};
            });
}

void TraceBuilder::extendOrSet(Task who, Duration at, Duration ttl, Trip trip) {
    command(who, at, "EVAL", "EVAL 'extend or set' 1 lock", true, trip,
            [this, key = aboutKey(), token = tokenOf(who), ttl](const Deed& deed) -> Answer {
                Key& k = keyOf(key);
                if (!k.live)
                    put(deed, k, token, deed.at + ttl);
                else if (m_trace.text(k.value) == token)
                    moveDeadline(deed, k, deed.at + ttl);
                else
                    return {"(integer) 0", false, true};
                return {"(integer) 1"};
            });
}

void TraceBuilder::set(Task who, Duration at, std::optional<Duration> ttl, Trip trip) {
    command(who, at, "SET", "SET lock " + tokenOf(who), true, trip,
            [this, key = aboutKey(), token = tokenOf(who), ttl](const Deed& deed) -> Answer {
                put(deed, keyOf(key), token, ttl ? deed.at + *ttl : kNever);
                return {"OK"};
            });
}

void TraceBuilder::del(Task who, Duration at, Trip trip) {
    command(who, at, "DEL", "DEL lock", false, trip, [this, key = aboutKey()](const Deed& deed) -> Answer {
        if (!keyOf(key).live) return {"(integer) 0", false, true};
        remove(deed, keyOf(key), EndReason::Deleted);
        return {"(integer) 1"};
    });
}

void TraceBuilder::release(Task who, Duration at, Trip trip, std::string token) {
    if (token.empty()) token = tokenOf(who);
    command(who, at, "EVAL", "EVAL \"if get == token then redis.call('del')\" 1 lock", false, trip,
            [this, key = aboutKey(), token](const Deed& deed) -> Answer {
                Key& k = keyOf(key);
                if (!k.live || m_trace.text(k.value) != token) return {"(integer) 0", false, true};
                remove(deed, k, EndReason::Deleted);
                return {"(integer) 1"};
            });
}

void TraceBuilder::renew(Task who, Duration at, Duration ttl, Trip trip) {
    command(who, at, "EVAL", "EVAL \"if get == token then redis.call('pexpire')\" 1 lock", false, trip,
            [this, key = aboutKey(), token = tokenOf(who), ttl](const Deed& deed) -> Answer {
                Key& k = keyOf(key);
                if (!k.live || m_trace.text(k.value) != token) return {"(integer) 0", false, true};
                moveDeadline(deed, k, deed.at + ttl);
                return {"(integer) 1"};
            });
}

void TraceBuilder::pexpire(Task who, Duration at, Duration ttl, Trip trip) {
    command(who, at, "PEXPIRE", "PEXPIRE lock", false, trip,
            [this, key = aboutKey(), ttl](const Deed& deed) -> Answer {
                if (!keyOf(key).live) return {"(integer) 0", false, true};
                moveDeadline(deed, keyOf(key), deed.at + ttl);
                return {"(integer) 1"};
            });
}

void TraceBuilder::persist(Task who, Duration at, Trip trip) {
    command(who, at, "PERSIST", "PERSIST lock", false, trip,
            [this, key = aboutKey()](const Deed& deed) -> Answer {
                if (!keyOf(key).live) return {"(integer) 0", false, true};
                moveDeadline(deed, keyOf(key), kNever);
                return {"(integer) 1"};
            });
}

void TraceBuilder::flush(Task who, Duration at, Trip trip) {
    command(who, at, "FLUSHALL", "FLUSHALL", false, trip, [this](const Deed& deed) -> Answer {
        for (Key& k : m_keys)
            if (k.inMemory) remove(deed, k, EndReason::Flushed);
        return {"OK"};
    });
}

void TraceBuilder::askForCopies(Task who, Duration at, Trip trip) {
    command(who, at, "WAIT", "WAIT 1 0", false, trip, [](const Deed&) -> Answer { return {"(integer) 1"}; });
}

void TraceBuilder::failingAsk(Task who, Duration at, const std::string& error, Trip trip) {
    command(who, at, "SET", "SET lock NX", true, trip, [error](const Deed&) -> Answer {
        return {"(error) " + error, true, false};
    });
}

void TraceBuilder::evict(Duration at) {
    m_deeds.push_back({instantAt(at), kNone, {}, {}, [this, key = aboutKey()](const Deed& deed) -> Answer {
                           remove(deed, keyOf(key), EndReason::Evicted);
                           return {};
                       }});
}

void TraceBuilder::collect(Duration at) {
    m_deeds.push_back({instantAt(at), kNone, {}, {}, [this, key = aboutKey()](const Deed& deed) -> Answer {
                           LOCKSCOPE_ASSERT(!keyOf(key).live);
                           remove(deed, keyOf(key), EndReason::LeaseEnded);
                           return {};
                       }});
}

// --- what a program does and thinks

void TraceBuilder::enter(Task who, Duration at, std::optional<Duration> deadline, std::int64_t fence) {
    Event& e = addFor(EventKind::Entered, who, at);
    e.key = aboutKey();
    e.a = micros(deadline ? instantAt(*deadline) : kNever);
    e.b = fence;
}

void TraceBuilder::leave(Task who, Duration at, bool keep) {
    Event& e = addFor(EventKind::Left, who, at);
    e.key = aboutKey();
    e.b = keep ? 1 : 0;
}

void TraceBuilder::work(Task who, Duration from, Duration until, const std::string& label, bool finished) {
    Event& begin = addFor(EventKind::WorkStarted, who, from);
    begin.text = m_trace.strings.intern(label);
    begin.a = (until - from).count();
    Event& end = addFor(EventKind::WorkEnded, who, until);
    end.text = m_trace.strings.intern(label);
    end.b = finished ? 1 : 0;
}

void TraceBuilder::compute(Task who, Duration from, Duration until, const std::string& label) {
    Event& begin = addFor(EventKind::ComputeStarted, who, from);
    begin.text = m_trace.strings.intern(label);
    begin.a = (until - from).count();
    Event& end = addFor(EventKind::ComputeEnded, who, until);
    end.text = m_trace.strings.intern(label);
    end.b = 1;
}

void TraceBuilder::sleep(Task who, Duration from, Duration due, Duration woke) {
    addFor(EventKind::SleepStarted, who, from).a = due.count();
    addFor(EventKind::SleepEnded, who, woke);
}

void TraceBuilder::pause(Task who, Duration from, Duration until) {
    addFor(EventKind::ProcessPaused, who, from);
    addFor(EventKind::ProcessResumed, who, until);
}

void TraceBuilder::kill(Task who, Duration at) {
    addFor(EventKind::ProcessKilled, who, at);
}
void TraceBuilder::end(Task who, Duration at) {
    addFor(EventKind::ProcessEnded, who, at);
}

void TraceBuilder::write(Task who, Duration at, const std::string& item, std::int64_t fence) {
    Event& e = addFor(EventKind::WriteAccepted, who, at);
    e.text = m_trace.strings.intern(item);
    e.text2 = m_trace.strings.intern(tokenOf(who));
    e.a = fence;
    for (auto& [name, version] : m_versions)
        if (name == e.text) {
            e.b = ++version;
            return;
        }
    m_versions.emplace_back(e.text, 1);
    e.b = 1;
}

void TraceBuilder::reject(Task who, Duration at, std::int64_t fence, std::int64_t highest) {
    Event& e = addFor(EventKind::WriteRejected, who, at);
    e.text = m_trace.strings.intern("item");
    e.text2 = m_trace.strings.intern(tokenOf(who));
    e.a = fence;
    e.b = highest;
}

void TraceBuilder::statement(Task who, std::string_view sql) {
    m_trace.statements.push_back(
        {m_trace.tasks[static_cast<std::size_t>(who)].process, m_trace.strings.intern(sql)});
}

void TraceBuilder::holds(Task who, Duration at, Duration ttl, Duration length) {
    ask(who, at, ttl);
    enter(who, at + 2ms);
    work(who, at + 2ms, at + 2ms + length);
    leave(who, at + 2ms + length);
    release(who, at + 2ms + length);
}

Trace TraceBuilder::build(Duration reached) {
    aboutKey();
    // Requests are numbered in the order in which they are sent, deeds are done in the order in which they
    // fall due.
    std::stable_sort(m_deeds.begin(), m_deeds.end(),
                     [](const Deed& a, const Deed& b) { return a.sent < b.sent; });
    std::vector<TraceRequest> requests;
    for (Deed& deed : m_deeds) {
        if (deed.request == kNone) continue;
        requests.push_back(m_trace.requests[static_cast<std::size_t>(deed.request)]);
        deed.request = static_cast<RequestIndex>(requests.size() - 1);
    }
    m_trace.requests = std::move(requests);
    std::stable_sort(m_deeds.begin(), m_deeds.end(),
                     [](const Deed& a, const Deed& b) { return a.at < b.at; });
    for (const Deed& deed : m_deeds)
        if (deed.sent <= instantAt(reached)) play(deed);
    for (Key& k : m_keys)
        settle(k, instantAt(reached));
    m_trace.horizon = m_trace.reached = instantAt(reached);
    std::stable_sort(m_events.begin(), m_events.end(), [](const Placed& a, const Placed& b) {
        return std::pair(a.event.at, turnOf(a.event)) < std::pair(b.event.at, turnOf(b.event));
    });
    std::vector<bool> gone(m_trace.processes.size(), false);
    for (const Placed& p : m_events) {
        const Event& e = p.event;
        if (e.at > m_trace.reached) break;
        const bool lives = e.process == kNone || !gone[static_cast<std::size_t>(e.process)];
        const bool hearsOf = e.kind == EventKind::ReplyReceived || e.kind == EventKind::RequestTimedOut ||
                             e.kind == EventKind::WorkEnded;
        if (!lives && hearsOf) continue;
        if (e.kind == EventKind::ProcessKilled || e.kind == EventKind::ProcessEnded)
            gone[static_cast<std::size_t>(e.process)] = true;
        m_trace.events.push_back(e);
    }
    return std::move(m_trace);
}

// --- comparing

namespace {

std::string shortTime(Instant t) {
    std::string text = formatSecondsExact(t.time_since_epoch());
    return text.substr(0, text.find(' '));
}

std::string readFile(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

} // namespace

std::string verdict(const Trace& trace) {
    Analysis analysis;
    std::vector<Violation> violations;
    analyse(trace, analysis);
    Judge().judge(trace, analysis, violations);
    std::string line;
    for (const Violation& v : violations) {
        if (!line.empty()) line += " | ";
        line += nameOf(v.invariant);
        line += '(';
        for (std::size_t i = 0; i < v.actors.size(); ++i)
            if (v.actors[i] != kNone)
                line += (i > 0 ? "," : "") + trace.actors[static_cast<std::size_t>(v.actors[i])].name;
        line += ")@" + shortTime(v.at);
        if (v.until >= trace.reached && v.until > v.at)
            line += "-…";
        else if (v.until > v.at)
            line += "-" + shortTime(v.until);
    }
    return line;
}

std::string differsFromGolden(const std::string& text, const std::string& name, const std::string& folder) {
    const std::string path =
        (folder.empty() ? std::string(LOCKSCOPE_SOURCE_DIR "/tests/trace/golden") : folder) + "/" + name;
    if (std::getenv("LOCKSCOPE_RENEW_GOLDENS") != nullptr) {
        std::ofstream(path, std::ios::binary) << text;
        return {};
    }
    const std::string golden = readFile(path);
    if (golden == text) return {};
    return "differs from " + path + ":\n" + text +
           "\n(LOCKSCOPE_RENEW_GOLDENS=1 takes this as the new golden)";
}

} // namespace lockscope::test
