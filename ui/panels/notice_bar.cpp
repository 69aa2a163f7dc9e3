// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/notice_bar.h"

#include <QHBoxLayout>
#include <QPushButton>
#include <QToolButton>

#include "ui/look.h"
#include "ui/panels/icons.h"
#include "ui/panels/wrap_label.h"

namespace lockscope::ui {

NoticeBar::NoticeBar(Look& look, QWidget* parent) : QFrame(parent), m_look(look) {
    setObjectName(QStringLiteral("noticeBar"));
    setAccessibleName(tr("Notice"));
    setProperty("card", true);
    m_text = new WrapLabel(this);
    m_text->setObjectName(QStringLiteral("noticeText"));
    m_text->setTextFormat(Qt::PlainText);
    m_close = new QToolButton(this);
    m_close->setObjectName(QStringLiteral("noticeClose"));
    m_close->setAccessibleName(tr("Put the notice away"));
    m_close->setToolTip(m_close->accessibleName());
    m_close->setIcon(glyphIcon(look, Glyph::Close));
    m_close->setProperty("flat", true);
    m_close->setFocusPolicy(Qt::TabFocus);
    m_row = new QHBoxLayout(this);
    m_row->addWidget(m_text, 1);
    m_row->addWidget(m_close, 0, Qt::AlignTop);
    connect(m_close, &QToolButton::clicked, this, &QWidget::hide);
    connect(&look, &Look::changed, this, &NoticeBar::applyLook);
    applyLook();
    hide();
}

void NoticeBar::say(const QString& text, std::vector<Choice> choices) {
    for (QPushButton* button : m_buttons) {
        button->hide();
        button->setParent(nullptr);
        button->deleteLater(); // it may be the one that was just pressed
    }
    m_buttons.clear();
    m_text->setText(text);
    for (Choice& choice : choices) {
        auto* button = new QPushButton(choice.text, this);
        button->setObjectName(choice.name);
        button->setAccessibleName(choice.text);
        button->setFocusPolicy(Qt::TabFocus);
        connect(button, &QPushButton::clicked, this, [this, act = std::move(choice.act)] {
            hide();
            act();
        });
        m_row->insertWidget(m_row->count() - 1, button, 0, Qt::AlignTop);
        m_buttons.append(button);
    }
    show();
}

QString NoticeBar::text() const {
    return m_text->text();
}

void NoticeBar::applyLook() {
    m_text->setFont(m_look.font(TextRole::Lane));
    layout()->setContentsMargins(m_look.px(12), m_look.px(6), m_look.px(8), m_look.px(6));
    layout()->setSpacing(m_look.px(8));
    m_close->setIconSize({m_look.px(12), m_look.px(12)});
}

} // namespace lockscope::ui
