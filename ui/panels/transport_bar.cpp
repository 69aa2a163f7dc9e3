// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/transport_bar.h"

#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>

#include "ui/bridge/run_model.h"
#include "ui/bridge/text.h"
#include "ui/look.h"
#include "ui/panels/flow_layout.h"
#include "ui/panels/icons.h"

namespace lockscope::ui {

TransportBar::TransportBar(RunModel& run, Look& look, QWidget* parent)
    : QWidget(parent), m_run(run), m_look(look) {
    setObjectName(QStringLiteral("transportBar"));
    setAccessibleName(tr("Transport"));
    auto* row = new FlowLayout(this);
    auto* toStart = button("toStartButton", tr("To the start"), tr("To the start (Home)"));
    auto* stepBack = button("stepBackButton", tr("Step back"), tr("To the event before (Left)"));
    m_play = button("playButton", tr("Play"), tr("Play or pause (Space)"));
    auto* stepForward = button("stepForwardButton", tr("Step"), tr("To the next event (Right)"));
    auto* toEnd = button("toEndButton", tr("To the end"), tr("To the end (End)"));
    toStart->setIcon(glyphIcon(look, Glyph::ToStart));
    stepBack->setIcon(glyphIcon(look, Glyph::StepBack));
    stepForward->setIcon(glyphIcon(look, Glyph::StepForward));
    toEnd->setIcon(glyphIcon(look, Glyph::ToEnd));
    for (QToolButton* made : m_buttons)
        row->addWidget(made);

    m_speed = new QComboBox(this);
    m_speed->setObjectName(QStringLiteral("speedBox"));
    m_speed->setAccessibleName(tr("Speed"));
    m_speed->setToolTip(tr("How fast the run plays ([ and ])"));
    m_speed->setFocusPolicy(Qt::TabFocus);
    m_speed->addItem(tr("Paced by events"), 0.0);
    m_speed->addItem(tr("1×"), 1.0);
    m_speed->addItem(tr("8×"), 8.0);
    row->addWidget(m_speed);
    m_ratio = new QLabel(this);
    m_ratio->setObjectName(QStringLiteral("ratioLabel"));
    m_ratio->setProperty("dim", true);
    row->addWidget(m_ratio);
    m_time = new QLabel(this);
    m_time->setObjectName(QStringLiteral("timeLabel"));
    row->addWidget(m_time);
    m_of = new QLabel(this);
    m_of->setObjectName(QStringLiteral("horizonLabel"));
    m_of->setProperty("dim", true);
    row->addWidget(m_of);

    m_find = new QPushButton(tr("Find a failure"), this);
    m_find->setObjectName(QStringLiteral("findFailureButton"));
    m_find->setAccessibleName(m_find->text());
    m_find->setToolTip(tr("Search for the fewest faults that break this program (Ctrl+Shift+F)"));
    m_find->setFocusPolicy(Qt::TabFocus);
    row->addWidget(m_find);

    connect(m_find, &QPushButton::clicked, this, &TransportBar::failureWanted);
    connect(toStart, &QToolButton::clicked, &run, &RunModel::toStart);
    connect(stepBack, &QToolButton::clicked, &run, &RunModel::stepBack);
    connect(m_play, &QToolButton::clicked, &run, [&run] { run.playing() ? run.pause() : run.play(); });
    connect(stepForward, &QToolButton::clicked, &run, &RunModel::stepForward);
    connect(toEnd, &QToolButton::clicked, &run, &RunModel::toEnd);
    connect(m_speed, &QComboBox::activated, this,
            [this](int index) { m_run.setSpeed(m_speed->itemData(index).toDouble()); });
    connect(&run, &RunModel::playingChanged, this, &TransportBar::refreshPlaying);
    connect(&run, &RunModel::playheadChanged, this, &TransportBar::refreshTime);
    connect(&run, &RunModel::runChanged, this, &TransportBar::refreshTime);
    connect(&run, &RunModel::veilChanged, this, &TransportBar::refreshTime);
    connect(&run, &RunModel::speedChanged, this, &TransportBar::refreshSpeed);
    connect(&look, &Look::changed, this, &TransportBar::applyLook);
    applyLook();
    refreshPlaying();
    refreshSpeed();
}

QToolButton* TransportBar::button(const char* name, const QString& text, const QString& help) {
    auto* made = new QToolButton(this);
    made->setObjectName(QLatin1String(name));
    made->setAccessibleName(text);
    made->setToolTip(help);
    made->setFocusPolicy(Qt::TabFocus);
    m_buttons.append(made);
    return made;
}

void TransportBar::refreshPlaying() {
    const bool playing = m_run.playing();
    m_play->setIcon(glyphIcon(m_look, playing ? Glyph::Pause : Glyph::Play));
    m_play->setAccessibleName(playing ? tr("Pause playing") : tr("Play"));
}

void TransportBar::refreshTime() {
    const bool any = m_run.run() != nullptr;
    for (QToolButton* made : m_buttons)
        made->setEnabled(any);
    m_find->setEnabled(any && m_run.pastEditable());
    m_time->setText(any ? exactSeconds(m_run.playhead()) : QString());
    m_time->setAccessibleName(tr("Playhead at %1").arg(m_time->text()));
    m_of->setText(!any ? QString()
                  : m_run.veil() < m_run.run()->trace->reached
                      ? tr("veiled from %1").arg(shortSeconds(m_run.veil()))
                      : tr("of %1").arg(shortSeconds(m_run.run()->trace->reached)));
    const double ratio = m_run.ratio();
    m_ratio->setText(any && m_run.speed() == 0
                         ? tr("×%1").arg(QString::number(ratio, 'f', ratio < 9.95 ? 1 : 0))
                         : QString());
}

void TransportBar::refreshSpeed() {
    m_speed->setCurrentIndex(std::max(0, m_speed->findData(m_run.speed())));
    refreshTime();
}

void TransportBar::faster() {
    m_run.setSpeed(m_speed->itemData(std::min(m_speed->currentIndex() + 1, m_speed->count() - 1)).toDouble());
}

void TransportBar::slower() {
    m_run.setSpeed(m_speed->itemData(std::max(m_speed->currentIndex() - 1, 0)).toDouble());
}

void TransportBar::applyLook() {
    layout()->setContentsMargins(m_look.px(12), m_look.px(6), m_look.px(12), m_look.px(6));
    layout()->setSpacing(m_look.px(6));
    for (QToolButton* made : m_buttons)
        made->setIconSize({m_look.px(16), m_look.px(16)});
    m_ratio->setFont(m_look.font(TextRole::Caption));
    m_of->setFont(m_look.font(TextRole::Caption));
    m_time->setFont(m_look.font(TextRole::PlayheadTime));
    // Figures that change must not push their neighbours about.
    m_ratio->setMinimumWidth(QFontMetrics(m_ratio->font()).horizontalAdvance(QStringLiteral("×0.001")));
    m_time->setMinimumWidth(QFontMetrics(m_time->font()).horizontalAdvance(QStringLiteral("188.888 s")));
    m_time->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
}

} // namespace lockscope::ui
