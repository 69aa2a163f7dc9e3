// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/lesson/saved_run.h"

namespace lockscope {

/// The highest version that is read. A file of a higher one is refused, with a line that says so. Written is
/// 1, and 2 if a program was edited: who knows nothing of that would show another run.
inline constexpr int kRunFileFormat = 2;

inline constexpr std::size_t kLargestRunFile = 8u << 20; ///< bytes
inline constexpr std::size_t kMostInRunFile = 1'000;     ///< entries of any one list
inline constexpr std::size_t kLongestNote = 2'000;       ///< bytes of a note's text, and of any name

/// What somebody wrote at an instant (until == from) or over a span of a step's run.
struct Note {
    int step = 0;
    Instant from{};
    Instant until{};
    std::string text;

    bool operator==(const Note&) const = default;
};

/// What a `.lockrun` file holds: everything a person has made of a lesson, and nothing that can be computed.
struct RunFile {
    std::string lesson;     ///< its id
    std::string lessonFile; ///< where it was, for lessons that do not come with the program; may be empty
    std::string lessonHash; ///< Lesson::contentHash, to notice that the lesson has changed since
    SavedRun current;       ///< what was shown
    std::optional<SavedRun> own; ///< the learner's own run, if a step as written was shown instead
    std::vector<SavedRun> kept;
    std::vector<Note> notes;
    std::string origin; ///< of unsaved work: the file it belongs to; else empty

    bool operator==(const RunFile&) const = default;
};

/// Whether a path is one of a run file, by its ending.
inline bool namesRunFile(std::string_view path) {
    return path.ends_with(".lockrun");
}

/// The file of a run of a lesson, and nothing else. `lessonFile` says where the lesson is, if it does not
/// come with the program.
RunFile fileOf(const Lesson& lesson, const SettledRun& run, std::string lessonFile = {});

/// A file that is damaged, foreign, newer or too large is an error of one line that says which. `path` is for
/// messages. Whatever the text is, the answer comes soon.
Result<RunFile> parseRunFile(std::string_view text, const std::string& path);
Result<RunFile> readRunFile(const std::string& path);

/// JSON that parseRunFile() reads back to an equal value, if nothing in it is beyond the limits above.
std::string formatRunFile(const RunFile& file);
/// Writes the file as writeWholeFile() does. What could not be read back is refused, and the file that was
/// there stays.
Result<void> writeRunFile(const RunFile& file, const std::string& path);

} // namespace lockscope
