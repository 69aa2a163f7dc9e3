// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/view_bar.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

#include "ui/look.h"

namespace lockscope::ui {

ViewBar::ViewBar(const Look& look, QWidget* parent) : QWidget(parent), m_look(look) {
    setObjectName(QStringLiteral("timeline.viewBar"));
    setAccessibleName(tr("How the timeline is looked at"));
    m_label = new QLabel(this);
    m_label->setObjectName(QStringLiteral("timeline.difference"));
    m_label->setAccessibleName(tr("What the last change did"));
    m_label->setTextFormat(Qt::PlainText);
    m_label->setMinimumWidth(0);
    m_label->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_ghost = button("timeline.ghost", tr("Ghost"), tr("The run before the last change, dashed (G)"));
    m_trueTime = button("timeline.trueTime", tr("True time"), tr("A second has one length everywhere (S)"));
    m_step = button("timeline.stepView", tr("Step view"),
                    tr("Every gap between events is wide enough to read; long ones are cut short (S)"));
    auto* row = new QHBoxLayout(this);
    row->addWidget(m_label, 1);
    row->addWidget(m_ghost);
    row->addSpacing(look.px(8));
    row->addWidget(m_trueTime);
    row->addWidget(m_step);
    setStepView(false);
    setGhostShown(true);
    connect(m_ghost, &QToolButton::clicked, this, &ViewBar::ghostWanted);
    connect(m_trueTime, &QToolButton::clicked, this, [this] { emit stepViewWanted(false); });
    connect(m_step, &QToolButton::clicked, this, [this] { emit stepViewWanted(true); });
    connect(&look, &Look::changed, this, &ViewBar::applyLook);
    applyLook();
}

QToolButton* ViewBar::button(const char* name, const QString& text, const QString& help) {
    auto* made = new QToolButton(this);
    made->setObjectName(QLatin1String(name));
    made->setText(text);
    made->setAccessibleName(text);
    made->setToolTip(help);
    made->setCheckable(true);
    made->setProperty("segment", true);
    made->setFocusPolicy(Qt::TabFocus);
    return made;
}

void ViewBar::setSentence(const QString& sentence) {
    if (sentence == m_sentence) return;
    m_sentence = sentence;
    m_label->setAccessibleDescription(sentence);
    elide();
}

void ViewBar::setStepView(bool on) {
    m_step->setChecked(on);
    m_trueTime->setChecked(!on);
}

void ViewBar::setGhostShown(bool shown) {
    m_ghost->setChecked(shown);
}

void ViewBar::setGhostOffered(bool offered) {
    m_ghost->setVisible(offered);
}

int ViewBar::wantedHeight() const {
    return m_look.px(28);
}

void ViewBar::applyLook() {
    layout()->setContentsMargins(m_look.px(12), 0, m_look.px(8), 0);
    layout()->setSpacing(m_look.px(2));
    m_label->setFont(m_look.font(TextRole::Lane));
    for (QToolButton* each : {m_ghost, m_trueTime, m_step})
        each->setFont(m_look.font(TextRole::Caption));
    elide();
}

/// What does not fit is in the tooltip.
void ViewBar::elide() {
    const QString shown =
        QFontMetrics(m_label->font()).elidedText(m_sentence, Qt::ElideRight, m_label->width());
    m_label->setText(shown);
    m_label->setToolTip(shown == m_sentence ? QString() : m_sentence);
}

void ViewBar::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    layout()->activate();
    elide();
}

} // namespace lockscope::ui
