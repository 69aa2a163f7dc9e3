// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QWidget>

#include "core/trace/key_history.h"
#include "core/trace/lock_shape.h"

class QGridLayout;
class QLabel;

namespace lockscope::ui {

class KeyProbe;
class Look;
class RunModel;
class WrapLabel;

/// What a lock is made of: how its value names its holders, the keys and channels that go with it, what it
/// takes of the server's memory and how long nobody has used it, and which server that is.
class LockDetails : public QWidget {
    Q_OBJECT
public:
    LockDetails(RunModel& run, Look& look, QWidget* parent = nullptr);

    void show(StringId key, const KeyState& state);

    const QList<QLabel*>& captions() const { return m_captions; }
    /// So that they stand in one column with those of another grid.
    void setCaptionWidth(int width);

private:
    WrapLabel* addRow(QGridLayout* grid, const QString& caption, const char* name);
    void showMemory();
    static void setRow(WrapLabel* value, const QString& text);
    void applyLook();

    RunModel& m_run;
    Look& m_look;
    KeyProbe* m_probe = nullptr;
    WrapLabel* m_shape = nullptr;
    WrapLabel* m_holders = nullptr;
    WrapLabel* m_kin = nullptr;
    WrapLabel* m_memory = nullptr;
    WrapLabel* m_server = nullptr;
    std::vector<KinKey> m_shownKin;
    Instant m_at{};
    QList<QLabel*> m_captions;
};

/// For people: "a token: a UUID", "a re-entrant lock, a hash of holder → count".
QString shapeText(const LockView& view);

} // namespace lockscope::ui
