// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/key_inspector.h"

#include <QComboBox>
#include <QGridLayout>
#include <QHeaderView>
#include <QLabel>
#include <QScrollArea>
#include <QTableView>

#include <algorithm>

#include "core/trace/wording.h"
#include "ui/bridge/fault_desk.h"
#include "ui/bridge/run_model.h"
#include "ui/bridge/selection_facts.h"
#include "ui/bridge/text.h"
#include "ui/look.h"
#include "ui/panels/key_actions.h"
#include "ui/panels/key_history_model.h"
#include "ui/panels/lock_details.h"
#include "ui/panels/row_delegate.h"
#include "ui/panels/ttl_bar.h"
#include "ui/panels/wrap_label.h"

namespace lockscope::ui {

namespace {

/// More of a value than this says nothing more about a lock; a whole one could be megabytes.
constexpr int kLongestValue = 400;
/// A trace keeps values up to about this length whole.
constexpr int kEditableValue = 100;

QString nameOfActor(const Trace& trace, ActorIndex actor) {
    return actor == kNone ? QString() : qstr(trace.actors[static_cast<std::size_t>(actor)].name);
}

} // namespace

KeyInspector::KeyInspector(RunModel& run, Look& look, FaultDesk* desk, QWidget* parent)
    : QWidget(parent), m_run(run), m_desk(desk), m_look(look) {
    setObjectName(QStringLiteral("keyInspector"));
    setAccessibleName(tr("Key at the playhead"));
    build();
    connect(m_keys, &QComboBox::activated, this, &KeyInspector::takeKey);
    connect(m_historyView, &QTableView::clicked, this, [this](const QModelIndex& index) {
        m_run.select({Selection::Kind::Event, static_cast<int>(m_history->momentAt(index.row()).event)});
    });
    connect(m_historyView, &QTableView::activated, this,
            [this](const QModelIndex& index) { m_run.setPlayhead(m_history->momentAt(index.row()).at); });
    connect(&run, &RunModel::runChanged, this, &KeyInspector::takeRun);
    connect(&run, &RunModel::playheadChanged, this, &KeyInspector::refresh);
    connect(&run, &RunModel::veilChanged, this, &KeyInspector::refresh);
    connect(&run, &RunModel::selectionChanged, this, &KeyInspector::refreshSelection);
    connect(&look, &Look::changed, this, &KeyInspector::applyLook);
    applyLook();
}

QLabel* KeyInspector::addRow(QGridLayout* grid, const QString& caption, QWidget* value) {
    auto* label = new QLabel(caption, m_facts);
    label->setProperty("dim", true);
    label->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    m_captions.append(label);
    value->setAccessibleName(caption);
    const int row = grid->rowCount();
    grid->addWidget(label, row, 0);
    grid->addWidget(value, row, 1);
    return label;
}

void KeyInspector::build() {
    m_keys = new QComboBox(this);
    m_keys->setObjectName(QStringLiteral("keyBox"));
    m_keys->setAccessibleName(tr("Lock key"));
    m_keys->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_keys->setMinimumContentsLength(8);
    m_keyName = new WrapLabel(this);
    m_keyName->setObjectName(QStringLiteral("keyName"));
    m_keyName->setTextFormat(Qt::PlainText);
    m_keyName->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_empty = new WrapLabel(this);
    m_empty->setObjectName(QStringLiteral("keyEmpty"));
    m_facts = new QWidget(this);
    m_facts->setObjectName(QStringLiteral("keyFacts"));
    auto* grid = new QGridLayout(m_facts);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setColumnStretch(1, 1);

    m_owner = new BadgeLabel(m_look, m_facts);
    m_owner->setObjectName(QStringLiteral("keyOwner"));
    addRow(grid, tr("owner"), m_owner);
    m_value = new WrapLabel(m_facts);
    m_value->setObjectName(QStringLiteral("keyValue"));
    m_value->setTextFormat(Qt::PlainText);
    m_value->setTextInteractionFlags(Qt::TextSelectableByMouse);
    addRow(grid, tr("token"), m_value);
    m_type = new QLabel(m_facts);
    m_type->setObjectName(QStringLiteral("keyType"));
    addRow(grid, tr("type"), m_type);
    auto* lease = new QWidget(m_facts);
    auto* leaseColumn = new QVBoxLayout(lease);
    leaseColumn->setContentsMargins(0, 0, 0, 0);
    m_bar = new TtlBar(m_look, lease);
    m_bar->setObjectName(QStringLiteral("ttlBar"));
    m_bar->setAccessibleName(tr("Time left of the lease"));
    m_left = new WrapLabel(lease);
    m_left->setObjectName(QStringLiteral("ttlLeft"));
    leaseColumn->addWidget(m_bar);
    leaseColumn->addWidget(m_left);
    addRow(grid, tr("lease"), lease);
    m_existence = new WrapLabel(m_facts);
    m_existence->setObjectName(QStringLiteral("keyExistence"));
    addRow(grid, tr("exists"), m_existence);

    m_warning = new WrapLabel(this);
    m_warning->setObjectName(QStringLiteral("keyWarning"));
    m_warning->setProperty("alarm", true);

    m_details = new LockDetails(m_run, m_look, this);
    if (m_desk != nullptr) m_actions = new KeyActions(m_run, *m_desk, m_look, this);

    m_history = new KeyHistoryModel(this);
    m_historyTitle = new QLabel(tr("history, latest first"), this);
    m_historyTitle->setProperty("dim", true);
    m_historyView = new QTableView(this);
    m_historyView->setObjectName(QStringLiteral("keyHistory"));
    m_historyView->setAccessibleName(tr("History of the key, latest first"));
    m_historyView->setModel(m_history);
    m_historyView->setItemDelegate(new RowDelegate(m_look, m_historyView));
    m_historyView->horizontalHeader()->hide();
    m_historyView->horizontalHeader()->setStretchLastSection(true);
    m_historyView->horizontalHeader()->setMinimumSectionSize(1);
    m_historyView->verticalHeader()->hide();
    m_historyView->verticalHeader()->setMinimumSectionSize(1);
    m_historyView->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    m_historyView->setShowGrid(false);
    m_historyView->setSelectionMode(QAbstractItemView::NoSelection);
    m_historyView->setTabKeyNavigation(false);
    m_historyView->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_historyView->setWordWrap(false);

    m_column = new QWidget(this);
    m_column->setObjectName(QStringLiteral("keyColumn"));
    auto* column = new QVBoxLayout(m_column);
    for (QWidget* part :
         {static_cast<QWidget*>(m_keyName), static_cast<QWidget*>(m_keys), static_cast<QWidget*>(m_empty),
          m_facts, static_cast<QWidget*>(m_warning), static_cast<QWidget*>(m_details),
          static_cast<QWidget*>(m_actions), static_cast<QWidget*>(m_historyTitle)})
        if (part != nullptr) column->addWidget(part);
    column->addWidget(m_historyView, 1);
    column->addStretch(0);                // takes the room while there is no history
    auto* scroll = new QScrollArea(this); // in a low sheet it does not all fit
    scroll->setObjectName(QStringLiteral("keyScroll"));
    scroll->setAccessibleName(accessibleName());
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setWidget(m_column);
    auto* whole = new QVBoxLayout(this);
    whole->setContentsMargins(0, 0, 0, 0);
    whole->addWidget(scroll);
}

void KeyInspector::takeRun() {
    if (!isVisible()) {
        m_stale = true;
        return;
    }
    m_stale = false;
    const auto run = m_run.run();
    const QString chosen = m_keys->currentText();
    m_keys->clear();
    if (run)
        for (const TraceLockKey& key : run->trace->lockKeys)
            m_keys->addItem(qstr(run->trace->text(key.name)));
    m_keys->setCurrentIndex(std::max(0, m_keys->findText(chosen)));
    takeKey();
}

void KeyInspector::takeKey() {
    const auto run = m_run.run();
    const int index = m_keys->currentIndex();
    m_key = run && index >= 0 && index < static_cast<int>(run->trace->lockKeys.size())
                ? run->trace->lockKeys[static_cast<std::size_t>(index)].name
                : StringId::Empty;
    m_keys->setToolTip(m_keys->currentText());
    m_keyName->setText(breakable(m_keys->currentText()));
    m_history->setKey(run, m_key);
    refresh();
}

void KeyInspector::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (m_stale) takeRun();
    refresh();
}

