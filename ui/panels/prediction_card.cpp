// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/prediction_card.h"

#include <QButtonGroup>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include "core/trace/wording.h"
#include "ui/bridge/lesson_model.h"
#include "ui/bridge/text.h"
#include "ui/look.h"
#include "ui/panels/option_button.h"
#include "ui/panels/prose_view.h"
#include "ui/panels/wrap_label.h"

namespace lockscope::ui {

PredictionCard::PredictionCard(LessonModel& lesson, RunModel& run, Look& look, QWidget* parent)
    : QFrame(parent), m_lesson(lesson), m_run(run), m_look(look) {
    setObjectName(QStringLiteral("predictionCard"));
    setAccessibleName(tr("Prediction"));
    m_caption = new QLabel(this);
    m_caption->setObjectName(QStringLiteral("predictionCaption"));
    m_caption->setProperty("dim", true);
    m_question = new ProseView(look, TextRole::Question, this);
    m_question->setObjectName(QStringLiteral("question"));
    m_question->setAccessibleName(tr("Question"));
    m_group = new QButtonGroup(this);
    m_check = new QPushButton(tr("Check"), this);
    m_check->setObjectName(QStringLiteral("checkButton"));
    m_check->setAccessibleName(tr("Check the answer and lift the veil"));
    m_check->setToolTip(tr("Lift the veil and see (Ctrl+Return)"));
    m_check->setProperty("primary", true);
    m_check->setFocusPolicy(Qt::TabFocus);
    m_because = new WrapLabel(this);
    m_because->setObjectName(QStringLiteral("because"));
    m_explanation = new ProseView(look, TextRole::Prose, this);
    m_explanation->setObjectName(QStringLiteral("explanation"));
    m_explanation->setAccessibleName(tr("Explanation"));
    m_outcome = new WrapLabel(this);
    m_outcome->setObjectName(QStringLiteral("predictionOutcome"));
    m_outcome->setProperty("dim", true);

    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_caption);
    column->addWidget(m_question);
    m_optionRows = new QVBoxLayout;
    column->addLayout(m_optionRows);
    column->addWidget(m_check, 0, Qt::AlignLeft);
    column->addWidget(m_because);
    column->addWidget(m_explanation);
    column->addWidget(m_outcome);

    connect(m_check, &QPushButton::clicked, this, &PredictionCard::check);
    connect(m_group, &QButtonGroup::idToggled, this, [this] {
        m_check->setEnabled(canCheck());
        emit choiceChanged();
    });
    connect(&lesson, &LessonModel::stepChanged, this, &PredictionCard::rebuild);
    connect(&lesson, &LessonModel::questionChanged, this, &PredictionCard::refresh);
    connect(&run, &RunModel::runChanged, this, &PredictionCard::refresh);
    connect(&look, &Look::changed, this, &PredictionCard::applyLook);
    applyLook();
    rebuild();
}

void PredictionCard::applyLook() {
    layout()->setSpacing(m_look.px(8));
    m_optionRows->setSpacing(m_look.px(6));
    m_caption->setFont(m_look.font(TextRole::Caption));
    m_because->setFont(m_look.font(TextRole::Prose));
    m_outcome->setFont(m_look.font(TextRole::Caption));
}

void PredictionCard::rebuild() {
    qDeleteAll(m_options);
    m_options.clear();
    const Prediction* question = m_lesson.question();
    if (question != nullptr) {
        m_question->setProse(qstr(question->question));
        for (std::size_t i = 0; i < question->options.size(); ++i) {
            const QChar letter(u'A' + static_cast<char16_t>(i));
            auto* option = new OptionButton(m_look, letter, qstr(question->options[i].text), this);
            option->setObjectName(QStringLiteral("option%1").arg(letter));
            m_group->addButton(option, static_cast<int>(i));
            m_optionRows->addWidget(option);
            option->show(); // else it waits for the event loop
            m_options.append(option);
        }
        m_explanation->setProse(qstr(question->explanation));
    }
    refresh();
}

void PredictionCard::refresh() {
    const Prediction* question = m_lesson.question();
    setVisible(question != nullptr);
    if (question == nullptr || m_options.size() != static_cast<qsizetype>(question->options.size())) return;
    const bool open = m_lesson.openQuestion() != nullptr;
    const int answer = m_lesson.answer();
    m_caption->setText(open          ? tr("Predict")
                       : answer >= 0 ? tr("Your prediction")
                                     : tr("The question, veil lifted"));
    m_group->setExclusive(open); // what was chosen and never answered is taken back
    for (qsizetype i = 0; i < m_options.size(); ++i) {
        OptionButton* option = m_options[i];
        const bool right = question->options[static_cast<std::size_t>(i)].right;
        option->setEnabled(open);
        if (!open) option->setChecked(i == answer);
        option->setVerdict(open    ? OptionButton::Verdict::None
                           : right ? OptionButton::Verdict::Right
                                   : OptionButton::Verdict::Wrong,
                           !open && i == answer);
    }
    m_check->setVisible(open);
    m_check->setEnabled(canCheck());
    const QString because =
        answer >= 0 ? qstr(question->options[static_cast<std::size_t>(answer)].because) : QString();
    m_because->setText(because);
    m_because->setVisible(!open && !because.isEmpty());
    m_explanation->setVisible(!open && !question->explanation.empty());
    m_outcome->setVisible(!open && m_run.run() != nullptr);
    if (!open && m_run.run())
        m_outcome->setText(tr("Outcome: %1").arg(qstr(sentenceFor(m_run.run()->outcome))));
    emit choiceChanged();
}

bool PredictionCard::canCheck() const {
    return m_lesson.openQuestion() != nullptr && m_group->checkedId() >= 0;
}

void PredictionCard::choose(int option) {
    if (m_lesson.openQuestion() != nullptr && option >= 0 && option < m_options.size())
        m_options[option]->setChecked(true);
}

void PredictionCard::check() {
    if (canCheck()) m_lesson.answerQuestion(m_group->checkedId());
}

} // namespace lockscope::ui
