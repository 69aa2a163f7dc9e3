// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/live/connection_dialog.h"

#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QUrl>
#include <QVBoxLayout>

#include "ui/look.h"
#include "ui/panels/wrap_label.h"

namespace lockscope::ui {

ConnectionDialog::ConnectionDialog(LiveHost& host, Look& look, QWidget* parent, Purpose purpose)
    : QDialog(parent), m_host(host) {
    setObjectName(QStringLiteral("connectionDialog"));
    const bool observes = purpose == Purpose::Observe;
    setWindowTitle(observes ? tr("Observe a key") : tr("A Redis of yours"));
    auto* column = new QVBoxLayout(this);
    auto* form = new QFormLayout;
    if (observes) m_key = addField(form, tr("&Key"), "connectionKey", QStringLiteral("lock:report"));
    m_url = addField(form, tr("&Address"), "connectionUrl", QStringLiteral("redis://127.0.0.1:6379/0"));
    m_user = addField(form, tr("&User"), "connectionUser", tr("the server's default user"));
    m_password = addField(form, tr("&Password"), "connectionPassword", tr("kept in memory only"));
    m_password->setEchoMode(QLineEdit::Password);
    m_caFile = addField(form, tr("&CA file"), "connectionCaFile", tr("for rediss://; else the system's"));
    m_serverName = addField(form, tr("Server &name"), "connectionServerName", tr("in its certificate"));
    column->addLayout(form);
    auto* rules = new WrapLabel(this);
    rules->setObjectName(QStringLiteral("connectionRules"));
    rules->setText(
        observes
            ? tr("Nothing is written. The key is asked for when something has changed, and for its lease "
                 "only while that lasts, since asking later would remove it.")
            : tr("Every key of the run is put under a prefix of its own and removed at the end. Nothing else "
                 "is changed on the server, and no command is sent that reaches beyond keys."));
    column->addWidget(rules);
    m_found = new WrapLabel(this);
    m_found->setObjectName(QStringLiteral("connectionFound"));
    m_found->setAccessibleName(tr("What was found"));
    column->addWidget(m_found);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    m_test = buttons->addButton(tr("&Test"), QDialogButtonBox::ActionRole);
    m_test->setObjectName(QStringLiteral("connectionTest"));
    m_use = buttons->addButton(observes ? tr("&Observe") : tr("&Use it"), QDialogButtonBox::AcceptRole);
    m_use->setObjectName(QStringLiteral("connectionUse"));
    column->addWidget(buttons);
    column->setContentsMargins(look.px(16), look.px(12), look.px(16), look.px(12));
    setMinimumWidth(look.px(460));
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_test, &QPushButton::clicked, this, &ConnectionDialog::test);
    connect(&host, &LiveHost::tested, this, &ConnectionDialog::tell);
    connect(m_url, &QLineEdit::textChanged, this, &ConnectionDialog::hidePassword);
    connect(m_url, &QLineEdit::textChanged, this, &ConnectionDialog::refresh);
    if (m_key != nullptr) connect(m_key, &QLineEdit::textChanged, this, &ConnectionDialog::refresh);
    refresh();
}

QLineEdit* ConnectionDialog::addField(QFormLayout* form, const QString& label, const char* name,
                                      const QString& hint) {
    auto* field = new QLineEdit(this);
    field->setObjectName(QLatin1String(name));
    field->setPlaceholderText(hint);
    field->setAccessibleName(QString(label).remove(QLatin1Char('&')));
    form->addRow(label, field);
    return field;
}

/// A password that comes with the address goes where it is not seen. With the `@` it is known to be one: up
/// to there it could still be a port.
void ConnectionDialog::hidePassword() {
    const QString typed = m_url->text();
    const qsizetype scheme = typed.indexOf(QLatin1String("://"));
    const qsizetype at = typed.lastIndexOf(QLatin1Char('@'));
    if (scheme < 0 || at < scheme) return;
    const QString who = typed.mid(scheme + 3, at - scheme - 3);
    // As for redis-cli, what stands alone is the password.
    const qsizetype colon = who.indexOf(QLatin1Char(':'));
    const QString user = colon < 0 ? QString() : who.left(colon);
    const QString password = who.mid(colon + 1);
    const auto plain = [](const QString& text) { return QUrl::fromPercentEncoding(text.toUtf8()); };
    if (!user.isEmpty()) m_user->setText(plain(user));
    // Typed, an `@` of the password's own has let it go too early: the rest of it comes with the next one.
    const bool rest = colon < 0 && !m_taken.isEmpty() && m_password->text() == m_taken;
    if (!password.isEmpty())
        m_password->setText(rest ? m_taken + QLatin1Char('@') + plain(password) : plain(password));
    m_taken = password.isEmpty() ? QString() : m_password->text();
    m_url->setText(typed.left(scheme + 3) + typed.mid(at + 1)); // and out of what can be undone
}

LiveChoice ConnectionDialog::choice() const {
    return {LiveChoice::Kind::Url, m_url->text().trimmed(), m_user->text(),
            m_password->text(),    m_caFile->text(),        m_serverName->text()};
}

QString ConnectionDialog::key() const {
    return m_key == nullptr ? QString() : m_key->text();
}

QString ConnectionDialog::found() const {
    return m_found->text();
}

void ConnectionDialog::test() {
    m_test->setEnabled(false);
    m_found->setText(tr("Trying…"));
    m_host.test(choice());
}

void ConnectionDialog::tell(bool, const QString& sentence) {
    m_found->setText(sentence);
    refresh();
}

void ConnectionDialog::refresh() {
    const bool there = !m_url->text().trimmed().isEmpty();
    m_test->setEnabled(there);
    m_use->setEnabled(there && (m_key == nullptr || !m_key->text().isEmpty()));
}

} // namespace lockscope::ui
