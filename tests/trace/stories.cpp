// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/trace/stories.h"

namespace lockscope::test {

Trace expiryStory() {
    TraceBuilder t;
    t.lock("lock:report").goal("Report", "Report");
    const auto a = t.process("Server A", 200ms);
    const auto b = t.process("Server B", 1s);
    t.ask(a, 200ms, 30s);
    t.enter(a, 202ms);
    t.work(a, 202ms, 60202ms);
    t.leave(a, 60202ms);
    t.release(a, 60202ms);
    t.end(a, 60204ms);
    for (Duration at = 1s; at < 31s; at += 1s)
        t.ask(b, at, 30s);
    t.collect(30260ms);
    t.ask(b, 31s, 30s);
    t.enter(b, 31002ms);
    t.work(b, 31002ms, 51002ms);
    t.leave(b, 51002ms);
    t.release(b, 51002ms);
    t.end(b, 51004ms);
    return t.build(65s);
}

Trace mixedStory() {
    TraceBuilder t;
    t.lock("jobs").resource(true).goal("Job", "Job", 2);
    const auto a = t.process("Alpha");
    const auto b = t.process("Beta", 500ms);
    const auto renewer = t.task(a, TaskKind::Every, 2ms, 1s);
    t.ask(a, 0ms, 3s);
    t.enter(a, 2ms, 3s, 1);
    t.work(a, 2ms, 9500ms, "Job");
    t.compute(renewer, 1s, 1400ms, "Digest");
    for (Duration at = 1500ms; at < 4s; at += 1s)
        t.renew(renewer, at, 3s);
    t.write(a, 2s, "job", 1);
    t.pause(a, 4s, 8s);
    for (Duration at = 500ms; at < 6500ms; at += 500ms)
        t.ask(b, at, 3s);
    t.ask(b, 6600ms, 3s, {.timeout = 200ms, .replyLost = true});
    t.release(b, 7s);
    t.ask(b, 7100ms, 3s);
    t.enter(b, 7102ms, {}, 3);
    t.work(b, 7102ms, 8500ms, "Job");
    t.write(b, 7500ms, "job", 3);
    t.reject(a, 8200ms, 1, 3);
    t.leave(b, 8500ms);
    t.release(b, 8500ms);
    t.kill(a, 9s);
    const auto again = t.restart(a, 10s);
    t.holds(again, 10s, 3s, 1500ms);
    t.end(again, 11504ms);
    t.collect(6550ms);
    return t.build(12s);
}

} // namespace lockscope::test
