// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/admin_line.h"

#include <QComboBox>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QToolButton>

#include "core/world/scenario.h"
#include "ui/bridge/text.h"
#include "ui/look.h"
#include "ui/panels/flow_layout.h"
#include "ui/panels/icons.h"

namespace lockscope::ui {

AdminLine::AdminLine(InterventionKind kind, Look& look, QWidget* parent)
    : QWidget(parent), m_kind(kind), m_look(look) {
    const bool load = kind == InterventionKind::Load;
    const QString name = load ? QStringLiteral("load") : QStringLiteral("admin");
    setObjectName(name + QStringLiteral("Line"));
    setAccessibleName(load ? tr("A load of a cache") : tr("A command for Redis"));
    m_caption = new QLabel(load ? tr("Writes x bytes") : tr("Redis runs"), this);
    m_caption->setObjectName(name + QStringLiteral("Caption"));
    m_text = new QComboBox(this);
    m_text->setObjectName(name + QStringLiteral("Command"));
    m_text->setAccessibleName(load ? tr("Load") : tr("Command"));
    m_text->setToolTip(
        load ? tr("So many writes of so many bytes, with a TTL if wanted; Return does it at the "
                  "playhead")
             : tr("As one types it into redis-cli; Return runs it at the playhead"));
    m_text->setEditable(true);
    m_text->setInsertPolicy(QComboBox::NoInsert);
    m_text->setMinimumContentsLength(24);
    m_text->lineEdit()->setObjectName(name + QStringLiteral("Text"));
    m_run = new QPushButton(tr("Run at the playhead"), this);
    m_run->setObjectName(name + QStringLiteral("Run"));
    m_close = new QToolButton(this);
    m_close->setObjectName(name + QStringLiteral("Close"));
    m_close->setAccessibleName(tr("Close the line"));
    m_close->setToolTip(m_close->accessibleName());
    m_close->setIcon(glyphIcon(look, Glyph::Close));
    m_close->setProperty("flat", true);
    m_problem = new QLabel(this);
    m_problem->setObjectName(name + QStringLiteral("Problem"));
    m_problem->setProperty("alarm", true);
    auto* row = new FlowLayout(this);
    for (QWidget* part : std::initializer_list<QWidget*>{m_caption, m_text, m_run, m_close, m_problem})
        row->addWidget(part);
    connect(m_text, &QComboBox::currentTextChanged, this, &AdminLine::judge);
    connect(m_text->lineEdit(), &QLineEdit::returnPressed, this, [this] {
        if (m_run->isEnabled()) emit wanted();
    });
    connect(m_run, &QPushButton::clicked, this, &AdminLine::wanted);
    connect(m_close, &QToolButton::clicked, this, &AdminLine::closed);
    connect(&look, &Look::changed, this, &AdminLine::applyLook);
    if (load)
        for (const char* usual : {"20000 x 1024", "60000 x 1024", "3000 x 100", "20000 x 1024 ttl 1h"})
            m_text->addItem(QString::fromLatin1(usual));
    applyLook();
    judge();
}

void AdminLine::setKeys(const std::vector<std::string>& keys) {
    if (keys == m_keys || m_kind == InterventionKind::Load) return;
    const bool usual = m_text->findText(m_text->currentText()) >= 0 || m_text->currentText().isEmpty();
    const QString written = m_text->currentText();
    m_keys = keys;
    m_text->clear();
    for (const std::string& key : keys)
        for (const QString& command : {QStringLiteral("DEL %1"), QStringLiteral("PEXPIRE %1 1000"),
                                       QStringLiteral("PERSIST %1"), QStringLiteral("SET %1 admin")})
            m_text->addItem(command.arg(qstr(key)));
    m_text->addItem(QStringLiteral("FLUSHALL"));
    m_text->setEditText(usual ? m_text->itemText(0) : written);
    judge();
}

std::string AdminLine::command() const {
    return m_run->isEnabled() ? m_text->currentText().trimmed().toStdString() : std::string();
}

void AdminLine::edit() {
    m_text->setFocus(Qt::ShortcutFocusReason);
    m_text->lineEdit()->selectAll();
}

void AdminLine::judge() {
    const Result<void> checked = checkCommand(m_kind, m_text->currentText().trimmed().toStdString());
    m_run->setEnabled(checked.ok());
    m_problem->setText(checked ? QString() : qstr(checked.error().message));
    m_problem->setVisible(!checked);
}

void AdminLine::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape)
        emit closed();
    else
        QWidget::keyPressEvent(event);
}

void AdminLine::applyLook() {
    layout()->setContentsMargins(0, 0, 0, 0);
    layout()->setSpacing(m_look.px(6));
    m_caption->setFont(m_look.font(TextRole::Caption));
    m_problem->setFont(m_look.font(TextRole::Caption));
    m_text->setFont(m_look.font(TextRole::Code));
    m_close->setIconSize({m_look.px(12), m_look.px(12)});
}

} // namespace lockscope::ui
