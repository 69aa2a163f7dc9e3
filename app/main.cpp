// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <string_view>

#include "app/command_line.h"
#include "core/live/actor_process.h"
#include "core/live/janitor.h"

int main(int argc, char** argv) {
    // What a live run starts beside this process is this very program, in one of these modes.
    const std::string_view mode = argc > 1 ? argv[1] : "";
    if (mode == lockscope::live::ActorProcess::kArgument) return lockscope::live::runActor(argc, argv);
    if (mode == lockscope::live::Janitor::kArgument) return lockscope::live::runJanitor(argc, argv);
    return lockscope::app::runCommandLine(argc, argv);
}
