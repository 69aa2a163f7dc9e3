// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/keep_bar.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QToolButton>

#include "ui/bridge/kept_runs.h"
#include "ui/look.h"
#include "ui/panels/icons.h"

namespace lockscope::ui {

KeepBar::KeepBar(KeptRuns& kept, Look& look, QWidget* parent) : QFrame(parent), m_kept(kept), m_look(look) {
    setObjectName(QStringLiteral("keepBar"));
    setAccessibleName(tr("Keep this run"));
    m_label = new QLabel(tr("Keep this run as"), this);
    m_name = new QLineEdit(this);
    m_name->setObjectName(QStringLiteral("keepName"));
    m_name->setAccessibleName(tr("Name of the kept run"));
    m_name->setMaxLength(KeptRuns::kLongestTyped);
    m_name->installEventFilter(this);
    m_keep = new QPushButton(tr("Keep"), this);
    m_keep->setObjectName(QStringLiteral("keepButton"));
    m_keep->setProperty("primary", true);
    m_keep->setToolTip(tr("Keep the run under this name (Enter)"));
    m_close = new QToolButton(this);
    m_close->setObjectName(QStringLiteral("keepClose"));
    m_close->setAccessibleName(tr("Do not keep it"));
    m_close->setToolTip(tr("Do not keep it (Esc)"));
    m_close->setProperty("flat", true);
    m_close->setFocusPolicy(Qt::TabFocus);
    m_label->setBuddy(m_name);
    auto* row = new QHBoxLayout(this);
    row->addWidget(m_label);
    row->addWidget(m_name, 1);
    row->addWidget(m_keep);
    row->addWidget(m_close);
    connect(m_name, &QLineEdit::returnPressed, this, &KeepBar::keep);
    connect(m_keep, &QPushButton::clicked, this, &KeepBar::keep);
    connect(m_close, &QToolButton::clicked, this, &KeepBar::leave);
    connect(&look, &Look::changed, this, &KeepBar::applyLook);
    applyLook();
    hide();
}

void KeepBar::ask() {
    if (!m_kept.canKeep()) return;
    m_name->setText(m_kept.suggestion());
    show();
    m_name->setFocus(Qt::ShortcutFocusReason);
    m_name->selectAll();
}

void KeepBar::keep() {
    if (!m_kept.canKeep()) return;
    const QString problem = m_kept.keep(m_name->text());
    leave();
    problem.isEmpty() ? emit kept(m_kept.count() - 1) : emit refused(problem);
}

void KeepBar::leave() {
    hide();
    emit closed();
}

bool KeepBar::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::KeyPress && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
        leave();
        return true;
    }
    return QFrame::eventFilter(watched, event);
}

void KeepBar::applyLook() {
    layout()->setContentsMargins(m_look.px(12), m_look.px(4), m_look.px(8), m_look.px(4));
    layout()->setSpacing(m_look.px(8));
    for (QWidget* each :
         {static_cast<QWidget*>(m_label), static_cast<QWidget*>(m_name), static_cast<QWidget*>(m_keep)})
        each->setFont(m_look.font(TextRole::Lane));
    m_close->setIcon(glyphIcon(m_look, Glyph::Close));
    m_close->setIconSize({m_look.px(12), m_look.px(12)});
}

} // namespace lockscope::ui
