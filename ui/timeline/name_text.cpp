// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/name_text.h"

#include <algorithm>

namespace lockscope::ui {

namespace {

const QChar kDots(0x2026);

/// What is left if this much of the text is cut out, without half a character at the cuts.
QString without(const QString& text, qsizetype from, qsizetype to) {
    if (from > 0 && text[from - 1].isHighSurrogate()) --from;
    if (to < text.size() && text[to].isLowSurrogate()) ++to;
    return from >= to ? text : text.left(from) + kDots + text.mid(to);
}

} // namespace

QString nameApart(const QString& name, const QStringList& others,
                  const std::function<double(const QString&)>& widthOf, double room) {
    if (widthOf(name) <= room) return name;
    const qsizetype size = name.size();
    // The places at which each other name is the first time another one have to be seen.
    qsizetype from = size, to = 0;
    for (const QString& other : others) {
        if (other == name) continue;
        const qsizetype alike =
            std::mismatch(name.begin(), name.end(), other.begin(), other.end()).first - name.begin();
        from = std::min({from, alike, size - 1});
        to = std::max(to, std::min(alike + 1, size));
    }
    const auto only = [&](qsizetype begin, qsizetype end) {
        return without(without(name, end, size), 0, begin);
    };
    const auto fits = [&](qsizetype begin, qsizetype end) { return widthOf(only(begin, end)) <= room; };
    if (from < to && fits(from, to)) {
        // And around them whatever there is room for.
        for (bool grown = true; grown;) {
            grown = false;
            if (from > 0 && fits(from - 1, to)) --from, grown = true;
            if (to < size && fits(from, to + 1)) ++to, grown = true;
        }
        return only(from, to);
    }
    for (qsizetype kept = size - 1; kept > 0; --kept)
        if (const QString text = without(name, (kept + 1) / 2, size - kept / 2); widthOf(text) <= room)
            return text;
    return kDots;
}

} // namespace lockscope::ui
