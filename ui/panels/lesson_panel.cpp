// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/lesson_panel.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QStyle>
#include <QVBoxLayout>

#include <algorithm>

#include "ui/bridge/lesson_model.h"
#include "ui/bridge/text.h"
#include "ui/look.h"
#include "ui/panels/challenge_card.h"
#include "ui/panels/icons.h"
#include "ui/panels/knob_panel.h"
#include "ui/panels/prediction_card.h"
#include "ui/panels/prose_view.h"
#include "ui/panels/summary_panel.h"
#include "ui/panels/wrap_label.h"

namespace lockscope::ui {

namespace {

/// The file begins with its title, for those who read it elsewhere; here it stands above already.
QString withoutTitle(const QString& markdown) {
    const QString text = markdown.trimmed();
    if (!text.startsWith(QLatin1String("# "))) return text;
    const qsizetype end = text.indexOf(QLatin1Char('\n'));
    return end < 0 ? QString() : text.mid(end + 1).trimmed();
}

} // namespace

LessonPanel::LessonPanel(LessonModel& lesson, RunModel& run, ChallengeCheck& check, Look& look,
                         QWidget* parent)
    : QWidget(parent), m_lesson(lesson), m_run(run), m_check(check), m_look(look) {
    setObjectName(QStringLiteral("lessonPanel"));
    setAccessibleName(tr("Lesson"));
    build();
    connect(m_back, &QPushButton::clicked, &lesson, &LessonModel::back);
    connect(m_next, &QPushButton::clicked, this,
            [this] { m_lesson.canGoOn() ? m_lesson.next() : emit m_summary->nextLessonRequested(); });
    connect(m_reset, &QPushButton::clicked, &lesson, &LessonModel::resetStep);
    connect(m_ownRun, &QPushButton::clicked, &lesson, &LessonModel::restoreOwnRun);
    connect(m_open, &QPushButton::clicked, this, &LessonPanel::openRequested);
    connect(&lesson, &LessonModel::lessonChanged, this, &LessonPanel::refreshLesson);
    connect(&lesson, &LessonModel::stepChanged, this, &LessonPanel::refreshStep);
    connect(&lesson, &LessonModel::summaryChanged, this, &LessonPanel::refreshStep);
    connect(&lesson, &LessonModel::knobsChanged, this, &LessonPanel::refreshOwnRun);
    connect(&lesson, &LessonModel::chanceChanged, this, &LessonPanel::refreshOwnRun);
    connect(&lesson, &LessonModel::chanceChanged, this, &LessonPanel::showKnobs);
    connect(&lesson, &LessonModel::interventionsChanged, this, &LessonPanel::refreshOwnRun);
    connect(&lesson, &LessonModel::programsChanged, this, &LessonPanel::refreshOwnRun);
    connect(&lesson, &LessonModel::questionChanged, this, &LessonPanel::refreshNext);
    connect(&lesson, &LessonModel::questionChanged, this, &LessonPanel::placeKnobs);
    connect(&lesson, &LessonModel::questionChanged, this, &LessonPanel::refreshPointer);
    connect(&lesson, &LessonModel::summaryChanged, this, &LessonPanel::refreshPointer);
    connect(&run, &RunModel::playingChanged, this, &LessonPanel::followPlay);
    connect(&lesson, &LessonModel::errorChanged, this, &LessonPanel::refreshError);
    connect(&look, &Look::changed, this, &LessonPanel::applyLook);
    refreshLesson();
    refreshStep();
    refreshError();
    applyLook();
}

QPushButton* LessonPanel::button(const QString& text, const char* name, const QString& help) {
    auto* made = new QPushButton(text, this);
    made->setObjectName(QLatin1String(name));
    made->setAccessibleName(text);
    made->setToolTip(help);
    made->setFocusPolicy(Qt::TabFocus);
    return made;
}

void LessonPanel::build() {
    const auto label = [this](const char* name, QWidget* parent) {
        auto* made = new WrapLabel(parent);
        made->setObjectName(QLatin1String(name));
        made->setTextFormat(Qt::PlainText);
        return made;
    };
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);

    m_header = new QWidget(this);
    m_header->setObjectName(QStringLiteral("lessonHeader"));
    auto* header = new QVBoxLayout(m_header);
    m_where = new QLabel(m_header);
    m_where->setObjectName(QStringLiteral("stepLabel"));
    m_where->setProperty("dim", true);
    m_title = label("lessonTitle", m_header);
    m_goal = label("lessonGoal", m_header);
    m_goal->setProperty("dim", true);
    header->addWidget(m_where);
    header->addWidget(m_title);
    header->addWidget(m_goal);
    column->addWidget(m_header);

