// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <ctime>

#include "tests/lua/script.h"

using namespace lockscope;
using test::Outcome;
using test::runScript;

// Programs that want to hang or to fill the machine. Each must end soon with a reason, and the owner must be
// able to go on with a new sandbox.
class TestLuaHostile : public QObject {
    Q_OBJECT
private slots:
    void endsSoonWithAReason_data();
    void endsSoonWithAReason();
};

void TestLuaHostile::endsSoonWithAReason_data() {
    QTest::addColumn<QString>("script");
    const auto row = [](const char* name, const char* script) { QTest::newRow(name) << script; };
    row("endless loop", "while true do end");
    row("endless loop in pcall", "while true do pcall(function() while true do end end) end");
    row("errors caught for ever", "while true do pcall(error) end");
    row("errors caught for ever, xpcall", "while true do xpcall(error, function() end) end");
    row("a handler that never ends",
        "xpcall(function() while true do end end, function() while true do end end) while true do end");
    row("a handler that never ends, for an ordinary error",
        "xpcall(error, function() while true do end end)");
    row("nested pcalls that multiply", "local function f() pcall(f) pcall(f) end f()");
    row("catastrophic pattern", "return (('a'):rep(200)):find(('.-'):rep(4) .. 'b')");
    row("catastrophic pattern, long", "return (('a'):rep(100000)):find('.-.-.-.-b')");
    row("catastrophic match in gsub", "return (('a'):rep(50000)):gsub('a*b', '')");
    row("catastrophic set", "return (('a'):rep(10000)):match('[' .. ('x'):rep(10000) .. ']*b')");
    row("plain find that almost matches",
        "local s = ('a'):rep(200000) while true do s:find(('a'):rep(9000) .. 'b', 1, true) end");
    row("balanced for ever", "local s = ('('):rep(100000) return s:find('%b()')");
    row("growing table", "local t = {} while true do t[#t + 1] = t end");
    row("growing table of tables", "local t = {} while true do t = {t} end");
    row("growing hash", "local t, i = {}, 0 while true do i = i + 1 t['k' .. i] = i end");
    row("growing string", "local s = 'x' while true do s = s .. s end");
    row("a gigabyte of string", "return (('x'):rep(1e9))");
    row("a gigabyte of string, bit by bit",
        "local t = {} while true do t[#t + 1] = ('x'):rep(1000000) .. #t end");
    row("rep for ever", "while true do local s = ('x'):rep(1000000) end");
    row("reverse for ever", "local s = ('x'):rep(1000000) while true do s:reverse() end");
    row("upper for ever", "local s = ('x'):rep(1000000) while true do s:upper() end");
    row("gsub bomb", "local s = ('x'):rep(1000) while true do s = s:gsub('x', 'xxxxxxxxxx') end");
    row("gsub bomb by capture", "return (('x'):rep(1000)):gsub('(.*)', ('%1'):rep(10000))");
    row("gsub bomb by function",
        "local s = ('x'):rep(1000) return s:gsub('', function() return s:rep(1000) end)");
    row("concat bomb",
        "local s, t = ('x'):rep(10000), {} for i = 1, 1e5 do t[i] = s end return table.concat(t)");
    row("concat for ever",
        "local t = {} for i = 1, 50000 do t[i] = 'abc' end while true do table.concat(t) end");
    row("format bomb", "local s = ('x'):rep(1000000) return string.format(('%s'):rep(1000), s, s, s, s, s)");
    row("format for ever", "while true do string.format('%99.99f', 1e308) end");
    row("unpack bomb", "return unpack({}, 1, 1e8)");
    row("unpack for ever", "while true do select('#', unpack({}, 1, 7000)) end");
    row("insert at the front", "local t = {} while true do table.insert(t, 1, 0) end");
    row("sort for ever", "local t = {} for i = 1, 1e4 do t[i] = -i end while true do table.sort(t) end");
    row("sort with a wicked comparison",
        "local t = {} for i = 1, 1e5 do t[i] = i end table.sort(t, function() while true do end end)");
    row("pairs for ever", "local t = {} for i = 1, 1e4 do t['k' .. i] = i end while true do for k in "
                          "pairs(t) do break end end");
    row("next for ever",
        "local t = {} for i = 1, 1e4 do t['k' .. i] = i end while true do next(t, 'k1') end");
    row("deep recursion", "local function f() return f() + 1 end while true do pcall(f) end");
    row("endless tail calls", "local function f() return f() end f()");
    row("recursion by metamethods",
        "local t = setmetatable({}, {}) getmetatable(t).__index = function(t, k) return t[k + 1] end "
        "while true do pcall(function() return t[1] end) end");
    row("index chain in a circle",
        "local t = {} setmetatable(t, {__index = t}) while true do pcall(function() return t.x end) end");
    row("comparing long strings", "local a, b = ('x'):rep(1000000) .. 'a', ('x'):rep(1000000) .. 'b' while "
                                  "true do local c = a < b end");
    row("adding long numbers", "local a = '0.' .. ('0'):rep(1000000) while true do local c = a + 1 end");
    row("joining long strings",
        "local a = ('x'):rep(500000) local keep = a .. 'b' while true do local c = a .. 'b' end");
    row("coroutines", "local c = coroutine.wrap(function() while true do end end) c()");
    row("weak tables",
        "local mt = {} local t = setmetatable({}, mt) mt.__mode = 'kv' while true do t[{}] = {} end");
    row("tostring that never returns",
        "tostring(setmetatable({}, {__tostring = function() while true do end end}))");
    row("closures without end", "local f while true do local g = f f = function() return g end end");
    row("tonumber of a long string", "local s = ('1'):rep(1000000) while true do tonumber(s, 7) end");
}

void TestLuaHostile::endsSoonWithAReason() {
    QFETCH(QString, script);
    lua::Sandbox box;
    // Processor time, so that a busy machine does not count.
    const std::clock_t start = std::clock();
    const Outcome outcome = runScript(box, script.toStdString());
    const std::clock_t took = (std::clock() - start) * 1000 / CLOCKS_PER_SEC;
    // Ended by the budget, or by an ordinary error of the operation itself.
    QVERIFY(!outcome.ok || !box.exhausted());
    QVERIFY2(!outcome.ok || outcome.text == "nil", outcome.text.c_str());
    if (box.exhausted()) QVERIFY(!box.exhaustion().empty());
    QVERIFY(!outcome.text.empty());
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    const std::clock_t allowed = 1000;
#else
    const std::clock_t allowed = 100;
#endif
    QVERIFY2(took < allowed,
             qPrintable(QString("%1 ms: %2").arg(took).arg(QString::fromStdString(outcome.text))));

    lua::Sandbox next;
    QCOMPARE(runScript(next, "return 1 + 1").text, std::string("2"));
}

QTEST_GUILESS_MAIN(TestLuaHostile)
#include "test_lua_hostile.moc"
