// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/code_panel.h"

#include <QComboBox>
#include <QStackedWidget>
#include <QTabBar>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

#include "ui/bridge/lesson_model.h"
#include "ui/bridge/line_changes.h"
#include "ui/bridge/program_edit.h"
#include "ui/bridge/run_model.h"
#include "ui/bridge/selection_facts.h"
#include "ui/bridge/text.h"
#include "ui/look.h"
#include "ui/panels/changes_view.h"
#include "ui/panels/code_view.h"
#include "ui/panels/flow_layout.h"
#include "ui/panels/icons.h"
#include "ui/panels/wrap_label.h"

namespace lockscope::ui {

namespace {
constexpr qsizetype kMostNamed = 4; ///< actors, in the line that says where they are
} // namespace

CodePanel::CodePanel(RunModel& run, LessonModel& lesson, ProgramEdit& edit, Look& look, QWidget* parent)
    : QWidget(parent), m_run(run), m_lesson(lesson), m_programs(edit), m_look(look) {
    setObjectName(QStringLiteral("codePanel"));
    setAccessibleName(tr("Code"));
    build();
    connect(m_bar, &QTabBar::currentChanged, this, &CodePanel::showTab);
    connect(&run, &RunModel::runChanged, this, &CodePanel::takeRun);
    connect(&run, &RunModel::playheadChanged, this, &CodePanel::refresh);
    connect(&run, &RunModel::veilChanged, this, &CodePanel::refreshTools);
    connect(&run, &RunModel::selectionChanged, this, &CodePanel::showSelection);
    connect(&edit, &ProgramEdit::changed, this, &CodePanel::showText);
    connect(&lesson, &LessonModel::stepChanged, this, [this] {
        setEditing(false);
        setShowsChanges(false);
    });
    connect(m_view, &CodeView::typed, this, [this](const QString& text) {
        if (const Tab* here = tab()) m_programs.type(here->program->name, text);
    });
    connect(m_view, &CodeView::done, this, [this] { setEditing(false); });
    connect(m_editButton, &QToolButton::clicked, this, &CodePanel::setEditing);
    connect(m_changesButton, &QToolButton::clicked, this, &CodePanel::setShowsChanges);
    connect(m_resetButton, &QToolButton::clicked, this, &CodePanel::reset);
    connect(m_languages, &QComboBox::activated, this,
            [this](int row) { setLanguage(m_languages->itemData(row).toString()); });
    connect(&look, &Look::changed, this, &CodePanel::applyLook);
    applyLook();
}

void CodePanel::build() {
    m_bar = new QTabBar(this);
    m_bar->setObjectName(QStringLiteral("codeTabs"));
    m_bar->setAccessibleName(tr("Programs"));
    m_bar->setDrawBase(false);
    m_bar->setExpanding(false);
    m_bar->setElideMode(Qt::ElideRight);

    m_tools = new QWidget(this);
    m_tools->setObjectName(QStringLiteral("codeTools"));
    m_toolRow = new FlowLayout(m_tools);
    const auto tool = [&](const QString& text, const char* name, const QString& help, bool checkable) {
        auto* made = new QToolButton(m_tools);
        made->setObjectName(QLatin1String(name));
        made->setText(text);
        made->setAccessibleName(text);
        made->setToolTip(help);
        made->setCheckable(checkable);
        made->setFocusPolicy(Qt::TabFocus);
        m_toolRow->addWidget(made);
        return made;
    };
    m_editButton =
        tool(tr("Edit"), "codeEdit", tr("Edit the program; the run follows as you type (Ctrl+E)"), true);
    m_changesButton = tool(tr("Changes"), "codeChanges",
                           tr("What differs from the program as the step begins (Ctrl+Shift+E)"), true);
    m_resetButton = tool(tr("Reset"), "codeReset",
                         tr("The program as the step begins (Ctrl+Alt+R); can be undone"), false);
    m_languages = new QComboBox(m_tools);
    m_languages->setObjectName(QStringLiteral("codeLanguage"));
    m_languages->setAccessibleName(tr("Language to read in"));
    m_languages->setToolTip(tr("Read along in your language; what runs is the Lua (Ctrl+Alt+L)"));
    m_languages->setFocusPolicy(Qt::TabFocus);
    m_toolRow->addWidget(m_languages);
    m_problem = new WrapLabel(this);
    m_problem->setObjectName(QStringLiteral("codeProblem"));
    m_problem->setTextFormat(Qt::PlainText);
    m_problem->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_problem->hide();

    m_pages = new QStackedWidget(this);
    m_pages->setObjectName(QStringLiteral("codePages"));
    m_view = new CodeView(m_look, m_pages);
    m_view->setObjectName(QStringLiteral("codeView"));
    m_view->setAccessibleName(tr("Program"));
    m_told = new CodeView(m_look, m_pages);
    m_told->setObjectName(QStringLiteral("codeTold"));
    m_told->setAccessibleName(tr("The program in another language"));
    m_changes = new ChangesView(m_look, m_pages);
    m_changes->setObjectName(QStringLiteral("codeDifference"));
    m_changes->setAccessibleName(tr("What was changed in the program"));
    for (QWidget* page :
         {static_cast<QWidget*>(m_view), static_cast<QWidget*>(m_told), static_cast<QWidget*>(m_changes)})
        m_pages->addWidget(page);
    m_where = new WrapLabel(this);
    m_where->setObjectName(QStringLiteral("codeWhere"));
    m_where->setProperty("dim", true);
    m_empty = new WrapLabel(this);
    m_empty->setObjectName(QStringLiteral("codeEmpty"));
    m_empty->setText(tr("No program: no lesson is open."));
    auto* column = new QVBoxLayout(this);
    column->addWidget(m_bar);
    column->addWidget(m_tools);
    column->addWidget(m_empty);
    column->addWidget(m_pages, 1);
    m_foot = new QVBoxLayout;
    m_foot->addWidget(m_problem);
    m_foot->addWidget(m_where);
    column->addLayout(m_foot);
}

const CodePanel::Tab* CodePanel::tab() const {
    const int current = m_bar->currentIndex();
    return current >= 0 && current < static_cast<int>(m_tabs.size())
               ? &m_tabs[static_cast<std::size_t>(current)]
               : nullptr;
}

void CodePanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    takeRun();
    showSelection();
}

