// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <algorithm>

#include "core/base/random.h"
#include "core/lesson/lesson.h"
#include "core/lesson/saved_run.h"
#include "tests/lesson/sample_lesson.h"

using namespace lockscope;

/// What a lesson file says is what the lesson holds, and every way to get it wrong has its own message.
class LessonReading : public QObject {
    Q_OBJECT
private slots:
    void everyPartArrives();
    void panelsAddUpAndKnobsDoNot();
    void theSameTextGivesTheSameLesson();
    void linesAreThoseOfTheFile();
    void aLiveRunGoesAtTheLessonsPace();
    void aLiveRunCanBeOtherwise();
    void whatIsWrongIsSaid_data();
    void whatIsWrongIsSaid();
    void hostileFilesEndInOneLine_data();
    void hostileFilesEndInOneLine();
    void cutAnywhereItStillAnswers();
    void changedAnywhereItStillAnswers();
    void filesThatAreNone();
};

void LessonReading::everyPartArrives() {
    const Result<Lesson> lesson = parseLesson(kSample, "sample.md");
    QVERIFY2(lesson.ok(), lesson.ok() ? "" : lesson.error().text().c_str());
    QCOMPARE(lesson->id, "sample");
    QCOMPARE(lesson->intro, "An introduction.\n");
    QCOMPARE(lesson->knobs.size(), std::size_t{5});
    QCOMPARE(lesson->knob("ttl")->kind, KnobKind::Time);
    QCOMPARE(lesson->knob("tries")->kind, KnobKind::Number);
    QCOMPARE(lesson->knob("release")->kind, KnobKind::Choice);
    QCOMPARE(std::get<Duration>(lesson->knob("ttl")->most), seconds(30));
    QCOMPARE(lesson->lights, (std::vector{Invariant::BeliefOverlap, Invariant::UnprotectedWork}));

    const Scenario& base = lesson->base;
    QCOMPARE(base.horizon, instantAt(seconds(20)));
    QCOMPARE(base.seed, std::uint64_t{7});
    QCOMPARE(base.actors.size(), std::size_t{2});
    QCOMPARE(base.actors[0].program, base.actors[1].program);
    QCOMPARE(base.actors[0].start, instantAt(millis(200)));
    QCOMPARE(base.actors[0].requestLatency, millis(1));
    QCOMPARE(base.actors[1].requestLatency, millis(5));
    QCOMPARE(base.actors[1].replyLatency, millis(5));
    QCOMPARE(base.actors[1].clockOffset, millis(-250));
    QCOMPARE(base.lockKeyNames, std::vector<std::string>{"lock:job"});
    QVERIFY(base.resource.present && !base.resource.enforceFence);

    const Step& first = lesson->steps[0];
    QCOMPARE(first.title, "First");
    QCOMPARE(first.prose,
             "Prose of the first.\n\nMore prose.\n\n```lua\n-- an example that is shown and not run\n```\n");
    QCOMPARE(first.interventions.size(), std::size_t{1});
    QCOMPARE(first.interventions[0].length, seconds(2));
    QVERIFY(first.stepView);
    QCOMPARE(first.viewUntil, instantAt(seconds(10)));
    QCOMPARE(first.runUntil, instantAt(seconds(4)));
    QCOMPARE(first.predictions[0].gate, instantAt(seconds(3)));
    QVERIFY(!first.predictions[0].options[0].right && first.predictions[0].options[1].right);
    QCOMPARE(first.expectations[0].text, "owner @ 2s: Server A");
    QCOMPARE(first.notes, "Slowly.");
}

void LessonReading::panelsAddUpAndKnobsDoNot() {
    const Result<Lesson> lesson = parseLesson(kSample, "sample.md");
    QVERIFY(lesson.ok());
    QCOMPARE(lesson->steps[0].show, (std::vector{Panel::Lights, Panel::Key}));
    QCOMPARE(lesson->steps[1].show, (std::vector{Panel::Lights, Panel::Code}));

    const Result<Scenario> first = makeScenario(*lesson, lesson->steps[0]);
    const Result<Scenario> second = makeScenario(*lesson, lesson->steps[1]);
    QVERIFY(first.ok() && second.ok());
    QCOMPARE(std::get<Duration>(first->knobs[0].value), seconds(10));
    QCOMPARE(std::get<Duration>(second->knobs[0].value), seconds(5));
}

