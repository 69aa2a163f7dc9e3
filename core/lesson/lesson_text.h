// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace lockscope {

/// A fenced block of a lesson file that means something to us.
struct FencedBlock {
    std::string name; ///< of a program: the word after the language
    std::string text;
    std::string language; ///< of a program
    int line = 0;         ///< of the opening fence; the text begins on the next one
};

/// One `##` section: its Markdown without the blocks that set things up.
struct LessonSection {
    std::string title;
    std::string prose;
    int line = 0;
    std::optional<FencedBlock> setUp;   ///< the `step` block
    std::vector<FencedBlock> programs;  ///< `lua NAME start`: the step's own
    std::vector<FencedBlock> solutions; ///< `lua NAME solution`
};

/// A lesson file taken apart by its Markdown structure; nothing in it has been interpreted yet.
struct LessonText {
    FencedBlock frontMatter;
    std::string intro;
    std::vector<LessonSection> sections;
    std::vector<FencedBlock> programs;     ///< from anywhere in the file, in order
    std::vector<FencedBlock> translations; ///< the same in other languages: `js NAME`, `python NAME`
};

/// Splits a file. Lines are those of the file, whatever its line ends; a byte order mark is skipped. Files
/// that are too large, not UTF-8 or hold control characters are errors.
Result<LessonText> splitLesson(std::string_view text, const std::string& file);

/// The largest lesson file that is read.
inline constexpr std::size_t kLargestLesson = 1024 * 1024;

} // namespace lockscope
