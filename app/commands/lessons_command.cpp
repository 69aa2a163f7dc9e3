// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include <fmt/format.h>

#include "app/commands/commands.h"
#include "app/console.h"
#include "app/lesson_library.h"

namespace lockscope::app {

int lessonsCommand() {
    const Result<std::string> folder = lessonFolder();
    if (!folder) return complain(folder.error().text());
    const LessonShelf shelf = readLessonFolder(*folder);
    std::size_t widest = 0;
    for (const Lesson& lesson : shelf.lessons)
        widest = std::max(widest, lesson.id.size());
    std::string out;
    for (const Lesson& lesson : shelf.lessons)
        out += fmt::format("{:<{}}  {}\n", lesson.id, widest, lesson.title);
    int code = print(out);
    for (const Error& broken : shelf.broken)
        code = complain(broken.text(), kFailed);
    return code;
}

} // namespace lockscope::app
