// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QFrame;
class QHBoxLayout;
class QLabel;
class QPushButton;
class QScrollArea;
class QVBoxLayout;

namespace lockscope::ui {

class ChallengeCard;
class ChallengeCheck;
class KnobPanel;
class LessonModel;
class Look;
class PredictionCard;
class ProseView;
class RunModel;
class SummaryPanel;
class WrapLabel;

/// The lesson's column: where one is, what the step says, its question, the knobs, and the way on. If the
/// file is broken its error stands on top, in place, and what could be read last stays usable below.
class LessonPanel : public QWidget {
    Q_OBJECT
public:
    LessonPanel(LessonModel& lesson, RunModel& run, ChallengeCheck& check, Look& look,
                QWidget* parent = nullptr);

    PredictionCard& prediction() { return *m_prediction; }
    ChallengeCard& challenge() { return *m_challenge; }
    SummaryPanel& summary() { return *m_summary; }
    /// Where height is scarce, title and knobs scroll with the text instead of keeping a place of their own;
    /// knobs that would take more than two fifths of the height do so anyway, and more than one fifth while a
    /// question is open.
    void setCompact(bool compact);
    bool compact() const { return m_compact; }
    /// What the step says to the speaker, below its text. Nobody else is to see it, so it is never there by
    /// itself.
    void setNotesShown(bool shown);
    QPushButton* backButton() const { return m_back; }
    QPushButton* nextButton() const { return m_next; }

signals:
    void openRequested();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void build();
    QPushButton* button(const QString& text, const char* name, const QString& help);
    void refreshLesson();
    void refreshStep();
    void refreshNext();
    void refreshOwnRun();
    void refreshError();
    void refreshNotes();
    void refreshPointer();
    int questionPlace() const;
    void followPlay();
    void showQuestion();
    void showKnobs();
    void placeKnobs();
    void applyLook();

    LessonModel& m_lesson;
    RunModel& m_run;
    ChallengeCheck& m_check;
    Look& m_look;

    WrapLabel* m_title = nullptr;
    WrapLabel* m_goal = nullptr;
    QLabel* m_where = nullptr;
    QFrame* m_errorCard = nullptr;
    WrapLabel* m_errorWhere = nullptr;
    WrapLabel* m_errorText = nullptr;
    WrapLabel* m_errorNote = nullptr;
    QScrollArea* m_scroll = nullptr;
    QWidget* m_column = nullptr;
    WrapLabel* m_stepTitle = nullptr;
    ProseView* m_intro = nullptr;
    ProseView* m_prose = nullptr;
    PredictionCard* m_prediction = nullptr;
    ChallengeCard* m_challenge = nullptr;
    ProseView* m_notes = nullptr; ///< the speaker's
    SummaryPanel* m_summary = nullptr;
    QPushButton* m_open = nullptr;
    KnobPanel* m_knobs = nullptr;
    QPushButton* m_toQuestion = nullptr; ///< while the question lies below what can be seen
    QPushButton* m_reset = nullptr;
    QPushButton* m_ownRun = nullptr;
    QPushButton* m_back = nullptr;
    QPushButton* m_next = nullptr;
    QWidget* m_header = nullptr;
    bool m_compact = false;
    bool m_notesShown = false;
    QHBoxLayout* m_runRow = nullptr;
    QHBoxLayout* m_navigation = nullptr;
};

} // namespace lockscope::ui
