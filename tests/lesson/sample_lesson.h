// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

/// A small lesson that is right. Tests break one thing in it at a time.
inline constexpr std::string_view kSample = R"(---
id: sample
title: A sample
goal: Stand still for a test.
knobs:
  - {name: ttl, default: 5s, range: 1s..30s}
  - {name: trip, default: 1ms, range: 0s..100ms}
  - {name: tries, default: 3, range: 1..10}
  - {name: release, default: DEL, choices: [DEL, compare-and-delete]}
  - {name: check, default: nobody, choices: [nobody, the resource]}
keys:
  - {name: lock:job, holders: 1, patience: 2s, overtakes: 3}
lights: [belief-overlap, unprotected-work]
server: {nodes: 1, hz: 10, active-expiry: true}
network: {latency: $trip, client-timeout: 0}
resource: {name: Store, fence: {knob: check, enforced: the resource}}
actors:
  - {name: Server A, program: worker, start: 200ms}
  - {name: Server B, program: worker, start: 1s, latency: 5ms, clock: -250ms}
goals:
  - {label: Job, work: Job, wanted: 1}
horizon: 20s
seed: 7
---
# A sample
An introduction.

```lua worker
local token = uuid()
if not redis.call("SET", lock, token, "NX", "PX", ttl) then return end
enter(lock)
work("Job", 3000)
leave(lock)
redis.call("DEL", lock)
```

## First

Prose of the first.

```step
knobs: {ttl: 10s}
faults: [pause Server A@1s+2s]
show: [lights, key]
view: step 0s..10s
until: 4s
predict:
  question: What then?
  gate: 3s
  options:
    - {text: This, because: No.}
    - {text: That, right: true}
  explain: Because.
expect:
  - owner @ 2s: Server A
notes: Slowly.
```

More prose.

```lua
-- an example that is shown and not run
```

## Second

```step
hide: [key]
show: [code]
```
)";

/// The sample with `from` replaced by `to`. `from` must stand in it.
inline std::string sampleWith(std::string_view from, std::string_view to) {
    std::string text(kSample);
    const std::size_t at = text.find(from);
    if (at == std::string::npos) throw std::logic_error("not in the sample: " + std::string(from));
    return text.replace(at, from.size(), to);
}
