// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "core/trace/key_history.h"

class QComboBox;
class QGridLayout;
class QLabel;
class QScrollArea;
class QTableView;

namespace lockscope::ui {

class BadgeLabel;
class FaultDesk;
class KeyActions;
class KeyHistoryModel;
class LockDetails;
class Look;
class RunModel;
class TtlBar;
class WrapLabel;

/// A lock key at the playhead: whom Redis calls its owner, its value, how long the lease still has and when
/// it ends, whether a command would find it and whether it still lies in memory, and how it came to be so.
class KeyInspector : public QWidget {
    Q_OBJECT
public:
    /// Without a desk it shows and changes nothing.
    KeyInspector(RunModel& run, Look& look, FaultDesk* desk = nullptr, QWidget* parent = nullptr);

    KeyHistoryModel& history() { return *m_history; }

protected:
    void showEvent(QShowEvent* event) override;

private:
    void build();
    QLabel* addRow(QGridLayout* grid, const QString& caption, QWidget* value);
    void takeRun();
    void takeKey();
    void refresh();
    void refreshOwner(const KeyState& state);
    void refreshLease(const KeyState& state);
    void refreshSelection();
    void refreshActions(const KeyState& state);
    QString emptyText(const KeyState& state) const;
    void applyLook();

    RunModel& m_run;
    FaultDesk* m_desk;
    Look& m_look;
    KeyHistoryModel* m_history = nullptr;
    StringId m_key = StringId::Empty;
    bool m_stale = true; ///< the run changed while this was hidden

    QWidget* m_column = nullptr;
    QComboBox* m_keys = nullptr;
    QLabel* m_keyName = nullptr; ///< instead of the box, where there is no choice
    WrapLabel* m_empty = nullptr;
    QWidget* m_facts = nullptr;
    BadgeLabel* m_owner = nullptr;
    QLabel* m_value = nullptr;
    QLabel* m_type = nullptr;
    TtlBar* m_bar = nullptr;
    WrapLabel* m_left = nullptr;
    WrapLabel* m_existence = nullptr;
    WrapLabel* m_warning = nullptr;
    LockDetails* m_details = nullptr;
    KeyActions* m_actions = nullptr; ///< null without a desk
    QLabel* m_historyTitle = nullptr;
    QTableView* m_historyView = nullptr;
    QList<QLabel*> m_captions;
};

} // namespace lockscope::ui
