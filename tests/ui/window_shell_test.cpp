// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The window around the lesson: files that break and mend, what is remembered, keys that do not clash, sizes
// at which nothing is clipped, and names for those who do not see it.
#include <QAbstractSlider>
#include <QClipboard>
#include <QComboBox>
#include <QElapsedTimer>
#include <QLabel>
#include <QMenu>
#include <QMenuBar>
#include <QMimeData>
#include <QPushButton>
#include <QScrollArea>
#include <QTableView>
#include <QTextBrowser>
#include <QToolButton>

#include "tests/ui/run_fixtures.h"
#include "tests/ui/window_fixture.h"
#include "ui/panels/event_list.h"
#include "ui/panels/event_model.h"
#include "ui/panels/side_panel.h"

using namespace lockscope;
using namespace lockscope::ui;
using lockscope::test::QuietTest;
using lockscope::test::shippedLesson;
using lockscope::test::WindowUnderTest;
using lockscope::test::write;

namespace {

/// What stands where its text cannot be read whole, or outside of what holds it.
QStringList clipped(const QWidget& window) {
    QStringList list;
    const auto name = [](const QWidget* w) {
        return w->objectName() + QStringLiteral(" “") + w->property("text").toString() + QStringLiteral("”");
    };
    for (const QWidget* widget : window.findChildren<QWidget*>()) {
        if (!widget->isVisible() || widget->window() != &window ||
            widget->objectName().startsWith(QStringLiteral("qt_")))
            continue;
        const bool control = qobject_cast<const QAbstractButton*>(widget) ||
                             qobject_cast<const QLineEdit*>(widget) ||
                             qobject_cast<const QAbstractSlider*>(widget);
        if (!control && !qobject_cast<const QLabel*>(widget)) continue;
        const QWidget* parent = widget->parentWidget();
        if (!parent->rect().adjusted(-1, -1, 1, 1).contains(widget->geometry()) &&
            !qobject_cast<const QScrollArea*>(parent))
            list << name(widget) + QStringLiteral(" sticks out of ") + parent->objectName();
        if (const auto* label = qobject_cast<const QLabel*>(widget)) {
            const int needed =
                label->wordWrap() ? label->heightForWidth(label->width()) : label->sizeHint().height();
            if (label->height() < needed) list << name(widget) + QStringLiteral(" is too low");
            if (!label->wordWrap() && label->width() < label->sizeHint().width())
                list << name(widget) + QStringLiteral(" is too narrow");
        } else if (qobject_cast<const QPushButton*>(widget)) {
            if (widget->width() < widget->sizeHint().width() ||
                widget->height() < widget->sizeHint().height())
                list << name(widget) + QStringLiteral(" is too small");
        } else if (widget->hasHeightForWidth() &&
                   widget->height() < widget->heightForWidth(widget->width())) {
            list << name(widget) + QStringLiteral(" is too low for its text");
        }
    }
    return list;
}

} // namespace

class WindowShellTest : public QuietTest {
    Q_OBJECT
private slots:
    void aBrokenLessonShowsItsErrorInPlace();
    void aLessonThatWasNeverReadSaysSo();
    void aFileIsOpenedByDropping();
    void theWindowRemembers();
    void keysDoNotClash();
    void everyActionHasAMenuEntryAndAName();
    void spaceBelongsToWhoeverHasTheFocus();
    void theCommandLineIsCopied();
    void helpListsTheKeys();
    void theLayoutFollowsTheRoom();
    void eventsAreADrawerBesideOthersOnly();
    void manyKnobsLeaveRoomForTheText();
    void nothingIsClipped_data();
    void nothingIsClipped();
    void longNamesFit();
    void thePaletteStandsInOneRow_data();
    void thePaletteStandsInOneRow();
    void manyActorsFit();
    void theResourceHasTheLessonsNameForIt();
    void everyControlHasANameAndCanBeReached();
    void aMillionEventsDoNoHarm();
};

