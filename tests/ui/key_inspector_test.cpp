// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The key inspector in the real window: what it says of locks of other shapes, and what can be done to a key
// there.
#include "core/trace/key_history.h"
#include "tests/ui/window_fixture.h"
#include "ui/bridge/key_probe.h"

using namespace lockscope;
using namespace lockscope::test;

namespace {

constexpr const char* kHead = R"(---
id: shapes
title: Shapes
goal: Look at them.
keys: [{name: "lock:report", holders: 2}]
server: {profile: valkey-9.0}
actors:
  - {name: A, program: p}
horizon: 20s
---
# Shapes

```lua p
)";
constexpr const char* kTail = R"(
```

## Look

```step
show: [key]
until: 2s
```
)";

constexpr const char* kToken = R"(redis.call("SET", lock, "app-3:4711", "PX", 10000)
redis.call("INCR", "fence:report")
redis.call("RPUSH", lock .. ":queue", "B", "C")
redis.subscribe(lock .. ":free")
work("Job", 15000))";

constexpr const char* kHash = R"(local me = "3f2504e0-4f89-11d3-9a0c-0305e82c3301:42"
redis.call("HINCRBY", lock, me, 1)
redis.call("HINCRBY", lock, me, 1)
redis.call("PEXPIRE", lock, 30000)
work("Job", 15000))";

constexpr const char* kSemaphore = R"(redis.call("ZADD", lock, 1700000000, "A")
redis.call("ZADD", lock, 1700000005, "B")
work("Job", 15000))";

} // namespace

class KeyInspectorTest : public QuietTest {
    Q_OBJECT

private slots:
    void aTokenAndWhatGoesWithIt();
    void aHashThatCounts();
    void aSemaphoreAndNoDeadline();
    void whatAnAdministratorDoes();
    void anEditKeepsTheDeadline();
    void aKeyThatIsGoneHasNothingToChange();
    void askingChangesNothing();

private:
    void open(WindowUnderTest& window, const char* program) {
        const QString file = window.home(QStringLiteral("shapes.md"));
        write(file, QByteArray(kHead) + program + kTail);
        window.start(file, QSize(1920, 1080));
        window.run().setPlayhead(instantAt(seconds(2)));
        QVERIFY(window.sees(QStringLiteral("keyInspector")));
    }
    static KeyState state(WindowUnderTest& window) {
        const auto run = window.run().run();
        return keyStateAt(*run->trace, run->analysis, run->trace->strings.find("lock:report"),
                          window.run().playhead());
    }
    static std::string lastCommand(WindowUnderTest& window) {
        const auto& all = window.lesson().interventions();
        return all.empty() ? "none" : all.back().command;
    }
};

void KeyInspectorTest::aTokenAndWhatGoesWithIt() {
    WindowUnderTest window;
    open(window, kToken);
    QVERIFY(window.text(QStringLiteral("keyShape")).contains(QStringLiteral("names a process")));
    QVERIFY(window.text(QStringLiteral("ttlLeft")).contains(QStringLiteral("PTTL 8,0")));
    QCOMPARE(window.text(QStringLiteral("keyServer")), QStringLiteral("Valkey 9.0 (from documentation)"));
    QTRY_VERIFY(window.text(QStringLiteral("keyKin")).contains(QStringLiteral("1 listening")));
    const QStringList kin = window.text(QStringLiteral("keyKin")).split(QLatin1Char('\n'));
    QCOMPARE(kin, QStringList({QStringLiteral("fence fence:report = 1 (PTTL −1)"),
                               QStringLiteral("queue lock:report:queue: B, C (PTTL −1)"),
                               QStringLiteral("channel lock:report:free: 1 listening")}));
    // Its memory as MEMORY USAGE says it, and since when nobody has used it.
    QVERIFY2(
        window.text(QStringLiteral("keyMemory")).contains(QRegularExpression("^\\d+ bytes, idle for 1 s$")) ||
            window.text(QStringLiteral("keyMemory"))
                .contains(QRegularExpression("^\\d+ bytes, idle for 2 s$")),
        qPrintable(window.text(QStringLiteral("keyMemory"))));
    const auto left = [&](const char* name) {
        return window.child(QString::fromLatin1(name))->mapTo(&*window, QPoint(0, 0)).x();
    };
    QCOMPARE(left("keyMemory"), left("keyType")); // what is told of the key stands in one column
}

void KeyInspectorTest::aHashThatCounts() {
    WindowUnderTest window;
    open(window, kHash);
    QVERIFY(window.text(QStringLiteral("keyShape")).contains(QStringLiteral("re-entrant")));
    QCOMPARE(window.text(QStringLiteral("keyHolders")),
             QStringLiteral("thread 42 of 3f2504e0…: taken 2 times"));
    QVERIFY(!window.sees(QStringLiteral("keyValueEdit"))); // there is no single value to edit
    QVERIFY(window.sees(QStringLiteral("keyDelete")));
}

