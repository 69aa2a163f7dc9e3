// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/world/scenario.h"

namespace lockscope {

/// A language that programs are shown in besides Lua. Another one is another entry of languages().
struct Language {
    std::string id;      ///< after the fence in lesson files: "js"
    std::string name;    ///< "JavaScript"
    std::string client;  ///< the Redis client it uses: "ioredis"
    std::string comment; ///< begins a comment that goes to the end of the line
};
const std::vector<Language>& languages();
/// Null if there is none of that id.
const Language* languageNamed(std::string_view id);

/// A program told in another language, to be read beside the Lua that runs.
///
/// Lines are tied by labels: a comment at the end of a line, `-- @ask` in Lua, `// @ask` or `# @ask` here. A
/// label stands for its line and those below it up to the next label.
struct Translation {
    std::string program;
    std::string language; ///< its id
    std::string source;
    int firstLine = 1; ///< in the lesson file
};

/// Label → line, counted in the source from 1. A label that is there twice is an error with its line in the
/// file, which the source begins at with `firstLine`.
Result<std::map<std::string, int>> labelsIn(std::string_view source, std::string_view comment, int firstLine);

/// Whether the program and its translation have the same labels; the error names the line of the one that has
/// no partner.
Result<void> checkLabels(const Program& program, const Translation& translation);

/// The line of the translation that a line of the program answers to, both counted from 1 in their texts; 0
/// if it stands above all labels.
int translatedLine(const Program& program, const Translation& translation, int line);

} // namespace lockscope
