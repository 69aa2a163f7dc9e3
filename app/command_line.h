// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace lockscope::app {

/// Reads the command line and does what it says. The result is the exit code: 0 went well, 1 the answer is no
/// (a violation, a failed expectation) or the output could not be written, 2 the command line is wrong.
int runCommandLine(int argc, char** argv);

} // namespace lockscope::app