void WindowShellTest::aBrokenLessonShowsItsErrorInPlace() {
    WindowUnderTest window;
    const QString path = window.home(QStringLiteral("mine.md"));
    const QByteArray good = shippedLesson("expiry");
    write(path, good);
    window->openLesson(path);
    QVERIFY(!window.sees(QStringLiteral("lessonError")));

    QByteArray bad = good;
    write(path, bad.replace("label: Lease (TTL)", "lable: Lease (TTL)"));
    QTRY_VERIFY(window.sees(QStringLiteral("lessonError")));
    const int line = good.left(good.indexOf("label: Lease (TTL)")).count('\n') + 1;
    QCOMPARE(window.text(QStringLiteral("lessonErrorWhere")), QStringLiteral("mine.md, line %1").arg(line));
    QVERIFY2(window.text(QStringLiteral("lessonErrorText")).contains(QStringLiteral("lable")),
             qPrintable(window.text(QStringLiteral("lessonErrorText"))));
    QVERIFY(window.text(QStringLiteral("lessonErrorNote"))
                .contains(QStringLiteral("last lesson that could be read")));
    QVERIFY(window.sees(QStringLiteral("proseView"))); // which goes on being usable
    window.key(Qt::Key_PageDown);
    QCOMPARE(window.lesson().step(), 1);

    write(path, good);
    QTRY_VERIFY(!window.sees(QStringLiteral("lessonError")));
    QCOMPARE(window.lesson().step(), 1); // and one stays where one was
}

void WindowShellTest::aLessonThatWasNeverReadSaysSo() {
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("broken.md"));
    write(path, "---\nid: broken\n---\n\nNo steps.\n");
    WindowUnderTest window(path);
    QVERIFY(window.sees(QStringLiteral("lessonError")));
    QCOMPARE(window.text(QStringLiteral("lessonTitle")), QStringLiteral("No lesson is open"));
    QVERIFY(window.sees(QStringLiteral("openButton")));
    QVERIFY(!window.child<QWidget>(QStringLiteral("playButton"))->isEnabled());
    for (const Qt::Key key :
         {Qt::Key_Space, Qt::Key_P, Qt::Key_V, Qt::Key_PageDown, Qt::Key_Right, Qt::Key_R, Qt::Key_F})
        window.key(key); // nothing to do, nothing happens
    write(path, shippedLesson("expiry"));
    QTRY_VERIFY(!window.sees(QStringLiteral("lessonError")));
    QVERIFY(window.sees(QStringLiteral("stepTitle")));
}

void WindowShellTest::aFileIsOpenedByDropping() {
    WindowUnderTest window(QStringLiteral("expiry"));
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(WindowUnderTest::lessons() + QStringLiteral("/stale-del.md"))});
    QDragEnterEvent enter(QPoint(100, 100), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&*window, &enter);
    QVERIFY(enter.isAccepted());
    QDropEvent drop(QPointF(100, 100), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&*window, &drop);
    QCOMPARE(qstr(window.lesson().lesson()->id), QStringLiteral("stale-del"));
    QVERIFY(window.child<QComboBox>(QStringLiteral("lessonPicker"))
                ->currentText()
                .contains(qstr(window.lesson().lesson()->title)));
}

void WindowShellTest::theWindowRemembers() {
    WindowUnderTest window(QStringLiteral("stale-del"));
    window.key(Qt::Key_PageDown);
    window.key(Qt::Key_D, Qt::ControlModifier | Qt::ShiftModifier);
    window.key(Qt::Key_Plus, Qt::ControlModifier);
    window->resize(1400, 800);
    const bool dark = window->look().dark();
    window.close();
    window.start({}, QSize());
    QCOMPARE(qstr(window.lesson().lesson()->id), QStringLiteral("stale-del"));
    QCOMPARE(window.lesson().step(), 1);
    QCOMPARE(window->look().dark(), dark);
    QCOMPARE(window->look().scale(), 1.1);
    QCOMPARE(window->size(), QSize(1400, 800));
}

void WindowShellTest::keysDoNotClash() {
    WindowUnderTest window(QStringLiteral("expiry"));
    QMap<QString, QString> owners;
    for (const QAction* action : window->findChildren<QAction*>())
        for (const QKeySequence& key : action->shortcuts()) {
            const QString text = key.toString();
            QVERIFY2(
                !owners.contains(text),
                qPrintable(
                    QStringLiteral("%1: %2 and %3").arg(text, owners.value(text), action->objectName())));
            owners.insert(text, action->objectName());
        }
    QVERIFY(owners.size() > 30);
    // Mnemonics of one menu differ too.
    for (const QMenu* menu : window->findChildren<QMenu*>()) {
        QMap<QChar, QString> letters;
        for (const QAction* action : menu->actions()) {
            const qsizetype place = action->text().indexOf(QLatin1Char('&'));
            if (place < 0) continue;
            const QChar letter = action->text().at(place + 1).toLower();
            QVERIFY2(!letters.contains(letter),
                     qPrintable(QStringLiteral("%1 in %2: %3 and %4")
                                    .arg(letter)
                                    .arg(menu->objectName(), letters.value(letter), action->text())));
            letters.insert(letter, action->text());
        }
    }
}

