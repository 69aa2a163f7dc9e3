// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "ui/timeline/hit_test.h"

namespace lockscope::ui {

/// What a mark says, in plain words: the tooltip of a hit. Empty where there is nothing to say. It tells
/// nothing that lies behind the veil.
QString describe(const Scene& scene, const Hit& hit);

/// What a lane shows at an instant, for somebody who cannot see it: "Server A: works on Report, holds the
/// lock as far as it knows."
QString describeLane(const Scene& scene, int band, Instant at);

/// "1 · pause Server A at 12.0 s for 20 s".
QString describeIntervention(const Trace& trace, int index);

} // namespace lockscope::ui
