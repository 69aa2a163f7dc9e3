// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/bridge/line_changes.h"

#include <QStringList>

#include <algorithm>

namespace lockscope::ui {

namespace {

constexpr qsizetype kMostCells = 4'000'000;

QStringList linesOf(const QString& text) {
    QStringList lines = text.split(QLatin1Char('\n'));
    if (!lines.isEmpty() && lines.last().isEmpty()) lines.removeLast(); // behind the last line's end
    return lines;
}

} // namespace

/// The longest common subsequence of what is between the common beginning and the common end.
std::vector<LineChange> lineChanges(const QString& before, const QString& after) {
    using enum LineChange::Kind;
    const QStringList a = linesOf(before), b = linesOf(after);
    qsizetype head = 0, tail = 0;
    const qsizetype least = std::min(a.size(), b.size());
    while (head < least && a[head] == b[head])
        ++head;
    while (tail < least - head && a[a.size() - 1 - tail] == b[b.size() - 1 - tail])
        ++tail;
    const qsizetype m = a.size() - head - tail, n = b.size() - head - tail;

    std::vector<LineChange> out;
    for (qsizetype i = 0; i < head; ++i)
        out.push_back({Same, a[i]});
    qsizetype i = 0, j = 0;
    if (m * n > 0 && m * n <= kMostCells) {
        // common[i][j]: of a from i and b from j on.
        std::vector<std::vector<int>> common(static_cast<std::size_t>(m + 1),
                                             std::vector<int>(static_cast<std::size_t>(n + 1), 0));
        const auto at = [&](qsizetype x, qsizetype y) -> int& {
            return common[static_cast<std::size_t>(x)][static_cast<std::size_t>(y)];
        };
        for (qsizetype x = m; x-- > 0;)
            for (qsizetype y = n; y-- > 0;)
                at(x, y) =
                    a[head + x] == b[head + y] ? at(x + 1, y + 1) + 1 : std::max(at(x + 1, y), at(x, y + 1));
        while (i < m && j < n) {
            if (a[head + i] == b[head + j]) {
                out.push_back({Same, a[head + i]});
                ++i, ++j;
            } else if (at(i + 1, j) >= at(i, j + 1)) {
                out.push_back({Removed, a[head + i++]});
            } else {
                out.push_back({Added, b[head + j++]});
            }
        }
    }
    while (i < m)
        out.push_back({Removed, a[head + i++]});
    while (j < n)
        out.push_back({Added, b[head + j++]});
    for (qsizetype k = a.size() - tail; k < a.size(); ++k)
        out.push_back({Same, a[k]});
    return out;
}

} // namespace lockscope::ui
