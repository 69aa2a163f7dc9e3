// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include "app/commands/commands.h"
#include "app/console.h"
#include "app/lesson_library.h"

namespace lockscope::app {

int checkCommand(const CheckOptions& options) {
    if (options.redis != "simulated")
        return complain(
            fmt::format("lockscope check: --redis '{}': lessons are checked simulated; allowed: simulated",
                        options.redis));

    LessonShelf shelf;
    if (options.lessons.empty()) {
        const Result<std::string> folder = lessonFolder();
        if (!folder) return complain(folder.error().text());
        shelf = readLessonFolder(*folder);
    }
    for (const std::string& name : options.lessons) {
        Result<Lesson> lesson = findLesson(name);
        if (!lesson) return complain("lockscope check: " + lesson.error().text());
        shelf.lessons.push_back(std::move(*lesson));
    }

    std::string out;
    std::size_t tried = 0;
    std::size_t failed = 0;
    for (const Error& broken : shelf.broken)
        out += broken.text() + "\n";
    for (const Lesson& lesson : shelf.lessons) {
        for (const CheckFinding& finding : checkLesson(lesson)) {
            ++tried;
            if (finding.holds) continue;
            ++failed;
            out += fmt::format("{}:{}: step \"{}\": expected {}, found {}\n", finding.file, finding.line,
                               finding.step, finding.expectation, finding.instead);
        }
    }
    const auto counted = [](std::size_t n, std::string_view noun) {
        return fmt::format("{} {}{}", n, noun, n == 1 ? "" : "s");
    };
    out += fmt::format("{}, {}: {}", counted(shelf.lessons.size(), "lesson"), counted(tried, "expectation"),
                       failed == 0 ? "all hold" : fmt::format("{} failed", failed));
    if (!shelf.broken.empty())
        out += fmt::format("; {} could not be read", counted(shelf.broken.size(), "file"));
    const int printed = print(out + "\n");
    return failed == 0 && shelf.broken.empty() ? printed : kFailed;
}

} // namespace lockscope::app
