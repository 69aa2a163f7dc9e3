// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtTest>

#include "tests/redis/store_player.h"

namespace lockscope::redis {

/// The story must come out of a store just as it stands there, whatever it is indented by.
inline void compare(const char* story, const StoreOptions& options = {}) {
    StorePlayer player(options);
    const QString expected = QString(story).remove(QRegularExpression("(?m)^ +"));
    QCOMPARE(QString::fromStdString(player.play(story)), expected);
}

} // namespace lockscope::redis
