// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <string>
#include <string_view>

#include "core/base/time.h"

namespace lockscope::ui {

inline QString qstr(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

/// `31.0 s`, for glancing at.
inline QString shortSeconds(Duration d) {
    return qstr(formatSeconds(d, 1));
}
inline QString shortSeconds(Instant at) {
    return shortSeconds(at.time_since_epoch());
}
/// `31.002 s`: with as many decimals as it takes to lose nothing above a millisecond.
inline QString exactSeconds(Duration d) {
    return qstr(d.count() % 100'000 == 0 ? formatSeconds(d, 1) : formatSeconds(d, 3));
}
inline QString exactSeconds(Instant at) {
    return exactSeconds(at.time_since_epoch());
}

/// `29.4 s`, `4 min 10 s`, `2 h 5 min`: a length in the units people think in.
QString forPeople(Duration d);

/// A long word without a place to break gets some that cannot be seen.
QString breakable(const QString& text);

/// As a menu shows it: an ampersand is no mnemonic there.
QString menuText(QString text);

/// One line of it: blanks are single, and it ends with a whole character within so many bytes of UTF-8.
QString fittingLine(const QString& text, std::size_t bytes);

/// Reads a length of time as people type it: also with blanks (`1 m 30 s`), and a bare number is seconds.
Result<Duration> readDuration(const QString& typed);

} // namespace lockscope::ui
