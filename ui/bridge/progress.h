// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QObject>
#include <QSet>
#include <QString>

#include <optional>

#include "core/lesson/lesson.h"

namespace lockscope::ui {

/// How sure somebody was of an answer.
enum class Confidence : std::uint8_t { Unsaid, Guess, Fair, Certain };

/// "guess", "fairly sure", "certain"; empty for Unsaid.
QString wordFor(Confidence confidence);

/// What came of a question: an answer, or the veil lifted without one.
struct Answer {
    static constexpr int kLifted = -1;

    int option = kLifted; ///< index into Prediction::options
    Confidence confidence = Confidence::Unsaid;

    bool lifted() const { return option == kLifted; }
    bool operator==(const Answer&) const = default;
};

int rightOption(const Prediction& question);
/// You said “nothing” · certain · it was “B's lock goes”: in one line.
QString verdictOn(const Prediction& question, const Answer& answer);
/// Sure, and wrong: where one learns.
bool isSurprise(const Prediction& question, const Answer& answer);

/// Names the question of a step by all that it says. Another text is another question, so an answer never
/// stands beside something that was not asked.
QString questionId(const Step& step);

/// Names the challenge of a step by what it asks.
QString challengeId(const Step& step);

/// What somebody did with one lesson.
struct LessonProgress {
    int furthest = 0;               ///< steps entered, counted from the first
    bool finished = false;          ///< has seen the summary
    QHash<QString, Answer> answers; ///< by questionId()
    QSet<QString> passed;           ///< challenges, by challengeId()

    bool operator==(const LessonProgress&) const = default;
};

/// What somebody did with all lessons, by their ids. Kept in a file between starts; every change is merged
/// into what stands there, so that two windows do not undo each other's.
class Progress : public QObject {
    Q_OBJECT
public:
    using Lessons = QHash<QString, LessonProgress>;

    explicit Progress(QObject* parent = nullptr) : QObject(parent) {}

    /// Reads the file, and from now on keeps every change in it. A file that is damaged is put aside.
    void keepIn(const QString& file);

    LessonProgress of(const QString& lesson) const { return m_lessons.value(lesson); }
    std::optional<Answer> answer(const QString& lesson, const Step& step) const;
    void setAnswer(const QString& lesson, const Step& step, Answer answer);
    /// Whether a program of the learner's own has met the step's challenge.
    bool passed(const QString& lesson, const Step& step) const;
    void setPassed(const QString& lesson, const Step& step);
    /// The step (from 0) has been entered.
    void setSeen(const QString& lesson, int step);
    void setFinished(const QString& lesson);
    /// Everything of a lesson but the challenges that were passed, to be asked again.
    void askAgain(const QString& lesson);
    void forget(const QString& lesson);
    void forgetAll() { setEverything({}); }
    /// All of it, to put it back after it was forgotten.
    const Lessons& everything() const { return m_lessons; }
    void setEverything(const Lessons& lessons);

signals:
    void changed();

private:
    template <typename Change>
    void apply(Change change);
    void read();
    void write() const;

    Lessons m_lessons;
    QString m_file;
};

} // namespace lockscope::ui
