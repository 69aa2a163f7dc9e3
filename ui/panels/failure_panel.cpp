// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/failure_panel.h"

#include <QCheckBox>
#include <QComboBox>
#include <QKeyEvent>
#include <QLabel>
#include <QListWidget>
#include <QProgressBar>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

#include "core/trace/wording.h"
#include "ui/bridge/failure_search.h"
#include "ui/bridge/lesson_model.h"
#include "ui/bridge/text.h"
#include "ui/look.h"
#include "ui/panels/flow_layout.h"
#include "ui/panels/icons.h"
#include "ui/panels/wrap_label.h"

namespace lockscope::ui {

namespace {
constexpr int kAny = -1;
constexpr int kMostRows = 5; ///< of causes in sight at once
} // namespace

FailurePanel::FailurePanel(FailureSearch& search, LessonModel& lesson, RunModel& run, Look& look,
                           QWidget* parent)
    : QFrame(parent), m_search(search), m_lesson(lesson), m_run(run), m_look(look) {
    setObjectName(QStringLiteral("failurePanel"));
    setAccessibleName(tr("Find a failure"));
    build();
    connect(m_go, &QPushButton::clicked, this, &FailurePanel::startOrStop);
    connect(m_close, &QToolButton::clicked, this, &QWidget::hide);
    connect(m_play, &QPushButton::clicked, this, [this] {
        if (const QString problem = m_search.play(); !problem.isEmpty()) m_status->setText(problem);
    });
    // One click or Return: itemActivated depends on the desktop.
    connect(m_causes, &QListWidget::currentRowChanged, this, [this](int row) {
        if (row >= 0 && m_causes->hasFocus()) emit instantWanted(m_shown[static_cast<std::size_t>(row)].at);
    });
    connect(m_causes, &QListWidget::itemClicked, this, [this](QListWidgetItem* item) {
        emit instantWanted(m_shown[static_cast<std::size_t>(m_causes->row(item))].at);
    });
    connect(&search, &FailureSearch::changed, this, &FailurePanel::refresh);
    connect(&lesson, &LessonModel::lessonChanged, this, &FailurePanel::fillInvariants);
    connect(&look, &Look::changed, this, &FailurePanel::applyLook);
    applyLook();
    fillInvariants();
    refresh();
}

void FailurePanel::build() {
    auto* column = new QVBoxLayout(this);
    auto* controls = new QWidget(this);
    controls->setObjectName(QStringLiteral("failureControls"));
    auto* row = new FlowLayout(controls);
    m_title = new QLabel(tr("Find a failure"), controls);
    m_invariant = new QComboBox(controls);
    m_invariant->setObjectName(QStringLiteral("failureInvariant"));
    m_invariant->setAccessibleName(tr("What is to break"));
    m_invariant->setToolTip(tr("What is to break"));
    m_budget = new QComboBox(controls);
    m_budget->setObjectName(QStringLiteral("failureBudget"));
    m_budget->setAccessibleName(tr("How far to look"));
    m_budget->setToolTip(tr(
        "How many schedules to try at the most: a schedule is the run with one, two or three faults put in"));
    for (const int budget : {10'000, 100'000, 1'000'000, 10'000'000})
        m_budget->addItem(tr("up to %L1").arg(budget), budget);
    m_budget->setCurrentIndex(2);
    m_keepFaults = new QCheckBox(tr("with this run's faults"), controls);
    m_keepFaults->setObjectName(QStringLiteral("failureKeepFaults"));
    m_keepFaults->setToolTip(tr("Off: the program alone is searched, without the faults of this run"));
    m_go = new QPushButton(controls);
    m_go->setObjectName(QStringLiteral("failureGo"));
    m_go->setProperty("primary", true);
    m_play = new QPushButton(controls);
    m_play->setObjectName(QStringLiteral("failurePlay"));
    m_close = new QToolButton(controls);
    m_close->setObjectName(QStringLiteral("failureClose"));
    m_close->setAccessibleName(tr("Close the search"));
    m_close->setToolTip(tr("Close (Esc)"));
    m_close->setProperty("flat", true);
    for (QWidget* part :
         {static_cast<QWidget*>(m_title), static_cast<QWidget*>(m_invariant), static_cast<QWidget*>(m_budget),
          static_cast<QWidget*>(m_keepFaults), static_cast<QWidget*>(m_go), static_cast<QWidget*>(m_play),
          static_cast<QWidget*>(m_close)})
        row->addWidget(part);
    column->addWidget(controls);

    m_progress = new QProgressBar(this);
    m_progress->setObjectName(QStringLiteral("failureProgress"));
    m_progress->setAccessibleName(tr("How far this stage is"));
    m_progress->setRange(0, 1000);
    m_progress->setTextVisible(false);
    column->addWidget(m_progress);
    m_status = new WrapLabel(this);
    m_status->setObjectName(QStringLiteral("failureStatus"));
    m_status->setTextInteractionFlags(Qt::TextSelectableByMouse);
    column->addWidget(m_status);
    m_causes = new QListWidget(this);
    m_causes->setObjectName(QStringLiteral("failureCauses"));
    m_causes->setAccessibleName(tr("Why, from the end backwards"));
    m_causes->setWordWrap(true);
    m_causes->setFrameShape(QFrame::NoFrame);
    m_causes->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    column->addWidget(m_causes);
}

void FailurePanel::open() {
    show();
    m_go->setFocus(Qt::ShortcutFocusReason);
}

/// What the lesson is about comes first, the most severe of it chosen.
void FailurePanel::fillInvariants() {
    m_invariant->clear();
    const std::vector<Invariant> lights =
        m_lesson.lesson() != nullptr ? m_lesson.lesson()->lights : std::vector<Invariant>{};
    const auto add = [&](Invariant invariant) {
        m_invariant->addItem(qstr(titleOf(invariant)), static_cast<int>(invariant));
    };
    for (const Invariant invariant : lights)
        add(invariant);
    m_invariant->addItem(tr("Anything"), kAny);
    for (const Invariant invariant : kInvariants)
        if (std::find(lights.begin(), lights.end(), invariant) == lights.end()) add(invariant);
    m_invariant->setCurrentIndex(0);
}

void FailurePanel::startOrStop() {
    if (m_search.state() == FailureSearch::State::Searching) {
        m_search.cancel();
        return;
    }
    if (!m_search.possible()) return;
    FailureSearch::Question question;
    if (const int chosen = m_invariant->currentData().toInt(); chosen != kAny)
        question.invariant = static_cast<Invariant>(chosen);
    question.keepFaults = m_keepFaults->isVisibleTo(this) && m_keepFaults->isChecked();
    question.budget = static_cast<std::uint64_t>(m_budget->currentData().toInt());
    m_search.start(question);
}

bool FailurePanel::veiled() const {
    return m_run.run() && m_run.veil() < m_run.run()->trace->reached;
}

QString FailurePanel::status() const {
    const Exploration* result = m_search.result();
    const QString covered = result != nullptr ? qstr(sentenceFor(*result)) : QString();
    if (veiled()) return tr("Answer the question first: a search would tell.");
    switch (m_search.state()) {
    case FailureSearch::State::Idle:
        return tr("Tries pauses, kills, lost and late messages at every instant that can matter: one, then "
                  "two at a time, then three.");
    case FailureSearch::State::Searching: {
        const ExploreProgress now = m_search.progress();
        const QString stage = now.faults == 1   ? tr("Single faults")
                              : now.faults == 2 ? tr("Pairs of faults")
                                                : tr("Triples of faults");
        return tr("%1: %2 % · %L3 schedules so far")
            .arg(stage)
            .arg(static_cast<int>(now.done * 100))
            .arg(now.schedules);
    }
    case FailureSearch::State::Stopped:
        return covered.isEmpty() ? tr("Stopped.") : covered;
    case FailureSearch::State::RunChanged:
        return tr("The run was changed, so the search was stopped. Search again for the run as it is now.");
    case FailureSearch::State::Found:
    case FailureSearch::State::NotFound:
        return m_search.current() ? covered
                                  : covered + QLatin1Char(' ') + tr("The run has been changed since.");
    }
    return {};
}

void FailurePanel::refresh() {
    const bool searching = m_search.state() == FailureSearch::State::Searching;
    const Exploration* result = m_search.result();
    const bool found = result != nullptr && result->found && !veiled();
    m_go->setText(searching ? tr("Stop") : tr("Search"));
    m_go->setEnabled(searching || m_search.possible());
    m_invariant->setEnabled(!searching);
    m_budget->setEnabled(!searching);
    m_keepFaults->setEnabled(!searching);
    m_keepFaults->setVisible(!m_lesson.interventions().empty());
    m_progress->setVisible(searching);
    m_progress->setValue(static_cast<int>(m_search.progress().done * 1000));
    m_status->setText(status());
    fillCauses(found ? result->why : std::vector<Cause>{});
    m_play->setVisible(found);
    m_play->setEnabled(m_search.possible());
    m_play->setText(m_search.violation() >= 0 ? tr("Play it again") : tr("Show it"));
}

void FailurePanel::fillCauses(const std::vector<Cause>& causes) {
    m_causes->setVisible(!causes.empty());
    if (causes == m_shown) return;
    m_shown = causes;
    const QSignalBlocker quiet(m_causes);
    m_causes->clear();
    for (const Cause& cause : causes) {
        auto* item =
            new QListWidgetItem(tr("%1  %2").arg(shortSeconds(cause.at), qstr(cause.sentence)), m_causes);
        item->setToolTip(tr("To %1").arg(exactSeconds(cause.at)));
    }
    m_causes->setCurrentRow(-1);
    applyLook();
}

/// Esc in here is about the search, and comes before the window's own.
bool FailurePanel::event(QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride &&
        static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
        event->accept();
        return true;
    }
    return QFrame::event(event);
}