void LessonReading::theSameTextGivesTheSameLesson() {
    std::string windows(kSample);
    for (std::size_t at = 0; (at = windows.find('\n', at)) != std::string::npos; at += 2)
        windows.replace(at, 1, "\r\n");
    const Result<Lesson> plain = parseLesson(kSample, "sample.md");
    const Result<Lesson> other = parseLesson("\xEF\xBB\xBF" + windows, "sample.md");
    QVERIFY2(other.ok(), other.ok() ? "" : other.error().text().c_str());
    QCOMPARE(other->steps[0].prose, plain->steps[0].prose);
    QCOMPARE(other->steps[0].line, plain->steps[0].line);
    QCOMPARE(other->programs[0]->source, plain->programs[0]->source);
}

void LessonReading::linesAreThoseOfTheFile() {
    const Result<Lesson> lesson = parseLesson(kSample, "sample.md");
    const auto lineOf = [](std::string_view text) {
        return static_cast<int>(1 + std::count(kSample.begin(), kSample.begin() + kSample.find(text), '\n'));
    };
    QCOMPARE(lesson->steps[1].line, lineOf("## Second"));
    QCOMPARE(lesson->steps[0].expectations[0].line, lineOf("  - owner @ 2s"));
    QCOMPARE(lesson->programs[0]->firstLine, lineOf("local token"));
    QCOMPARE(lesson->knobs[2].line, lineOf("  - {name: tries"));
}

void LessonReading::aLiveRunGoesAtTheLessonsPace() {
    std::string text(kSample);
    const auto horizon = text.find("horizon: 20s");
    QVERIFY(horizon != std::string::npos);
    text.insert(horizon, "pace: 4\n");
    const auto range = text.find(", range: 1s..30s");
    QVERIFY(range != std::string::npos);
    text.insert(range, ", live: 1s");
    const Result<Lesson> lesson = parseLesson(text, "sample.md");
    QVERIFY2(lesson.ok(), lesson.ok() ? "" : lesson.error().text().c_str());
    const Step& first = lesson->steps[0];
    const Result<Scenario> written = makeScenario(*lesson, first);
    const Result<Scenario> live = makeLiveScenario(*lesson, first);
    QVERIFY(written.ok() && live.ok());
    QCOMPARE(live->horizon, instantAt(seconds(5)));
    QCOMPARE(live->actors[0].start, instantAt(millis(50)));
    QCOMPARE(live->actors[1].requestLatency, written->actors[1].requestLatency);
    QCOMPARE(live->interventions[0].length, written->interventions[0].length / 4);
    for (const KnobSetting& knob : live->knobs)
        QCOMPARE(formatKnobValue(knob.value),
                 formatKnobValue(liveValue(
                     *lesson, *lesson->knob(knob.name),
                     std::find_if(written->knobs.begin(), written->knobs.end(), [&](const KnobSetting& k) {
                         return k.name == knob.name;
                     })->value)));
    // One that names a live value keeps to it, and steps that change it keep its proportion.
    const Knob& ttl = *lesson->knob("ttl");
    QVERIFY(ttl.namesLive);
    QCOMPARE(liveValue(*lesson, ttl, ttl.initial), ttl.live);
    const auto twice = KnobValue{std::get<Duration>(ttl.initial) * 2};
    QCOMPARE(std::get<Duration>(liveValue(*lesson, ttl, twice)), std::get<Duration>(ttl.live) * 2);
}

