// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/world/program_runtime.h"

#include <algorithm>
#include <string_view>

#include "core/world/program_api.h"

namespace lockscope {

namespace {

// Garbage of finished runs may grow to this before it is collected between two runs. So much stays in the
// second-level cache of a core; with more, most of a collection is waiting for memory.
constexpr std::size_t kGarbageBytes = 256u << 10;

void pushKnob(lua_State* L, const KnobValue& value) {
    if (const auto* duration = std::get_if<Duration>(&value))
        lua_pushnumber(L, static_cast<lua_Number>(duration->count() / 1000));
    else if (const auto* number = std::get_if<double>(&value))
        lua_pushnumber(L, *number);
    else {
        const std::string& text = std::get<std::string>(value);
        lua_pushlstring(L, text.data(), text.size());
    }
}

bool sameText(const Program& a, const Program& b) {
    return a.source == b.source && a.file == b.file && a.firstLine == b.firstLine;
}

} // namespace

std::string chunkNameOf(const Program& program) {
    const std::size_t slash = program.file.find_last_of('/');
    const std::string name = slash == std::string::npos ? program.file : program.file.substr(slash + 1);
    return name.empty() ? program.name : name;
}

Result<void> checkProgram(lua::Sandbox& box, const Program& program) {
    const Result<void> compiled = box.compile(program.source, chunkNameOf(program), program.firstLine);
    if (compiled.ok()) {
        lua_pop(box.state(), 1);
        return {};
    }
    return Error{compiled.error().message, program.file, compiled.error().line};
}

ProgramRuntime::ProgramRuntime() : m_threads(m_box), m_commands(m_box) {
    m_box.setOwner(this);
    lua_State* L = m_box.state();
    m_box.pushBase(L);
    addProgramApi(L);
    addRedisApi(L);
    lua_pop(L, 1);
    m_box.collect();
    m_bytesAfterCollection = m_box.bytes();
}

TaskScheduler& ProgramRuntime::runningIn(lua_State* L) {
    return *lua::Sandbox::of(L).owner<ProgramRuntime>().running;
}

void ProgramRuntime::beginRun(const Scenario& scenario) {
    if (m_box.bytes() > m_bytesAfterCollection + kGarbageBytes) {
        m_box.collect();
        m_bytesAfterCollection = m_box.bytes();
    }
    m_box.refill();
    m_commands.beginRun();
    noteGlobals(scenario);
}

Result<void> ProgramRuntime::pushProgram(std::size_t actor, const ActorSpec& spec) {
    lua_State* L = m_box.state();
    if (m_slots.size() <= actor) m_slots.resize(actor + 1);
    Slot& slot = m_slots[actor];
    if (slot.program != spec.program) {
        const Result<void> compiled = compile(slot, spec.program);
        if (!compiled.ok()) return compiled.error();
    }
    if (slot.globals != m_globals || slot.actorName != spec.name) makeGlobals(slot, spec.name);
    lua_rawgeti(L, LUA_REGISTRYINDEX, slot.function);
    pushEnvironment(slot);
    lua_setfenv(L, -2);
    return {};
}

Result<void> ProgramRuntime::compile(Slot& slot, const std::shared_ptr<const Program>& program) {
    // The same text again (a lesson that was read anew) is no reason to compile.
    if (slot.program == nullptr || !sameText(*slot.program, *program)) {
        const Result<void> compiled =
            m_box.compile(program->source, chunkNameOf(*program), program->firstLine);
        if (!compiled.ok()) return compiled.error();
        luaL_unref(m_box.state(), LUA_REGISTRYINDEX, slot.function);
        slot.function = luaL_ref(m_box.state(), LUA_REGISTRYINDEX);
        slot.metatables = program->source.find("setmetatable") != std::string::npos;
    }
    slot.program = program;
    return {};
}

void ProgramRuntime::noteGlobals(const Scenario& scenario) {
    const std::string_view lock =
        scenario.lockKeyNames.empty() ? std::string_view{} : scenario.lockKeyNames[0];
    const auto same = [](const KnobSetting& a, const KnobSetting& b) {
        return a.value == b.value && a.name == b.name;
    };
    if (m_lock == lock &&
        std::equal(m_knobs.begin(), m_knobs.end(), scenario.knobs.begin(), scenario.knobs.end(), same))
        return;
    m_lock = lock;
    m_knobs = scenario.knobs;
    ++m_globals;
}

// What stands behind the environments of an actor's processes: everything in one table, so that a program
// finds it with one look-up. It is the same in every run until a knob changes, and no program can write to
// it.
void ProgramRuntime::makeGlobals(Slot& slot, const std::string& actorName) {
    lua_State* L = m_box.state();
    const int top = lua_gettop(L);
    const int globals = top + 1;
    const int knobs = top + 2;
    lua_newtable(L);
    lua_createtable(L, 0, static_cast<int>(m_knobs.size()));
    for (const KnobSetting& knob : m_knobs) {
        for (const int table : {globals, knobs}) {
            lua_pushlstring(L, knob.name.data(), knob.name.size());
            pushKnob(L, knob.value);
            lua_rawset(L, table);
        }
    }
    lua::Sandbox::freeze(L);
    lua_setfield(L, globals, "knobs");
    if (!m_lock.empty()) {
        lua_pushlstring(L, m_lock.data(), m_lock.size());
        lua_setfield(L, globals, "lock");
    }
    lua_pushlstring(L, actorName.data(), actorName.size());
    lua_setfield(L, globals, "actor");
    // The API comes last: a knob does not hide a function.
    m_box.pushBase(L);
    lua_pushnil(L);
    while (lua_next(L, -2) != 0) {
        lua_pushvalue(L, -2);
        lua_insert(L, -2);
        lua_rawset(L, globals);
    }
    lua_settop(L, globals);
    lua_createtable(L, 0, 2);
    lua_insert(L, globals);
    lua_setfield(L, globals, "__index");
    lua_pushboolean(L, 0);
    lua_setfield(L, globals, "__metatable");
    luaL_unref(L, LUA_REGISTRYINDEX, slot.metatable);
    slot.metatable = luaL_ref(L, LUA_REGISTRYINDEX);
    slot.globals = m_globals;
    slot.actorName = actorName;
}

void ProgramRuntime::pushEnvironment(const Slot& slot) {
    lua_State* L = m_box.state();
    lua_newtable(L);
    lua_rawgeti(L, LUA_REGISTRYINDEX, slot.metatable);
    lua_setmetatable(L, -2);
}

} // namespace lockscope