void WindowShellTest::everyActionHasAMenuEntryAndAName() {
    WindowUnderTest window(QStringLiteral("expiry"));
    QMap<QString, QList<QKeySequence>> asking;
    for (const QAction* action : window->findChildren<QAction*>())
        asking[action->objectName()] = action->shortcuts();
    QVERIFY(asking[QStringLiteral("actionAdmin")].isEmpty()); // A is an answer for now
    QVERIFY(!asking[QStringLiteral("actionAnswerA")].isEmpty());
    for (const char* name :
         {"actionOpen",        "actionNext",     "actionBack",          "actionReset",
          "actionOwnRun",      "actionCheck",    "actionLift",          "actionPlay",
          "actionStepForward", "actionStepBack", "actionToStart",       "actionToEnd",
          "actionFaster",      "actionSlower",   "actionNextViolation", "actionPause",
          "actionResume",      "actionKill",     "actionRestart",       "actionRemove",
          "actionFit",         "actionZoomIn",   "actionZoomOut",       "actionLegend",
          "actionKey",         "actionCode",     "actionEvents",        "actionFilter",
          "actionDark",        "actionLarger",   "actionSmaller",       "actionNormalSize",
          "actionHelp",        "actionActorA",   "actionAnswerA",       "actionCopyCommand",
          "actionUndo",        "actionRedo",     "actionDuplicate",     "actionNextFault",
          "actionLostReply",   "actionAdmin"}) {
        const auto* action = window->findChild<QAction*>(QLatin1String(name));
        QVERIFY2(action != nullptr, name);
        const bool answers = QLatin1String(name) == QLatin1String("actionAdmin");
        QVERIFY2(answers || !action->shortcuts().isEmpty(), name);
        QVERIFY2(!action->associatedObjects().isEmpty(), name);
    }
}

void WindowShellTest::spaceBelongsToWhoeverHasTheFocus() {
    WindowUnderTest window(QStringLiteral("expiry"));
    window->setFocus();
    window.key(Qt::Key_Space);
    QVERIFY(window.run().playing());
    window.key(Qt::Key_Space);
    QVERIFY(!window.run().playing());

    window.child<QWidget>(QStringLiteral("themeButton"))->setFocus();
    const bool dark = window->look().dark();
    window.key(Qt::Key_Space);
    QVERIFY(window->look().dark() != dark);
    QVERIFY(!window.run().playing());

    window.key(Qt::Key_F, Qt::ControlModifier);
    QTest::keyClicks(QApplication::focusWidget(), QStringLiteral("p k u 1 r"));
    QCOMPARE(window.child<QLineEdit>(QStringLiteral("eventFilter"))->text(), QStringLiteral("p k u 1 r"));
    QVERIFY(!window.run().playing());
    QVERIFY(window.lesson().interventions().empty());
    QVERIFY(window.lesson().openQuestion() != nullptr);

    // A mouse click on a button does not take the space bar from Play.
    window->setFocus();
    window.click(QStringLiteral("stepForwardButton"));
    window.key(Qt::Key_Space);
    QVERIFY(window.run().playing());
}

void WindowShellTest::theCommandLineIsCopied() {
    WindowUnderTest window(QStringLiteral("expiry"));
    window.key(Qt::Key_C, Qt::ControlModifier | Qt::ShiftModifier);
    QVERIFY(QApplication::clipboard()->text().startsWith(QStringLiteral("lockscope run expiry")));
    QVERIFY(window.sees(QStringLiteral("toast")));
}

void WindowShellTest::helpListsTheKeys() {
    WindowUnderTest window(QStringLiteral("expiry"));
    window.key(Qt::Key_F1);
    auto* help = window->findChild<QTextBrowser*>(QStringLiteral("helpText"));
    QVERIFY(help != nullptr && help->isVisible());
    const QString text = help->toPlainText();
    for (const char* word : {"Space", "PgDown", "does", "thinks", "Redis says", "Kill at the playhead"})
        QVERIFY2(text.contains(QLatin1String(word)), word);
    help->window()->close();
}

