// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractButton>

#include "core/trace/invariants.h"

class QToolButton;

namespace lockscope::ui {

class LessonModel;
class Look;
class RunModel;
class WrapLabel;

/// The mark of an invariant: a hollow ring, or a filled diamond once it is broken.
void paintLight(QPainter& painter, const Look& look, const QRectF& mark, bool broken);

/// One invariant: a hollow ring while it is not broken, a filled diamond with instant and count once the
/// playhead has passed where it breaks.
class Light : public QAbstractButton {
    Q_OBJECT
public:
    Light(Invariant invariant, Look& look, QWidget* parent = nullptr);

    Invariant invariant() const { return m_invariant; }
    /// `count` episodes so far, the first at `first`. Negative: it cannot be judged here.
    void setState(int count, Instant first);
    int episodes() const { return m_count; }
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QString suffix() const;

    Invariant m_invariant;
    Look& m_look;
    int m_count = 0;
    Instant m_first{};
};

/// The lights of the lesson, the rest under "+4", and what came of the run.
class LightsBar : public QWidget {
    Q_OBJECT
public:
    LightsBar(LessonModel& lesson, RunModel& run, Look& look, QWidget* parent = nullptr);

signals:
    /// A light was clicked: go to this violation of the run.
    void violationRequested(int index);

private:
    void rebuild();
    void refresh();
    void applyLook();
    void jump(Invariant invariant);
    bool judgeable(Invariant invariant) const;

    LessonModel& m_lesson;
    RunModel& m_run;
    Look& m_look;
    QList<Light*> m_lights;
    QToolButton* m_rest = nullptr;
    WrapLabel* m_outcome = nullptr;
    bool m_all = false; ///< the rest is unfolded
};

} // namespace lockscope::ui