void KeyInspector::refresh() {
    if (!isVisible() || m_stale) return;
    const auto run = m_run.run();
    if (!run || m_key == StringId::Empty) {
        m_empty->setText(tr("This run has no lock key."));
        m_empty->show();
        for (QWidget* part : {static_cast<QWidget*>(m_keys), static_cast<QWidget*>(m_keyName), m_facts,
                              static_cast<QWidget*>(m_warning), static_cast<QWidget*>(m_details),
                              static_cast<QWidget*>(m_actions), static_cast<QWidget*>(m_historyTitle),
                              static_cast<QWidget*>(m_historyView)})
            if (part != nullptr) part->hide();
        return;
    }
    const KeyState state = keyStateAt(*run->trace, run->analysis, m_key, m_run.playhead());
    m_history->setUntil(m_run.playhead());
    const bool there = state.exists || state.inMemory;
    m_keys->setVisible(m_keys->count() > 1);
    m_keyName->setVisible(m_keys->count() == 1);
    m_empty->setVisible(!state.exists);
    if (!state.exists) m_empty->setText(emptyText(state));
    m_facts->setVisible(there);
    refreshOwner(state);
    refreshLease(state);
    m_details->setVisible(true);
    m_details->show(m_key, state);
    refreshActions(state);
    const bool any = m_history->rowCount() > 0;
    m_historyTitle->setVisible(any);
    m_historyView->setVisible(any);
    refreshSelection();
}

