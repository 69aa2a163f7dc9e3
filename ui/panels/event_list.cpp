// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/event_list.h"

#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QTableView>
#include <QVBoxLayout>

#include "ui/bridge/selection_facts.h"
#include "ui/bridge/text.h"
#include "ui/look.h"
#include "ui/panels/event_model.h"
#include "ui/panels/row_delegate.h"

namespace lockscope::ui {

EventList::EventList(RunModel& run, Look& look, QWidget* parent) : QWidget(parent), m_run(run), m_look(look) {
    setObjectName(QStringLiteral("eventList"));
    setAccessibleName(tr("Events"));
    m_model = new EventModel(run, this);
    m_filter = new QLineEdit(this);
    m_filter->setObjectName(QStringLiteral("eventFilter"));
    m_filter->setAccessibleName(tr("Filter the events"));
    m_filter->setPlaceholderText(tr("Filter: an actor, a command, a word"));
    m_filter->setClearButtonEnabled(true);
    m_filter->setToolTip(tr("Only events that contain this (Ctrl+F)"));
    m_view = new QTableView(this);
    m_view->setObjectName(QStringLiteral("eventView"));
    m_view->setAccessibleName(tr("Events up to the veil"));
    m_view->setItemDelegate(new RowDelegate(look, m_view));
    m_view->setModel(m_model);
    m_view->horizontalHeader()->hide();
    m_view->horizontalHeader()->setStretchLastSection(true);
    m_view->horizontalHeader()->setMinimumSectionSize(1);
    m_view->verticalHeader()->hide();
    m_view->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    m_view->setShowGrid(false);
    m_view->setSelectionMode(QAbstractItemView::NoSelection);
    m_view->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_view->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_view->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_view->setTabKeyNavigation(false);
    m_view->setWordWrap(false);
    m_empty = new QLabel(this);
    m_empty->setObjectName(QStringLiteral("eventsEmpty"));
    m_empty->setWordWrap(true);
    m_empty->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    m_empty->setProperty("dim", true);

    auto* column = new QVBoxLayout(this);
    column->addWidget(m_filter);
    column->addWidget(m_empty);
    column->addWidget(m_view, 1);

    connect(m_filter, &QLineEdit::textChanged, this, [this](const QString& text) {
        m_model->setFilter(text.trimmed());
        follow();
        refreshEmpty();
    });
    connect(m_view, &QTableView::clicked, this, [this](const QModelIndex& index) { pick(index.row()); });
    connect(m_view->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& now) {
                if (!m_following && now.isValid() && m_view->hasFocus()) pick(now.row());
            });
    connect(m_model, &EventModel::filtered, this, [this] {
        follow();
        refreshEmpty();
    });
    connect(m_model, &EventModel::modelReset, this, [this] {
        follow();
        refreshEmpty();
    });
    connect(&run, &RunModel::playheadChanged, this, &EventList::follow);
    connect(&run, &RunModel::selectionChanged, this, &EventList::follow);
    connect(&look, &Look::changed, this, &EventList::applyLook);
    applyLook();
    refreshEmpty();
}

void EventList::editFilter() {
    m_filter->setFocus(Qt::ShortcutFocusReason);
    m_filter->selectAll();
}

void EventList::pick(int row) {
    const int event = m_model->eventAt(row);
    const auto run = m_run.run();
    if (!run) return;
    m_run.pause();
    if (event < 0) {
        emit notePicked(m_model->noteAt(row));
        return;
    }
    m_run.select({Selection::Kind::Event, event});
    m_run.setPlayhead(run->trace->events[static_cast<std::size_t>(event)].at);
}

void EventList::follow() {
    if (!isVisible()) return;
    const auto run = m_run.run();
    int row = -1, selected = -1;
    if (run) {
        row = m_model->rowOf(m_model->lastEventAt(m_run.playhead()));
        selected = factsOf(*run, m_run.selection()).event;
        // Several events of one instant: the chosen one is the current one.
        if (m_run.selection().kind == Selection::Kind::Event &&
            run->trace->events[static_cast<std::size_t>(selected)].at == m_run.playhead()) {
            const int chosen = m_model->rowOf(selected);
            if (chosen >= 0 && m_model->eventAt(chosen) == selected) row = chosen;
        }
    }
    const int selectedRow = selected < 0 ? -1 : m_model->rowOf(selected);
    static_cast<RowDelegate*>(m_view->itemDelegate())
        ->setMarks(row, selectedRow >= 0 && m_model->eventAt(selectedRow) == selected ? selectedRow : -1);
    if (row >= 0) {
        m_following = true;
        const QModelIndex index = m_model->index(row, EventModel::TextColumn);
        m_view->selectionModel()->setCurrentIndex(index, QItemSelectionModel::NoUpdate);
        m_view->scrollTo(index, QAbstractItemView::EnsureVisible);
        m_following = false;
    }
    m_view->viewport()->update();
    refreshEmpty();
}

void EventList::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    follow();
}

void EventList::refreshEmpty() {
    const bool none = m_model->rowCount() == 0;
    QString text;
    if (none && !m_filter->text().trimmed().isEmpty())
        text =
            m_model->filtering()
                ? tr("Looking…")
                : tr("No event contains “%1”. Clear the filter to see all.").arg(m_filter->text().trimmed());
    else if (none)
        text = tr("Nothing yet. Press Space.");
    m_empty->setText(text);
    m_empty->setVisible(none);
    m_view->setVisible(!none);
}

void EventList::applyLook() {
    layout()->setContentsMargins(m_look.px(8), m_look.px(8), m_look.px(4), m_look.px(4));
    layout()->setSpacing(m_look.px(6));
    m_view->verticalHeader()->setMinimumSectionSize(1);
    m_view->verticalHeader()->setDefaultSectionSize(RowDelegate::rowHeight(m_look));
    m_view->setColumnWidth(EventModel::TimeColumn, RowDelegate::timeWidth(m_look));
    m_empty->setFont(m_look.font(TextRole::Lane));
    follow();
}

} // namespace lockscope::ui
