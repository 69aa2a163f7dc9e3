// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

#include "core/lesson/lesson.h"

class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QSlider;
class QVBoxLayout;

namespace lockscope::ui {

class DurationField;
class LessonModel;
class Look;
class WrapLabel;

/// The lesson's knobs, and chance, where there is some. Turning one runs the whole run anew, while the hand
/// still moves.
class KnobPanel : public QFrame {
    Q_OBJECT
public:
    KnobPanel(LessonModel& lesson, Look& look, QWidget* parent = nullptr);

    /// Without margins at the sides: it stands in something that has some.
    void setFlush(bool flush);

private:
    struct Row {
        Knob knob;
        QWidget* frame = nullptr;
        QLabel* label = nullptr;
        QSlider* slider = nullptr;      ///< Duration and Number
        DurationField* field = nullptr; ///< Duration
        QDoubleSpinBox* number = nullptr;
        QComboBox* choice = nullptr;
    };

    void rebuild();
    void makeDuration(Row& row);
    void makeNumber(Row& row);
    void makeChoice(Row& row);
    void refresh();
    void applyLook();
    void turn(const std::string& name, const KnobValue& value);
    void showProblem(const QString& problem);

    LessonModel& m_lesson;
    Look& m_look;
    QVBoxLayout* m_rowsLayout = nullptr;
    std::vector<Row> m_rows;
    WrapLabel* m_problem = nullptr;
    bool m_flush = false;
    bool m_showing = false; ///< controls are being set, not turned
};

} // namespace lockscope::ui