void KeyInspector::refreshOwner(const KeyState& state) {
    const Trace& trace = *m_run.run()->trace;
    if (state.grant != kNone) {
        const Analysis& analysis = m_run.run()->analysis;
        const Grant& grant = analysis.grants[static_cast<std::size_t>(state.grant)];
        const ActorIndex actor = grant.actor;
        const bool outside = actor != kNone && trace.actors[static_cast<std::size_t>(actor)].outside;
        const auto others = static_cast<int>(analysis.beside(grant, m_run.playhead()).size());
        const QString name = nameOfActor(trace, actor);
        m_owner->setActor(actor, outside, others == 0 ? name : tr("%1 +%2").arg(name).arg(others));
    } else {
        m_owner->setActor(-1, false, tr("nobody"));
    }
    const QString value = breakable(qstr(trace.text(state.value)));
    m_value->setText(value.size() > kLongestValue
                         ? tr("%1… (%2 characters)").arg(value.left(kLongestValue)).arg(value.size())
                         : value);
    m_type->setText(qstr(trace.text(state.type)));
    m_existence->setText(state.exists ? tr("yes: a command finds it")
                                      : tr("not for commands; it lies in memory until Redis collects it"));
}

void KeyInspector::refreshLease(const KeyState& state) {
    const Instant at = m_run.playhead();
    m_warning->setVisible(state.exists && state.deadline == kNever);
    m_warning->setText(tr("PTTL −1: no deadline. If its owner does not delete it, it stays for ever."));
    const auto& grants = m_run.run()->analysis.grants;
    const int actor = state.grant == kNone ? kNone : grants[static_cast<std::size_t>(state.grant)].actor;
    const bool outside = actor >= 0 && m_run.run()->trace->actors[static_cast<std::size_t>(actor)].outside;
    if (state.deadline == kNever) {
        m_bar->setShare(1, actor, outside);
        m_left->setText(tr("never ends (PTTL −1)"));
        return;
    }
    // The whole of the bar is what the lease was when the deadline was last set.
    Duration whole{0};
    for (const KeyMoment& moment : m_history->moments()) {
        if (moment.at > at) break;
        if (moment.deadline == state.deadline) whole = moment.deadline - moment.at;
    }
    const Duration left = state.deadline - at;
    const double share =
        whole.count() > 0
            ? std::clamp(static_cast<double>(left.count()) / static_cast<double>(whole.count()), 0.0, 1.0)
            : 0;
    m_bar->setShare(state.exists ? share : 0, actor, outside);
    m_left->setText(state.exists ? tr("%1 left, ends at %2 (PTTL %L3)")
                                       .arg(forPeople(left), exactSeconds(state.deadline))
                                       .arg(static_cast<qlonglong>(left.count() / 1000))
                                 : tr("ended at %1 (PTTL −2)").arg(exactSeconds(state.deadline)));
}