void KeyInspectorTest::aSemaphoreAndNoDeadline() {
    WindowUnderTest window;
    open(window, kSemaphore);
    QVERIFY(window.text(QStringLiteral("keyShape")).contains(QStringLiteral("semaphore")));
    QCOMPARE(window.text(QStringLiteral("keyHolders")),
             QStringLiteral("A: score 1700000000\nB: score 1700000005"));
    QVERIFY(window.text(QStringLiteral("keyWarning")).contains(QStringLiteral("PTTL −1")));
    QVERIFY(!window.child(QStringLiteral("keyPersist"))->isEnabled());
}

void KeyInspectorTest::whatAnAdministratorDoes() {
    WindowUnderTest window;
    open(window, kToken);
    window.click(QStringLiteral("keyDelete"));
    QCOMPARE(lastCommand(window), std::string("DEL lock:report"));
    QVERIFY(!state(window).exists);
    QVERIFY(window.text(QStringLiteral("keyEmpty")).contains(QStringLiteral("deleted by Admin")));
    window.key(Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(lastCommand(window), std::string("none"));
    QVERIFY(state(window).exists);

    window.click(QStringLiteral("keyPersist"));
    QVERIFY(state(window).deadline == kNever);
    QVERIFY(window.sees(QStringLiteral("keyWarning")));
    window.key(Qt::Key_Z, Qt::ControlModifier);

    window.click(QStringLiteral("keyExpire"));
    QCOMPARE(lastCommand(window), std::string("PEXPIRE lock:report 1"));
    QVERIFY(state(window).deadline == instantAt(millis(2001)));
    window.run().setPlayhead(instantAt(millis(2500)));
    QVERIFY(window.text(QStringLiteral("keyEmpty")).contains(QStringLiteral("lease ended")));
    window.key(Qt::Key_Z, Qt::ControlModifier);

    window.run().setPlayhead(instantAt(seconds(2)));
    window.click(QStringLiteral("keyTtlEdit"));
    QTest::keyClicks(window.child(QStringLiteral("keyTtlEdit")), QStringLiteral("9000"));
    QTest::keyClick(window.child(QStringLiteral("keyTtlEdit")), Qt::Key_Return);
    QVERIFY(state(window).deadline == instantAt(seconds(11)));
    // Neither 0 nor -1 is a time to live: what they would do has buttons of its own.
    for (const QString& wrong : {QStringLiteral("-1"), QStringLiteral("0"), QString()}) {
        auto* field = window.child<QLineEdit>(QStringLiteral("keyTtlEdit"));
        field->selectAll();
        QTest::keyClick(field, Qt::Key_Delete);
        QTest::keyClicks(field, wrong);
        QVERIFY(field->text() == QStringLiteral("1") ||
                !window.child(QStringLiteral("keySetTtl"))->isEnabled());
    }
}

void KeyInspectorTest::anEditKeepsTheDeadline() {
    WindowUnderTest window;
    open(window, kToken);
    const Instant before = state(window).deadline;
    auto* field = window.child<QLineEdit>(QStringLiteral("keyValueEdit"));
    QCOMPARE(field->text(), QStringLiteral("app-3:4711"));
    QVERIFY(!window.child(QStringLiteral("keySetValue"))->isEnabled());
    QTest::mouseClick(field, Qt::LeftButton);
    field->selectAll();
    QTest::keyClicks(field, QStringLiteral("other-one"));
    window.click(QStringLiteral("keySetValue"));
    QCOMPARE(lastCommand(window), std::string("SET lock:report other-one XX KEEPTTL"));
    QVERIFY(state(window).deadline == before);
    QCOMPARE(std::string(window.run().run()->trace->text(state(window).value)), std::string("other-one"));
    QCOMPARE(ui::quotedForRedis("an \"other\" one"), std::string("\"an \\\"other\\\" one\""));
}

void KeyInspectorTest::aKeyThatIsGoneHasNothingToChange() {
    WindowUnderTest window;
    open(window, kToken);
    QVERIFY(window.sees(QStringLiteral("keyActions")));
    window.run().setPlayhead(instantAt(seconds(12)));
    QVERIFY(!window.sees(QStringLiteral("keyActions")));
    window.run().setPlayhead(Instant{});
    QVERIFY(!window.sees(QStringLiteral("keyActions")));
}

/// The questions for the inspector are asked in a run of their own.
void KeyInspectorTest::askingChangesNothing() {
    WindowUnderTest window;
    open(window, kToken);
    const auto before = window.run().run();
    const ui::KeyFacts facts = ui::KeyProbe::look(window.run().scenario(), "lock:report",
                                                  {"lock:report:free"}, window.run().playhead());
    QVERIFY(facts.bytes && *facts.bytes > 40 && *facts.bytes < 200);
    QCOMPARE(facts.subscribers.at("lock:report:free"), std::int64_t{1});
    QVERIFY(window.run().run() == before);
    QVERIFY(!ui::KeyProbe::look(window.run().scenario(), "lock:report", {}, instantAt(seconds(12))).bytes);
    QVERIFY(window.lesson().interventions().empty());
}

QTEST_MAIN(KeyInspectorTest)
#include "key_inspector_test.moc"
