// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/text_canvas.h"

#include <algorithm>

namespace lockscope {

namespace {

bool beginsCharacter(char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
}

} // namespace

int columnsOf(std::string_view text) {
    return static_cast<int>(std::count_if(text.begin(), text.end(), beginsCharacter));
}

std::string_view headOf(std::string_view text, int columns) {
    std::size_t i = 0;
    for (; i < text.size(); ++i)
        if (beginsCharacter(text[i]) && columns-- == 0) break;
    return text.substr(0, i);
}

int TextRow::columnOf(Instant t) const {
    if (m_end <= Instant{}) return 0;
    const std::int64_t column = micros(t) * columns() / micros(m_end);
    return static_cast<int>(std::clamp<std::int64_t>(column, 0, columns() - 1));
}

void TextRow::put(int column, std::string_view cell) {
    if (column >= 0 && column < columns()) m_cells[static_cast<std::size_t>(column)] = cell;
}

void TextRow::fill(int from, int until, std::string_view cell) {
    for (int column = from; column < until; ++column)
        put(column, cell);
}

void TextRow::write(int from, int until, std::string_view text, int least) {
    until = std::min(until, columns());
    if (until - from < std::min(least, columnsOf(text))) return;
    for (int column = from; column < until && !text.empty(); ++column) {
        const std::string_view character = headOf(text, 1);
        put(column, character);
        text.remove_prefix(character.size());
    }
}

bool TextRow::isBlank(int from, int until) const {
    for (int column = std::max(from, 0); column < std::min(until, columns()); ++column)
        if (m_cells[static_cast<std::size_t>(column)] != " ") return false;
    return true;
}

std::string TextRow::text() const {
    std::string out;
    for (const std::string& cell : m_cells)
        out += cell;
    out.erase(out.find_last_not_of(' ') + 1);
    return out;
}

std::string wrapped(std::string_view text, int columns, int indent) {
    std::string out(std::min(text.find_first_not_of(' '), text.size()), ' ');
    text.remove_prefix(out.size());
    int at = static_cast<int>(out.size());
    bool begun = false;
    while (!text.empty()) {
        const std::size_t blank = text.find(' ');
        const std::string_view word = text.substr(0, blank);
        if (begun && at > indent && at + 1 + columnsOf(word) > columns) {
            out += '\n';
            out.append(static_cast<std::size_t>(indent), ' ');
            at = indent;
        } else if (begun) {
            out += ' ';
            ++at;
        }
        begun = true;
        out += word;
        at += columnsOf(word);
        text.remove_prefix(blank == std::string_view::npos ? text.size() : blank + 1);
    }
    return out;
}

} // namespace lockscope
