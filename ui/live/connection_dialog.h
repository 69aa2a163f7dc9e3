// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

#include "ui/live/live_host.h"

class QLineEdit;
class QPushButton;

namespace lockscope::ui {

class Look;
class WrapLabel;

/// Where somebody's Redis is and how to get in, with a button that tries it and says what is there or at
/// which stage it failed. The password is asked for each time.
class ConnectionDialog : public QDialog {
    Q_OBJECT
public:
    /// What the server is wanted for.
    enum class Purpose { Run, Observe };

    ConnectionDialog(LiveHost& host, Look& look, QWidget* parent = nullptr, Purpose purpose = Purpose::Run);

    LiveChoice choice() const;
    /// The key to observe.
    QString key() const;
    /// What was tested last, in words.
    QString found() const;

private:
    QLineEdit* addField(class QFormLayout* form, const QString& label, const char* name, const QString& hint);
    void test();
    void tell(bool usable, const QString& sentence);
    void hidePassword();
    void refresh();

    LiveHost& m_host;
    QLineEdit* m_key = nullptr; ///< null unless it is to be observed
    QLineEdit* m_url = nullptr;
    QLineEdit* m_user = nullptr;
    QLineEdit* m_password = nullptr;
    QString m_taken; ///< the password that came with the address last
    QLineEdit* m_caFile = nullptr;
    QLineEdit* m_serverName = nullptr;
    WrapLabel* m_found = nullptr;
    QPushButton* m_test = nullptr;
    QPushButton* m_use = nullptr;
};

} // namespace lockscope::ui
