// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <filesystem>

#include <fmt/format.h>

#include "core/base/whole_file.h"
#include "core/lesson/fields.h"
#include "core/lesson/front_matter.h"
#include "core/lesson/lesson.h"
#include "core/lesson/lesson_text.h"
#include "core/lesson/programs.h"
#include "core/lesson/step_block.h"
#include "core/redis/sha1.h"
#include "core/world/program_runtime.h"

namespace lockscope {

namespace {

namespace fs = std::filesystem;

/// What is wrong with a scenario's program points to the lesson file already; anything else to `line`.
Error placed(Error error, const std::string& file, int line) {
    if (error.file.empty()) error.file = file;
    if (error.line == 0) error.line = line;
    return error;
}

/// `until: belief-overlap` is a time only once the step has been run.
void settleMoment(const Lesson& lesson, StepReading& reading, Runner& runner, Problems& problems) {
    const Result<Scenario> scenario = makeScenario(lesson, reading.step);
    if (!scenario) return problems.add(placed(scenario.error(), lesson.file, reading.step.line));
    JudgedRun run;
    if (const Result<void> ran = runner.run(*scenario, run); !ran)
        return problems.add(placed(ran.error(), lesson.file, reading.step.line));
    if (const std::optional<Instant> at = findMoment(reading.untilEvent, run))
        reading.step.runUntil = *at;
    else
        problems.add(reading.untilLine,
                     fmt::format("until: '{}' does not happen in this step", reading.untilEvent));
}

/// The programs that stand under a step's heading, in the order of the lesson's. They are compiled here, as
/// those of the lesson are.
Programs programsIn(const std::vector<FencedBlock>& blocks, const Lesson& lesson, Problems& problems) {
    lua::Sandbox box;
    Programs programs;
    for (const FencedBlock& block : blocks)
        if (programNamed(lesson, block.name) == nullptr)
            problems.add(block.line,
                         fmt::format("there is no program '{}' that this could stand in for", block.name));
    for (const auto& original : lesson.programs)
        for (const FencedBlock& block : blocks) {
            if (block.name != original->name) continue;
            programs.push_back(std::make_shared<const Program>(
                Program{block.name, block.text, lesson.file, block.line + 1}));
            if (const Result<void> compiles = checkProgram(box, *programs.back()); !compiles)
                problems.add(compiles.error());
        }
    return programs;
}

void readPrograms(const LessonSection& section, const Lesson& lesson, Step& step, Problems& problems) {
    step.programs = programsIn(section.programs, lesson, problems);
    if (step.challenge) {
        step.challenge->solution = programsIn(section.solutions, lesson, problems);
        if (section.solutions.empty())
            problems.add(step.challenge->line,
                         "challenge: a ```lua NAME solution block shows that it can be met");
    } else if (!section.solutions.empty()) {
        problems.add(section.solutions.front().line, "a solution belongs to a step with a 'challenge'");
    }
}

void checkTranslations(const Lesson& lesson, Problems& problems) {
    for (const Translation& translation : lesson.translations) {
        const auto program = programNamed(lesson, translation.program);
        if (program == nullptr)
            problems.add(translation.firstLine - 1,
                         fmt::format("there is no program '{}' that this could tell", translation.program));
        else if (const Result<void> tied = checkLabels(*program, translation); !tied)
            problems.add(tied.error());
    }
}

void readSteps(const LessonText& text, Lesson& lesson, Problems& problems) {
    Runner runner;
    std::vector<Panel> shown;
    for (const LessonSection& section : text.sections) {
        StepReading reading;
        reading.step.show = shown;
        if (section.setUp) {
            const Result<YamlNode> tree =
                parseYaml(section.setUp->text, section.setUp->line + 1, lesson.file);
            if (!tree) return problems.add(tree.error());
            if (tree->kind != YamlNode::Kind::Null) reading = readStep(*tree, lesson, shown, problems);
        }
        readPrograms(section, lesson, reading.step, problems);
        reading.step.title = section.title;
        reading.step.prose = section.prose;
        reading.step.line = section.line;
        if (!problems.none()) return;
        if (!reading.untilEvent.empty()) settleMoment(lesson, reading, runner, problems);
        if (!problems.none()) return;
        shown = reading.step.show;
        lesson.steps.push_back(std::move(reading.step));
    }
}

} // namespace

Result<Lesson> parseLesson(std::string_view source, const std::string& path) {
    const Result<LessonText> text = splitLesson(source, path);
    if (!text) return onOneLine(text.error());
    const Result<YamlNode> front = parseYaml(text->frontMatter.text, text->frontMatter.line + 1, path);
    if (!front) return onOneLine(front.error());

    Problems problems(path);
    Lesson lesson;
    lesson.file = path;
    lesson.contentHash = redis::sha1Hex(source);
    lesson.intro = text->intro;
    for (const FencedBlock& block : text->programs)
        lesson.programs.push_back(
            std::make_shared<const Program>(Program{block.name, block.text, path, block.line + 1}));
    for (const FencedBlock& block : text->translations)
        lesson.translations.push_back({block.name, block.language, block.text, block.line + 1});
    readFrontMatter(*front, lesson, problems);
    checkTranslations(lesson, problems);
    if (!problems.none()) return onOneLine(problems.first());

    if (text->sections.empty())
        return Error{"a lesson needs at least one step: a heading that begins with '##'", path, 1};
    // Programs are compiled once here, so that a wrong one is a message with its line and not a dead lane.
    const Result<Scenario> healthy = makeScenario(lesson, {}, {}, lesson.base.seed);
    if (!healthy) return onOneLine(placed(healthy.error(), path, 1));
    if (const Result<void> valid = validate(*healthy); !valid)
        return onOneLine(placed(valid.error(), path, 1));
    readSteps(*text, lesson, problems);
    if (!problems.none()) return onOneLine(problems.first());
    return lesson;
}

Result<Lesson> readLesson(const std::string& path) {
    const Result<std::string> text = readWholeFile(path, kLargestLesson, "a lesson file");
    if (!text) return text.error();
    return parseLesson(*text, path);
}

LessonShelf readLessonFolder(const std::string& folder) {
    std::error_code trouble;
    std::vector<std::string> paths;
    for (fs::directory_iterator it(folder, trouble), end; !trouble && it != end; it.increment(trouble)) {
        const fs::path& path = it->path();
        const std::string name = path.filename().string();
        if (path.extension() == ".md" && name != "README.md" && !name.starts_with('.'))
            paths.push_back(path.lexically_normal().string());
    }
    std::sort(paths.begin(), paths.end());

    LessonShelf shelf;
    if (trouble) shelf.broken.push_back(Error{"this folder cannot be read: " + trouble.message(), folder});
    for (const std::string& path : paths) {
        Result<Lesson> lesson = readLesson(path);
        if (!lesson) {
            shelf.broken.push_back(lesson.error());
            continue;
        }
        const auto taken = [&](const Lesson& other) { return other.id == lesson->id; };
        const auto twin = std::find_if(shelf.lessons.begin(), shelf.lessons.end(), taken);
        if (twin != shelf.lessons.end())
            shelf.broken.push_back(
                Error{fmt::format("the id '{}' is taken by {}", lesson->id, twin->file), path});
        else
            shelf.lessons.push_back(std::move(*lesson));
    }
    std::stable_sort(shelf.lessons.begin(), shelf.lessons.end(), [](const Lesson& a, const Lesson& b) {
        const int left = a.number == 0 ? 1000 : a.number;
        const int right = b.number == 0 ? 1000 : b.number;
        return left != right ? left < right : a.id < b.id;
    });
    return shelf;
}

} // namespace lockscope
