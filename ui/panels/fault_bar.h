// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include <set>
#include <vector>

#include "core/world/scenario.h"

class QAbstractButton;
class QBoxLayout;
class QButtonGroup;
class QComboBox;
class QHBoxLayout;
class QLabel;
class QPushButton;
class QScrollArea;
class QToolButton;

namespace lockscope::ui {

class AdminLine;
class DurationField;
class FaultButton;
class FlowLayout;
class LessonModel;
class Look;
class RunModel;

/// The palette: every kind of fault, to be done at the playhead by a click or carried to a lane; how long it
/// lasts and whom a click concerns, all in one row, for which words give way to signs. Below it stands what
/// has been done, each to be selected or taken back, but nothing behind the veil.
class FaultBar : public QWidget {
    Q_OBJECT
public:
    FaultBar(LessonModel& lesson, RunModel& run, Look& look, QWidget* parent = nullptr);

    int actor() const { return m_actor; }
    void setActor(int actor);
    /// The same if that is one of the actors.
    void setActorNamed(const std::string& name);
    Duration length() const;
    void setLength(Duration length);
    void editLength();
    /// A fault of this kind at the playhead, on the chosen actor or on Redis, as the controls say.
    Intervention made(InterventionKind kind) const;
    /// Opens the line in which is written what Redis is to do.
    void editCommand(InterventionKind kind);

    /// What can be done at the playhead; menus follow it.
    bool can(InterventionKind kind) const;
    bool canResume() const;
    FaultButton* button(InterventionKind kind) const;

signals:
    void actorChanged();
    void possibleChanged();
    void wanted(lockscope::InterventionKind kind);
    void lengthChanged(lockscope::Duration length); ///< by hand
    void resumeRequested();
    void removeRequested(int index);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void makePalette();
    void rebuildActors();
    void addToggle(int actor);
    void fitIntoRow();
    void rebuildChips();
    void addChip();
    void fitChips();
    void refresh();
    void takeLesson();
    void makeLine(InterventionKind kind, QBoxLayout& column);
    AdminLine* lineOf(InterventionKind kind) const;
    void applyLook();

    /// A fault that has been done.
    struct Chip {
        QWidget* whole = nullptr;
        QToolButton* pick = nullptr;
        QToolButton* remove = nullptr;
    };

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
    QButtonGroup* m_actors = nullptr;  ///< while they are few …
    QComboBox* m_manyActors = nullptr; ///< … else this
    QWidget* m_actorBox = nullptr;
    QHBoxLayout* m_actorRow = nullptr;
    QWidget* m_controls = nullptr;
    QLabel* m_lengthLabel = nullptr;
    DurationField* m_length = nullptr;
    std::set<InterventionKind> m_possible; ///< at the playhead, to the chosen actor
    std::vector<FaultButton*> m_palette;   ///< in the order of interventionKinds()
    QPushButton* m_resume = nullptr;
    std::vector<AdminLine*> m_lines; ///< one for each kind that has a command
    QLabel* m_problem = nullptr;
    QScrollArea* m_chipScroll = nullptr; ///< two rows of them at most
    QWidget* m_chips = nullptr;
    FlowLayout* m_chipRow = nullptr;
    std::vector<Chip> m_chipList; ///< parallel to the faults
};

} // namespace lockscope::ui