void CodePanel::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    showTools();
}

/// Where height is scarce the code comes first: all that the tools do has a key and a place in the menu.
void CodePanel::showTools() {
    m_tools->setVisible(tab() != nullptr && height() >= m_look.px(190));
}

void CodePanel::takeRun() {
    if (!isVisible()) return;
    if (m_shown == m_run.run() && m_shown) return;
    m_shown = m_run.run();
    m_lines = m_shown ? CurrentLines(*m_shown->trace) : CurrentLines{};
    std::vector<Tab> tabs;
    if (m_shown) {
        const auto& actors = m_run.scenario().actors;
        for (std::size_t i = 0; i < actors.size(); ++i) {
            auto tab = std::find_if(tabs.begin(), tabs.end(), [&](const Tab& t) {
                return t.program->name == actors[i].program->name &&
                       t.program->source == actors[i].program->source;
            });
            if (tab == tabs.end()) tab = tabs.insert(tabs.end(), Tab{actors[i].program, {}});
            tab->actors.push_back(static_cast<int>(i));
        }
    }
    const int current = m_bar->currentIndex();
    m_tabs = std::move(tabs);
    {
        const QSignalBlocker quiet(m_bar);
        while (m_bar->count() > static_cast<int>(m_tabs.size()))
            m_bar->removeTab(m_bar->count() - 1);
        for (int i = 0; i < static_cast<int>(m_tabs.size()); ++i) {
            const Tab& tab = m_tabs[static_cast<std::size_t>(i)];
            QStringList who, letters;
            for (const int actor : tab.actors) {
                who << qstr(m_run.scenario().actors[static_cast<std::size_t>(actor)].name);
                letters << m_look.badgeLetter(actor);
            }
            const QString text = tab.actors.size() == 1 ? who.first() : letters.join(QStringLiteral(" · "));
            if (i >= m_bar->count()) m_bar->addTab(text);
            m_bar->setTabText(i, text);
            m_bar->setTabIcon(i, tab.actors.size() == 1 ? badgeIcon(m_look, tab.actors.front()) : QIcon());
            m_bar->setTabToolTip(i, tr("%1, run by %2").arg(qstr(tab.program->name), who.join(tr(" and "))));
        }
        if (!m_tabs.empty()) m_bar->setCurrentIndex(std::clamp(current, 0, m_bar->count() - 1));
    }
    showTab();
}

void CodePanel::showTab() {
    const bool any = tab() != nullptr;
    m_bar->setVisible(any);
    m_pages->setVisible(any);
    m_where->setVisible(any);
    showTools();
    m_empty->setVisible(!any);
    showText();
    refresh();
}

/// The text of the tab, in whatever way it is to be seen.
void CodePanel::showText() {
    if (const Tab* here = tab()) {
        const std::string& name = here->program->name;
        const QString text = m_programs.text(name);
        m_view->setSource(text, here->program->firstLine, qstr(name));
        if (showsChanges())
            if (const auto written = m_lesson.programAsWritten(name))
                m_changes->setChanges(lineChanges(qstr(written->source), text));
        fillLanguages();
        if (const Translation* told = translation()) {
            m_told->setLanguage(qstr(told->language));
            m_told->setSource(qstr(told->source), 1);
        }
    }
    QWidget* page = m_changesButton->isChecked()             ? static_cast<QWidget*>(m_changes)
                    : translation() != nullptr && !editing() ? static_cast<QWidget*>(m_told)
                                                             : m_view;
    m_pages->setCurrentWidget(page);
    refreshTools();
    refresh();
}