/// What stands under `live` is in real time, of the lesson and, before that, of a step.
void LessonReading::aLiveRunCanBeOtherwise() {
    std::string text(kSample);
    const auto put = [&](std::string_view before, std::string_view what) {
        const auto at = text.find(before);
        QVERIFY(at != std::string::npos);
        text.insert(at, what);
    };
    put("seed: 7\n", "pace: 4\nlive: {latency: 40ms, actors: {Server B: {start: 130ms, latency: 90ms}}}\n");
    put("notes: Slowly.", "live:\n"
                          "  knobs: {ttl: 1700ms}\n"
                          "  actors: {Server A: {start: 70ms}}\n"
                          "  horizon: 3s\n"
                          "  faults: [kill Server A@900ms]\n"
                          "  expect:\n"
                          "    - owner @ 500ms: Server A\n");
    const Result<Lesson> lesson = parseLesson(text, "sample.md");
    QVERIFY2(lesson.ok(), lesson.ok() ? "" : lesson.error().text().c_str());
    const Result<Scenario> first = makeLiveScenario(*lesson, lesson->steps[0]);
    QVERIFY(first.ok());
    QCOMPARE(first->horizon, instantAt(seconds(3)));
    QCOMPARE(first->actors[0].start, instantAt(millis(70)));
    QCOMPARE(first->actors[0].requestLatency, millis(40));
    QCOMPARE(first->actors[1].start, instantAt(millis(130)));
    QCOMPARE(first->actors[1].replyLatency, millis(90));
    QCOMPARE(first->interventions.size(), std::size_t{1});
    QCOMPARE(first->interventions[0].kind, InterventionKind::Kill);
    QCOMPARE(first->interventions[0].at, instantAt(millis(900)));
    QCOMPARE(lesson->steps[0].live.expectations->at(0).text, "owner @ 500ms: Server A");
    for (const KnobSetting& knob : first->knobs)
        if (knob.name == "ttl") QCOMPARE(formatKnobValue(knob.value), "1.7s");
    // A run of this step that somebody has changed keeps what has not been.
    SettledRun run{0, 3, makeScenario(*lesson, lesson->steps[0])->knobs, lesson->steps[0].interventions, {}};
    const auto ttlOf = [](const Scenario& scenario) {
        const auto ttl = std::find_if(scenario.knobs.begin(), scenario.knobs.end(),
                                      [](const KnobSetting& knob) { return knob.name == "ttl"; });
        return formatKnobValue(ttl->value);
    };
    const Result<Scenario> asItIs = makeLiveScenario(*lesson, run);
    QVERIFY(asItIs.ok());
    QCOMPARE(ttlOf(*asItIs), "1.7s");
    QCOMPARE(asItIs->horizon, instantAt(seconds(3)));
    QCOMPARE(asItIs->interventions, first->interventions);
    QCOMPARE(asItIs->seed, std::uint64_t{3});
    const auto ttl = std::find_if(run.knobs.begin(), run.knobs.end(),
                                  [](const KnobSetting& knob) { return knob.name == "ttl"; });
    ttl->value = seconds(8);
    run.interventions = {{InterventionKind::Pause, "Server A", instantAt(seconds(4)), seconds(2)}};
    const Result<Scenario> changed = makeLiveScenario(*lesson, run);
    QVERIFY(changed.ok());
    QCOMPARE(ttlOf(*changed), "2s");
    QCOMPARE(changed->horizon, instantAt(seconds(5)));
    QCOMPARE(changed->interventions.size(), std::size_t{1});
    QCOMPARE(changed->interventions[0].at, instantAt(seconds(1)));
    QCOMPARE(changed->actors[0].start, instantAt(millis(70)));
    // Another step keeps to what the lesson says.
    const Result<Scenario> second = makeLiveScenario(*lesson, lesson->steps[1]);
    QVERIFY(second.ok());
    QCOMPARE(second->horizon, instantAt(seconds(5)));
    QCOMPARE(second->actors[0].start, instantAt(millis(50)));
    QCOMPARE(second->actors[1].requestLatency, millis(90));
}

