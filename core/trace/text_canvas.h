// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/time.h"

namespace lockscope {

/// How many columns a text takes: its code points. Good for the letters and box drawings that are used here.
int columnsOf(std::string_view text);
/// The first `columns` columns of it.
std::string_view headOf(std::string_view text, int columns);

/// One row of a plain-text timeline. A cell is one column; what is drawn later covers what was there.
class TextRow {
public:
    TextRow(int columns, Instant end) : m_cells(static_cast<std::size_t>(columns), " "), m_end(end) {}

    int columns() const { return static_cast<int>(m_cells.size()); }
    /// The column of a moment; the last one for the end of the run.
    int columnOf(Instant t) const;
    void put(int column, std::string_view cell);
    void fill(int from, int until, std::string_view cell);
    /// Writes as much of the text as fits before `until`; nothing if less than `least` columns do.
    void write(int from, int until, std::string_view text, int least = 1);
    bool isBlank(int from, int until) const;
    /// Without blanks at the end.
    std::string text() const;

private:
    std::vector<std::string> m_cells;
    Instant m_end;
};

/// Breaks a text at blanks so that no line is longer than `columns`; further lines are indented.
std::string wrapped(std::string_view text, int columns, int indent);

} // namespace lockscope
