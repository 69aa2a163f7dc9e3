// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/key_actions.h"

#include <QHBoxLayout>
#include <QIntValidator>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include "ui/bridge/fault_desk.h"
#include "ui/bridge/key_probe.h"
#include "ui/bridge/run_model.h"
#include "ui/bridge/text.h"
#include "ui/look.h"
#include "ui/panels/flow_layout.h"

namespace lockscope::ui {

KeyActions::KeyActions(RunModel& run, FaultDesk& desk, Look& look, QWidget* parent)
    : QWidget(parent), m_run(run), m_desk(desk), m_look(look) {
    setObjectName(QStringLiteral("keyActions"));
    setAccessibleName(tr("What an administrator does to the key at the playhead"));
    m_delete = addButton("keyDelete", tr("Delete"), tr("DEL: the key is gone, and so is the lock"));
    m_expire = addButton(
        "keyExpire", tr("End the lease"),
        tr("PEXPIRE 1: it expires a millisecond later, as if its time had run out. PEXPIRE 0 would be a "
           "deletion, event and all"));
    m_persist = addButton("keyPersist", tr("Drop the deadline"),
                          tr("PERSIST: from then on it stays until somebody deletes it"));
    m_ttl = new QLineEdit(this);
    m_ttl->setObjectName(QStringLiteral("keyTtlEdit"));
    m_ttl->setAccessibleName(tr("New time to live in milliseconds"));
    m_ttl->setPlaceholderText(tr("ms"));
    m_ttl->setToolTip(
        tr("A lease from the playhead on, in milliseconds. For no deadline at all there is a button"));
    m_ttl->setValidator(new QIntValidator(1, 2'000'000'000, m_ttl));
    m_setTtl = addButton("keySetTtl", tr("Set TTL"), tr("PEXPIRE with so many milliseconds"));
    m_value = new QLineEdit(this);
    m_value->setObjectName(QStringLiteral("keyValueEdit"));
    m_value->setAccessibleName(tr("New value"));
    m_value->setToolTip(tr("Another token under the key. Its deadline stays: SET … XX KEEPTTL"));
    m_setValue = addButton(
        "keySetValue", tr("Set value"),
        tr("SET … XX KEEPTTL: the value changes, the deadline stays. A plain SET would take it away"));
    auto* column = new QVBoxLayout(this);
    auto* buttons = new QWidget(this);
    auto* row = new FlowLayout(buttons);
    row->setContentsMargins(0, 0, 0, 0);
    for (QWidget* part : {m_delete, m_expire, m_persist})
        row->addWidget(part);
    column->addWidget(buttons);
    // A field stands before the button that takes what is in it.
    for (const auto& [field, button] : {std::pair{m_ttl, m_setTtl}, std::pair{m_value, m_setValue}}) {
        auto* line = new QHBoxLayout;
        line->addWidget(field, 1);
        line->addWidget(button);
        column->addLayout(line);
    }
    connect(m_delete, &QPushButton::clicked, this,
            [this] { this->run(QStringLiteral("DEL %1").arg(m_key)); });
    connect(m_expire, &QPushButton::clicked, this,
            [this] { this->run(QStringLiteral("PEXPIRE %1 1").arg(m_key)); });
    connect(m_persist, &QPushButton::clicked, this,
            [this] { this->run(QStringLiteral("PERSIST %1").arg(m_key)); });
    connect(m_setTtl, &QPushButton::clicked, this, &KeyActions::setTtl);
    connect(m_ttl, &QLineEdit::returnPressed, this, &KeyActions::setTtl);
    connect(m_ttl, &QLineEdit::textChanged, this,
            [this] { m_setTtl->setEnabled(m_ttl->hasAcceptableInput()); });
    connect(m_setValue, &QPushButton::clicked, this, &KeyActions::setValue);
    connect(m_value, &QLineEdit::returnPressed, this, &KeyActions::setValue);
    connect(m_value, &QLineEdit::textChanged, this,
            [this](const QString& text) { m_setValue->setEnabled(!text.isEmpty() && text != m_shown); });
    connect(&look, &Look::changed, this, &KeyActions::applyLook);
    m_setTtl->setEnabled(false);
    m_setValue->setEnabled(false);
    applyLook();
}

QPushButton* KeyActions::addButton(const char* name, const QString& text, const QString& tip) {
    auto* button = new QPushButton(text, this);
    button->setObjectName(QString::fromLatin1(name));
    button->setAccessibleName(text);
    button->setToolTip(tip);
    return button;
}

void KeyActions::setKey(const QString& key, bool isString, const QString& value, bool hasDeadline) {
    m_key = qstr(quotedForRedis(key.toStdString()));
    m_persist->setEnabled(hasDeadline);
    m_value->setVisible(isString);
    m_setValue->setVisible(isString);
    if (value == m_shown) return;
    m_shown = value;
    if (!m_value->hasFocus()) m_value->setText(value); // whoever writes is not disturbed
    m_setValue->setEnabled(!m_value->text().isEmpty() && m_value->text() != m_shown);
}

void KeyActions::run(const QString& command) {
    Intervention intervention;
    intervention.kind = InterventionKind::Admin;
    intervention.actor = serverName(0);
    intervention.at = m_run.playhead();
    intervention.command = command.toStdString();
    m_desk.add(intervention);
}

void KeyActions::setTtl() {
    if (m_ttl->hasAcceptableInput()) run(QStringLiteral("PEXPIRE %1 %2").arg(m_key, m_ttl->text()));
}

void KeyActions::setValue() {
    if (m_setValue->isEnabled())
        run(QStringLiteral("SET %1 %2 XX KEEPTTL")
                .arg(m_key, qstr(quotedForRedis(m_value->text().toStdString()))));
}

void KeyActions::applyLook() {
    layout()->setContentsMargins(0, 0, 0, 0);
    for (QLayout* each : findChildren<QLayout*>())
        each->setSpacing(m_look.px(6));
    m_ttl->setFont(m_look.font(TextRole::Code));
    m_value->setFont(m_look.font(TextRole::Code));
    const int digit = m_ttl->fontMetrics().horizontalAdvance(QLatin1Char('0'));
    m_ttl->setMinimumWidth(9 * digit + m_look.px(16));
    m_value->setMinimumWidth(12 * digit);
}

} // namespace lockscope::ui