void WindowShellTest::theLayoutFollowsTheRoom() {
    WindowUnderTest window(QStringLiteral("stale-del"), QSize(1280, 720));
    window.lesson().goTo(2);
    WindowUnderTest::settle();
    auto* side = window->findChild<SidePanel*>();
    QVERIFY(!side->stacked());
    const int open = window.sees(QStringLiteral("keyInspector")) + window.sees(QStringLiteral("codePanel")) +
                     window.sees(QStringLiteral("eventList"));
    QCOMPARE(open, 1); // one tab at a time
    window.key(Qt::Key_2, Qt::ControlModifier);
    QVERIFY(window.sees(QStringLiteral("codePanel")) && !window.sees(QStringLiteral("keyInspector")));

    window->resize(1920, 1080);
    WindowUnderTest::settle();
    QVERIFY(side->stacked());
    QVERIFY(window.sees(QStringLiteral("keyInspector")) && window.sees(QStringLiteral("codePanel")));

    window->resize(1000, 720);
    WindowUnderTest::settle();
    auto* lesson = window.child(QStringLiteral("lessonPanel"));
    auto* timeline = window.child(QStringLiteral("timeline"));
    QVERIFY(lesson->mapTo(&*window, QPoint()).y() >
            timeline->mapTo(&*window, QPoint(0, timeline->height())).y() - 1);
    window.key(Qt::Key_F9);
    QVERIFY(!window.sees(QStringLiteral("lessonPanel")));
}

void WindowShellTest::eventsAreADrawerBesideOthersOnly() {
    WindowUnderTest window(QStringLiteral("waiting"), QSize(1920, 1080));
    window.lesson().goTo(2); // the first step that shows any of the three shows events
    QVERIFY(window.lesson().shows(Panel::Events) && !window.lesson().shows(Panel::Code));
    QVERIFY(window.sees(QStringLiteral("eventList")));
    auto* title = window.child(QStringLiteral("cardTitle_2"));
    QTest::mouseClick(window->windowHandle(), Qt::LeftButton, {},
                      title->mapTo(&*window, title->rect().center())); // there is nothing to close
    QVERIFY(window.sees(QStringLiteral("eventList")));
    QCOMPARE(title->focusPolicy(), Qt::NoFocus);

    window.lesson().goTo(3);
    QVERIFY(window.lesson().shows(Panel::Code));
    QVERIFY(!window.sees(QStringLiteral("eventList")));
    window.click(QStringLiteral("cardTitle_2"));
    QVERIFY(window.sees(QStringLiteral("eventList")));
}

void WindowShellTest::manyKnobsLeaveRoomForTheText() {
    WindowUnderTest window(QStringLiteral("renewal-limits"), QSize(1280, 720));
    QWidget& panel = *window.child(QStringLiteral("lessonPanel"));
    const auto& lesson = *window.lesson().lesson();
    int shown = 0;
    for (int i = 0; i < window.lesson().stepCount(); ++i) {
        window.lesson().goTo(i);
        WindowUnderTest::settle();
        if (!window.lesson().shows(Panel::Knobs)) continue;
        ++shown;
        auto* scroll = window->findChild<QScrollArea*>(QStringLiteral("lessonScroll"));
        QVERIFY(scroll->height() > panel.height() / 2);
        const QString row = QStringLiteral("knobRow_%1").arg(qstr(lesson.knobs.back().name));
        scroll->ensureWidgetVisible(window.child(row));
        QVERIFY(window.sees(row));
    }
    QVERIFY(shown > 0 && lesson.knobs.size() > 3);
}

void WindowShellTest::nothingIsClipped_data() {
    QTest::addColumn<QSize>("size");
    QTest::addColumn<double>("scale");
    QTest::newRow("1280x720") << QSize(1280, 720) << 1.0;
    QTest::newRow("1920x1080") << QSize(1920, 1080) << 1.0;
    QTest::newRow("80 %") << QSize(1280, 720) << 0.8;
    QTest::newRow("150 %") << QSize(1280, 720) << 1.5;
    QTest::newRow("250 %") << QSize(1280, 720) << 2.5;
}

