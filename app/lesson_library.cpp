// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lesson_library.h"

#include <cstdlib>
#include <filesystem>
#include <vector>

#include <fmt/format.h>

namespace lockscope::app {

namespace fs = std::filesystem;

namespace {

bool isFolder(const fs::path& path) {
    std::error_code trouble;
    return fs::is_directory(path, trouble);
}

std::string shown(const fs::path& path) {
    std::error_code trouble;
    const fs::path near = fs::proximate(path, trouble);
    return trouble ? path.string() : near.string();
}

bool isFile(const std::string& path) {
    std::error_code trouble;
    return fs::is_regular_file(path, trouble);
}

} // namespace

Result<std::string> lessonFolder() {
    if (const char* given = std::getenv("LOCKSCOPE_LESSONS"); given != nullptr && *given != '\0') {
        if (isFolder(given)) return shown(given);
        return Error{fmt::format("LOCKSCOPE_LESSONS names no folder: '{}'", given)};
    }
    std::error_code trouble;
    const fs::path program = fs::read_symlink("/proc/self/exe", trouble);
    if (!trouble) {
        const fs::path installed = program.parent_path().parent_path() / "share" / "lockscope" / "lessons";
        if (isFolder(installed)) return shown(installed);
        for (fs::path up = program.parent_path(); up != up.root_path(); up = up.parent_path())
            if (isFolder(up / "lessons") && isFolder(up / "core")) return shown(up / "lessons");
    }
    return Error{"the lessons were not found; set LOCKSCOPE_LESSONS to their folder, or name a lesson file"};
}

Result<std::string> lessonFile(const std::string& idOrPath) {
    const bool looksLikePath = idOrPath.find('/') != std::string::npos || idOrPath.ends_with(".md");
    if (looksLikePath && isFile(idOrPath)) return idOrPath;
    const Result<std::string> folder = lessonFolder();
    if (!folder) return isFile(idOrPath) ? Result<std::string>(idOrPath) : folder.error();
    if (!looksLikePath) {
        // By convention a lesson's file is called like the lesson, so the others need not be read.
        const std::string likely = *folder + "/" + idOrPath + ".md";
        if (!idOrPath.empty() && isFile(likely)) return likely;
    }
    std::string ids;
    const LessonShelf shelf = readLessonFolder(*folder);
    for (const Lesson& lesson : shelf.lessons) {
        if (lesson.id == idOrPath) return lesson.file;
        ids += lesson.id + ", ";
    }
    if (isFile(idOrPath)) return idOrPath;
    return Error{
        fmt::format("there is no lesson '{}'; allowed: {}or the path of a lesson file", idOrPath, ids)};
}

bool isShipped(const std::string& idOrPath) {
    const Result<std::string> folder = lessonFolder();
    const Result<std::string> file = lessonFile(idOrPath);
    std::error_code trouble;
    return folder && file && fs::equivalent(fs::path(*file).parent_path(), *folder, trouble) && !trouble;
}

Result<Lesson> findLesson(const std::string& idOrPath) {
    const Result<std::string> file = lessonFile(idOrPath);
    if (!file) return file.error();
    return readLesson(*file);
}

std::string lessonsThat(bool (*have)(const Lesson&)) {
    std::vector<std::string> ids;
    if (const Result<std::string> folder = lessonFolder())
        for (const Lesson& lesson : readLessonFolder(*folder).lessons)
            if (have(lesson)) ids.push_back(lesson.id);
    return ids.empty() ? "none" : fmt::format("{}", fmt::join(ids, ", "));
}

} // namespace lockscope::app
