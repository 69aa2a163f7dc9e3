// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/toast.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

#include "ui/look.h"

namespace lockscope::ui {

namespace {
constexpr int kStaysMillis = 6000;
} // namespace

Toast::Toast(Look& look, QWidget* over) : QFrame(over), m_look(look) {
    setObjectName(QStringLiteral("toast"));
    setAccessibleName(tr("Message"));
    setProperty("card", true);
    m_text = new QLabel(this);
    m_text->setObjectName(QStringLiteral("toastText"));
    m_text->setWordWrap(true);
    m_text->setTextFormat(Qt::PlainText);
    m_button = new QPushButton(this);
    m_button->setObjectName(QStringLiteral("toastButton"));
    m_button->setFocusPolicy(Qt::TabFocus);
    auto* row = new QHBoxLayout(this);
    row->addWidget(m_text, 1);
    row->addWidget(m_button);
    m_timer.setSingleShot(true);
    m_timer.setInterval(kStaysMillis);
    connect(&m_timer, &QTimer::timeout, this, &QWidget::hide);
    connect(m_button, &QPushButton::clicked, this, [this] {
        hide();
        if (m_action) m_action();
    });
    over->installEventFilter(this);
    hide();
}

void Toast::say(const QString& text, const QString& actionText, std::function<void()> action) {
    m_text->setText(text);
    m_text->setFont(m_look.font(TextRole::Lane));
    m_action = std::move(action);
    m_button->setText(actionText);
    m_button->setAccessibleName(actionText);
    m_button->setVisible(!actionText.isEmpty());
    layout()->setContentsMargins(m_look.px(12), m_look.px(8), m_look.px(12), m_look.px(8));
    layout()->setSpacing(m_look.px(12));
    show();
    place();
    m_timer.start();
}

QString Toast::text() const {
    return m_text->text();
}

void Toast::withdraw() {
    if (m_action) hide();
}

void Toast::place() {
    const QWidget* over = parentWidget();
    const int margin = m_look.px(12);
    const int most = std::max(m_look.px(120), over->width() - 2 * margin);
    const QMargins m = layout()->contentsMargins();
    const int needed = m_text->fontMetrics().horizontalAdvance(m_text->text()) + m.left() + m.right() +
                       m_look.px(4) +
                       (m_button->isVisibleTo(this) ? m_button->sizeHint().width() + layout()->spacing() : 0);
    const int width = std::min(most, needed);
    const int height = std::max(layout()->heightForWidth(width), layout()->sizeHint().height());
    setGeometry((over->width() - width) / 2, over->height() - height - margin, width, height);
    raise();
}

bool Toast::eventFilter(QObject*, QEvent* event) {
    if (event->type() == QEvent::Resize && isVisible()) place();
    return false;
}

} // namespace lockscope::ui
