// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "tests/lua/script.h"

using namespace lockscope;
using test::Outcome;
using test::runScript;

class TestLuaSandbox : public QObject {
    Q_OBJECT

    // A script and what it returns, or the error it ends with.
    static void row(const char* script, const char* expected) { QTest::newRow(script) << script << expected; }
    static void columns() {
        QTest::addColumn<QString>("script");
        QTest::addColumn<QString>("expected");
    }
    static void check(bool ok) {
        QFETCH(QString, script);
        QFETCH(QString, expected);
        lua::Sandbox box;
        const Outcome outcome = runScript(box, script.toStdString());
        QCOMPARE(QString::fromStdString(outcome.text), expected);
        QCOMPARE(outcome.ok, ok);
    }

private slots:
    void valuesAreAsInLua_data();
    void valuesAreAsInLua() { check(true); }
    void faultsAreNamed_data();
    void faultsAreNamed() { check(false); }
    void whatIsDangerousIsGone();
    void oneRunLeavesNothingToTheNext();
    void garbageIsCollectedUnseen();
    void messagesNameTheLineOfTheFile();
    void aRefillGivesAFullBudget();
};

void TestLuaSandbox::valuesAreAsInLua_data() {
    columns();
    // Patterns.
    row("return ('hello world'):find('o w')", "5");
    row("return select(2, ('hello world'):find('o', 6, true))", "8");
    row("return ('key = value'):match('^(%w+)%s*=%s*(%w+)$')", "key");
    row("return select(2, ('key = value'):match('^(%w+)%s*=%s*(%w+)$'))", "value");
    row("return ('f(a(b)c)d'):match('%b()')", "(a(b)c)");
    row("return ('THE (quick) fox'):find('%f[%a]%a+%f[%A]')", "1");
    row("return ('abcabc'):match('(abc)%1')", "abc");
    row("return ('2023-11-14'):gsub('%d+', '<%0>')", "<2023>-<11>-<14>");
    row("return ('abc'):gsub('%w', '%0%0')", "aabbcc");
    row("return ('hello'):gsub('', '-')", "-h-e-l-l-o-");
    row("return ('hello'):gsub('', function() return '-' end)", "-h-e-l-l-o-");
    row("return ('abc def'):gsub('%w*', 'x')", "xx xx");
    row("return ('abc def'):gsub('%w*', function() return 'x' end)", "xx xx");
    row("return ('$name is $age'):gsub('%$(%w+)', {name = 'Bob', age = 42})", "Bob is 42");
    row("return ('abc'):gsub('^a', function() return 'A' end)", "Abc");
    row("return select(2, ('aaaa'):gsub('a', function() end, 3))", "3");
    row("local t = {} for k, v in ('a=1, b=2'):gmatch('(%w+)=(%w+)') do t[#t + 1] = k .. v end return "
        "table.concat(t, ' ')",
        "a1 b2");
    row("return ('  x  '):match('^%s*(.-)%s*$')", "x");
    row("return ('[a]'):match('[]]')", "]");
    row("return ('a-b'):match('[a%-]+')", "a-");
    row("return ('x'):match('()')", "1");
    row("return ('a\\0b'):find('%z')", "2");
    // Strings.
    row("return ('abc'):rep(3)", "abcabcabc");
    row("return ('abc'):rep(-1)", "");
    row("return ('abc'):sub(-2)", "bc");
    row("return ('Abc'):upper() .. ('Abc'):lower() .. ('Abc'):reverse() .. ('Abc'):len()", "ABCabccbA3");
    row("return string.char(('abc'):byte(1, -1))", "abc");
    row("return string.format('%5d|%-5s|%05.1f|%x|%q|%%|%c', 42, 'ab', 3.14159, 255, 'a\"b', 65)",
        "   42|ab   |003.1|ff|\"a\\\"b\"|%|A");
    row("return string.format('%d', 1e300)", "9223372036854775807");
    row("return tostring(0.1) .. ' ' .. 1e15 .. ' ' .. 2^53", "0.1 1e+15 9.007199254741e+15");
    // Tables.
    row("local t = {3, 1, 2} table.sort(t) return table.concat(t, ',')", "1,2,3");
    row("local t = {3, 1, 2} table.sort(t, function(a, b) return a > b end) return table.concat(t, ',')",
        "3,2,1");
    row("local t = {} for i = 1, 100 do t[i] = (i * 37) % 101 end table.sort(t) for i = 2, 100 do assert(t[i "
        "- 1] <= t[i]) end return #t",
        "100");
    row("local t = {1, 2, 3} table.sort(t, function() return true end) return #t", "3");
    row("local t = {1, 2} table.insert(t, 3) table.insert(t, 1, 0) return table.concat(t, ',')", "0,1,2,3");
    row("local t = {1, 2, 3} return table.remove(t, 1) .. table.remove(t) .. #t", "131");
    row("return select('#', unpack({1, 2, nil, 4}, 1, 4))", "4");
    row("return table.maxn({[1] = 1, [10.5] = 2})", "10.5");
    // The order of pairs depends on nothing but the contents.
    row("local t = {} for k in pairs({b = 1, [true] = 1, 10, [-1] = 1, a = 1, 20, [2.5] = 1, [false] = 1}) "
        "do "
        "t[#t + 1] = tostring(k) end return table.concat(t, ' ')",
        "1 2 -1 2.5 a b false true");
    row("local t, s = {b = 1, a = 2, 5}, '' local k, v = next(t) while k do s = s .. k .. v .. ' ' k, v = "
        "next(t, k) end return s",
        "15 a2 b1 ");
    row("local t = {} for i = 1, 300 do t['k' .. i] = i end local n = 0 for k in pairs(t) do t[k] = nil n = "
        "n + 1 end "
        "return n .. tostring(next(t))",
        "300nil");
    row("local n = 0 for k in pairs(string) do n = n + 1 end return n > 10", "true");
    // Nothing shows where it lies.
    row("return tostring({}) .. tostring(print) .. tostring(tostring) .. tostring(function() end)",
        "tablenilfunctionfunction");
    row("return tostring(setmetatable({}, {__tostring = function() return 'me' end}))", "me");
    // Errors as values.
    row("return select(2, pcall(error, {code = 7})).code", "7");
    row("return select(2, pcall(error, 'plain', 0))", "plain");
    row("return select(2, pcall(function() error('at') end))", "script:1: at");
    row("return select(2, xpcall(function() error('x', 0) end, function(e) return 'handled ' .. e end))",
        "handled x");
    row("return select('#', xpcall(function() return 1, nil, 3 end, error))", "4");
    row("return tonumber('ff', 16) + tonumber('0x10') + tonumber(' 7 ')", "278");
    row("return tostring(tonumber('7z'))", "nil");
    row("return math.floor(-1.5) .. math.fmod(7, 3) .. math.max(1, 9, 3) .. math.min(4, 2) .. math.abs(-3)",
        "-21923");
    row("return getmetatable('')", "false");
    row("return tostring(_G) .. tostring(coroutine) .. tostring(io)", "nilnilnil");
    row("x = 1; local function f() return x end; return f()", "1");
}

