// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/summary_panel.h"

#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

#include "ui/bridge/lesson_model.h"
#include "ui/bridge/text.h"
#include "ui/look.h"
#include "ui/panels/icons.h"
#include "ui/panels/prose_view.h"
#include "ui/panels/wrap_label.h"

namespace lockscope::ui {

SummaryPanel::SummaryPanel(LessonModel& lesson, Look& look, QWidget* parent)
    : QWidget(parent), m_lesson(lesson), m_look(look) {
    setObjectName(QStringLiteral("summary"));
    setAccessibleName(tr("Summary of the lesson"));
    m_count = new WrapLabel(this);
    m_count->setObjectName(QStringLiteral("summaryCount"));
    m_count->setTextFormat(Qt::PlainText);
    m_entries = new QVBoxLayout;
    const auto button = [this](const QString& text, const char* name, const QString& help) {
        auto* made = new QPushButton(text, this);
        made->setObjectName(QLatin1String(name));
        made->setAccessibleName(text);
        made->setToolTip(help);
        made->setFocusPolicy(Qt::TabFocus);
        return made;
    };
    m_nextLesson = button(QString(), "nextLessonButton", tr("Go on with the next lesson"));
    m_nextLesson->setProperty("primary", true);
    m_again = button(tr("Ask me again"), "askAgainButton",
                     tr("Forget the answers of this lesson and begin it anew"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_count);
    column->addLayout(m_entries);
    column->addWidget(m_nextLesson, 0, Qt::AlignLeft);
    column->addWidget(m_again, 0, Qt::AlignLeft);
    connect(m_nextLesson, &QPushButton::clicked, this, &SummaryPanel::nextLessonRequested);
    connect(m_again, &QPushButton::clicked, this, [this] {
        m_lesson.progress().askAgain(qstr(m_lesson.lesson()->id));
        m_lesson.goTo(0);
    });
    connect(&lesson, &LessonModel::summaryChanged, this, &SummaryPanel::rebuild);
    connect(&lesson, &LessonModel::lessonChanged, this, &SummaryPanel::rebuild);
    connect(&lesson.progress(), &Progress::changed, this, &SummaryPanel::rebuild);
    connect(&look, &Look::changed, this, &SummaryPanel::applyLook);
    setNextLesson({});
    applyLook();
}

void SummaryPanel::setNextLesson(const QString& title) {
    m_nextLesson->setText(tr("Next lesson"));
    m_nextLesson->setAccessibleName(tr("Next lesson: %1").arg(title));
    m_nextLesson->setToolTip(title);
    m_hasNext = !title.isEmpty();
    m_nextLesson->setVisible(m_hasNext);
}

void SummaryPanel::rebuild() {
    while (QLayoutItem* item = m_entries->takeAt(0)) {
        item->widget()->hide();
        item->widget()->setParent(nullptr);
        item->widget()->deleteLater(); // its button may be the one that was just pressed
        delete item;
    }
    const bool shown = m_lesson.atSummary() && m_lesson.lesson() != nullptr;
    setVisible(shown);
    if (!shown) return;

    int asked = 0, answered = 0, right = 0;
    std::vector<int> surprises, others;
    for (int step = 0; step < m_lesson.stepCount(); ++step) {
        const auto& questions = m_lesson.lesson()->steps[static_cast<std::size_t>(step)].predictions;
        if (questions.empty()) continue;
        ++asked;
        const std::optional<Answer> answer = m_lesson.answerIn(step);
        if (answer && !answer->lifted()) {
            ++answered;
            right += questions.front().options[static_cast<std::size_t>(answer->option)].right ? 1 : 0;
        }
        (answer && isSurprise(questions.front(), *answer) ? surprises : others).push_back(step);
    }
    // Of two surprises the one that was certain is the greater.
    std::stable_sort(surprises.begin(), surprises.end(), [this](int a, int b) {
        return m_lesson.answerIn(a)->confidence > m_lesson.answerIn(b)->confidence;
    });
    m_count->setText(asked == 0 ? tr("This lesson asked nothing. You have seen all its steps.")
                     : answered == 0
                         ? tr("None of %1 answered.").arg(asked)
                         : tr("%1 of %2 answered, %3 right.").arg(answered).arg(asked).arg(right));
    m_again->setVisible(asked > 0);
    if (!surprises.empty()) addHeading(tr("What surprised you"), "summarySurprises");
    for (const int step : surprises)
        addEntry(step, m_lesson.answerIn(step), true);
    if (!surprises.empty() && !others.empty()) addHeading(tr("The other questions"), "summaryOthers");
    for (const int step : others)
        addEntry(step, m_lesson.answerIn(step), false);
    addChallenges();
}

/// What was to be mended, and whether it was.
void SummaryPanel::addChallenges() {
    const Lesson& lesson = *m_lesson.lesson();
    bool first = true;
    for (int step = 0; step < m_lesson.stepCount(); ++step) {
        const Step& each = lesson.steps[static_cast<std::size_t>(step)];
        if (!each.challenge) continue;
        if (std::exchange(first, false)) addHeading(tr("What was to be mended"), "summaryChallenges");
        const bool passed = m_lesson.progress().passed(qstr(lesson.id), each);
        QFrame* card = addCard(step, QStringLiteral("summaryChallenge%1").arg(step + 1),
                               passed ? Glyph::RingFull : Glyph::RingEmpty,
                               passed ? tr("passed, with a program of your own") : tr("not passed yet"));
        auto* title = new WrapLabel(card);
        title->setText(qstr(each.title));
        title->setFont(m_look.font(TextRole::Prose));
        card->layout()->addWidget(title);
    }
}

void SummaryPanel::addHeading(const QString& text, const char* name) {
    auto* heading = new WrapLabel(this);
    heading->setObjectName(QLatin1String(name));
    heading->setText(text);
    QFont font = m_look.font(TextRole::Prose);
    font.setWeight(QFont::DemiBold);
    heading->setFont(font);
    m_entries->addWidget(heading);
}

/// A frame that says of a step what came of it, and leads there. Its layout takes what else is to be said.
QFrame* SummaryPanel::addCard(int step, const QString& name, Glyph shape, const QString& word) {
    auto* card = new QFrame(this);
    card->setObjectName(name);
    card->setProperty("card", true);
    auto* column = new QVBoxLayout(card);
    const int pad = m_look.px(8);
    column->setContentsMargins(pad, pad, pad, pad);
    column->setSpacing(m_look.px(4));

    auto* top = new QHBoxLayout;
    top->setSpacing(m_look.px(6));
    auto* sign = new QLabel(card);
    sign->setPixmap(
        glyphIcon(m_look, shape).pixmap(QSize(m_look.px(14), m_look.px(14)), devicePixelRatioF()));
    auto* caption = new WrapLabel(card);
    caption->setObjectName(card->objectName() + QStringLiteral("Caption"));
    caption->setText(tr("Step %1 · %2").arg(step + 1).arg(word));
    caption->setFont(m_look.font(TextRole::Caption));
    auto* see = new QPushButton(tr("See"), card);
    see->setObjectName(card->objectName() + QStringLiteral("See"));
    see->setAccessibleName(tr("See step %1 again").arg(step + 1));
    see->setToolTip(see->accessibleName());
    see->setFocusPolicy(Qt::TabFocus);
    connect(see, &QPushButton::clicked, this, [this, step] { m_lesson.goTo(step); });
    top->addWidget(sign);
    top->addWidget(caption, 1);
    top->addWidget(see);
    column->addLayout(top);
    m_entries->addWidget(card);
    card->show();
    return card;
}

void SummaryPanel::addEntry(int step, const std::optional<Answer>& answer, bool surprise) {
    const Prediction& question = m_lesson.lesson()->steps[static_cast<std::size_t>(step)].predictions.front();
    const bool right =
        answer && !answer->lifted() && question.options[static_cast<std::size_t>(answer->option)].right;
    const Glyph shape = !answer            ? Glyph::RingEmpty
                        : answer->lifted() ? Glyph::Dash
                        : right            ? Glyph::RingFull
                                           : Glyph::RingBarred;
    const QString word = !answer            ? tr("not answered")
                         : answer->lifted() ? tr("veil lifted")
                         : right            ? tr("right")
                                            : tr("otherwise");

    QFrame* card = addCard(step, QStringLiteral("summaryStep%1").arg(step + 1), shape, word);
    QLayout* column = card->layout();
    const auto prose = [&](const std::string& text, const QString& name) {
        auto* view = new ProseView(m_look, TextRole::Prose, card);
        view->setAccessibleName(name);
        view->setProse(qstr(text));
        column->addWidget(view);
    };
    prose(question.question, tr("Question"));
    if (answer) {
        auto* verdict = new WrapLabel(card);
        verdict->setObjectName(card->objectName() + QStringLiteral("Verdict"));
        verdict->setTextFormat(Qt::PlainText);
        verdict->setText(verdictOn(question, *answer));
        QFont font = m_look.font(TextRole::Lane);
        font.setWeight(QFont::DemiBold);
        verdict->setFont(font);
        column->addWidget(verdict);
    }
    if (surprise && !question.explanation.empty()) prose(question.explanation, tr("Explanation"));
}

void SummaryPanel::applyLook() {
    layout()->setSpacing(m_look.px(10));
    m_entries->setSpacing(m_look.px(8));
    m_count->setFont(m_look.font(TextRole::Question));
    rebuild();
}

} // namespace lockscope::ui
