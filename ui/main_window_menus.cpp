// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Menus and keys. A key without a modifier must not take what a focused control needs: eventFilter() leaves
// it to the control then.
#include "ui/main_window.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractSlider>
#include <QAbstractSpinBox>
#include <QApplication>
#include <QComboBox>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMenuBar>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTabBar>
#include <QToolBar>
#include <QToolButton>

#include "ui/bridge/kept_runs.h"
#include "ui/bridge/lesson_model.h"
#include "ui/bridge/shelf.h"
#include "ui/bridge/text.h"
#include "ui/look.h"
#include "ui/main_window_parts.h"
#include "ui/panels/event_list.h"
#include "ui/panels/fault_bar.h"
#include "ui/panels/icons.h"
#include "ui/panels/lesson_panel.h"
#include "ui/panels/prediction_card.h"
#include "ui/panels/side_panel.h"
#include "ui/panels/toast.h"
#include "ui/panels/transport_bar.h"
#include "ui/timeline/compare_view.h"
#include "ui/timeline/timeline_view.h"

namespace lockscope::ui {

namespace {

constexpr double kScaleStep = 0.1;

bool typesIn(const QWidget* widget) {
    return qobject_cast<const QLineEdit*>(widget) || qobject_cast<const QAbstractSpinBox*>(widget) ||
           qobject_cast<const QComboBox*>(widget) ||
           (widget->testAttribute(Qt::WA_InputMethodEnabled) && widget->inherits("QAbstractScrollArea"));
}

} // namespace

QAction* MainWindow::Actions::add(QMenu* menu, const QString& text, const char* name,
                                  const QList<QKeySequence>& keys) {
    auto* action = menu->addAction(text);
    action->setObjectName(QLatin1String(name));
    action->setShortcuts(keys);
    action->setShortcutContext(Qt::WindowShortcut);
    all.append(action);
    return action;
}

void MainWindow::buildActions() {
    buildFileMenu();
    buildEditMenu();
    buildLessonMenu();
    buildRunMenu();
    buildActorMenu();
    buildViewMenu();
    QMenu* help = menuBar()->addMenu(tr("&Help"));
    help->setObjectName(QStringLiteral("helpMenu"));
    connect(m_actions->add(help, tr("&Keys and words"), "actionHelp", {QKeySequence(tr("F1"))}),
            &QAction::triggered, this, &MainWindow::showHelp);
    menuBar()->setObjectName(QStringLiteral("menuBar"));
    refreshActions();
}

void MainWindow::buildLessonMenu() {
    QMenu* menu = menuBar()->addMenu(tr("&Lesson"));
    menu->setObjectName(QStringLiteral("lessonMenu"));
    m_actions->lessons = menu->addMenu(tr("&Lessons"));
    m_actions->lessons->setObjectName(QStringLiteral("lessonsMenu"));
    menu->addSeparator();
    m_actions->next = m_actions->add(menu, tr("&Next step"), "actionNext", {QKeySequence(tr("PgDown"))});
    m_actions->back = m_actions->add(menu, tr("&Previous step"), "actionBack", {QKeySequence(tr("PgUp"))});
    m_actions->reset =
        m_actions->add(menu, tr("&Reset the step"), "actionReset", {QKeySequence(tr("Ctrl+R"))});
    m_actions->ownRun =
        m_actions->add(menu, tr("&My run"), "actionOwnRun", {QKeySequence(tr("Ctrl+Shift+R"))});
    menu->addSeparator();
    m_actions->answers = menu->addMenu(tr("&Answer"));
    m_actions->answers->setObjectName(QStringLiteral("answerMenu"));
    QMenu* sure = menu->addMenu(tr("How &sure"));
    sure->setObjectName(QStringLiteral("sureMenu"));
    for (const Confidence each : {Confidence::Guess, Confidence::Fair, Confidence::Certain}) {
        QAction* item = sure->addAction(tr("How sure: %1").arg(wordFor(each)));
        item->setObjectName(QStringLiteral("actionSure%1").arg(static_cast<int>(each)));
        item->setShortcut(QKeySequence(tr("Alt+%1").arg(6 + static_cast<int>(each))));
        connect(item, &QAction::triggered, this,
                [this, each] { m_lessonPanel->prediction().chooseConfidence(each); });
        m_actions->sure.append(item);
        m_actions->all.append(item);
    }
    m_actions->check = m_actions->add(
        menu, tr("&Check the answer"), "actionCheck",
        {QKeySequence(tr("Return")), QKeySequence(tr("Enter")), QKeySequence(tr("Ctrl+Return"))});
    m_actions->lift =
        m_actions->add(menu, tr("Lift the &veil without answering"), "actionLift", {QKeySequence(tr("R"))});
    menu->addSeparator();
    buildChallengeActions(menu);
    menu->addSeparator();
    m_actions->forget = m_actions->add(menu, tr("&Forget my answers in this lesson"), "actionForget", {});
    m_actions->forgetAll =
        m_actions->add(menu, tr("Forget my pro&gress in all lessons"), "actionForgetAll", {});
    connect(m_actions->forget, &QAction::triggered, this, [this] { forgetProgress(false); });
    connect(m_actions->forgetAll, &QAction::triggered, this, [this] { forgetProgress(true); });
    connect(m_actions->next, &QAction::triggered, m_lesson, &LessonModel::next);
    connect(m_actions->back, &QAction::triggered, m_lesson, &LessonModel::back);
    connect(m_actions->reset, &QAction::triggered, m_lesson, &LessonModel::resetStep);
    connect(m_actions->ownRun, &QAction::triggered, m_lesson, &LessonModel::restoreOwnRun);
    connect(m_actions->check, &QAction::triggered, this, [this] { m_lessonPanel->prediction().check(); });
    connect(m_actions->lift, &QAction::triggered, m_lesson, &LessonModel::liftVeil);
}

void MainWindow::buildRunMenu() {
    QMenu* menu = menuBar()->addMenu(tr("&Run"));
    menu->setObjectName(QStringLiteral("runMenu"));
    const auto transport = [&](const QString& text, const char* name, const QString& key, auto act) {
        QAction* made = m_actions->add(menu, text, name, {QKeySequence(key)});
        connect(made, &QAction::triggered, m_run, act);
        m_actions->transport.append(made);
        return made;
    };
    m_actions->play = transport(tr("&Play"), "actionPlay", tr("Space"),
                                [this] { m_run->playing() ? m_run->pause() : m_run->play(); });
    transport(tr("Step &forward"), "actionStepForward", tr("Right"), &RunModel::stepForward);
    transport(tr("Step &back"), "actionStepBack", tr("Left"), &RunModel::stepBack);
    transport(tr("To the &start"), "actionToStart", tr("Home"), &RunModel::toStart);
    transport(tr("To the &end"), "actionToEnd", tr("End"), &RunModel::toEnd);
    menu->addSeparator();
    transport(tr("F&aster"), "actionFaster", tr("]"), [this] { m_transport->faster(); });
    transport(tr("S&lower"), "actionSlower", tr("["), [this] { m_transport->slower(); });
    transport(tr("S&top what moves"), "actionStop", tr("Esc"), [this] { stopMotion(); });
    menu->addSeparator();
    m_actions->throwAgain =
        m_actions->add(menu, tr("Throw the &dice again"), "actionThrowAgain", {QKeySequence(tr("Z"))});
    connect(m_actions->throwAgain, &QAction::triggered, m_lesson, &LessonModel::throwAgain);
    m_actions->note = m_actions->add(menu, tr("&Note here…"), "actionNote", {QKeySequence(tr("N"))});
    connect(m_actions->note, &QAction::triggered, this, &MainWindow::noteHere);
    menu->addSeparator();
    m_actions->nextViolation =
        m_actions->add(menu, tr("Next &violation"), "actionNextViolation", {QKeySequence(tr("V"))});
    m_actions->previousViolation = m_actions->add(menu, tr("P&revious violation"), "actionPreviousViolation",
                                                  {QKeySequence(tr("Shift+V"))});
    menu->addSeparator();
    buildSearchActions(menu);
    connect(m_actions->nextViolation, &QAction::triggered, this, [this] { stepViolation(1); });
    connect(m_actions->previousViolation, &QAction::triggered, this, [this] { stepViolation(-1); });
    menu->addSeparator();
    buildKeptActions(menu);
    menu->addSeparator();
    QAction* live =
        m_actions->add(menu, tr("Run &on a real Redis…"), "actionLive", {QKeySequence(tr("Ctrl+L"))});
    QAction* serve =
        m_actions->add(menu, tr("Serve t&his lesson…"), "actionServe", {QKeySequence(tr("Ctrl+Shift+L"))});
    serve->setEnabled(m_serveHost != nullptr);
    connect(serve, &QAction::triggered, this, &MainWindow::showServe);
    live->setEnabled(m_liveHost != nullptr);
    connect(live, &QAction::triggered, this, &MainWindow::showLive);
    QAction* observe = m_actions->add(menu, tr("Wat&ch a key of any Redis…"), "actionObserve",
                                      {QKeySequence(tr("Ctrl+Shift+O"))});
    observe->setEnabled(m_liveHost != nullptr);
    connect(observe, &QAction::triggered, this, &MainWindow::showObserve);
    if (m_liveHost == nullptr) return;
    auto* button = new QToolButton(m_toolBar);
    button->setObjectName(QStringLiteral("liveButton"));
    button->setFocusPolicy(Qt::TabFocus);
    button->setText(tr("Run live…"));
    button->setAccessibleName(tr("Run live"));
    button->setToolTip(tr("Real processes on a real Redis (Ctrl+L)"));
    m_toolBar->insertWidget(m_toolBar->actions().constLast(), button);
    connect(button, &QToolButton::clicked, this, &MainWindow::showLive);
}

void MainWindow::buildViewMenu() {
    QMenu* menu = menuBar()->addMenu(tr("&View"));
    menu->setObjectName(QStringLiteral("viewMenu"));
    const auto act = [&](const QString& text, const char* name, const QList<QKeySequence>& keys, auto does) {
        QAction* made = m_actions->add(menu, text, name, keys);
        connect(made, &QAction::triggered, this, does);
        return made;
    };
    act(tr("&Fit the whole run"), "actionFit", {QKeySequence(tr("F"))},
        [this] { comparing() ? m_compare->fit() : m_timeline->fit(); });
    act(tr("Zoom &in"), "actionZoomIn", {QKeySequence(tr("+")), QKeySequence(tr("="))},
        [this] { comparing() ? m_compare->zoomIn() : m_timeline->zoomIn(); });
    act(tr("Zoom &out"), "actionZoomOut", {QKeySequence(tr("-"))},
        [this] { comparing() ? m_compare->zoomOut() : m_timeline->zoomOut(); });
    m_actions->stepView = act(tr("Ste&p view"), "actionStepView", {QKeySequence(tr("S"))}, [this] {
        comparing() ? m_compare->setStepView(!m_compare->stepView())
                    : m_timeline->setStepView(!m_timeline->stepView());
    });
    m_actions->stepView->setCheckable(true);
    m_actions->ghost = act(tr("&Ghost of the run before"), "actionGhost", {QKeySequence(tr("G"))}, [this] {
        const bool show = comparing() || !m_timeline->ghostShown();
        oneTimeline().setGhostShown(show);
        m_actions->ghost->setChecked(show); // a trigger has turned it round, whatever was there
    });
    m_actions->ghost->setCheckable(true);
    m_actions->ghost->setChecked(true);
    m_actions->legend = act(tr("&Legend"), "actionLegend", {QKeySequence(tr("L"))}, [this] {
        const bool show = comparing() || !m_timeline->legendShown();
        oneTimeline().setLegendShown(show);
        m_actions->legend->setChecked(show);
    });
    m_actions->legend->setCheckable(true);
    menu->addSeparator();
    m_actions->showLesson = act(tr("Le&sson"), "actionShowLesson", {QKeySequence(tr("F9"))},
                                [this] { m_lessonPanel->setVisible(m_actions->showLesson->isChecked()); });
    m_actions->showLesson->setCheckable(true);
    m_actions->showLesson->setChecked(true);
    act(tr("&Key"), "actionKey", {QKeySequence(tr("Ctrl+1"))}, [this] { m_side->raise(SidePanel::Key); });
    act(tr("&Code"), "actionCode", {QKeySequence(tr("Ctrl+2"))}, [this] { m_side->raise(SidePanel::Code); });
    act(tr("&Events"), "actionEvents", {QKeySequence(tr("Ctrl+3"))},
        [this] { m_side->raise(SidePanel::Events); });
    act(tr("Fil&ter the events"), "actionFilter", {QKeySequence::Find}, [this] {
        m_side->raise(SidePanel::Events);
        m_side->findChild<EventList*>()->editFilter();
    });
    menu->addSeparator();
    m_actions->dark = act(tr("&Dark"), "actionDark", {QKeySequence(tr("Ctrl+Shift+D"))},
                          [this] { m_look->setDark(!m_look->dark()); });
    m_actions->dark->setCheckable(true);
    m_actions->reducedMotion =
        act(tr("&Reduced motion"), "actionReducedMotion", {QKeySequence(tr("Ctrl+Shift+M"))},
            [this] { m_look->setReducedMotion(!m_look->reducedMotion()); });
    m_actions->reducedMotion->setCheckable(true);
    act(tr("L&arger"), "actionLarger", {QKeySequence(tr("Ctrl++")), QKeySequence(tr("Ctrl+="))},
        [this] { m_look->setScale(m_look->scale() + kScaleStep); });
    act(tr("S&maller"), "actionSmaller", {QKeySequence(tr("Ctrl+-"))},
        [this] { m_look->setScale(m_look->scale() - kScaleStep); });
    act(tr("&Normal size"), "actionNormalSize", {QKeySequence(tr("Ctrl+0"))},
        [this] { m_look->setScale(1); });
}

void MainWindow::fillLessonMenu() {
    m_actions->lessons->clear();
    for (const Shelf::Entry& entry : m_shelf->entries) {
        QAction* item = m_actions->lessons->addAction(entry.title);
        item->setCheckable(true);
        item->setChecked(entry.path == m_lesson->path());
        if (!entry.broken)
            item->setText(entry.title + QLatin1Char('\t') +
                          progressWords(entry, m_lesson->progress().of(entry.id)));
        if (entry.broken) item->setIcon(glyphIcon(*m_look, Glyph::Warning));
        connect(item, &QAction::triggered, this, [this, path = entry.path] { openLesson(path); });
    }
}

/// While a question is open its letters answer it, whatever else they do otherwise.
void MainWindow::lendLetters(int letters) {
    for (QAction* action : m_actions->all) {
        if (const auto lent = m_actions->lent.constFind(action); lent != m_actions->lent.cend())
            action->setShortcuts(*lent);
    }
    m_actions->lent.clear();
    for (QAction* action : m_actions->all) {
        const QList<QKeySequence> keys = action->shortcuts();
        QList<QKeySequence> left = keys;
        for (int i = 0; i < letters; ++i)
            left.removeAll(QKeySequence(QString(QChar(u'A' + i))));
        if (left == keys) continue;
        m_actions->lent.insert(action, keys);
        action->setShortcuts(left);
    }
}

void MainWindow::fillAnswerMenu() {
    const Prediction* open = m_lesson->openQuestion();
    const qsizetype count = open == nullptr ? 0 : static_cast<qsizetype>(open->options.size());
    if (m_actions->answers->actions().size() != count) {
        m_actions->answers->clear();
        for (int i = 0; i < count; ++i) {
            QAction* item = m_actions->answers->addAction(QString());
            item->setObjectName(QStringLiteral("actionAnswer%1").arg(QChar(u'A' + i)));
            item->setShortcuts(
                {QKeySequence(QString(QChar(u'A' + i))), QKeySequence(tr("Alt+%1").arg(i + 1))});
            connect(item, &QAction::triggered, this, [this, i] { m_lessonPanel->prediction().choose(i); });
        }
        lendLetters(static_cast<int>(count));
    }
    for (int i = 0; i < count; ++i)
        m_actions->answers->actions()[i]->setText(
            tr("%1  %2").arg(QChar(u'A' + i)).arg(qstr(open->options[static_cast<std::size_t>(i)].text)));
    for (QAction* sure : m_actions->sure)
        sure->setEnabled(count > 0);
    m_actions->answers->setEnabled(count > 0);
}

void MainWindow::refreshActions() {
    const bool lesson = m_lesson->lesson() != nullptr, run = m_run->run() != nullptr;
    m_actions->next->setEnabled(m_lesson->canGoOn());
    m_actions->back->setEnabled(m_lesson->canGoBack());
    m_actions->reset->setEnabled(lesson);
    m_actions->forget->setEnabled(lesson);
    m_actions->ownRun->setEnabled(m_lesson->ownRunKept());
    m_actions->check->setEnabled(m_lessonPanel->prediction().canCheck());
    m_actions->lift->setEnabled(m_lesson->openQuestion() != nullptr);
    m_actions->copyCommand->setEnabled(lesson);
    m_actions->keep->setEnabled(m_kept->canKeep());
    m_actions->save->setEnabled(lesson);
    m_actions->saveAs->setEnabled(lesson);
    m_actions->copyPicture->setEnabled(run);
    m_actions->exportPicture->setEnabled(run);
    m_actions->throwAgain->setEnabled(m_lesson->leftToChance());
    m_actions->note->setEnabled(run);
    for (QAction* each : m_actions->transport)
        each->setEnabled(run);
    m_actions->play->setText(m_run->playing() ? tr("&Pause playing") : tr("&Play"));
    m_actions->nextViolation->setEnabled(run);
    m_actions->readStrip->setEnabled(run && m_lesson->shows(Panel::Strip));
    m_actions->stripBorder->setEnabled(m_actions->readStrip->isEnabled());
    m_actions->findFailure->setEnabled(run && m_run->pastEditable());
    m_actions->previousViolation->setEnabled(run);
    refreshEdits();
    refreshPrograms();
    fillAnswerMenu();
}

bool MainWindow::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() != QEvent::ShortcutOverride) return false;
    const auto* key = static_cast<QKeyEvent*>(event);
    QWidget* focus = QApplication::focusWidget();
    if (watched != focus || focus == nullptr || focus->window() != this) return false;
    const auto* text = qobject_cast<QPlainTextEdit*>(focus);
    if (text != nullptr && text->isReadOnly() &&
        (key->matches(QKeySequence::Undo) || key->matches(QKeySequence::Redo))) {
        event->ignore(); // it would take them, and has nothing to undo
        return true;
    }
    if (text != nullptr && !text->isReadOnly()) {
        // What types or moves in a text that is edited, with or without Shift.
        const bool types = (key->modifiers() & ~(Qt::KeypadModifier | Qt::ShiftModifier)) == Qt::NoModifier &&
                           (key->key() < Qt::Key_F1 || key->key() > Qt::Key_F35);
        if (types) event->accept();
        return types;
    }
    if ((key->modifiers() & ~Qt::KeypadModifier) != Qt::NoModifier) return false;
    bool keep = false;
    switch (key->key()) {
    case Qt::Key_Space:
        keep = qobject_cast<QAbstractButton*>(focus) || qobject_cast<QComboBox*>(focus);
        break;
    case Qt::Key_Left:
    case Qt::Key_Right:
        keep = qobject_cast<QAbstractSlider*>(focus) || qobject_cast<QTabBar*>(focus) ||
               qobject_cast<QAbstractSpinBox*>(focus) || focus->inherits("lockscope::ui::OptionButton");
        break;
    case Qt::Key_Home:
    case Qt::Key_End:
        keep = qobject_cast<QAbstractSlider*>(focus) || qobject_cast<QAbstractItemView*>(focus) ||
               qobject_cast<QComboBox*>(focus);
        break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        // A chosen answer is what Return is for then, unless something is being typed or picked.
        if (!m_lessonPanel->prediction().canCheck() || qobject_cast<QPushButton*>(focus) ||
            qobject_cast<QToolButton*>(focus) || qobject_cast<QAbstractItemView*>(focus) || typesIn(focus)) {
            keep = true;
            break;
        }
        event->ignore();
        return true; // nor may the timeline take it
    case Qt::Key_Escape: {
        const auto* combo = qobject_cast<QComboBox*>(focus);
        keep = qobject_cast<QLineEdit*>(focus) != nullptr || (combo != nullptr && combo->isEditable());
        break;
    }
    default:
        break;
    }
    if (keep) event->accept();
    return keep;
}

} // namespace lockscope::ui