void WindowShellTest::nothingIsClipped() {
    QFETCH(QSize, size);
    QFETCH(double, scale);
    WindowUnderTest window(QStringLiteral("stale-del"), size);
    window->look().setScale(scale);
    window->resize(size);
    WindowUnderTest::settle();
    QCOMPARE(window->size(), size); // and the window need not grow for it
    for (int i = 0; i < window.lesson().stepCount(); ++i) {
        window.lesson().goTo(i);
        window.run().setPlayhead(window.run().end());
        WindowUnderTest::settle();
        QCOMPARE(clipped(*window).join(QLatin1Char('\n')), QString());
        window.lesson().liftVeil();
        window.run().pause();
        window.lesson().addIntervention(
            {InterventionKind::Pause, "Server A", instantAt(seconds(12)), seconds(20)});
        WindowUnderTest::settle();
        QCOMPARE(clipped(*window).join(QLatin1Char('\n')), QString());
    }
}

void WindowShellTest::longNamesFit() {
    WindowUnderTest window(QStringLiteral("expiry"));
    const QString path = window.home(QStringLiteral("long.md"));
    QByteArray lesson = shippedLesson("expiry");
    lesson.replace("Server A", "Donaudampfschifffahrtsgesellschaftsrechner der Buchhaltung A");
    lesson.replace("lock:report", "lock:report:of-the-whole-quarter:for:every-subsidiary-and-branch");
    write(path, lesson);
    window->openLesson(path);
    QCOMPARE(window.lesson().error(), QString());
    for (int i = 0; i < window.lesson().stepCount(); ++i) {
        window.lesson().goTo(i);
        window.lesson().liftVeil();
        window.run().pause();
        window.run().setPlayhead(instantAt(seconds(33)));
        WindowUnderTest::settle();
        QCOMPARE(clipped(*window).join(QLatin1Char('\n')), QString());
    }
    QCOMPARE(window->size(), QSize(1280, 720));
}

void WindowShellTest::thePaletteStandsInOneRow_data() {
    QTest::addColumn<QSize>("size");
    QTest::addColumn<int>("words");
    QTest::newRow("1280") << QSize(1280, 720) << 1;
    QTest::newRow("1920") << QSize(1920, 1080) << 6;
}

/// Words give way to signs, the least used ones first; a sign says at the pointer what it stands for.
void WindowShellTest::thePaletteStandsInOneRow() {
    QFETCH(QSize, size);
    QFETCH(int, words);
    WindowUnderTest window(QStringLiteral("toctou"), size);
    window.lesson().goTo(3); // the panel at the right takes its part
    WindowUnderTest::settle();
    int worded = 0, row = -1;
    bool before = true;
    for (const InterventionKindInfo& info : interventionKinds()) {
        auto* button = window.child<QToolButton>(QStringLiteral("%1Button").arg(qstr(info.id)));
        // Nothing to fill here, and nothing that could outlive its server.
        if (info.kind >= InterventionKind::Load) {
            QVERIFY(button->isHidden());
            continue;
        }
        const int middle = button->geometry().center().y();
        QVERIFY(row < 0 || std::abs(middle - row) <= 1);
        row = middle;
        const bool has = button->toolButtonStyle() == Qt::ToolButtonTextBesideIcon;
        QVERIFY(before || !has);
        before = has;
        worded += has ? 1 : 0;
        QVERIFY(button->toolTip().startsWith(button->accessibleName()));
    }
    QVERIFY2(worded >= words, qPrintable(QString::number(worded)));
    QCOMPARE(clipped(*window).join(QLatin1Char('\n')), QString());
    window->openLesson(QStringLiteral("eviction"));
    QVERIFY(window.sees(QStringLiteral("loadButton")));
    QCOMPARE(clipped(*window).join(QLatin1Char('\n')), QString());
}

/// Twenty servers with names that differ in the middle.
void WindowShellTest::manyActorsFit() {
    WindowUnderTest window(QStringLiteral("expiry"));
    QByteArray lesson = shippedLesson("expiry");
    const int at = lesson.indexOf("  - name: Server A");
    const QByteArray actor = lesson.mid(at, lesson.indexOf("  - name: Server B") - at);
    QByteArray more;
    for (int i = 1; i < 19; ++i)
        more += QByteArray(actor).replace("Server A", "reconciliation-worker-" + QByteArray::number(100 + i) +
                                                          ".eu-central-1");
    lesson.insert(at + actor.size(), more);
    const QString path = window.home(QStringLiteral("many.md"));
    write(path, lesson);
    window->openLesson(path);
    QCOMPARE(window.lesson().error(), QString());
    WindowUnderTest::settle();
    QCOMPARE(window->size(), QSize(1280, 720));
    QCOMPARE(clipped(*window).join(QLatin1Char('\n')), QString());
    auto* choice = window.child<QComboBox>(QStringLiteral("manyActors"));
    QVERIFY(window.sees(QStringLiteral("manyActors")));
    QVERIFY(choice->count() >= 20);
    choice->setFocus();
    QTest::keyClick(choice, Qt::Key_Down);
    window.key(Qt::Key_1);
    QCOMPARE(choice->currentIndex(), 0);
    QTest::keyClick(choice, Qt::Key_Down);
    window.run().setPlayhead(instantAt(seconds(1)));
    window.click(QStringLiteral("pauseButton"));
    QCOMPARE(qstr(window.lesson().interventions().back().actor), choice->itemText(1));
}

