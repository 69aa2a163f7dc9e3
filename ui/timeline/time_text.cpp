// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/time_text.h"

#include "ui/bridge/text.h"

namespace lockscope::ui {

QString durationText(Duration length) {
    const std::int64_t us = length.count();
    if (us < 1000) return QStringLiteral("%1 µs").arg(us);
    if (us < 1'000'000) {
        const QString exact = QString::number(static_cast<double>(us) / 1000.0, 'g', 4);
        return QStringLiteral("%1 ms").arg(exact);
    }
    if (us % 1'000'000 == 0) return QStringLiteral("%1 s").arg(us / 1'000'000);
    return qstr(formatSeconds(length, us >= 10'000'000 || us % 100'000 == 0 ? 1 : 3));
}

QString instantText(Instant at, int decimals) {
    return qstr(formatSeconds(at.time_since_epoch(), decimals));
}

QString instantText(Instant at) {
    return qstr(formatSecondsExact(at.time_since_epoch()));
}

} // namespace lockscope::ui
