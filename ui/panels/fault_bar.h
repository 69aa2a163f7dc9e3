// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "core/world/scenario.h"

class QButtonGroup;
class QHBoxLayout;
class QLabel;
class QPushButton;

namespace lockscope::ui {

class DurationField;
class FlowLayout;
class LessonModel;
class Look;
class RunModel;

/// "Server A at 12.0 s is paused for 20 s": a sentence of controls for doing something to an actor at the
/// playhead, and below it what has been done, each to be selected or taken back.
class FaultBar : public QWidget {
    Q_OBJECT
public:
    FaultBar(LessonModel& lesson, RunModel& run, Look& look, QWidget* parent = nullptr);

    int actor() const { return m_actor; }
    void setActor(int actor);
    Duration pauseLength() const;
    void setPauseLength(Duration length);
    void editPauseLength();

    /// What can be done to the actor at the playhead; menus follow it.
    bool can(InterventionKind kind) const;
    bool canResume() const;

    /// "Server A paused 20.0 s at 12.0 s"
    static QString sentence(const Intervention& intervention);

signals:
    void actorChanged();
    void possibleChanged();
    void pauseRequested();
    void pauseLengthChanged(lockscope::Duration length); ///< by hand
    void resumeRequested();
    void killRequested();
    void restartRequested();
    void removeRequested(int index);

private:
    QPushButton* button(const QString& text, const char* name, const QString& help);
    void rebuildActors();
    void rebuildChips();
    void refresh();
    void applyLook();

    /// An actor's process begins or ends.
    struct Turn {
        Instant at;
        int actor;
        bool starts;
    };

    LessonModel& m_lesson;
    RunModel& m_run;
    Look& m_look;
    std::vector<Turn> m_turns;
    QStringList m_names;
    int m_actor = 0;
    QButtonGroup* m_actors = nullptr;
    QWidget* m_actorBox = nullptr;
    QHBoxLayout* m_actorRow = nullptr;
    QWidget* m_controls = nullptr;
    QPushButton* m_pause = nullptr;
    DurationField* m_length = nullptr;
    QPushButton* m_resume = nullptr;
    QPushButton* m_kill = nullptr;
    QPushButton* m_restart = nullptr;
    QLabel* m_problem = nullptr;
    QWidget* m_chips = nullptr;
    FlowLayout* m_chipRow = nullptr;
};

} // namespace lockscope::ui
