// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/world/program_api.h"

#include <cmath>
#include <string>

#include "core/lua/libraries.h"
#include "core/lua/sandbox.h"
#include "core/world/program_runtime.h"
#include "core/world/task_scheduler.h"

namespace lockscope {

namespace {

constexpr char kTaskType[] = "lockscope.task";
constexpr double kLongestMillis = 400.0 * 24 * 3600 * 1000; // as parseDuration()

// What the calls of the API cost, in steps of the sandbox's budget.
constexpr std::int64_t kCallSteps = 20;
constexpr std::int64_t kTaskSteps = 200;

TaskScheduler& here(lua_State* L) {
    lua::Sandbox::of(L).charge(L, kCallSteps);
    return ProgramRuntime::runningIn(L);
}

std::string_view checkText(lua_State* L, int index) {
    std::size_t length = 0;
    const char* text = luaL_checklstring(L, index, &length);
    return {text, length};
}

StringId intern(lua_State* L, TaskScheduler& scheduler, std::string_view text) {
    lua::Sandbox::of(L).charge(L, 40 + static_cast<std::int64_t>(text.size() / 4));
    return scheduler.shown(text);
}

// --- claims

// A field of the options table at `index`; false if there is no table or it has no such field.
bool pushOption(lua_State* L, int index, const char* name) {
    if (lua_isnoneornil(L, index)) return false;
    luaL_checktype(L, index, LUA_TTABLE);
    lua_getfield(L, index, name);
    if (!lua_isnil(L, -1)) return true;
    lua_pop(L, 1);
    return false;
}

int apiEnter(lua_State* L) {
    TaskScheduler& scheduler = here(L);
    const StringId key = intern(L, scheduler, checkText(L, 1));
    Instant deadline = kNever;
    std::int64_t fence = -1;
    if (pushOption(L, 2, "deadline")) {
        if (lua_type(L, -1) != LUA_TNUMBER)
            return luaL_error(L, "enter: deadline is a number, in ms of now()");
        const double at = std::floor(lua_tonumber(L, -1));
        if (at < kLongestMillis) deadline = instantAt(millis(at < 0 ? 0 : static_cast<std::int64_t>(at)));
        lua_pop(L, 1);
    }
    if (pushOption(L, 2, "fence")) {
        // A counter comes from redis.call as a number, or as a string from GET.
        if (lua_isnumber(L, -1) == 0) return luaL_error(L, "enter: fence is a number");
        fence = static_cast<std::int64_t>(lua_tonumber(L, -1));
        lua_pop(L, 1);
    }
    Event& event = scheduler.record(EventKind::Entered, callLine(L));
    event.key = key;
    event.a = micros(deadline);
    event.b = fence;
    return 0;
}

int apiLeave(lua_State* L) {
    TaskScheduler& scheduler = here(L);
    const StringId key = intern(L, scheduler, checkText(L, 1));
    bool keep = false;
    if (pushOption(L, 2, "keep")) {
        keep = lua_toboolean(L, -1) != 0;
        lua_pop(L, 1);
    }
    Event& event = scheduler.record(EventKind::Left, callLine(L));
    event.key = key;
    event.b = keep ? 1 : 0;
    return 0;
}

// --- time

int workOrCompute(lua_State* L, Operation::Kind kind) {
    TaskScheduler& scheduler = here(L);
    Operation operation;
    operation.kind = kind;
    operation.line = callLine(L);
    if (lua_gettop(L) >= 2) {
        operation.label = intern(L, scheduler, checkText(L, 1));
        operation.length = checkMillis(L, 2);
    } else {
        operation.length = checkMillis(L, 1);
    }
    return scheduler.suspend(L, operation, 0);
}

int apiWork(lua_State* L) {
    return workOrCompute(L, Operation::Kind::Work);
}
int apiCompute(lua_State* L) {
    return workOrCompute(L, Operation::Kind::Compute);
}

int apiSleep(lua_State* L) {
    TaskScheduler& scheduler = here(L);
    Operation operation;
    operation.kind = Operation::Kind::Sleep;
    operation.line = callLine(L);
    operation.length = checkMillis(L, 1);
    return scheduler.suspend(L, operation, 0);
}

int apiNow(lua_State* L) {
    lua_pushnumber(L, static_cast<lua_Number>(millisFloor(here(L).host().now())));
    return 1;
}

int apiWall(lua_State* L) {
    lua_pushnumber(L, static_cast<lua_Number>(here(L).host().wallMillis()));
    return 1;
}

// --- tasks

int startTask(lua_State* L, TaskKind kind, int functionIndex, Duration period) {
    TaskScheduler& scheduler = here(L);
    luaL_checktype(L, functionIndex, LUA_TFUNCTION);
    lua::Sandbox::of(L).charge(L, kTaskSteps);
    lua_pushvalue(L, functionIndex);
    const unsigned task = scheduler.startTask(L, kind, period, callLine(L));
    pushTaskHandle(L, scheduler.handleOf(task));
    return 1;
}

int apiSpawn(lua_State* L) {
    return startTask(L, TaskKind::Spawn, 1, Duration{0});
}
int apiThread(lua_State* L) {
    return startTask(L, TaskKind::Thread, 1, Duration{0});
}

int apiEvery(lua_State* L) {
    const Duration period = checkMillis(L, 1);
    luaL_argcheck(L, period > Duration{0}, 1, "the period must be 1 ms at least");
    return startTask(L, TaskKind::Every, 2, period);
}

unsigned checkTask(lua_State* L, const TaskScheduler& scheduler) {
    const auto* handle = static_cast<const TaskHandle*>(luaL_checkudata(L, 1, kTaskType));
    luaL_argcheck(L, scheduler.owns(*handle), 1, "a task of another process");
    return handle->task;
}

int apiCancel(lua_State* L) {
    TaskScheduler& scheduler = here(L);
    const unsigned task = checkTask(L, scheduler);
    if (!scheduler.isRunning(task)) {
        scheduler.cancel(task);
        return 0;
    }
    Operation operation;
    operation.kind = Operation::Kind::CancelSelf;
    return scheduler.suspend(L, operation, 0);
}

int apiWait(lua_State* L) {
    TaskScheduler& scheduler = here(L);
    Operation operation;
    operation.kind = Operation::Kind::Wait;
    operation.line = callLine(L);
    operation.task = checkTask(L, scheduler);
    if (scheduler.isRunning(operation.task)) return luaL_error(L, "a task cannot wait for itself");
    return scheduler.suspend(L, operation, 0);
}

int taskText(lua_State* L) {
    lua_pushliteral(L, "task");
    return 1;
}

// --- protected calls: the scheduler runs the function on a thread of its own, so that it may wait inside

int apiPcall(lua_State* L) {
    luaL_checkany(L, 1);
    Operation operation;
    operation.kind = Operation::Kind::ProtectedCall;
    return here(L).suspend(L, operation, lua_gettop(L));
}

int apiXpcall(lua_State* L) {
    luaL_checkany(L, 2);
    lua_settop(L, 2);
    Operation operation;
    operation.kind = Operation::Kind::HandledCall;
    return here(L).suspend(L, operation, 2);
}

// --- the protected resource

int storageWrite(lua_State* L) {
    TaskScheduler& scheduler = here(L);
    const std::string_view name = checkText(L, 1);
    const std::string_view value = checkText(L, 2);
    std::int64_t fence = -1;
    if (!lua_isnoneornil(L, 3)) {
        luaL_argcheck(L, lua_isnumber(L, 3) != 0, 3, "the fence is a number");
        fence = static_cast<std::int64_t>(lua_tonumber(L, 3));
    }
    if (!scheduler.host().hasResource()) return luaL_error(L, "this lesson has no protected resource");
    const StringId nameId = intern(L, scheduler, name);
    const StringId valueId = intern(L, scheduler, value);
    const WriteAnswer answer = scheduler.host().write(name, value, fence);
    Event& event =
        scheduler.record(answer.accepted ? EventKind::WriteAccepted : EventKind::WriteRejected, callLine(L));
    event.text = nameId;
    event.text2 = valueId;
    event.a = fence;
    event.b = answer.accepted ? answer.version : answer.highestFence;
    lua_pushboolean(L, answer.accepted ? 1 : 0);
    if (answer.accepted) return 1;
    lua_pushlstring(L, answer.why.data(), answer.why.size());
    return 2;
}

int storageRead(lua_State* L) {
    TaskScheduler& scheduler = here(L);
    const std::string_view name = checkText(L, 1);
    if (!scheduler.host().hasResource()) return luaL_error(L, "this lesson has no protected resource");
    const StoredValue stored = scheduler.host().read(name);
    const StringId nameId = intern(L, scheduler, name);
    const StringId valueId = intern(L, scheduler, stored.value);
    Event& event = scheduler.record(EventKind::ResourceRead, callLine(L));
    event.text = nameId;
    event.text2 = valueId;
    event.b = stored.version;
    if (stored.present)
        lua::Sandbox::of(L).pushText(L, stored.value);
    else
        lua_pushnil(L);
    lua_pushnumber(L, static_cast<lua_Number>(stored.version));
    return 2;
}

// --- the rest

int apiUuid(lua_State* L) {
    const std::string text = here(L).uuid();
    lua::Sandbox::of(L).charge(L, static_cast<std::int64_t>(text.size()));
    lua_pushlstring(L, text.data(), text.size());
    return 1;
}

int apiRandom(lua_State* L) {
    const double most = luaL_checknumber(L, 1);
    luaL_argcheck(L, most >= 1 && most <= 9007199254740992.0, 1, "random(n) needs n to be 1 or more");
    lua_pushnumber(L, static_cast<lua_Number>(1 + here(L).draw(static_cast<std::uint64_t>(most))));
    return 1;
}

int apiLog(lua_State* L) {
    TaskScheduler& scheduler = here(L);
    const int count = lua_gettop(L);
    std::string text;
    for (int i = 1; i <= count; ++i) {
        lua::pushAsText(L, i);
        if (i > 1) text += ' ';
        text += checkText(L, -1);
        lua_pop(L, 1);
    }
    const StringId id = intern(L, scheduler, text);
    scheduler.record(EventKind::Logged, callLine(L)).text = id;
    return 0;
}

} // namespace

Duration checkMillis(lua_State* L, int index) {
    const double millisGiven = luaL_checknumber(L, index);
    luaL_argcheck(L, millisGiven >= 0 && millisGiven <= kLongestMillis, index,
                  "a duration is a number of milliseconds, not negative");
    return millis(static_cast<std::int64_t>(std::floor(millisGiven)));
}

void pushTaskHandle(lua_State* L, const TaskHandle& handle) {
    *static_cast<TaskHandle*>(lua_newuserdata(L, sizeof(TaskHandle))) = handle;
    luaL_getmetatable(L, kTaskType);
    lua_setmetatable(L, -2);
}

int callLine(lua_State* L) {
    return programLine(L, 1);
}

int programLine(lua_State* L, int depth) {
    lua_Debug level;
    for (; lua_getstack(L, depth, &level) != 0; ++depth) {
        lua_getinfo(L, "l", &level);
        if (level.currentline > 0 && !lua::isLibrary(L, level)) return level.currentline;
    }
    return 0;
}

void addProgramApi(lua_State* L) {
    static constexpr luaL_Reg kFunctions[] = {
        {"cancel", apiCancel}, {"compute", apiCompute}, {"enter", apiEnter}, {"every", apiEvery},
        {"leave", apiLeave},   {"log", apiLog},         {"now", apiNow},     {"pcall", apiPcall},
        {"random", apiRandom}, {"sleep", apiSleep},     {"spawn", apiSpawn}, {"thread", apiThread},
        {"uuid", apiUuid},     {"wait", apiWait},       {"wall", apiWall},   {"work", apiWork},
        {"xpcall", apiXpcall}};
    for (const luaL_Reg& function : kFunctions) {
        lua_pushcfunction(L, function.func);
        lua_setfield(L, -2, function.name);
    }
    lua_createtable(L, 0, 2);
    lua_pushcfunction(L, storageWrite);
    lua_setfield(L, -2, "write");
    lua_pushcfunction(L, storageRead);
    lua_setfield(L, -2, "read");
    lua::Sandbox::freeze(L);
    lua_setfield(L, -2, "storage");

    luaL_newmetatable(L, kTaskType);
    lua_pushboolean(L, 0);
    lua_setfield(L, -2, "__metatable");
    lua_pushcfunction(L, taskText);
    lua_setfield(L, -2, "__tostring");
    lua_pop(L, 1);
}

} // namespace lockscope
