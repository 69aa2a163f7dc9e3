// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/matrix_view.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QMenu>
#include <QTableWidget>
#include <QVBoxLayout>

#include "core/search/matrix.h"
#include "core/trace/wording.h"
#include "ui/bridge/matrix_search.h"
#include "ui/bridge/text.h"
#include "ui/look.h"
#include "ui/panels/matrix_delegate.h"

namespace lockscope::ui {

namespace {

const Qt::Alignment kHeading = Qt::Alignment::fromInt(Qt::AlignLeft | Qt::AlignVCenter | Qt::TextWordWrap);

/// The faults of one run of a cell: "pause Server A@10s+21s".
QString faultsText(const MatrixCell::Broken& broken) {
    QStringList faults;
    for (const Intervention& fault : broken.interventions)
        faults << qstr(formatIntervention(fault));
    return faults.isEmpty() ? MatrixView::tr("without any fault") : faults.join(QStringLiteral(" · "));
}

QString describe(const MatrixCell& cell) {
    QStringList lines;
    for (const MatrixCell::Broken& broken : cell.broken)
        lines << MatrixView::tr("%1: %2").arg(qstr(titleOf(broken.invariant)), faultsText(broken));
    return lines.isEmpty() ? qstr(sentenceFor(cell)) : lines.join(QLatin1Char('\n'));
}

} // namespace

MatrixView::MatrixView(MatrixSearch& search, Look& look, QWidget* parent)
    : FindingsView(QStringLiteral("matrix"), tr("What breaks which program"), look, parent),
      m_search(search) {
    m_table = new QTableWidget(this);
    m_table->setObjectName(QStringLiteral("matrixTable"));
    m_table->setAccessibleName(tr("Programs are rows, failures are columns"));
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setFrameShape(QFrame::NoFrame);
    m_table->setWordWrap(true);
    m_table->setItemDelegate(new MatrixDelegate(look, m_table));
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    m_table->horizontalHeader()->setDefaultAlignment(kHeading);
    m_table->verticalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    m_table->verticalHeader()->setDefaultAlignment(kHeading);
    m_table->setCornerButtonEnabled(false);
    m_table->installEventFilter(this);
    setFocusProxy(m_table);

    column()->addWidget(m_table, 1);

    connect(m_table, &QTableWidget::cellClicked, this, &MatrixView::choose);
    connect(&search, &MatrixSearch::changed, this, &MatrixView::refresh);
    connect(&look, &Look::changed, this, &MatrixView::applyLook);
    applyLook();
    refresh();
}

QString MatrixView::status() const {
    if (m_search.plan() == nullptr) return tr("This lesson has no table.");
    const Matrix* matrix = m_search.result();
    if (matrix == nullptr)
        return tr("Trying each failure on each program: %1 of %2 cells so far.")
            .arg(m_search.done())
            .arg(m_search.plan()->scenarios.size());
    return tr("Found out by %L1 runs. A click plays one that breaks it.")
        .arg(static_cast<qulonglong>(matrix->schedules()));
}

void MatrixView::refresh() {
    setStatus(status());
    fill();
}

void MatrixView::fill() {
    const FailurePlan* plan = m_search.plan();
    const Matrix* matrix = m_search.result();
    const int rows = plan != nullptr ? static_cast<int>(plan->programs.size()) : 0;
    const int columns = plan != nullptr ? static_cast<int>(plan->failures.size()) : 0;
    m_table->setRowCount(rows);
    m_table->setColumnCount(columns);
    for (int column = 0; column < columns; ++column)
        m_table->setHorizontalHeaderItem(
            column, new QTableWidgetItem(qstr(plan->failures[static_cast<std::size_t>(column)].label)));
    for (int row = 0; row < rows; ++row) {
        m_table->setVerticalHeaderItem(
            row, new QTableWidgetItem(qstr(plan->programs[static_cast<std::size_t>(row)])));
        for (int column = 0; column < columns; ++column) {
            auto* item = new QTableWidgetItem(matrix == nullptr ? tr("…") : QString());
            if (matrix != nullptr) {
                const MatrixCell& cell = matrix->cells[static_cast<std::size_t>(row) * plan->failures.size() +
                                                       static_cast<std::size_t>(column)];
                QStringList names;
                for (const MatrixCell::Broken& broken : cell.broken)
                    names << (broken.interventions.size() < 2 ? qstr(shortTitleOf(broken.invariant))
                                                              : tr("%1 (%2 faults)")
                                                                    .arg(qstr(shortTitleOf(broken.invariant)))
                                                                    .arg(broken.interventions.size()));
                item->setData(MatrixDelegate::BrokenRole, names);
                item->setText(names.isEmpty() ? qstr(sentenceFor(cell)) : names.join(QStringLiteral(", ")));
                item->setToolTip(describe(cell));
                item->setData(Qt::AccessibleDescriptionRole, describe(cell));
            }
            m_table->setItem(row, column, item);
        }
    }
    arrange();
}

/// Of several ways to break it, one is asked for.
void MatrixView::choose(int row, int column) {
    const FailurePlan* plan = m_search.plan();
    const Matrix* matrix = m_search.result();
    if (plan == nullptr || matrix == nullptr) return;
    const MatrixCell& cell =
        matrix
            ->cells[static_cast<std::size_t>(row) * plan->failures.size() + static_cast<std::size_t>(column)];
    if (cell.broken.size() < 2) return play(row, column, cell.broken.empty() ? -1 : 0);
    QMenu menu(this);
    menu.setObjectName(QStringLiteral("matrixChoice"));
    for (std::size_t i = 0; i < cell.broken.size(); ++i)
        menu.addAction(
            menuText(tr("%1: %2").arg(qstr(titleOf(cell.broken[i].invariant)), faultsText(cell.broken[i]))),
            this, [this, row, column, i] { play(row, column, static_cast<int>(i)); });
    menu.setActiveAction(menu.actions().first());
    const QRect place = m_table->visualItemRect(m_table->item(row, column));
    menu.exec(m_table->viewport()->mapToGlobal(place.bottomLeft()));
}

void MatrixView::play(int row, int column, int which) {
    const QString problem =
        m_search.play(static_cast<std::size_t>(row), static_cast<std::size_t>(column), which);
    if (!problem.isEmpty())
        emit said(problem);
    else
        emit played();
}

bool MatrixView::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_table && event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if ((key == Qt::Key_Return || key == Qt::Key_Enter || key == Qt::Key_Space) &&
            m_table->currentItem() != nullptr) {
            choose(m_table->currentRow(), m_table->currentColumn());
            return true;
        }
    }
    return FindingsView::eventFilter(watched, event);
}

void MatrixView::resizeEvent(QResizeEvent* event) {
    FindingsView::resizeEvent(event);
    arrange();
}

/// The names of the programs get what the failures leave, which is less where there is little.
void MatrixView::arrange() {
    m_table->verticalHeader()->setFixedWidth(std::min(look().px(150), width() / 5));
}

void MatrixView::applyLook() {
    QFont head = look().font(TextRole::Caption);
    head.setWeight(QFont::DemiBold);
    m_table->horizontalHeader()->setFont(head);
    m_table->verticalHeader()->setFont(head);
    m_table->horizontalHeader()->setFixedHeight(2 * QFontMetrics(head).height() + look().px(8));
    arrange();
}

} // namespace lockscope::ui
