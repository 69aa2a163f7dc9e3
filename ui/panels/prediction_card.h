// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

class QButtonGroup;
class QLabel;
class QPushButton;
class QVBoxLayout;

namespace lockscope::ui {

enum class Confidence : std::uint8_t;
class LessonModel;
class Look;
class OptionButton;
class ProseView;
class RunModel;
class WrapLabel;

/// The step's question: its options, how sure one is, and the button that checks the answer; afterwards the
/// answer beside what happens, why, and what came of the run.
class PredictionCard : public QFrame {
    Q_OBJECT
public:
    PredictionCard(LessonModel& lesson, RunModel& run, Look& look, QWidget* parent = nullptr);

    /// As a click on it; nothing if there is no such option or it has been answered.
    /// The first option has the focus, as if one had come by Tab.
    void takeFocus();
    void choose(int option);
    /// How sure one is of it; the same again takes it back. Saying it is optional.
    void chooseConfidence(Confidence confidence);
    void check();
    bool canCheck() const;

signals:
    void choiceChanged();

private:
    void buildConfidence();
    void rebuild();
    void refresh();
    void refreshVerdict();
    void uncheckAll();
    void applyLook();
    Confidence confidence() const;

    LessonModel& m_lesson;
    RunModel& m_run;
    Look& m_look;
    QLabel* m_caption = nullptr;
    ProseView* m_question = nullptr;
    QVBoxLayout* m_optionRows = nullptr;
    QButtonGroup* m_group = nullptr;
    QList<OptionButton*> m_options;
    QWidget* m_sureRow = nullptr;
    QLabel* m_sureLabel = nullptr;
    QButtonGroup* m_sure = nullptr; ///< ids are Confidence
    WrapLabel* m_verdict = nullptr;
    bool m_open = false; ///< as last shown
    QPushButton* m_check = nullptr;
    WrapLabel* m_because = nullptr;
    ProseView* m_explanation = nullptr;
    WrapLabel* m_outcome = nullptr;
};

} // namespace lockscope::ui
