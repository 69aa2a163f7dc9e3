// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/prediction_card.h"

#include <QButtonGroup>
#include <QLabel>
#include <QPushButton>
#include <QRadioButton>
#include <QVBoxLayout>

#include "core/trace/wording.h"
#include "ui/bridge/lesson_model.h"
#include "ui/bridge/text.h"
#include "ui/look.h"
#include "ui/panels/flow_layout.h"
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
    buildConfidence();
    m_verdict = new WrapLabel(this);
    m_verdict->setObjectName(QStringLiteral("predictionVerdict"));
    m_verdict->setTextFormat(Qt::PlainText);
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
    column->addWidget(m_sureRow);
    column->addWidget(m_check, 0, Qt::AlignLeft);
    column->addWidget(m_verdict);
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
    connect(&lesson, &LessonModel::summaryChanged, this, &PredictionCard::refresh);
    connect(&run, &RunModel::runChanged, this, &PredictionCard::refresh);
    connect(&look, &Look::changed, this, &PredictionCard::applyLook);
    applyLook();
    rebuild();
}

void PredictionCard::buildConfidence() {
    m_sureRow = new QWidget(this);
    m_sureRow->setObjectName(QStringLiteral("confidence"));
    m_sureRow->setAccessibleName(tr("How sure?"));
    auto* row = new FlowLayout(m_sureRow);
    row->setContentsMargins(0, 0, 0, 0);
    m_sureLabel = new QLabel(tr("How sure?"), m_sureRow);
    m_sureLabel->setProperty("dim", true);
    row->addWidget(m_sureLabel);
    m_sure = new QButtonGroup(this);
    int key = 7; // options have Alt+1 to Alt+6
    for (const auto& [confidence, name] :
         {std::pair(Confidence::Guess, "confidenceGuess"), std::pair(Confidence::Fair, "confidenceFair"),
          std::pair(Confidence::Certain, "confidenceCertain")}) {
        auto* choice = new QRadioButton(wordFor(confidence), m_sureRow);
        choice->setObjectName(QLatin1String(name));
        choice->setAccessibleName(tr("How sure? %1").arg(choice->text()));
        choice->setToolTip(tr("How sure you are (Alt+%1); you need not say").arg(key++));
        choice->setFocusPolicy(Qt::TabFocus);
        m_sure->addButton(choice, static_cast<int>(confidence));
        row->addWidget(choice);
    }
}

void PredictionCard::applyLook() {
    layout()->setSpacing(m_look.px(8));
    m_optionRows->setSpacing(m_look.px(6));
    m_caption->setFont(m_look.font(TextRole::Caption));
    m_because->setFont(m_look.font(TextRole::Prose));
    m_sureLabel->setFont(m_look.font(TextRole::Caption));
    m_sureRow->layout()->setSpacing(m_look.px(8));
    for (QAbstractButton* choice : m_sure->buttons())
        choice->setFont(m_look.font(TextRole::Lane));
    QFont verdict = m_look.font(TextRole::Prose);
    verdict.setWeight(QFont::DemiBold);
    m_verdict->setFont(verdict);
    m_outcome->setFont(m_look.font(TextRole::Caption));
}

void PredictionCard::rebuild() {
    qDeleteAll(m_options);
    m_options.clear();
    uncheckAll();
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
    setVisible(question != nullptr && !m_lesson.atSummary());
    if (question == nullptr || m_options.size() != static_cast<qsizetype>(question->options.size())) return;
    const std::optional<Answer> given = m_lesson.answer();
    const bool open = !given;
    const int answer = given ? given->option : Answer::kLifted;
    m_caption->setText(open          ? tr("Predict")
                       : answer >= 0 ? tr("Your prediction")
                                     : tr("The question, veil lifted"));
    m_sureRow->setVisible(open);
    refreshVerdict();
    if (open != std::exchange(m_open, open)) uncheckAll(); // asked again, it begins afresh
    m_group->setExclusive(open);                           // what was chosen and never answered is taken back
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

/// What was said, how surely, and what it was, in one line.
void PredictionCard::refreshVerdict() {
    const std::optional<Answer> given = m_lesson.answer();
    m_verdict->setVisible(given.has_value());
    if (given) m_verdict->setText(verdictOn(*m_lesson.question(), *given));
}

void PredictionCard::uncheckAll() {
    for (QButtonGroup* group : {m_group, m_sure}) {
        const bool exclusive = group->exclusive();
        group->setExclusive(false);
        for (QAbstractButton* choice : group->buttons())
            choice->setChecked(false);
        group->setExclusive(exclusive);
    }
}

Confidence PredictionCard::confidence() const {
    return m_sure->checkedId() < 0 ? Confidence::Unsaid : static_cast<Confidence>(m_sure->checkedId());
}

void PredictionCard::chooseConfidence(Confidence confidence) {
    if (m_lesson.openQuestion() == nullptr) return;
    const bool again = confidence == this->confidence();
    m_sure->setExclusive(false);
    for (QAbstractButton* choice : m_sure->buttons())
        choice->setChecked(!again && m_sure->id(choice) == static_cast<int>(confidence));
    m_sure->setExclusive(true);
}

bool PredictionCard::canCheck() const {
    return m_lesson.openQuestion() != nullptr && m_group->checkedId() >= 0;
}

void PredictionCard::takeFocus() {
    if (!m_options.isEmpty()) m_options.first()->setFocus(Qt::OtherFocusReason);
}

void PredictionCard::choose(int option) {
    if (m_lesson.openQuestion() != nullptr && option >= 0 && option < m_options.size())
        m_options[option]->setChecked(true);
}

void PredictionCard::check() {
    if (canCheck()) m_lesson.answerQuestion(m_group->checkedId(), confidence());
}

} // namespace lockscope::ui
