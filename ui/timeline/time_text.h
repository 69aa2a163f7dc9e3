// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "core/base/time.h"

namespace lockscope::ui {

/// A length of time as people say it: `20 s`, `20.3 s`, `1.002 s`, `300 ms`, `40 µs`. Above 10 s never in
/// milliseconds.
QString durationText(Duration length);

/// An instant with so many decimals: `31.0 s`, `31.002 s`.
QString instantText(Instant at, int decimals);

/// An instant as exactly as the run knows it, for a sentence.
QString instantText(Instant at);

} // namespace lockscope::ui
