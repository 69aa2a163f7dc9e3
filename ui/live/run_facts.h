// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>

#include "ui/live/live_host.h"

namespace lockscope::ui {

struct Run;

/// What is known of the first lock key of a live run at an instant: each fact with the event it rests on, how
/// that became known, and its age then. Empty for a simulated run, where everything is known as it happens.
QList<KnownFact> knownFacts(const Run& run, Instant at);

} // namespace lockscope::ui
