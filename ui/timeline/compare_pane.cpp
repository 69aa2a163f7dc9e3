// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/compare_pane.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QScrollBar>
#include <QToolButton>

#include <cmath>

#include "ui/bridge/kept_runs.h"
#include "ui/look.h"
#include "ui/timeline/canvas.h"
#include "ui/timeline/lane_headers.h"

namespace lockscope::ui {

ComparePane::ComparePane(const QString& place, Look& look, QWidget* parent) : QWidget(parent), m_look(look) {
    const QString id = QStringLiteral("compare.") + place;
    const QString word = place == QLatin1String("above") ? tr("Above") : tr("Below");
    setObjectName(id);
    setAccessibleName(word);
    m_head = new QWidget(this);
    m_head->setObjectName(id + QStringLiteral(".head"));
    m_place = new QLabel(word, m_head);
    m_runs = new QComboBox(m_head);
    m_runs->setObjectName(id + QStringLiteral(".runs"));
    m_runs->setAccessibleName(tr("%1: which run").arg(word));
    m_runs->setFocusPolicy(Qt::TabFocus);
    m_runs->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_name = new QLineEdit(m_head);
    m_name->setObjectName(id + QStringLiteral(".name"));
    m_name->setMaxLength(KeptRuns::kLongestTyped);
    m_name->setAccessibleName(tr("Another name"));
    m_name->installEventFilter(this);
    m_name->hide();
    m_restore = button(id + QStringLiteral(".restore"), tr("Go on from it"),
                       tr("Make it the run that is shown (can be undone)"));
    m_rename = button(id + QStringLiteral(".rename"), tr("Rename"), tr("Give it another name"));
    m_remove = button(id + QStringLiteral(".remove"), tr("Delete"), tr("Keep it no longer"));
    m_row = new QHBoxLayout(m_head);
    m_row->addWidget(m_place);
    m_row->addWidget(m_runs, 1);
    m_row->addWidget(m_name, 1);
    for (QToolButton* each : {m_restore, m_rename, m_remove})
        m_row->addWidget(each);

    m_canvas = new TimelineCanvas(look, this);
    m_canvas->setObjectName(id + QStringLiteral(".canvas"));
    m_canvas->setMinimumSize(look.px(120), look.px(60));
    m_headers = new LaneHeaders(*m_canvas, this);
    m_scroll = new QScrollBar(Qt::Vertical, this);
    m_scroll->setObjectName(id + QStringLiteral(".scroll"));
    m_scroll->setAccessibleName(tr("Scroll lanes"));
    m_problem = new QLabel(this);
    m_problem->setObjectName(id + QStringLiteral(".problem"));
    m_problem->setAlignment(Qt::AlignCenter);
    m_problem->setWordWrap(true);
    m_problem->hide();
    setFocusProxy(m_canvas);

    connect(m_runs, &QComboBox::activated, this, &ComparePane::chosen);
    connect(m_restore, &QToolButton::clicked, this, &ComparePane::restoreWanted);
    connect(m_rename, &QToolButton::clicked, this, [this] { editName(m_name->isHidden()); });
    connect(m_remove, &QToolButton::clicked, this, &ComparePane::removeWanted);
    connect(m_name, &QLineEdit::returnPressed, this, [this] {
        const QString name = m_name->text();
        editName(false);
        emit renameWanted(name);
    });
    connect(m_canvas, &TimelineCanvas::arranged, this, &ComparePane::followScroll);
    connect(m_canvas, &TimelineCanvas::selectionWanted, m_canvas, &TimelineCanvas::setSelection);
    connect(m_scroll, &QScrollBar::valueChanged, m_canvas, [this](int value) { m_canvas->setScroll(value); });
    connect(m_headers, &LaneHeaders::clicked, m_canvas, &TimelineCanvas::setFocusBand);
    connect(&look, &Look::changed, this, &ComparePane::applyLook);
    applyLook();
}

QToolButton* ComparePane::button(const QString& name, const QString& text, const QString& help) {
    auto* made = new QToolButton(m_head);
    made->setObjectName(name);
    made->setText(text);
    made->setAccessibleName(text);
    made->setToolTip(help);
    made->setFocusPolicy(Qt::TabFocus);
    return made;
}

void ComparePane::setChoices(const QStringList& names, int chosen) {
    const QSignalBlocker quiet(m_runs);
    if (m_runs->count() != names.size()) {
        m_runs->clear();
        m_runs->addItems(names);
    }
    for (int i = 0; i < m_runs->count(); ++i)
        m_runs->setItemText(i, names[i]);
    m_runs->setCurrentIndex(chosen);
    m_runs->setToolTip(m_runs->currentText());
    for (QToolButton* each : {m_restore, m_rename, m_remove})
        each->setVisible(chosen > 0); // the run that is shown is not kept
    editName(false);
}

void ComparePane::setRun(std::shared_ptr<const Run> run, const QString& problem) {
    m_problem->setText(problem);
    m_problem->setVisible(run == nullptr);
    m_canvas->setVisible(run != nullptr);
    m_headers->setVisible(run != nullptr);
    m_canvas->setRun(std::move(run));
    m_canvas->setSelection({});
    arrange();
}

void ComparePane::setResourceName(const QString& name) {
    m_headers->setResourceName(name);
}

int ComparePane::wantedHeaderWidth() const {
    return m_headers->wantedWidth();
}

void ComparePane::setHeaderWidth(int width) {
    if (width == m_headerWidth) return;
    m_headerWidth = width;
    arrange();
}

void ComparePane::editName(bool edit) {
    m_runs->setVisible(!edit);
    m_name->setVisible(edit);
    if (!edit) return;
    m_name->setText(m_runs->currentText());
    m_name->setFocus(Qt::OtherFocusReason);
    m_name->selectAll();
}

bool ComparePane::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::KeyPress && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
        editName(false);
        m_rename->setFocus(Qt::OtherFocusReason);
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

void ComparePane::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    arrange();
}

