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

enum class LightState : std::uint8_t {
    Whole,  ///< a hollow ring: not broken in this run
    Ahead,  ///< a hollow diamond: broken, after the playhead
    Broken, ///< a filled diamond
};

/// The mark of an invariant.
void paintLight(QPainter& painter, const Look& look, const QRectF& mark, LightState state);

/// One invariant: a hollow ring if this run does not break it, else a diamond with instant and count, which
/// is filled once the playhead has passed the first break.
class Light : public QAbstractButton {
    Q_OBJECT
public:
    Light(Invariant invariant, Look& look, QWidget* parent = nullptr);

    Invariant invariant() const { return m_invariant; }
    /// `count` episodes in the run as far as it is shown, the first at `first`; `passed` of them lie before
    /// the playhead. A negative count: it cannot be judged here.
    void setState(int count, Instant first, int passed);
    int episodes() const { return m_count; }
    int passed() const { return m_passed; }
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QString suffix() const;

    Invariant m_invariant;
    Look& m_look;
    int m_count = 0;
    int m_passed = 0;
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