    m_errorCard = new QFrame(this);
    m_errorCard->setObjectName(QStringLiteral("lessonError"));
    m_errorCard->setAccessibleName(tr("Error in the lesson file"));
    m_errorCard->setProperty("alert", true);
    auto* error = new QVBoxLayout(m_errorCard);
    m_errorWhere = label("lessonErrorWhere", m_errorCard);
    m_errorText = label("lessonErrorText", m_errorCard);
    m_errorText->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_errorNote = label("lessonErrorNote", m_errorCard);
    m_errorNote->setProperty("dim", true);
    for (QWidget* part : {m_errorWhere, m_errorText, m_errorNote})
        error->addWidget(part);
    column->addWidget(m_errorCard);

    m_scroll = new QScrollArea(this);
    m_scroll->setObjectName(QStringLiteral("lessonScroll"));
    m_scroll->setAccessibleName(tr("Text of the step"));
    m_scroll->setWidgetResizable(true);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_column = new QWidget(m_scroll);
    m_column->setObjectName(QStringLiteral("lessonColumn"));
    auto* text = new QVBoxLayout(m_column);
    m_stepTitle = label("stepTitle", m_column);
    m_intro = new ProseView(m_look, TextRole::Prose, m_column);
    m_intro->setObjectName(QStringLiteral("introView"));
    m_intro->setAccessibleName(tr("Introduction"));
    m_prose = new ProseView(m_look, TextRole::Prose, m_column);
    m_prose->setObjectName(QStringLiteral("proseView"));
    m_prose->setAccessibleName(tr("Step"));
    m_prediction = new PredictionCard(m_lesson, m_run, m_look, m_column);
    m_challenge = new ChallengeCard(m_check, m_look, m_column);
    connect(m_challenge, &ChallengeCard::grown, this, [this] {
        m_column->layout()->activate();
        m_scroll->ensureWidgetVisible(m_challenge);
    });
    m_notes = new ProseView(m_look, TextRole::Prose, m_column);
    m_notes->setObjectName(QStringLiteral("speakerNotes"));
    m_notes->setAccessibleName(tr("For the speaker"));
    m_notes->hide();
    m_summary = new SummaryPanel(m_lesson, m_look, m_column);
    m_open = button(tr("Open a lesson…"), "openButton", tr("Open a lesson file (Ctrl+O)"));
    for (QWidget* part :
         {static_cast<QWidget*>(m_intro), static_cast<QWidget*>(m_stepTitle), static_cast<QWidget*>(m_prose),
          static_cast<QWidget*>(m_prediction), static_cast<QWidget*>(m_challenge),
          static_cast<QWidget*>(m_notes), static_cast<QWidget*>(m_summary)})
        text->addWidget(part);
    text->addWidget(m_open, 0, Qt::AlignLeft);
    text->addStretch(1);
    m_scroll->setWidget(m_column);
    // Keys choose an answer wherever the text stands; what was chosen, and what goes with it, then comes in
    // sight.
    const auto showChoice = [this] {
        if (m_prediction->canCheck() && !m_lesson.atSummary()) m_scroll->ensureWidgetVisible(m_prediction);
    };
    connect(m_prediction, &PredictionCard::choiceChanged, this, showChoice);
    connect(m_scroll->verticalScrollBar(), &QScrollBar::rangeChanged, this, showChoice);
    connect(m_scroll->verticalScrollBar(), &QScrollBar::rangeChanged, this, &LessonPanel::refreshPointer);
    connect(m_scroll->verticalScrollBar(), &QScrollBar::valueChanged, this, &LessonPanel::refreshPointer);
    column->addWidget(m_scroll, 1);

    m_knobs = new KnobPanel(m_lesson, m_look, this);
    column->addWidget(m_knobs);

    m_reset = button(tr("Reset step"), "resetStepButton", tr("Put the step back as it is written (Ctrl+R)"));
    m_ownRun = button(tr("My run"), "ownRunButton",
                      tr("Back to the run as you had changed it; what you have changed in this one is kept "
                         "in its place (Ctrl+Shift+R)"));
    m_runRow = new QHBoxLayout;
    m_runRow->addWidget(m_reset);
    m_runRow->addWidget(m_ownRun);
    m_runRow->addStretch(1);
    column->addLayout(m_runRow);

    m_back = button(tr("Back"), "backButton", tr("Previous step (Page Up)"));
    m_next = button(tr("Next"), "nextButton", tr("Next step (Page Down)"));
    m_back->setIcon(glyphIcon(m_look, Glyph::Previous));
    m_next->setLayoutDirection(Qt::RightToLeft); // the arrow behind the word
    m_toQuestion =
        button(tr("Question"), "toQuestionButton", tr("A question is asked below: bring it into sight"));
    m_toQuestion->setIcon(glyphIcon(m_look, Glyph::Fold));
    m_toQuestion->hide();
    connect(m_toQuestion, &QPushButton::clicked, this, [this] {
        showQuestion();
        m_prediction->takeFocus();
    });
    m_navigation = new QHBoxLayout;
    m_navigation->addWidget(m_back);
    m_navigation->addStretch(1);
    m_navigation->addWidget(m_toQuestion);
    m_navigation->addStretch(1);
    m_navigation->addWidget(m_next);
    column->addLayout(m_navigation);
}

