// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <vector>

namespace lockscope::ui {

/// A line of two texts laid over each other.
struct LineChange {
    enum class Kind { Same, Removed, Added };
    Kind kind = Kind::Same;
    QString text;

    bool operator==(const LineChange&) const = default;
};

/// What became of a text, line by line: as few lines removed and added as can be, removed ones first. Texts
/// with very many lines that differ are told as replaced.
std::vector<LineChange> lineChanges(const QString& before, const QString& after);

} // namespace lockscope::ui
