// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

#include "core/lesson/lesson.h"

namespace lockscope {

/// A program's text as somebody left it.
struct ProgramText {
    std::string name;
    std::string source;

    bool operator==(const ProgramText&) const = default;
};

inline constexpr std::size_t kLongestProgram = 64 * 1024; ///< bytes of an edited one

/// The lesson's program of that name; null if there is none.
std::shared_ptr<const Program> programNamed(const Lesson& lesson, std::string_view name);
/// The one of that name in a list; null if it is not there.
std::shared_ptr<const Program> programNamed(const Programs& programs, std::string_view name);
/// What a step begins with under that name: its own, else the lesson's; null if there is none.
std::shared_ptr<const Program> programOf(const Lesson& lesson, const Step& step, std::string_view name);

/// `programs` with another text under a name that the lesson has. Its lines are counted on from where the
/// step's stand in the lesson file, so that marks and messages keep their places. A text that is the step's
/// or the lesson's own is that program itself, and what is the lesson's own needs no entry.
Programs withText(const Lesson& lesson, const Step& step, Programs programs, const std::string& name,
                  const std::string& source);

/// Whether they say the same.
bool samePrograms(const Programs& a, const Programs& b);

/// The challenge's programs, each doing nothing at all.
Programs doingNothing(const Challenge& challenge);

} // namespace lockscope