void LessonPanel::refreshLesson() {
    const Lesson* lesson = m_lesson.lesson();
    const QString title = lesson == nullptr ? tr("No lesson is open") : qstr(lesson->title);
    m_title->setText(lesson != nullptr && lesson->number > 0 ? tr("%1 · %2").arg(lesson->number).arg(title)
                                                             : title);
    m_goal->setText(lesson == nullptr ? tr("Open a lesson file, or drop one here.") : qstr(lesson->goal));
    m_goal->setVisible(!m_goal->text().isEmpty());
    m_open->setVisible(lesson == nullptr);
}

void LessonPanel::refreshStep() {
    const bool summary = m_lesson.atSummary();
    const Step* step = m_lesson.currentStep();
    const bool first = m_lesson.step() == 0 && !summary;
    m_where->setText(step == nullptr ? QString()
                     : summary       ? tr("After the last step")
                               : tr("Step %1 of %2").arg(m_lesson.step() + 1).arg(m_lesson.stepCount()));
    m_where->setVisible(step != nullptr);
    m_stepTitle->setText(step == nullptr ? QString()
                         : summary       ? tr("What you predicted")
                                         : qstr(step->title));
    m_stepTitle->setVisible(step != nullptr);
    m_title->setVisible(first || step == nullptr); // later on the room is better used
    m_goal->setVisible(first && !m_goal->text().isEmpty());
    const QString intro = step != nullptr && first ? withoutTitle(qstr(m_lesson.lesson()->intro)) : QString();
    m_intro->setProse(intro);
    m_intro->setVisible(!intro.trimmed().isEmpty());
    m_prose->setProse(step == nullptr ? QString() : qstr(step->prose));
    m_prose->setVisible(step != nullptr && !step->prose.empty() && !summary);
    refreshNotes();
    m_back->setEnabled(m_lesson.canGoBack());
    const bool lessonNext = summary && m_summary->hasNextLesson();
    m_next->setText(lessonNext ? tr("Next lesson") : tr("Next"));
    m_next->setAccessibleName(m_next->text());
    m_next->setToolTip(lessonNext ? tr("Go on with the next lesson") : tr("Next step (Page Down)"));
    // What has the focus and cannot be pressed any more would pass it on to something far down in the text.
    if (!m_lesson.canGoOn() && !lessonNext && m_next->hasFocus()) m_back->setFocus();
    m_next->setEnabled(m_lesson.canGoOn() || lessonNext);
    m_back->setVisible(step != nullptr);
    m_next->setVisible(step != nullptr);
    showKnobs();
    m_scroll->verticalScrollBar()->setValue(0);
    refreshNext();
    refreshOwnRun();
}

/// Says that there is a question as long as nothing of it can be seen.
void LessonPanel::refreshPointer() {
    const QScrollBar* bar = m_scroll->verticalScrollBar();
    const bool below = std::min(questionPlace(), bar->maximum()) > bar->value() + m_look.px(24);
    m_toQuestion->setVisible(m_lesson.openQuestion() != nullptr && !m_lesson.atSummary() && below);
}

/// Where the text is to stand for the question to be in sight: whole if there is room, else from its
/// beginning on.
int LessonPanel::questionPlace() const {
    return std::min(
        m_prediction->y() - m_look.px(8),
        std::max(m_scroll->verticalScrollBar()->value(),
                 m_prediction->geometry().bottom() + m_look.px(8) - m_scroll->viewport()->height()));
}

/// Where play stops before a veil the question is what comes next.
void LessonPanel::followPlay() {
    if (!m_run.playing() && m_lesson.openQuestion() != nullptr && !m_lesson.atSummary() &&
        m_run.playhead() >= m_run.veil())
        showQuestion();
}

void LessonPanel::showQuestion() {
    m_scroll->verticalScrollBar()->setValue(questionPlace());
}

void LessonPanel::setNotesShown(bool shown) {
    m_notesShown = shown;
    refreshNotes();
    // Once the column has grown by them.
    QMetaObject::invokeMethod(
        this,
        [this] {
            if (m_notes->isVisible()) m_scroll->ensureWidgetVisible(m_notes);
        },
        Qt::QueuedConnection);
}

void LessonPanel::refreshNotes() {
    const Step* step = m_lesson.currentStep();
    const QString notes = step == nullptr || m_lesson.atSummary() ? QString() : qstr(step->notes).trimmed();
    m_notes->setProse(notes.isEmpty() ? QString() : tr("**For the speaker:** %1").arg(notes));
    m_notes->setVisible(m_notesShown && !notes.isEmpty());
}

