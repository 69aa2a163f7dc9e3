// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/world/program_runtime.h"

#include "core/world/program_api.h"

namespace lockscope {

namespace {

// Garbage of finished runs may grow to this before it is collected between two runs.
constexpr std::size_t kGarbageBytes = 4u << 20;

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

void ProgramRuntime::beginRun() {
    if (m_box.bytes() > m_bytesAfterCollection + kGarbageBytes) {
        m_box.collect();
        m_bytesAfterCollection = m_box.bytes();
    }
    m_box.refill();
    m_commands.clear();
}

Result<void> ProgramRuntime::pushProgram(std::size_t actor, const std::shared_ptr<const Program>& program,
                                         const std::string& actorName, const Scenario& scenario) {
    lua_State* L = m_box.state();
    if (m_compiled.size() <= actor) m_compiled.resize(actor + 1);
    Compiled& slot = m_compiled[actor];
    if (slot.program != program) {
        // The same text again (a lesson that was read anew) is no reason to compile.
        if (slot.program == nullptr || !sameText(*slot.program, *program)) {
            const Result<void> compiled =
                m_box.compile(program->source, chunkNameOf(*program), program->firstLine);
            if (!compiled.ok()) return compiled.error();
            luaL_unref(L, LUA_REGISTRYINDEX, slot.function);
            slot.function = luaL_ref(L, LUA_REGISTRYINDEX);
        }
        slot.program = program;
    }
    lua_rawgeti(L, LUA_REGISTRYINDEX, slot.function);
    m_box.pushEnvironment(L);
    setGlobals(actorName, scenario);
    lua_setfenv(L, -2);
    return {};
}

void ProgramRuntime::setGlobals(const std::string& actorName, const Scenario& scenario) {
    lua_State* L = m_box.state();
    const int environment = lua_gettop(L);
    m_box.pushBase(L);
    lua_createtable(L, 0, static_cast<int>(scenario.knobs.size()));
    for (const KnobSetting& knob : scenario.knobs) {
        lua_pushlstring(L, knob.name.data(), knob.name.size());
        pushKnob(L, knob.value);
        // As a global too, unless that would hide a function of the API.
        lua_pushvalue(L, -2);
        lua_rawget(L, environment + 1);
        if (lua_isnil(L, -1)) {
            lua_pop(L, 1);
            lua_pushvalue(L, -2);
            lua_pushvalue(L, -2);
            lua_rawset(L, environment);
        } else {
            lua_pop(L, 1);
        }
        lua_rawset(L, environment + 2);
    }
    lua_setfield(L, environment, "knobs");
    if (!scenario.lockKeyNames.empty()) {
        lua_pushlstring(L, scenario.lockKeyNames[0].data(), scenario.lockKeyNames[0].size());
        lua_setfield(L, environment, "lock");
    }
    lua_pushlstring(L, actorName.data(), actorName.size());
    lua_setfield(L, environment, "actor");
    lua_settop(L, environment);
}

} // namespace lockscope