void ComparePane::applyLook() {
    m_row->setContentsMargins(m_look.px(12), 0, m_look.px(8), 0);
    m_row->setSpacing(m_look.px(6));
    m_place->setFont(m_look.font(TextRole::Caption));
    m_place->setFixedWidth(m_look.px(48));
    for (QWidget* each : {static_cast<QWidget*>(m_runs), static_cast<QWidget*>(m_name)})
        each->setFont(m_look.font(TextRole::Lane));
    for (QToolButton* each : {m_restore, m_rename, m_remove})
        each->setFont(m_look.font(TextRole::Caption));
    arrange();
}

void ComparePane::arrange() {
    const int head = m_look.px(36);
    const int bar = m_canvas->mostScroll() > 0 ? m_scroll->sizeHint().width() : 0;
    const int high = std::max(1, height() - head);
    m_head->setGeometry(0, 0, width(), head);
    m_headers->setGeometry(0, head, m_headerWidth, high);
    m_canvas->setGeometry(m_headerWidth, head, std::max(1, width() - m_headerWidth - bar), high);
    m_scroll->setGeometry(width() - bar, head + m_canvas->rulerHeight(), bar, high - m_canvas->rulerHeight());
    m_scroll->setVisible(bar > 0);
    m_problem->setGeometry(0, head, width(), high);
    followScroll();
}

void ComparePane::followScroll() {
    const QSignalBlocker quiet(m_scroll);
    m_scroll->setRange(0, static_cast<int>(std::ceil(m_canvas->mostScroll())));
    m_scroll->setPageStep(std::max(1, m_canvas->height() - m_canvas->rulerHeight()));
    m_scroll->setSingleStep(m_look.px(24));
    m_scroll->setValue(static_cast<int>(m_canvas->scroll()));
}

} // namespace lockscope::ui
