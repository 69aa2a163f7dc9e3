// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include <string>
#include <vector>

#include "core/world/intervention.h"

class QComboBox;
class QLabel;
class QPushButton;
class QToolButton;

namespace lockscope::ui {

class Look;

/// A line to write in what Redis is to do, a command or a load, with the usual ones to choose from.
class AdminLine : public QWidget {
    Q_OBJECT
public:
    AdminLine(InterventionKind kind, Look& look, QWidget* parent = nullptr);

    InterventionKind kind() const { return m_kind; }

    /// The usual commands are about these keys. What the user has written stays.
    void setKeys(const std::vector<std::string>& keys);
    /// The command that stands there, or the most usual one; empty if it is none.
    std::string command() const;
    void edit();

signals:
    void wanted(); ///< to be run at the playhead
    void closed();

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    void judge();
    void applyLook();

    InterventionKind m_kind;
    Look& m_look;
    QLabel* m_caption = nullptr;
    QComboBox* m_text = nullptr;
    QPushButton* m_run = nullptr;
    QToolButton* m_close = nullptr;
    QLabel* m_problem = nullptr;
    std::vector<std::string> m_keys;
};

} // namespace lockscope::ui
