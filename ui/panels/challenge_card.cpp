// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/challenge_card.h"

#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QStyle>
#include <QVBoxLayout>

#include "core/lesson/lesson.h"
#include "core/trace/wording.h"
#include "ui/bridge/challenge_check.h"
#include "ui/bridge/text.h"
#include "ui/look.h"
#include "ui/panels/flow_layout.h"
#include "ui/panels/prose_view.h"
#include "ui/panels/wrap_label.h"

namespace lockscope::ui {

using State = ChallengeCheck::State;

ChallengeCard::ChallengeCard(ChallengeCheck& check, Look& look, QWidget* parent)
    : QFrame(parent), m_check(check), m_look(look) {
    setObjectName(QStringLiteral("challengeCard"));
    setAccessibleName(tr("Challenge"));
    build();
    connect(m_go, &QPushButton::clicked, this, &ChallengeCard::check);
    connect(m_help, &QPushButton::clicked, this, &ChallengeCard::help);
    connect(m_show, &QPushButton::clicked, this, [this] {
        if (const QString problem = m_check.play(); !problem.isEmpty()) emit said(problem);
    });
    connect(&check, &ChallengeCheck::changed, this, &ChallengeCard::refresh);
    connect(&look, &Look::changed, this, &ChallengeCard::applyLook);
    applyLook();
    refresh();
}

void ChallengeCard::build() {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    m_caption = new QLabel(tr("Challenge"), this);
    m_caption->setObjectName(QStringLiteral("challengeCaption"));
    m_caption->setProperty("dim", true);
    m_terms = new WrapLabel(this);
    m_terms->setObjectName(QStringLiteral("challengeTerms"));
    m_terms->setTextFormat(Qt::PlainText);
    auto* buttons = new QWidget(this);
    buttons->setObjectName(QStringLiteral("challengeButtons"));
    m_row = new FlowLayout(buttons);
    m_row->setContentsMargins(0, 0, 0, 0);
    const auto button = [&](const char* name, const QString& help) {
        auto* made = new QPushButton(buttons);
        made->setObjectName(QLatin1String(name));
        made->setToolTip(help);
        made->setFocusPolicy(Qt::TabFocus);
        m_row->addWidget(made);
        return made;
    };
    m_go = button("challengeGo", tr("Search for what breaks your program (Ctrl+Shift+Return)"));
    m_go->setProperty("primary", true);
    m_show = button("challengeShow", tr("Put what was found into the run, and play it"));
    m_show->setText(tr("Show it"));
    m_help = button("challengeHelp", tr("One hint after the other, then a solution (Ctrl+H)"));
    m_progress = new QProgressBar(this);
    m_progress->setObjectName(QStringLiteral("challengeProgress"));
    m_progress->setAccessibleName(tr("How far this stage is"));
    m_progress->setRange(0, 1000);
    m_progress->setTextVisible(false);
    m_status = new WrapLabel(this);
    m_status->setObjectName(QStringLiteral("challengeStatus"));
    m_status->setTextFormat(Qt::PlainText);
    m_status->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_hints = new ProseView(m_look, TextRole::Prose, this);
    m_hints->setObjectName(QStringLiteral("challengeHints"));
    m_hints->setAccessibleName(tr("Hints"));
    for (QWidget* part :
         {static_cast<QWidget*>(m_caption), static_cast<QWidget*>(m_terms), buttons,
          static_cast<QWidget*>(m_progress), static_cast<QWidget*>(m_status), static_cast<QWidget*>(m_hints)})
        column->addWidget(part);
}

void ChallengeCard::check() {
    if (m_check.state() == State::Searching)
        m_check.cancel();
    else if (m_check.possible())
        m_check.start();
    emit grown();
}

void ChallengeCard::help() {
    if (m_check.hintsLeft()) {
        m_check.nextHint();
        emit grown();
        return;
    }
    const QString problem = m_check.showSolution();
    emit said(problem.isEmpty() ? tr("The program is a solution now; yours is one undo away.") : problem);
}

/// "Must not break, whatever comes: … Gets its work done: …"
QString ChallengeCard::terms() const {
    const Challenge& wanted = *m_check.challenge();
    QStringList never;
    for (const Invariant invariant : wanted.never)
        never << qstr(titleOf(invariant));
    QString text = tr("Must not come about, whatever is done to the servers: %1.").arg(never.join(tr(", ")));
    text += QLatin1Char('\n') + tr("And the work gets done while holding the lock: by %1 of %2")
                                    .arg(wanted.done)
                                    .arg(m_check.actors());
    text += wanted.despite > 0
                ? tr(", and by %1 at the least whatever single fault comes.").arg(wanted.despite)
                : tr(".");
    return text;
}

QString ChallengeCard::status() const {
    switch (m_check.state()) {
    case State::Idle:
        return {};
    case State::Searching: {
        const ExploreProgress now = m_check.progress();
        const QString stage = now.faults == 1   ? tr("Single faults")
                              : now.faults == 2 ? tr("Pairs of faults")
                                                : tr("Triples of faults");
        return tr("%1: %2 % · %L3 schedules so far")
            .arg(stage)
            .arg(static_cast<int>(now.done * 100))
            .arg(now.schedules);
    }
    case State::Changed:
        return tr("The program was changed, so the check was stopped.");
    case State::Stopped:
    case State::Done:
        break;
    }
    if (m_check.sentence().isEmpty()) return tr("Stopped.");
    return m_check.current()
               ? m_check.sentence()
               : m_check.sentence() + QLatin1Char(' ') + tr("The program has been changed since.");
}

void ChallengeCard::refresh() {
    const Challenge* wanted = m_check.challenge();
    setVisible(wanted != nullptr);
    if (wanted == nullptr) return;
    const bool searching = m_check.state() == State::Searching;
    m_terms->setText(terms());
    m_go->setText(searching ? tr("Stop") : tr("Check my program"));
    m_go->setAccessibleName(m_go->text());
    m_go->setEnabled(searching || m_check.possible());
    m_show->setVisible(!searching && m_check.playable());
    const int hints = static_cast<int>(wanted->hints.size());
    m_help->setText(m_check.hintsLeft() ? tr("Hint %1 of %2").arg(m_check.hints() + 1).arg(hints)
                                        : tr("A solution"));
    m_progress->setVisible(searching);
    m_progress->setValue(static_cast<int>(m_check.progress().done * 1000));
    m_status->setText(status());
    m_status->setVisible(!m_status->text().isEmpty());
    QString told;
    for (int i = 0; i < m_check.hints(); ++i)
        told += QStringLiteral("%1. %2\n")
                    .arg(i + 1)
                    .arg(qstr(wanted->hints[static_cast<std::size_t>(i)]).simplified());
    m_hints->setProse(told);
    m_hints->setVisible(!told.isEmpty());
    if (std::exchange(m_told, m_check.state()) != m_check.state() && m_told != State::Idle) emit grown();
}

void ChallengeCard::applyLook() {
    layout()->setSpacing(m_look.px(8));
    m_row->setSpacing(m_look.px(8));
    m_caption->setFont(m_look.font(TextRole::Caption));
    m_terms->setFont(m_look.font(TextRole::Lane));
    m_status->setFont(m_look.font(TextRole::Lane));
    m_progress->setFixedHeight(m_look.px(6));
}

} // namespace lockscope::ui
