// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/live/first_page.h"

#include "ui/look.h"

namespace lockscope::ui {

FirstPage::FirstPage(const QString& name, const Look& look, QWidget* parent)
    : WrapLabel(parent), m_look(look) {
    setObjectName(name);
    setTextFormat(Qt::RichText);
    setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    setAlignment(Qt::AlignTop | Qt::AlignLeft);
    connect(&look, &Look::changed, this, &FirstPage::applyLook);
    applyLook();
}

void FirstPage::applyLook() {
    setMargin(m_look.px(16)); // rich text looks at no other
    setFont(m_look.font(TextRole::Prose));
}

} // namespace lockscope::ui
