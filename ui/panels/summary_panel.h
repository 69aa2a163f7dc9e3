// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include <optional>

class QFrame;
class QLabel;
class QPushButton;
class QVBoxLayout;

namespace lockscope::ui {

struct Answer;
enum class Glyph;
class LessonModel;
class Look;
class WrapLabel;

/// What stands after the last step: every question of the lesson, what was said and how surely, and what it
/// was. What one was sure of and wrong about comes first, with the explanation: that is where one learns.
class SummaryPanel : public QWidget {
    Q_OBJECT
public:
    SummaryPanel(LessonModel& lesson, Look& look, QWidget* parent = nullptr);

    /// The lesson that comes after this one, for the button; empty if there is none.
    void setNextLesson(const QString& title);
    bool hasNextLesson() const { return m_hasNext; }

signals:
    void nextLessonRequested();

private:
    void rebuild();
    void addHeading(const QString& text, const char* name);
    void addChallenges();
    QFrame* addCard(int step, const QString& name, Glyph shape, const QString& word);
    void addEntry(int step, const std::optional<Answer>& answer, bool surprise);
    void applyLook();

    LessonModel& m_lesson;
    Look& m_look;
    WrapLabel* m_count = nullptr;
    QVBoxLayout* m_entries = nullptr;
    QPushButton* m_nextLesson = nullptr;
    QPushButton* m_again = nullptr;
    bool m_hasNext = false;
};

} // namespace lockscope::ui
