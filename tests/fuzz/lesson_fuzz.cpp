// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Lesson files: whatever the bytes are, reading them ends in a lesson whose every step makes a scenario, or
// in errors that name a place.
#include <string_view>

#include "core/lesson/lesson.h"
#include "tests/fuzz/must.h"

using namespace lockscope;

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const Result<Lesson> lesson = parseLesson(text, "x.md");
    if (!lesson) {
        must(!lesson.error().text().empty(), "an error says something");
        return 0;
    }
    must(!lesson->steps.empty(), "a lesson has a step");
    for (const Step& step : lesson->steps) {
        must(makeScenario(*lesson, step).ok(), "a step that was read makes a scenario");
        must(makeLiveScenario(*lesson, step).ok() || !step.notLive.empty(), "and one in real time");
    }
    return 0;
}
