// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "app/commands/commands.h"
#include "app/console.h"

namespace lockscope::app {

namespace {

/// It passes `lockscope check` as it is; a test sees to that.
constexpr std::string_view kTemplate = R"lesson(---
# A lesson is one Markdown file: this front matter, the programs, and a step under each '##'.
# lessons/README.md describes every key. While you write:
#   lockscope open @FILE@      the window; it follows whenever you save
#   lockscope check @FILE@     proves everything that stands under an 'expect'
id: @ID@
title: Give your lesson a title
goal: Say in one line what somebody can do or know afterwards.

# What the learner can turn. Programs get each as a global; durations in whole milliseconds.
knobs:
  - name: ttl
    label: Lease (TTL)
    help: How long Redis keeps the lock unless somebody renews it.
    default: 10s
    range: 2s..60s
  - name: length
    label: Work
    help: How long each server needs.
    default: 6s
    range: 1s..30s

# The keys that are locks. The first one is the global 'lock'.
keys:
  - name: lock:job
    patience: 2s        # twice the time between two asks

# The invariants that the lesson is about; their lights stand under the timeline.
lights: [foreign-delete, belief-overlap, unprotected-work]

network:
  latency: 1ms          # one way

actors:
  - {name: Server A, program: server, start: 200ms}
  - {name: Server B, program: server, start: 500ms}

# What is to get done, for the line under the lights and for challenges.
goals:
  - {label: Job, work: Job, wanted: 2}

horizon: 40s
---

# Give your lesson a title

Begin with a situation that your readers know. This text is shown with the first step. Below stands the program: what
they read is exactly what runs, so keep it short.

```lua server
-- Both servers run this.
local token = uuid()

local function ask()
  return redis.call("SET", lock, token,
                    "NX", "PX", ttl)
end
if not ask() then wait(every(1000, ask)) end

enter(lock)                   -- acts as the holder
work("Job", length)
leave(lock)                   -- before the release

redis.call("DEL", lock)
```

## On a good day

A step says what to look at. Open healthy, and ask before you show.

```step
show: [lights, key]
until: 6s
predict:
  question: Server A is done at 6.2 s and sends its DEL. Who holds the lock at 7 s?
  gate: 6100ms          # what lies after it is veiled until the answer
  options:
    - text: Server A
      because: It has just released it.
    - text: Server B
      right: true
      because: It asks once a second, and the key is gone.
  explain: Say why, in a sentence or two. "You may think …, but …" is a good beginning.
# Each claim of the text belongs here; 'lockscope check' proves it.
expect:
  - violations: none
  - owner @ 7s: Server B
  - made: Job = 2
notes: What to say when you show this to a room. Shift+N shows it in the window.
```

## Somebody is late

Now something goes wrong. A step can set knobs, and do something to the servers.

```step
faults:
  - pause Server A@3s+10s
until: 12s
expect:
  - count: foreign-delete = 1
  - works @ 14s: Server A + Server B
notes: Let the room name what will break before you play it.
```

## Challenge: mend it

Let them mend it. The search then tries to break what they have written.

```lua server solution
-- Both servers run this.
local token = uuid()

local function ask()
  return redis.call("SET", lock, token,
                    "NX", "PX", ttl)
end
if not ask() then wait(every(1000, ask)) end

enter(lock)
work("Job", length)
leave(lock)

redis.call("EVAL", [[
  if redis.call("GET", KEYS[1]) == ARGV[1] then
    return redis.call("DEL", KEYS[1])
  end
  return 0
]], 1, lock, token)
```

```step
show: [code]
challenge:
  never: foreign-delete # must not come about, whatever fault or pair of faults is tried
  done: 2               # so many servers get their work done if nothing interferes
  despite: 1            # and so many at the least whatever single fault comes
hints:
  - A nudge in the right direction.
  - Nearly all of it. After the last hint the window offers the solution above.
expect:
  - violations: none
notes: How long to give them, and what the wrong attempts teach.
```
)lesson";

std::string filled(std::string_view id, std::string_view file) {
    std::string out(kTemplate);
    const auto put = [&out](std::string_view mark, std::string_view text) {
        for (std::size_t at = out.find(mark); at != std::string::npos; at = out.find(mark, at + text.size()))
            out.replace(at, mark.size(), text);
    };
    put("@ID@", id);
    put("@FILE@", file);
    return out;
}

bool isId(std::string_view text) {
    return !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) {
        return std::islower(c) != 0 || std::isdigit(c) != 0 || c == '-';
    });
}

} // namespace

int newCommand(const std::string& nameOrFile) {
    const bool isFile = nameOrFile.find('/') != std::string::npos || nameOrFile.ends_with(".md");
    const std::string path = isFile ? nameOrFile : nameOrFile + ".md";
    const std::filesystem::path file(path);
    const std::string id = file.stem().string();
    if (!isId(id) || file.extension() != ".md")
        return complain(fmt::format("lockscope new: '{}': allowed: a name of small letters, digits and '-', "
                                    "or the path of a file that is called so and ends in .md",
                                    nameOrFile));
    // "x": what is there already is never overwritten, whoever put it there a moment ago.
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> out(std::fopen(path.c_str(), "wx"), &std::fclose);
    if (!out)
        return complain(errno == EEXIST
                            ? fmt::format("lockscope new: {} is there already, and stays as it is", path)
                            : fmt::format("lockscope new: {}: {}", path, std::strerror(errno)),
                        kFailed);
    const std::string text = filled(id, path);
    if (std::fwrite(text.data(), 1, text.size(), out.get()) != text.size() || std::fflush(out.get()) != 0)
        return complain(fmt::format("lockscope new: {}: {}", path, std::strerror(errno)), kFailed);
    return print(fmt::format("{}\n", path));
}

} // namespace lockscope::app