/// The past of a live run cannot be changed, and a key that is not there has nothing to be changed.
void KeyInspector::refreshActions(const KeyState& state) {
    if (m_actions == nullptr) return;
    m_actions->setVisible(state.exists && m_run.pastEditable());
    if (!state.exists) return;
    const Trace& trace = *m_run.run()->trace;
    // What the trace had to cut or to write otherwise would come back as another value.
    const QString shown = qstr(trace.text(state.value));
    const bool whole = shown.size() < kEditableValue && !shown.contains(QLatin1Char('\\'));
    m_actions->setKey(qstr(trace.text(m_key)), trace.text(state.type) == "string", whole ? shown : QString(),
                      state.deadline != kNever);
}

QString KeyInspector::emptyText(const KeyState& state) const {
    const auto run = m_run.run();
    const QString now = shortSeconds(m_run.playhead());
    if (state.lastGrant == kNone)
        return tr("No lock key at %1. Nobody has got it yet. Press Space to play.").arg(now);
    const Grant& last = run->analysis.grants[static_cast<std::size_t>(state.lastGrant)];
    const QString owner = nameOfActor(*run->trace, last.actor);
    const QString ended = shortSeconds(last.until);
    if (last.end == EndReason::LeaseEnded)
        return tr("No lock key at %1. %2's lease ended at %3.").arg(now, owner, ended);
    QString by = qstr(wordFor(last.end));
    if (last.endedBy != kNone) {
        const ActorIndex actor = run->trace->requests[static_cast<std::size_t>(last.endedBy)].actor;
        by = tr("%1 by %2").arg(by, nameOfActor(*run->trace, actor));
    }
    return tr("No lock key at %1. %2's lock was %3 at %4.").arg(now, owner, by, ended);
}

void KeyInspector::refreshSelection() {
    if (!isVisible() || !m_run.run()) return;
    const SelectionFacts facts = factsOf(*m_run.run(), m_run.selection());
    int row = facts.event < 0 ? -1 : m_history->rowOfEvent(facts.event);
    // An event that is no moment of the key stands for the one of its request, an execution for what it did.
    for (int i = 0; row < 0 && facts.request != kNone && i < m_history->rowCount(); ++i)
        if (m_history->momentAt(i).request == facts.request) row = i;
    static_cast<RowDelegate*>(m_historyView->itemDelegate())->setMarks(-1, row);
    m_historyView->viewport()->update();
}

void KeyInspector::applyLook() {
    m_column->layout()->setContentsMargins(m_look.px(12), m_look.px(12), m_look.px(8), m_look.px(8));
    m_column->layout()->setSpacing(m_look.px(8));
    auto* grid = static_cast<QGridLayout*>(m_facts->layout());
    grid->setHorizontalSpacing(m_look.px(10));
    grid->setVerticalSpacing(m_look.px(8));
    m_left->parentWidget()->layout()->setSpacing(m_look.px(3));
    m_keys->setFont(m_look.font(TextRole::Code));
    QFont name = m_look.font(TextRole::Code);
    name.setWeight(QFont::DemiBold);
    m_keyName->setFont(name);
    m_value->setFont(m_look.font(TextRole::Code));
    m_type->setFont(m_look.font(TextRole::Lane));
    m_empty->setFont(m_look.font(TextRole::Lane));
    m_left->setFont(m_look.font(TextRole::Caption));
    m_existence->setFont(m_look.font(TextRole::Caption));
    m_warning->setFont(m_look.font(TextRole::Caption));
    m_historyTitle->setFont(m_look.font(TextRole::Caption));
    for (QLabel* caption : m_captions)
        caption->setFont(m_look.font(TextRole::Caption));
    int widest = 0;
    for (const QLabel* caption : m_captions + m_details->captions())
        widest = std::max(widest, caption->sizeHint().width());
    grid->setColumnMinimumWidth(0, widest);
    m_details->setCaptionWidth(widest);
    m_historyView->verticalHeader()->setDefaultSectionSize(RowDelegate::rowHeight(m_look));
    m_historyView->setMinimumHeight(4 * RowDelegate::rowHeight(m_look));
    m_historyView->setColumnWidth(RowDelegate::kTimeColumn, RowDelegate::timeWidth(m_look));
}

} // namespace lockscope::ui
