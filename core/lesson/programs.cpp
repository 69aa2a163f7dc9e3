// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lesson/programs.h"

#include <algorithm>

#include "core/base/assert.h"

namespace lockscope {

std::shared_ptr<const Program> programNamed(const Programs& programs, std::string_view name) {
    for (const auto& program : programs)
        if (program->name == name) return program;
    return nullptr;
}

std::shared_ptr<const Program> programNamed(const Lesson& lesson, std::string_view name) {
    return programNamed(lesson.programs, name);
}

std::shared_ptr<const Program> programOf(const Lesson& lesson, const Step& step, std::string_view name) {
    if (auto own = programNamed(step.programs, name)) return own;
    return programNamed(lesson, name);
}

Programs withText(const Lesson& lesson, const Step& step, Programs programs, const std::string& name,
                  const std::string& source) {
    const auto original = programNamed(lesson, name);
    LOCKSCOPE_ASSERT(original != nullptr);
    std::erase_if(programs, [&](const auto& each) { return each->name == name; });
    if (source == original->source) return programs;
    const auto begun = programOf(lesson, step, name);
    // Without a file: what goes wrong in it is not to be looked for in the lesson's.
    programs.push_back(source == begun->source
                           ? begun
                           : std::make_shared<const Program>(Program{name, source, {}, begun->firstLine}));
    const auto place = [&](const std::shared_ptr<const Program>& program) {
        return std::find_if(lesson.programs.begin(), lesson.programs.end(),
                            [&](const auto& each) { return each->name == program->name; });
    };
    std::sort(programs.begin(), programs.end(),
              [&](const auto& a, const auto& b) { return place(a) < place(b); });
    return programs;
}

bool samePrograms(const Programs& a, const Programs& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& x, const auto& y) {
        return x == y || (x->name == y->name && x->source == y->source);
    });
}

Programs doingNothing(const Challenge& challenge) {
    Programs idle;
    for (const auto& program : challenge.solution)
        idle.push_back(std::make_shared<const Program>(Program{program->name, "-- nothing\n", {}, 1}));
    return idle;
}

} // namespace lockscope
