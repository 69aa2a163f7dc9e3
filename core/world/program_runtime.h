// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/lua/sandbox.h"
#include "core/world/command_table.h"
#include "core/world/scenario.h"
#include "core/world/thread_pool.h"

namespace lockscope {

class TaskScheduler;

/// What all processes of one world share: the sandbox with the program API in it, threads to run on, the
/// commands that were sent, and the programs compiled so far.
class ProgramRuntime {
public:
    ProgramRuntime();
    ProgramRuntime(const ProgramRuntime&) = delete;
    ProgramRuntime& operator=(const ProgramRuntime&) = delete;

    lua::Sandbox& box() { return m_box; }
    ThreadPool& threads() { return m_threads; }
    CommandTable& commands() { return m_commands; }

    /// A run begins: a full budget, no commands; garbage of earlier runs goes if there is much of it.
    void beginRun();

    /// Pushes the main function of a program in a fresh environment with its knobs, onto the main state. It
    /// is compiled once per actor and text. The environment is new each time; two actors never share a
    /// function.
    Result<void> pushProgram(std::size_t actor, const std::shared_ptr<const Program>& program,
                             const std::string& actorName, const Scenario& scenario);

    /// The scheduler whose task is running, for the functions that it calls.
    TaskScheduler* running = nullptr;
    static TaskScheduler& runningIn(lua_State* L);

private:
    struct Compiled {
        std::shared_ptr<const Program> program;
        int function = LUA_NOREF;
    };

    void setGlobals(const std::string& actorName, const Scenario& scenario);

    lua::Sandbox m_box;
    ThreadPool m_threads;
    CommandTable m_commands;
    std::vector<Compiled> m_compiled; ///< one per actor
    std::size_t m_bytesAfterCollection = 0;
};

/// The name by which messages call a program's file.
std::string chunkNameOf(const Program& program);

/// Whether a program compiles; the error names file and line.
Result<void> checkProgram(lua::Sandbox& box, const Program& program);

} // namespace lockscope
