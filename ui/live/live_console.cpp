// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/live/live_console.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>

#include <algorithm>

#include "ui/bridge/run_model.h"
#include "ui/bridge/text.h"
#include "ui/look.h"

namespace lockscope::ui {

LiveConsole::LiveConsole(Look& look, QWidget* parent) : QWidget(parent), m_look(look) {
    setObjectName(QStringLiteral("liveConsole"));
    m_line = new QLineEdit(this);
    m_line->setObjectName(QStringLiteral("liveCommand"));
    m_line->setAccessibleName(tr("A command for Redis"));
    m_line->setPlaceholderText(tr("A command for Redis, as into redis-cli; Return sends it now"));
    m_line->installEventFilter(this);
    m_answer = new QLabel(this);
    m_answer->setObjectName(QStringLiteral("liveAnswer"));
    m_answer->setAccessibleName(tr("Its answer"));
    m_answer->setTextFormat(Qt::PlainText);
    auto* row = new QHBoxLayout(this);
    row->addWidget(m_line, 1);
    row->addWidget(m_answer, 1);
    connect(m_line, &QLineEdit::returnPressed, this, &LiveConsole::enter);
    connect(&look, &Look::changed, this, &LiveConsole::applyLook);
    applyLook();
}

void LiveConsole::enter() {
    const QString command = m_line->text().trimmed();
    if (command.isEmpty()) return;
    m_history.removeAll(command);
    m_history.append(command);
    m_place = m_history.size();
    m_line->clear();
    m_answer->clear();
    emit entered(command);
}

void LiveConsole::recall(int direction) {
    m_place = std::clamp<qsizetype>(m_place + direction, 0, m_history.size());
    m_line->setText(m_history.value(m_place));
}

bool LiveConsole::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_Up || key == Qt::Key_Down) {
            recall(key == Qt::Key_Up ? -1 : 1);
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

void LiveConsole::showAnswer(const Run& run) {
    const auto& events = run.trace->events;
    const auto answer = std::find_if(events.rbegin(), events.rend(), [&](const Event& event) {
        return event.kind == EventKind::ReplyReceived && event.actor != kNone &&
               run.trace->actors[static_cast<std::size_t>(event.actor)].outside;
    });
    if (answer == events.rend()) return;
    const std::string_view text = run.trace->text(answer->text);
    say(QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())));
}

void LiveConsole::say(const QString& text) {
    m_answer->setText(text);
}

void LiveConsole::applyLook() {
    layout()->setContentsMargins(m_look.px(12), m_look.px(4), m_look.px(12), m_look.px(4));
    m_line->setFont(m_look.font(TextRole::Code));
    m_answer->setFont(m_look.font(TextRole::Code));
}

} // namespace lockscope::ui
