// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QToolButton>

#include "core/world/scenario.h"

namespace lockscope::ui {

class Look;

/// A kind of fault in the palette. A click does it at the playhead; dragged, it hangs on the mouse until it
/// is let go over a lane, or Escape puts it back.
class FaultButton : public QToolButton {
    Q_OBJECT
public:
    FaultButton(InterventionKind kind, const Look& look, QWidget* parent);

    InterventionKind kind() const { return m_kind; }

signals:
    void carryBegan();
    void carried(QPoint where, Qt::KeyboardModifiers keys); ///< where on the screen
    void dropped();
    void carryEnded(); ///< without a drop

protected:
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    bool event(QEvent* event) override;

private:
    void endCarry();

    InterventionKind m_kind;
    const Look& m_look;
    QPoint m_pressed;
    bool m_carrying = false;
};

} // namespace lockscope::ui
