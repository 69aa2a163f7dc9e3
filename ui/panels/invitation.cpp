// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/invitation.h"

#include <QHBoxLayout>
#include <QToolButton>

#include "ui/bridge/lesson_model.h"
#include "ui/bridge/text.h"
#include "ui/look.h"
#include "ui/panels/icons.h"
#include "ui/panels/wrap_label.h"

namespace lockscope::ui {

Invitation::Invitation(LessonModel& lesson, RunModel& run, Look& look, QWidget* parent)
    : QFrame(parent), m_lesson(lesson), m_run(run), m_look(look) {
    setObjectName(QStringLiteral("invitation"));
    setAccessibleName(tr("Where to begin"));
    m_text = new WrapLabel(this);
    m_text->setObjectName(QStringLiteral("invitationText"));
    m_close = new QToolButton(this);
    m_close->setObjectName(QStringLiteral("invitationClose"));
    m_close->setAccessibleName(tr("Put the invitation away"));
    m_close->setToolTip(m_close->accessibleName());
    m_close->setIcon(glyphIcon(look, Glyph::Close));
    m_close->setProperty("flat", true);
    m_close->setFocusPolicy(Qt::TabFocus);
    auto* row = new QHBoxLayout(this);
    row->addWidget(m_text, 1);
    row->addWidget(m_close, 0, Qt::AlignTop);
    connect(m_close, &QToolButton::clicked, this, [this] {
        setWanted(false);
        emit accepted();
    });
    connect(&lesson, &LessonModel::trialChanged, this, &Invitation::notice);
    connect(&lesson, &LessonModel::interventionsChanged, this, &Invitation::notice);
    connect(&run, &RunModel::runChanged, this, &Invitation::refresh);
    connect(&run, &RunModel::veilChanged, this, &Invitation::refresh);
    connect(&lesson, &LessonModel::stepChanged, this, &Invitation::refresh);
    connect(&lesson, &LessonModel::questionChanged, this, &Invitation::refresh);
    connect(&look, &Look::changed, this, &Invitation::applyLook);
    applyLook();
    refresh();
}

void Invitation::setWanted(bool wanted) {
    m_wanted = wanted;
    refresh();
}

/// While a hand tries something out, nothing may move away under it.
void Invitation::notice() {
    if (!m_wanted || m_lesson.trying() || !m_lesson.changedFromStep() || m_lesson.interventions().empty())
        return;
    setWanted(false);
    emit accepted();
}

/// Whoever is the first to be seen at work: there must be a bar to drag across, before the veil.
std::optional<ActorIndex> Invitation::worker() const {
    if (m_run.run() == nullptr) return std::nullopt;
    for (const ActorLane& lane : m_run.run()->lanes.actors)
        for (const DoesSpan& span : lane.does)
            if (span.kind == DoesKind::Work && span.from < m_run.veil()) return lane.actor;
    return std::nullopt;
}

void Invitation::refresh() {
    const std::optional<ActorIndex> who = worker();
    const bool asks = m_lesson.openQuestion() != nullptr;
    setVisible(m_wanted && (who || asks) && m_lesson.step() == 0);
    if (!who) {
        m_text->setText(tr("What happens next is covered. <b>Answer the question</b>, and see it."));
        return;
    }
    const std::string& name = m_run.run()->trace->actors[static_cast<std::size_t>(*who)].name;
    m_text->setText(tr("%1 is at work. <b>Drag across its bar to freeze it</b>, or put the playhead "
                       "there and press P.")
                        .arg(qstr(name).toHtmlEscaped()));
}

void Invitation::applyLook() {
    m_text->setFont(m_look.font(TextRole::Lane));
    layout()->setContentsMargins(m_look.px(12), m_look.px(8), m_look.px(8), m_look.px(4));
    layout()->setSpacing(m_look.px(8));
    m_close->setIconSize({m_look.px(12), m_look.px(12)});
}

} // namespace lockscope::ui
