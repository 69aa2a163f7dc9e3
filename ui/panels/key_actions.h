// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QLabel;
class QLineEdit;
class QPushButton;

namespace lockscope::ui {

class FaultDesk;
class Look;
class RunModel;

/// What an administrator can do to a key at the playhead, each a command that becomes an intervention of the
/// run: delete it, let its lease end now, take its deadline away, give it another one, put another value
/// there.
class KeyActions : public QWidget {
    Q_OBJECT
public:
    KeyActions(RunModel& run, FaultDesk& desk, Look& look, QWidget* parent = nullptr);

    /// `value` of a string, to be edited; of another type there is none.
    void setKey(const QString& key, bool isString, const QString& value, bool hasDeadline);

private:
    void run(const QString& command);
    void setTtl();
    void setValue();
    void applyLook();
    QPushButton* addButton(const char* name, const QString& text, const QString& tip);

    RunModel& m_run;
    FaultDesk& m_desk;
    Look& m_look;
    QString m_key; ///< quoted
    QString m_shown;
    QPushButton* m_delete = nullptr;
    QPushButton* m_expire = nullptr;
    QPushButton* m_persist = nullptr;
    QLineEdit* m_ttl = nullptr;
    QPushButton* m_setTtl = nullptr;
    QLineEdit* m_value = nullptr;
    QPushButton* m_setValue = nullptr;
};

} // namespace lockscope::ui