void WindowShellTest::theResourceHasTheLessonsNameForIt() {
    WindowUnderTest window;
    const QString path = window.home(QStringLiteral("orders.md"));
    write(path, shippedLesson("fencing").replace("  name: Storage", "  name: Order book"));
    window->openLesson(path);
    QCOMPARE(window.lesson().error(), QString());
    while (!window.lesson().shows(Panel::Resource))
        window.key(Qt::Key_PageDown);
    QVERIFY(window.sees(QStringLiteral("timeline.header.Order book")));
}

void WindowShellTest::everyControlHasANameAndCanBeReached() {
    WindowUnderTest window(QStringLiteral("stale-del"), QSize(1920, 1080));
    window.lesson().goTo(2);
    WindowUnderTest::settle();
    QStringList nameless;
    QSet<const QWidget*> wanted;
    for (const QWidget* widget : window->findChildren<QWidget*>()) {
        if (!widget->isVisible() || widget->window() != &*window || !(widget->focusPolicy() & Qt::TabFocus))
            continue;
        if (widget->objectName().startsWith(QStringLiteral("qt_")) || widget->focusProxy() != nullptr)
            continue;
        if (widget->objectName().isEmpty() || widget->accessibleName().isEmpty())
            nameless << QString::fromLatin1(widget->metaObject()->className()) + QLatin1Char(' ') +
                            widget->objectName() + QStringLiteral(" in ") +
                            widget->parentWidget()->objectName();
        if (widget->isEnabled()) wanted.insert(widget);
    }
    QCOMPARE(nameless.join(QLatin1Char('\n')), QString());
    window->setFocus();
    for (int i = 0; i < 200 && !wanted.isEmpty(); ++i) {
        window.key(Qt::Key_Tab);
        wanted.remove(QApplication::focusWidget());
    }
    QStringList missed;
    for (const QWidget* widget : wanted)
        missed << widget->objectName();
    for (const char* other : {"confidenceFair", "confidenceCertain"})
        missed.removeAll(QLatin1String(other));
    missed.removeAll(QStringLiteral("optionB")); // one stop for the answers, arrows among them
    missed.removeAll(QStringLiteral("optionC"));
    missed.removeAll(QStringLiteral("optionD"));
    missed.removeAll(QStringLiteral("actorB")); // and likewise for the actors
    missed.removeAll(QStringLiteral("actorC"));
    QCOMPARE(missed.join(QLatin1Char('\n')), QString());
}

void WindowShellTest::aMillionEventsDoNoHarm() {
    const auto big = test::bigRun(4, 1'000'000);
    RunModel run(std::make_unique<test::ToldSession>(*big->trace));
    QCOMPARE(run.start({}), QString());
    Look look;
    EventList list(run, look);
    list.resize(400, 500);
    QElapsedTimer clock;
    clock.start();
    list.show();
    list.grab();
    QVERIFY2(clock.elapsed() < 1000, qPrintable(QStringLiteral("shown in %1 ms").arg(clock.elapsed())));
    QVERIFY(list.model().rowCount() >= 1'000'000);
    clock.restart();
    for (int i = 0; i < 100; ++i)
        run.setPlayhead(Instant{run.end().time_since_epoch() * i / 100});
    QVERIFY2(clock.elapsed() < 500, qPrintable(QStringLiteral("100 moves in %1 ms").arg(clock.elapsed())));
    clock.restart();
    list.model().setFilter(QStringLiteral("no event says this"));
    QVERIFY2(clock.elapsed() < 100, qPrintable(QStringLiteral("first slice in %1 ms").arg(clock.elapsed())));
    QVERIFY(list.model().filtering());
    list.model().setFilter({});
    QVERIFY(!list.model().filtering());
}

QTEST_MAIN(WindowShellTest)
#include "window_shell_test.moc"
