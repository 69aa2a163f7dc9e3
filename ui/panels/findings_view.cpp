// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/findings_view.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/look.h"
#include "ui/panels/icons.h"
#include "ui/panels/wrap_label.h"

namespace lockscope::ui {

FindingsView::FindingsView(const QString& name, const QString& title, Look& look, QWidget* parent)
    : QFrame(parent), m_look(look) {
    setObjectName(name + QLatin1String("View"));
    setAccessibleName(title);
    m_title = new QLabel(title, this);
    m_status = new WrapLabel(this);
    m_status->setObjectName(name + QLatin1String("Status"));
    m_close = new QToolButton(this);
    m_close->setObjectName(name + QLatin1String("Close"));
    m_close->setAccessibleName(tr("Back to the timeline"));
    m_close->setToolTip(tr("Back to the timeline (B)"));
    m_close->setProperty("flat", true);
    auto* head = new QHBoxLayout;
    head->addWidget(m_title);
    head->addWidget(m_status, 1);
    head->addWidget(m_close);
    m_column = new QVBoxLayout(this);
    m_column->addLayout(head);
    connect(m_close, &QToolButton::clicked, this, &FindingsView::closeWanted);
    connect(&look, &Look::changed, this, &FindingsView::applyLook);
    applyLook();
}

void FindingsView::setStatus(const QString& text) {
    m_status->setText(text);
}

void FindingsView::applyLook() {
    const int edge = m_look.px(12);
    m_column->setContentsMargins(edge, m_look.px(8), edge, m_look.px(8));
    m_column->setSpacing(m_look.px(8));
    QFont bold = m_look.font(TextRole::Lane);
    bold.setWeight(QFont::DemiBold);
    m_title->setFont(bold);
    m_status->setFont(m_look.font(TextRole::Caption));
    m_close->setIcon(glyphIcon(m_look, Glyph::Close));
    m_close->setIconSize({m_look.px(12), m_look.px(12)});
}

} // namespace lockscope::ui