void TestLuaSandbox::faultsAreNamed_data() {
    columns();
    row("return (", "script:1: unexpected symbol near '<eof>'");
    row("return ('x'):rep(1e9)", "script:1: result too large: a string may have 1048576 bytes");
    row("return string.format('%999999d', 1)", "script:1: invalid format (width or precision too long)");
    row("return ('x'):find('[a')", "script:1: malformed pattern (missing ']')");
    row("return ('x'):find('%')", "script:1: malformed pattern (ends with '%')");
    row("return ('x'):gsub('x', '%2')", "(library):4039: invalid capture index");
    row("return ('a'):rep(300):match(('a?'):rep(300) .. ('a'):rep(300))", "script:1: pattern too complex");
    row("string.find = 1", "script:1: Attempt to modify a readonly table");
    row("table.insert(string, 1)", "script:1: Attempt to modify a readonly table");
    row("table.sort(math)", "(library):4006: Attempt to modify a readonly table");
    row("setmetatable(string, {})", "script:1: cannot change a protected metatable");
    row("setmetatable({}, {__mode = 'k'})", "script:1: __mode is not available: there are no weak tables");
    row("for k in pairs({[{}] = 1}) do end",
        "script:1: a table with a table among its keys has no fixed order to walk in");
    row("return next({[print or tostring] = 1})",
        "script:1: a table with a function among its keys has no fixed order to walk in");
    row("local function f() return 1 + f() end f()", "script:1: stack overflow");
    row("error({})", "table");
}