void FailurePanel::keyPressEvent(QKeyEvent* event) {
    // What has the focus has not taken the key: a button does so in dialogs alone.
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) {
        if (auto* button = qobject_cast<QAbstractButton*>(focusWidget())) button->click();
        return;
    }
    if (event->key() != Qt::Key_Escape) {
        QFrame::keyPressEvent(event);
        return;
    }
    // Esc stops what moves, and then closes.
    if (m_search.state() == FailureSearch::State::Searching)
        m_search.cancel();
    else
        hide();
}

void FailurePanel::applyLook() {
    const int edge = m_look.px(12);
    layout()->setContentsMargins(edge, m_look.px(6), edge, m_look.px(6));
    layout()->setSpacing(m_look.px(4));
    QFont bold = m_look.font(TextRole::Lane);
    bold.setWeight(QFont::DemiBold);
    m_title->setFont(bold);
    m_close->setIcon(glyphIcon(m_look, Glyph::Close));
    m_close->setIconSize({m_look.px(12), m_look.px(12)});
    m_progress->setFixedHeight(m_look.px(6));
    const int rows = std::min<int>(kMostRows, static_cast<int>(m_shown.size()));
    const int row = m_shown.empty() ? 0 : m_causes->sizeHintForRow(0);
    m_causes->setFixedHeight(rows * row + m_look.px(2));
}

} // namespace lockscope::ui