void CodePanel::refresh() {
    if (!isVisible() || !m_shown || tab() == nullptr) return;
    const Tab& tab = *this->tab();
    const auto isHere = [&](int actor) {
        return std::find(tab.actors.begin(), tab.actors.end(), actor) != tab.actors.end();
    };

    std::map<int, std::vector<int>> marks;
    std::map<int, int> mainLine;
    for (const CurrentLines::Place& place : m_lines.at(m_run.playhead())) {
        if (!isHere(place.actor)) continue;
        auto& actors = marks[place.line];
        if (std::find(actors.begin(), actors.end(), place.actor) == actors.end())
            actors.push_back(place.actor);
        mainLine[place.actor] = place.line;
    }
    m_where->setText(whereabouts(tab.actors, mainLine));
    const SelectionFacts facts = factsOf(*m_shown, m_run.selection());
    const int selected = isHere(facts.actor) ? facts.line : 0;
    if (const Translation* told = translation()) {
        const auto there = [&](int line) {
            return translatedLine(*tab.program, *told, line - tab.program->firstLine + 1);
        };
        std::map<int, std::vector<int>> toldMarks;
        for (const auto& [line, actors] : marks)
            if (const int at = there(line); at > 0)
                for (const int actor : actors)
                    toldMarks[at].push_back(actor);
        const bool moved = toldMarks != m_told->actorLines();
        m_told->setMarks(toldMarks, selected > 0 ? there(selected) : 0);
        if (moved && !mainLine.empty())
            if (const int at = there(mainLine.begin()->second); at > 0) m_told->showLine(at);
    }
    // Lines of what runs mean nothing in a text that is another one by now.
    if (m_programs.pending(tab.program->name)) return m_view->setMarks({}, 0);
    const bool moved = marks != m_view->actorLines();
    m_view->setMarks(std::move(marks), selected);
    if (moved && !mainLine.empty() && !editing()) m_view->showLine(mainLine.begin()->second);
}

/// "Server A at line 3 · Server B does not run"; of many only some are named.
QString CodePanel::whereabouts(const std::vector<int>& actors, const std::map<int, int>& lines) const {
    QStringList running, resting;
    for (const int actor : actors) {
        const QString name = qstr(m_run.scenario().actors[static_cast<std::size_t>(actor)].name);
        const auto line = lines.find(actor);
        line != lines.end() ? running << tr("%1 at line %2").arg(name).arg(line->second)
                            : resting << tr("%1 does not run").arg(name);
    }
    QStringList told = running.mid(0, kMostNamed);
    if (const qsizetype more = running.size() - told.size(); more > 0)
        told << tr("%1 more at work").arg(more);
    if (running.size() + resting.size() <= kMostNamed || resting.size() == 1)
        told << resting;
    else if (!resting.isEmpty())
        told << tr("%1 servers do not run").arg(resting.size());
    return told.join(QStringLiteral(" · "));
}

/// A selection brings its actor's program, and the line that did it, into sight.
void CodePanel::showSelection() {
    if (!isVisible() || !m_shown) return;
    const SelectionFacts facts = factsOf(*m_shown, m_run.selection());
    if (facts.actor != kNone)
        for (std::size_t i = 0; i < m_tabs.size(); ++i)
            if (std::find(m_tabs[i].actors.begin(), m_tabs[i].actors.end(), facts.actor) !=
                m_tabs[i].actors.end())
                m_bar->setCurrentIndex(static_cast<int>(i));
    refresh();
    if (m_view->selectedLine() > 0) m_view->showLine(m_view->selectedLine());
}

void CodePanel::applyLook() {
    layout()->setContentsMargins(0, 0, 0, 0);
    layout()->setSpacing(0);
    m_bar->setFont(m_look.font(TextRole::Lane));
    m_bar->setIconSize({m_look.px(16), m_look.px(16)});
    m_where->setFont(m_look.font(TextRole::Caption));
    m_problem->setFont(m_look.font(TextRole::Lane));
    m_toolRow->setContentsMargins(m_look.px(8), m_look.px(4), m_look.px(8), m_look.px(4));
    m_foot->setContentsMargins(m_look.px(12), m_look.px(4), m_look.px(12), m_look.px(6));
    m_empty->setContentsMargins(m_look.px(12), m_look.px(12), m_look.px(12), m_look.px(12));
}

} // namespace lockscope::ui