void TestLuaSandbox::whatIsDangerousIsGone() {
    lua::Sandbox box;
    for (const char* name :
         {"io",       "os",         "debug",  "package",   "require",     "dofile",         "load",
          "loadfile", "loadstring", "module", "coroutine", "newproxy",    "collectgarbage", "rawset",
          "setfenv",  "getfenv",    "print",  "_G",        "string.dump", "math.random",    "math.sin"}) {
        const Outcome outcome = runScript(box, std::string("return ") + name + " == nil");
        QVERIFY2(outcome.ok && outcome.text == "true", name);
    }
    QCOMPARE(box.compile("\x1bLua", "script").error().text(),
             std::string("script:1: bytecode is not accepted: a program is text"));
}

void TestLuaSandbox::oneRunLeavesNothingToTheNext() {
    lua::Sandbox box;
    const char* meddle = "x = 1; pcall(function() string.evil = 1 end); pcall(function() ('').evil = 1 end) "
                         "local m = setmetatable({}, {__index = string}) m.len = 1 return x";
    QCOMPARE(runScript(box, meddle).text, std::string("1"));
    QCOMPARE(runScript(box, "return tostring(x) .. tostring(string.evil) .. tostring((''):len())").text,
             std::string("nilnil0"));
}

void TestLuaSandbox::garbageIsCollectedUnseen() {
    lua::Limits limits;
    limits.softBytes = 1u << 20;
    lua::Sandbox box(limits);
    // 400 strings of 10 kB each are garbage at once; a weak mode that was slipped in must not show it.
    const Outcome outcome = runScript(box, R"(
        local mt = {}
        local weak = setmetatable({}, mt)
        mt.__mode = 'k'
        for i = 1, 20 do weak[{}] = i end
        for i = 1, 400 do local s = ('x'):rep(10000) .. i end
        local n = 0
        local mode = mt.__mode
        return tostring(mode))");
    QVERIFY2(outcome.ok, outcome.text.c_str());
    QVERIFY(box.collections() > 0);
    QVERIFY(box.strained());
    QVERIFY(!box.exhausted());
}

void TestLuaSandbox::messagesNameTheLineOfTheFile() {
    lua::Sandbox box;
    const Result<void> compiled = box.compile("local a = 1\nlocal = 2", "lesson.md", 120);
    QCOMPARE(compiled.error().text(), std::string("lesson.md:121: '<name>' expected near '='"));
    QVERIFY(box.compile("\nerror('here')", "lesson.md", 300).ok());
    QVERIFY(box.call(0, 0) != 0);
    QCOMPARE(std::string(lua_tostring(box.state(), -1)),
             std::string("lesson.md:301: attempt to call global 'error' (a nil value)"));
}

void TestLuaSandbox::aRefillGivesAFullBudget() {
    lua::Sandbox box;
    for (int run = 0; run < 5; ++run) {
        const Outcome outcome = runScript(box, "for i = 1, 300000 do end return 'done'");
        QCOMPARE(outcome.text, std::string("done"));
        QVERIFY2(!box.strained(), qPrintable(QString::number(box.left())));
    }
}

QTEST_GUILESS_MAIN(TestLuaSandbox)
#include "test_lua_sandbox.moc"