void LessonReading::whatIsWrongIsSaid_data() {
    QTest::addColumn<std::string>("from");
    QTest::addColumn<std::string>("to");
    QTest::addColumn<std::string>("message");
    const auto row = [](const char* name, const char* from, const char* to, const char* message) {
        QTest::newRow(name) << std::string(from) << std::string(to) << std::string(message);
    };
    // The file
    row("no front matter", "---\nid: sample", "id: sample",
        "sample.md:1: a lesson begins with its front matter: a line '---', YAML, and another line '---'");
    row("no steps", "## First", "### First", "sample.md:41: a step block belongs under a '##' heading");
    row("step block with a name", "```step\nknobs", "```step one\nknobs",
        "sample.md:41: a step block takes no name ('one')");
    row("two step blocks", "More prose.", "```step\nnotes: x\n```",
        "sample.md:59: this step has a step block already, at line 41");
    row("program twice", "## First", "```lua worker\n```\n## First",
        "sample.md:37: there is already a program 'worker' at line 28");
    row("program never run", "## First", "```lua idle\n```\n## First",
        "sample.md:37: no actor runs the program 'idle'");
    row("fence not closed", "hide: [key]\nshow: [code]\n```", "hide: [key]\nshow: [code]\n",
        "sample.md:67: the step block that begins here has no closing fence");
    row("step without a title", "## Second", "##", "sample.md:65: a step needs a title after '##'");
    // In real time
    row("live of nobody", "notes: Slowly.", "live: {actors: {Server C: {start: 1s}}}",
        "sample.md:56: unknown key 'live.actors.Server C'; allowed: Server A, Server B");
    row("live fault after the end", "notes: Slowly.", "live: {faults: [kill Server A@25s]}",
        "sample.md:56: live: 'kill Server A@25s' lies after the end of the run; allowed: 0s to 20s");
    // YAML
    row("doubled key", "seed: 7", "seed: 7\nid: other", "sample.md:24: the key 'id' stands here twice");
    row("unknown key", "seed: 7", "sead: 7",
        "sample.md:23: unknown key 'sead'; allowed: id, number, title, goal, knobs, keys, lights, server, "
        "network, "
        "resource, actors, goals, horizon, pace, live, seed, matrix, odds");
    row("unknown key inside", "hz: 10", "herz: 10",
        "sample.md:14: unknown key 'server.herz'; allowed: profile, nodes, authority, hz, active-expiry, "
        "expire-at-once, maxmemory, maxmemory-policy, maxmemory-samples, persistence, save-every, loading, "
        "replicas, replica-lag, failover-after, min-replicas-to-write, min-replicas-max-lag");
    row("no profile", "active-expiry: true", "profile: 6.2",
        "sample.md:14: server.profile: '6.2' is not allowed; allowed: 7.0, 7.2, 8.4, valkey-8.1, valkey-9.0");
    row("no policy", "active-expiry: true", "maxmemory-policy: lru",
        "sample.md:14: server.maxmemory-policy: 'lru' is not allowed; allowed: volatile-lru, volatile-lfu, "
        "volatile-random, volatile-ttl, allkeys-lru, allkeys-lfu, allkeys-random, noeviction");
    row("no such switch", "active-expiry: true", "expire-at-once: maybe",
        "sample.md:14: server.expire-at-once: 'maybe' is not allowed; allowed: true, false; of a knob also "
        "at "
        "once, as Redis does");
    row("no size", "active-expiry: true", "maxmemory: much",
        "sample.md:14: server.maxmemory: 'much' is not allowed; allowed: a size like 20mb, or none");
    row("knob of other choices", "active-expiry: true", "maxmemory-policy: $release",
        "sample.md:14: server.maxmemory-policy: 'DEL' is not allowed; allowed: volatile-lru, volatile-lfu, "
        "volatile-random, volatile-ttl, allkeys-lru, allkeys-lfu, allkeys-random, noeviction");
    row("knob of no choices", "active-expiry: true", "maxmemory: $ttl",
        "sample.md:14: server.maxmemory: '$ttl' is no choice knob of this lesson; allowed: $release, $check");
    row("no authority", "active-expiry: true", "authority: quorum",
        "sample.md:14: server.authority: 'quorum' is not allowed; allowed: node, majority");
    row("majority of seats",
        "holders: 1, patience: 2s, overtakes: 3}\nlights: [belief-overlap, "
        "unprotected-work]\nserver: {nodes: 1",
        "holders: 2, patience: 2s, overtakes: 3}\nlights: [belief-overlap, "
        "unprotected-work]\nserver: {nodes: 3, authority: majority",
        "sample.md:14: server.authority: most nodes have no say over a key of several holders");
    row("odds of no knob", "seed: 7", "seed: 7\nodds: {knob: tries, values: [3]}",
        "sample.md:24: odds.knob: 'tries' is no duration knob of this lesson");
    row("odds out of range", "seed: 7", "seed: 7\nodds: {knob: ttl, values: [2s, 40s]}",
        "sample.md:24: odds.values: knob ttl: '40s' is not allowed; allowed: 1s to 30s");
    row("owner on no server", "owner @ 2s", "owner on Redis 2 @ 2s",
        "sample.md:55: expect: there is no server 'Redis 2'; allowed: Redis");
    row("missing key", "goal: Stand still for a test.\n", "", "sample.md:2: the key 'goal' is missing");
    row("anchor", "seed: 7", "seed: &x 7",
        "sample.md:23: anchors (&name) are not allowed: write the value out");
    row("tag", "seed: 7", "seed: !!int 7", "sample.md:23: the tag 'tag:yaml.org,2002:int' is not allowed");
    row("map for a scalar", "seed: 7", "seed: {a: 7}",
        "sample.md:23: seed: a single value belongs here, not a map");
    row("scalar for a map", "{nodes: 1, hz: 10, active-expiry: true}", "fast",
        "sample.md:14: server: a map with the keys profile, nodes, authority, hz, active-expiry, "
        "expire-at-once, "
        "maxmemory, maxmemory-policy, maxmemory-samples, persistence, save-every, loading, replicas, "
        "replica-lag, failover-after, min-replicas-to-write, min-replicas-max-lag belongs here, not a single "
        "value");
    row("second document", "seed: 7", "seed: 7\n...\nid: 2",
        "sample.md:25: a second YAML document begins here: one block holds one");
    // Front matter
    row("id", "id: sample", "id: A sample",
        "sample.md:2: id: 'A sample' is not allowed: small letters, digits and '-', 40 at most");
    row("number", "seed: 7", "seed: 7\nnumber: -1",
        "sample.md:24: number: '-1' is not allowed; allowed: whole numbers from 0 to 999");
    row("horizon without a unit", "horizon: 20s", "horizon: 20",
        "sample.md:22: horizon: '20' is not a duration: write 30s, 250ms, 1m30s or 1.5s");
    row("horizon too long", "horizon: 20s", "horizon: 25h",
        "sample.md:22: horizon: 25h is out of range; allowed: 1ms to 24h");
    row("knob without a range", "default: 5s, range: 1s..30s", "default: 5s",
        "sample.md:6: the key 'knobs.range' is missing");
    row("knob out of range", "default: 5s, range: 1s..30s", "default: 50s, range: 1s..30s",
        "sample.md:6: knobs.default: knob ttl: '50s' is not allowed; allowed: 1s to 30s");
    row("knob of mixed kinds", "default: 5s, range: 1s..30s", "default: 5s, range: 1..30s",
        "sample.md:6: knobs.range: '1' is not a duration: write 30s, 250ms, 1m30s or 1.5s");
    row("knob falls", "default: 5s, range: 1s..30s", "default: 5s, range: 30s..1s",
        "sample.md:6: knobs.range: '30s..1s' does not rise");
    row("knob too fine", "default: 5s, range: 1s..30s", "default: 5.0001s, range: 1s..30s",
        "sample.md:6: knobs.default: knob ttl: '5.0001s' is finer than a millisecond; allowed: 1s to 30s");
    row("choice that is none", "default: DEL", "default: UNLINK",
        "sample.md:9: knobs.default: knob release: 'UNLINK' is not allowed; allowed: DEL, "
        "compare-and-delete");
    row("knob that is a Lua word", "{name: tries", "{name: repeat",
        "sample.md:8: knobs.name: 'repeat' cannot name a Lua variable: write letters, digits and _, and no "
        "word of the language");
    row("knob with a taken name", "{name: tries", "{name: lock",
        "sample.md:8: knobs.name: 'lock' means something else in programs; taken: actor, lock, knobs, redis, "
        "storage, _G");
    row("knob twice", "{name: trip", "{name: ttl", "sample.md:7: knobs: there is already a knob 'ttl'");
    row("light", "lights: [belief-overlap", "lights: [overlap",
        "sample.md:13: lights: 'overlap' is no invariant; allowed: stale-write, foreign-delete, "
        "foreign-extend, "
        "belief-overlap, stuck-lock, unprotected-work, starvation");
    row("bound to no knob", "latency: $trip", "latency: $trap",
        "sample.md:15: network.latency: '$trap' is no duration knob of this lesson; allowed: $ttl, $trip");
    row("bound to a knob of another kind", "latency: $trip", "latency: $tries",
        "sample.md:15: network.latency: '$tries' is no duration knob of this lesson; allowed: $ttl, $trip");
    row("fence", "{knob: check, enforced: the resource}", "sometimes",
        "sample.md:16: resource.fence: 'sometimes' is not allowed; allowed: enforced, ignored, $KNOB, {knob: "
        "KNOB, enforced: CHOICE}");
    row("fence choice", "enforced: the resource}", "enforced: somebody}",
        "sample.md:16: resource.fence: 'somebody' is no choice of the knob check; allowed: nobody, the "
        "resource");
    row("latency twice", "latency: 5ms", "latency: 5ms, reply: 3ms",
        "sample.md:19: actors.reply: 'latency' covers both ways already");
    row("actor twice", "name: Server B", "name: Server A",
        "sample.md:19: actors: there is already an actor 'Server A'");
    row("actor with a mark", "name: Server B", "name: B@home",
        "sample.md:19: actors.name: 'B@home' is not allowed: no @ + , = or quotes, and not 'nobody' or "
        "'You'");
    row("program missing", "program: worker, start: 1s", "program: walker, start: 1s",
        "sample.md:19: actors.program: the file has no ```lua walker block; it has: worker");
    row("goal counts nothing", "work: Job, wanted: 1", "wanted: 1",
        "sample.md:21: goals: exactly one of 'work' and 'write' says what is counted");
    // Steps
    row("step knob", "knobs: {ttl: 10s}", "knobs: {tll: 10s}",
        "sample.md:42: unknown key 'knobs.tll'; allowed: ttl, trip, tries, release, check");
    row("step knob out of range", "knobs: {ttl: 10s}", "knobs: {ttl: 1h}",
        "sample.md:42: knob ttl: '1h' is not allowed; allowed: 1s to 30s");
    row("fault on nobody", "pause Server A@1s", "pause Server C@1s",
        "sample.md:43: faults: lesson sample has no actor 'Server C'; allowed: Server A, Server B");
    row("fault after the end", "pause Server A@1s", "pause Server A@21s",
        "sample.md:43: faults: 'pause Server A@21s+2s' lies after the end of the run; allowed: 0s to 20s");
    row("panel", "show: [lights", "show: [lamps",
        "sample.md:44: show: there is no panel 'lamps'; allowed: lights, key, code, events, knobs, strip, "
        "ttl, resource, arrows, matrix, odds");
    row("view", "view: step 0s..10s", "view: wide",
        "sample.md:45: view: 'wide' is not allowed; allowed: true, step, 0s..60s, step 29s..32s");
    row("until", "until: 4s", "until: the end of time",
        "sample.md:46: until: 'the end of time' is not allowed; allowed: a time like 31.5s, end, an "
        "invariant, first grant "
        "of ACTOR, lease end of ACTOR");
    row("until never comes", "until: 4s", "until: foreign-delete",
        "sample.md:46: until: 'foreign-delete' does not happen in this step");
    row("no right answer", "right: true", "right: false",
        "sample.md:48: predict.options: exactly one has 'right: true', here 0");
    row("one option", "    - {text: This, because: No.}\n", "",
        "sample.md:48: predict.options: 2 to 6 options, here are 1");
    row("gate after the end", "gate: 3s", "gate: 30s",
        "sample.md:49: predict.gate: 30s is out of range; allowed: 0s to 20s");
    // Expectations
    const char* const expect = "  - owner @ 2s: Server A";
    row("expectation of nothing known", expect, "  - holder @ 2s: Server A",
        "sample.md:55: expect: unknown expectation 'holder @ 2s'; allowed: violations, never, count, made, "
        "refused, owner @ "
        "TIME, claims @ TIME, works @ TIME, ttl @ TIME, key @ TIME, load @ TIME, outcome, ACTOR executes "
        "COMMAND, ACTOR "
        "writes NAME, "
        "ACTOR fails");
    row("expectation without a time", expect, "  - owner: Server A",
        "sample.md:55: expect: 'owner' needs a time: owner @ 31.5s");
    row("expectation of a stranger", expect, "  - owner @ 2s: Server C",
        "sample.md:55: expect: there is no actor 'Server C'; allowed: Server A, Server B");
    row("expectation of no invariant", expect, "  - never: overlap",
        "sample.md:55: expect: there is no invariant 'overlap'; allowed: stale-write, foreign-delete, "
        "foreign-extend, "
        "belief-overlap, stuck-lock, unprotected-work, starvation");
    row("expectation of no goal", expect, "  - made: Jobs = 1",
        "sample.md:55: expect: there is no goal 'Jobs'; allowed: Job");
    row("count without a number", expect, "  - count: belief-overlap",
        "sample.md:55: expect: count: 'belief-overlap': write NAME = NUMBER, with =, >= or <=");
    row("an act with no verb", expect, "  - Server A sends DEL",
        "sample.md:55: expect: 'sends' is no verb; allowed: executes, writes, fails");
    row("an episode of nobody", expect, "  - violations: [belief-overlap @ 3s]",
        "sample.md:55: expect: 'belief-overlap @ 3s': write INVARIANT ACTOR [+ ACTOR] [on KEY] [@ TIME [± "
        "D]]");
    row("a tolerance that is none", expect, "  - Server A executes DEL @ 3s ± soon",
        "sample.md:55: expect: 'soon' is not a duration: write 30s, 250ms, 1m30s or 1.5s");
    row("two in one", expect, "  - {owner @ 2s: Server A, never: foreign-delete}",
        "sample.md:55: expect: one expectation is one line; allowed: violations, never, count, made, "
        "refused, owner @ TIME, "
        "claims @ TIME, works @ TIME, ttl @ TIME, key @ TIME, load @ TIME, outcome, ACTOR executes COMMAND, "
        "ACTOR writes "
        "NAME, ACTOR fails");
}

