// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTest>

#include "tests/trace/trace_builder.h"

namespace lockscope::test {

using T = TraceBuilder;

/// Builds the story twice, with the effects of commands before and after their execution: the verdict is the
/// same.
template <typename Tell>
std::string judged(Duration reached, Tell tell) {
    std::string verdicts[2];
    for (const bool first : {false, true}) {
        T t;
        t.effectsFirst(first);
        tell(t);
        verdicts[first] = verdict(t.build(reached));
    }
    if (verdicts[0] != verdicts[1])
        return "depends on the order of effects: " + verdicts[0] + " / " + verdicts[1];
    return verdicts[0];
}

} // namespace lockscope::test

/// The verdict on a run of that length, told by the function that follows.
#define EXPECT(reached, expected, ...)                                                                       \
    QCOMPARE(QString::fromStdString(judged(reached, __VA_ARGS__)), QString::fromUtf8(expected))
