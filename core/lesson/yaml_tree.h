// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace lockscope {

/// One value of a YAML text, with the line it stands on.
struct YamlNode {
    enum class Kind { Null, Scalar, List, Map };
    Kind kind = Kind::Null;
    std::string text; ///< Scalar, as written; whether it is a number or a time is the reader's business
    int line = 0;     ///< in the file, from 1
    std::vector<YamlNode> items; ///< List: the entries; Map: the values
    std::vector<YamlNode> keys;  ///< Map: parallel to `items`, scalars, each text once
};

/// Reads the plain part of YAML that lessons are written in: scalars, lists and maps. `firstLine` is the line
/// of the text's first line in `file`.
///
/// Lessons are untrusted, so what could hide, explode or surprise is an error: anchors and aliases, tags,
/// doubled keys, further documents, depth beyond 16, more than 10,000 values.
Result<YamlNode> parseYaml(std::string_view text, int firstLine, const std::string& file);

} // namespace lockscope