void LessonReading::whatIsWrongIsSaid() {
    QFETCH(std::string, from);
    QFETCH(std::string, to);
    QFETCH(std::string, message);
    const Result<Lesson> lesson = parseLesson(sampleWith(from, to), "sample.md");
    QVERIFY(!lesson.ok());
    QCOMPARE(QString::fromStdString(lesson.error().text()), QString::fromStdString(message));
}

void LessonReading::hostileFilesEndInOneLine_data() {
    QTest::addColumn<std::string>("text");
    QTest::addColumn<std::string>("message"); // how it begins
    const auto row = [](const char* name, std::string text, const char* message) {
        QTest::newRow(name) << std::move(text) << std::string(message);
    };
    const auto repeated = [](std::string_view piece, std::size_t times) {
        std::string out;
        for (std::size_t i = 0; i < times; ++i)
            out += piece;
        return out;
    };
    row("nothing", "", "x.md:1: a lesson begins with its front matter");
    row("front matter alone", "---\n", "x.md:1: the front matter that begins here has no closing line");
    row("empty front matter", "---\n---\n", "x.md:2: this block: a map with the keys");
    row("NUL", sampleWith("An intro", std::string_view("An\0intro", 8)),
        "x.md:26: a control character (byte 0x00)");
    row("terminal escapes", sampleWith("An intro", "\x1b[2J"), "x.md:26: a control character (byte 0x1b)");
    row("Latin-1", sampleWith("An intro", "Caf\xE9"), "x.md:26: this is not UTF-8 (byte 0xe9)");
    row("overlong UTF-8", sampleWith("An intro", "\xC0\xAF"), "x.md:26: this is not UTF-8 (byte 0xc0)");
    row("UTF-16", std::string("\xFF\xFEi\0d\0", 6), "x.md:1: this is not UTF-8");
    row("two megabytes", std::string(2 * 1024 * 1024, 'x'),
        "x.md: a lesson file may have 1048576 bytes at most");
    row("large front matter", "---\n# " + std::string(70'000, 'x') + "\n---\n",
        "x.md:1: the front matter may have 65536 bytes");
    row("deep lists", "---\nid: " + repeated("[", 30'000) + "\n---\n", "x.md:2: ");
    row("deep maps", "---\n" + repeated("{a: ", 10'000) + "\n---\n", "x.md:2: ");
    row("deep blocks", "---\n" + repeated("- ", 20'000) + "\n---\n", "x.md:2: ");
    row("many values", "---\nid: [" + repeated("a,", 30'000) + "]\n---\n", "x.md:2: more than 10000 values");
    row("alias bomb", "---\na: &a [x]\nb: [*a, *a]\n---\n", "x.md:2: anchors (&name) are not allowed");
    row("merge", "---\n<<: *a\n---\n", "x.md:2: ");
    row("quotes that do not close", "---\nid: \"" + std::string(60'000, 'y') + "\n---\n", "x.md:");
    row("tabs", "---\nknobs:\n\t- x\n---\n", "x.md:3: this is not valid YAML");
    row("deep Markdown", std::string("---\nid: a\n---\n") + repeated("> ", 100'000),
        "x.md:2: the key 'title' is missing");
    row("many brackets", std::string("---\nid: a\n---\n") + repeated("[](", 100'000),
        "x.md:2: the key 'title' is missing");
    row("newlines in a quoted key", sampleWith("seed: 7", "\"a\\nb\": 7"), "x.md:23: unknown key 'a b'");
    row("a key of a megabyte", sampleWith("seed: 7", "? " + std::string(50'000, 'k') + "\n: 7"),
        "x.md:23: unknown key 'kkkk");
    row("no such program language", sampleWith("```lua worker", "```js worker"),
        "x.md:18: actors.program: the file has no ```lua worker block");
    row("program that is no Lua", sampleWith("enter(lock)", "enter(lock"), "x.md:3");
    row("bytecode", sampleWith("enter(lock)", "loadstring = 1 = 2"), "x.md:3");
}

void LessonReading::hostileFilesEndInOneLine() {
    QFETCH(std::string, text);
    QFETCH(std::string, message);
    QElapsedTimer clock;
    clock.start();
    const Result<Lesson> lesson = parseLesson(text, "x.md");
    QVERIFY(!lesson.ok());
    const std::string found = lesson.error().text();
    QVERIFY2(found.starts_with(message), found.c_str());
    QCOMPARE(found.find('\n'), std::string::npos);
    QVERIFY(found.size() < 1000);
    QVERIFY2(clock.elapsed() < 5000, "it took too long to refuse this file");
}

void LessonReading::cutAnywhereItStillAnswers() {
    for (std::size_t length = 0; length < kSample.size(); length += 7) {
        const Result<Lesson> lesson = parseLesson(kSample.substr(0, length), "x.md");
        if (!lesson) QVERIFY2(lesson.error().line > 0, lesson.error().text().c_str());
    }
}

/// Bytes changed, lines dropped, doubled and swapped, at random but the same each time.
void LessonReading::changedAnywhereItStillAnswers() {
    const int rounds = !qEnvironmentVariableIsEmpty("LOCKSCOPE_LONG") ? 100'000 : 1500;
    Random random(4);
    const auto lineAt = [](const std::string& text, std::size_t at) {
        const std::size_t from = text.rfind('\n', at);
        const std::size_t to = text.find('\n', at + 1);
        return std::pair(from == std::string::npos ? 0 : from, to == std::string::npos ? text.size() : to);
    };
    for (int round = 0; round < rounds; ++round) {
        std::string text(kSample);
        for (std::uint64_t change = 0; change <= random.below(4) && !text.empty(); ++change) {
            const std::size_t at = random.below(text.size());
            const auto [from, to] = lineAt(text, at);
            const std::string line = text.substr(from, to - from);
            switch (random.below(5)) {
            case 0:
                text[at] = static_cast<char>(random.below(256));
                break;
            case 1:
                text[at] = "[]{}:,-&*!|>'\"%@`#~ \n$.+=<"[random.below(27)];
                break;
            case 2:
                text.erase(from, to - from);
                break;
            case 3:
                text.insert(from, line);
                break;
            case 4:
                text.insert(random.below(text.size()), line);
                break;
            }
        }
        const Result<Lesson> lesson = parseLesson(text, "x.md");
        if (lesson)
            QVERIFY(!lesson->steps.empty());
        else
            QVERIFY2(lesson.error().line > 0 && lesson.error().text().find('\n') == std::string::npos,
                     lesson.error().text().c_str());
    }
}

void LessonReading::filesThatAreNone() {
    QTemporaryDir folder;
    const auto path = [&](const char* name) {
        return folder.filePath(QString::fromLatin1(name)).toStdString();
    };
    QCOMPARE(readLesson(path("gone.md")).error().text(), path("gone.md") + ": there is no such file");
    QCOMPARE(readLesson(folder.path().toStdString()).error().text(),
             folder.path().toStdString() + ": this is not a file that can be read");
    QCOMPARE(readLesson("/dev/zero").error().text(), "/dev/zero: this is not a file that can be read");

    QFile sample(folder.filePath("sample.md"));
    QVERIFY(sample.open(QIODevice::WriteOnly));
    sample.write(kSample.data(), static_cast<qint64>(kSample.size()));
    sample.close();
    QVERIFY(QFile::copy(sample.fileName(), folder.filePath("twin.md")));
    QFile broken(folder.filePath("broken.md"));
    QVERIFY(broken.open(QIODevice::WriteOnly));
    broken.write("nothing");
    broken.close();
    const LessonShelf shelf = readLessonFolder(folder.path().toStdString());
    QCOMPARE(shelf.lessons.size(), std::size_t{1});
    QCOMPARE(shelf.broken.size(), std::size_t{2});
    QVERIFY(shelf.broken[1].message.starts_with("the id 'sample' is taken by "));
}

QTEST_GUILESS_MAIN(LessonReading)
#include "lesson_reading_test.moc"
