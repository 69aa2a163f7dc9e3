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
    const lua::Sandbox& box() const { return m_box; }
    ThreadPool& threads() { return m_threads; }
    CommandTable& commands() { return m_commands; }

    /// A run begins: a full budget; garbage of earlier runs goes if there is much of it.
    void beginRun(const Scenario& scenario);

    /// Pushes the main function of an actor's program in a fresh environment, onto the main state. It is
    /// compiled once per actor and text. Two actors never share a function: its environment would be the last
    /// one's.
    Result<void> pushProgram(std::size_t actor, const ActorSpec& spec);

    /// Whether that actor's program, as it was pushed last, could give a value a metatable.
    bool usesMetatables(ActorIndex actor) const {
        return m_slots[static_cast<std::size_t>(actor)].metatables;
    }

    /// The scheduler whose task is running, for the functions that it calls.
    TaskScheduler* running = nullptr;
    static TaskScheduler& runningIn(lua_State* L);

private:
    struct Slot {
        std::shared_ptr<const Program> program;
        int function = LUA_NOREF; ///< registry: its main function
        std::string actorName;
        int metatable =
            LUA_NOREF;           ///< registry: of its environments; what stands behind them is in its __index
        bool metatables = false; ///< its text mentions setmetatable
        std::uint64_t globals = 0; ///< the version of m_knobs and m_lock that it has
    };

    Result<void> compile(Slot& slot, const std::shared_ptr<const Program>& program);
    void noteGlobals(const Scenario& scenario);
    void makeGlobals(Slot& slot, const std::string& actorName);
    void pushEnvironment(const Slot& slot);

    lua::Sandbox m_box;
    ThreadPool m_threads;
    CommandTable m_commands;
    std::vector<Slot> m_slots; ///< one per actor
    std::vector<KnobSetting> m_knobs;
    std::string m_lock;
    std::uint64_t m_globals = 1; ///< rises when one of the two changes
    std::size_t m_bytesAfterCollection = 0;
};

/// The name by which messages call a program's file.
std::string chunkNameOf(const Program& program);

/// Whether a program compiles; the error names file and line.
Result<void> checkProgram(lua::Sandbox& box, const Program& program);

} // namespace lockscope
