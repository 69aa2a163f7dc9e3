// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/bridge/fault_desk.h"
#include "ui/timeline/gestures.h"

namespace lockscope::ui {

/// What all gestures that change the run have in common: a click until the mouse has moved a little, then a
/// trial at the desk that ends with the release.
class FaultGesture : public Gesture {
public:
    FaultGesture(TimelineCanvas& canvas, const QPointF& pressed);

    void move(const QPointF& pos, Qt::KeyboardModifiers keys) final;
    void release(const QPointF& pos) override;
    void cancel() override;

protected:
    /// Why the gesture cannot be made here; empty if it can.
    virtual QString refusal() const { return {}; }
    /// The hand is at `pos`; `free` of snapping if the user wants it so.
    virtual void drag(const QPointF& pos, bool free) = 0;
    /// Whether the release leaves everything as it was.
    virtual bool unchanged() const;

    /// Shows these faults and says at the hand what the picked one is. `mark` is the instant that the hand
    /// has snapped to, if `onEvent`.
    void show(std::vector<Intervention> faults, int picked, const QString& what, const QPointF& pos,
              Instant mark, bool onEvent);
    /// Shows the faults as they were at the press: a release here changes nothing.
    void showNothing(const QPointF& pos, const QString& why = {});

    TimelineCanvas& m_canvas;
    FaultDesk& m_desk;
    QPointF m_pressed;
    std::vector<Intervention> m_base; ///< at the press
    QString m_what;                   ///< completes "Undo …"
    QString m_said;                   ///< empty: a release here changes nothing

private:
    std::shared_ptr<const Run> m_run; ///< at the press
    bool m_dragging = false;
    QString m_refused;
};

} // namespace lockscope::ui
