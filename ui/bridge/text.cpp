// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/bridge/text.h"

namespace lockscope::ui {

Result<Duration> readDuration(const QString& typed) {
    QString text = typed;
    text.remove(QChar::Space).remove(QChar(0x00A0)).replace(QLatin1Char(','), QLatin1Char('.'));
    bool bare = false;
    text.toDouble(&bare);
    if (bare) text += QLatin1Char('s');
    return parseDuration(text.toStdString());
}

} // namespace lockscope::ui
