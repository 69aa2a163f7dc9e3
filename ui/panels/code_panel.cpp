// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/code_panel.h"

#include <QTabBar>
#include <QVBoxLayout>

#include <algorithm>

#include "ui/bridge/run_model.h"
#include "ui/bridge/selection_facts.h"
#include "ui/bridge/text.h"
#include "ui/look.h"
#include "ui/panels/code_view.h"
#include "ui/panels/icons.h"
#include "ui/panels/wrap_label.h"

namespace lockscope::ui {

namespace {
constexpr qsizetype kMostNamed = 4; ///< actors, in the line that says where they are
} // namespace

CodePanel::CodePanel(RunModel& run, Look& look, QWidget* parent) : QWidget(parent), m_run(run), m_look(look) {
    setObjectName(QStringLiteral("codePanel"));
    setAccessibleName(tr("Code"));
    m_bar = new QTabBar(this);
    m_bar->setObjectName(QStringLiteral("codeTabs"));
    m_bar->setAccessibleName(tr("Programs"));
    m_bar->setDrawBase(false);
    m_bar->setExpanding(false);
    m_bar->setElideMode(Qt::ElideRight);
    m_view = new CodeView(look, this);
    m_view->setObjectName(QStringLiteral("codeView"));
    m_view->setAccessibleName(tr("Program"));
    m_where = new WrapLabel(this);
    m_where->setObjectName(QStringLiteral("codeWhere"));
    m_where->setProperty("dim", true);
    m_empty = new WrapLabel(this);
    m_empty->setObjectName(QStringLiteral("codeEmpty"));
    m_empty->setText(tr("No program: no lesson is open."));
    auto* column = new QVBoxLayout(this);
    column->addWidget(m_bar);
    column->addWidget(m_empty);
    column->addWidget(m_view, 1);
    m_foot = new QVBoxLayout;
    m_foot->addWidget(m_where);
    column->addLayout(m_foot);
    connect(m_bar, &QTabBar::currentChanged, this, &CodePanel::showTab);
    connect(&run, &RunModel::runChanged, this, &CodePanel::takeRun);
    connect(&run, &RunModel::playheadChanged, this, &CodePanel::refresh);
    connect(&run, &RunModel::selectionChanged, this, &CodePanel::showSelection);
    connect(&look, &Look::changed, this, &CodePanel::applyLook);
    applyLook();
}

void CodePanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    takeRun();
    showSelection();
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
    const bool any = !m_tabs.empty() && m_bar->currentIndex() >= 0;
    m_bar->setVisible(any);
    m_view->setVisible(any);
    m_where->setVisible(any);
    m_empty->setVisible(!any);
    if (any) {
        const Program& program = *m_tabs[static_cast<std::size_t>(m_bar->currentIndex())].program;
        m_view->setSource(qstr(program.source), program.firstLine);
    }
    refresh();
}

void CodePanel::refresh() {
    if (!isVisible() || !m_shown || m_tabs.empty()) return;
    const Tab& tab = m_tabs[static_cast<std::size_t>(std::max(0, m_bar->currentIndex()))];
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
    const SelectionFacts facts = factsOf(*m_shown, m_run.selection());
    const int selected = isHere(facts.actor) ? facts.line : 0;
    const bool moved = marks != m_view->actorLines();
    m_view->setMarks(std::move(marks), selected);
    if (moved && !mainLine.empty()) m_view->showLine(mainLine.begin()->second);

    m_where->setText(whereabouts(tab.actors, mainLine));
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
    m_foot->setContentsMargins(m_look.px(12), m_look.px(4), m_look.px(12), m_look.px(6));
    m_empty->setContentsMargins(m_look.px(12), m_look.px(12), m_look.px(12), m_look.px(12));
}

} // namespace lockscope::ui