void LessonPanel::setCompact(bool compact) {
    if (compact == m_compact) return;
    m_compact = compact;
    auto* text = static_cast<QVBoxLayout*>(m_column->layout());
    auto* column = static_cast<QVBoxLayout*>(layout());
    if (compact)
        text->insertWidget(0, m_header);
    else
        column->insertWidget(0, m_header);
    placeKnobs();
    applyLook();
}

void LessonPanel::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    placeKnobs();
}

void LessonPanel::showKnobs() {
    const bool some =
        m_lesson.lesson() != nullptr && (!m_lesson.lesson()->knobs.empty() || m_lesson.leftToChance());
    m_knobs->setVisible(some && m_lesson.shows(Panel::Knobs) && !m_lesson.atSummary());
    placeKnobs();
}

void LessonPanel::placeKnobs() {
    // While a question is open it needs the room more than they do.
    const int fifths = m_lesson.openQuestion() != nullptr ? 1 : 2;
    const bool scroll = m_compact || m_knobs->sizeHint().height() * 5 > height() * fifths;
    if (scroll == m_column->isAncestorOf(m_knobs)) return;
    auto* text = static_cast<QVBoxLayout*>(m_column->layout());
    auto* column = static_cast<QVBoxLayout*>(layout());
    if (scroll) // the question comes first
        text->insertWidget(text->indexOf(m_prediction) + 1, m_knobs);
    else
        column->insertWidget(column->indexOf(m_scroll) + 1, m_knobs);
    m_knobs->setFlush(scroll);
}

/// While a question is open, answering it is the way on, and Next steps back.
void LessonPanel::refreshNext() {
    const bool primary = m_lesson.openQuestion() == nullptr && m_next->isEnabled();
    m_next->setIcon(primary ? glyphIconOnFocus(m_look, Glyph::Next) : glyphIcon(m_look, Glyph::Next));
    if (m_next->property("primary").toBool() == primary) return;
    m_next->setProperty("primary", primary);
    style()->unpolish(m_next);
    style()->polish(m_next);
}

void LessonPanel::refreshOwnRun() {
    m_reset->setVisible(m_lesson.changedFromStep());
    m_ownRun->setVisible(m_lesson.ownRunKept());
}

void LessonPanel::refreshError() {
    const Error* error = m_lesson.fileError();
    m_errorCard->setVisible(error != nullptr);
    if (error == nullptr) return;
    const QString file = qstr(error->file.empty() ? m_lesson.path().toStdString() : error->file);
    const QString name = QFileInfo(file).fileName();
    m_errorWhere->setText(error->line > 0 ? tr("%1, line %2").arg(name).arg(error->line) : name);
    m_errorWhere->setToolTip(file);
    m_errorText->setText(qstr(error->message));
    m_errorNote->setText(
        m_lesson.lesson() != nullptr
            ? tr("Below is the last lesson that could be read. Save the file and it is read again.")
            : tr("Save the file and it is read again."));
}

void LessonPanel::applyLook() {
    const int pad = m_look.px(12), gap = m_look.px(8);
    const int side = m_compact ? 0 : pad; // the column has its own margin
    m_header->layout()->setContentsMargins(side, m_compact ? 0 : pad, side, m_look.px(4));
    m_header->layout()->setSpacing(m_look.px(2));
    m_column->layout()->setContentsMargins(pad, m_compact ? pad : m_look.px(4), pad, pad);
    m_column->layout()->setSpacing(m_look.px(10));
    m_errorCard->layout()->setContentsMargins(pad, gap, pad, gap);
    m_errorCard->layout()->setSpacing(m_look.px(4));
    m_runRow->setContentsMargins(pad, 0, pad, 0);
    m_runRow->setSpacing(gap);
    m_navigation->setContentsMargins(pad, gap, pad, gap);

    QFont title = m_look.font(TextRole::Prose);
    title.setWeight(QFont::DemiBold);
    m_title->setFont(title);
    m_goal->setFont(m_look.font(TextRole::Caption));
    m_where->setFont(m_look.font(TextRole::Caption));
    m_stepTitle->setFont(m_look.font(TextRole::Question));
    QFont where = m_look.font(TextRole::Lane);
    where.setWeight(QFont::DemiBold);
    m_errorWhere->setFont(where);
    m_errorText->setFont(m_look.font(TextRole::Lane));
    m_errorNote->setFont(m_look.font(TextRole::Caption));
    const QSize icon(m_look.px(12), m_look.px(12));
    m_toQuestion->setIconSize(icon);
    placeKnobs();
    m_back->setIconSize(icon);
    m_next->setIconSize(icon);
}

} // namespace lockscope::ui
