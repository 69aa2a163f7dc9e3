// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <QCoreApplication>

#include <unistd.h>

#include "core/live/actor_loop.h"
#include "core/live/actor_process.h"

namespace lockscope::live {

int runActor(int argc, char** argv) {
    QCoreApplication application(argc, argv);
    ActorLoop loop(STDIN_FILENO, STDOUT_FILENO);
    loop.begin();
    return application.exec();
}

} // namespace lockscope::live
