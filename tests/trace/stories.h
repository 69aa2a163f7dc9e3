// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/trace/trace_builder.h"

namespace lockscope::test {

/// The first lesson: A's work outlasts its lease, B polls once a second and gets the lock at 31 s.
Trace expiryStory();
/// A busy minute: a renewal, a pause, a kill and a restart, a lost reply, an unknown outcome, a fenced
/// resource.
Trace mixedStory();

} // namespace lockscope::test
