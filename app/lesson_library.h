// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>

#include "core/base/result.h"
#include "core/lesson/lesson.h"

namespace lockscope::app {

/// Where the lessons that come with Lockscope are: the folder that LOCKSCOPE_LESSONS names, else the one
/// installed with this program (../share/lockscope/lessons), else `lessons` beside the sources it was built
/// from. The path is relative to the working directory, so that messages stay short and name no machine.
Result<std::string> lessonFolder();

/// The file of a lesson that somebody named by its id or by a path. Wrong names are an error that lists the
/// right ones.
Result<std::string> lessonFile(const std::string& idOrPath);

/// Whether that lesson, by its id or by a path, is one of the folder.
bool isShipped(const std::string& idOrPath);

/// Reads the lesson that somebody named by its id or by a path.
Result<Lesson> findLesson(const std::string& idOrPath);

/// The ids of those lessons of the folder that have it, "a, b"; "none" if no lesson has.
std::string lessonsThat(bool (*have)(const Lesson&));

} // namespace lockscope::app
