// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/chance_row.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>

#include <limits>

#include "ui/bridge/lesson_model.h"
#include "ui/look.h"

namespace lockscope::ui {

ChanceRow::ChanceRow(LessonModel& lesson, Look& look, QWidget* parent)
    : QWidget(parent), m_lesson(lesson), m_look(look) {
    setObjectName(QStringLiteral("chanceRow"));
    auto* label = new QLabel(tr("Chance"), this);
    label->setObjectName(QStringLiteral("chanceLabel"));
    label->setToolTip(
        tr("Everything random in this run follows from a number, its seed: what a program draws, "
           "which key Redis drops. The same number gives the same run."));
    m_seed = new QLineEdit(this);
    m_seed->setObjectName(QStringLiteral("seedField"));
    m_seed->setAccessibleName(tr("Seed of what is random"));
    m_seed->setToolTip(label->toolTip());
    label->setBuddy(m_seed);
    m_throw = new QPushButton(tr("Throw again"), this);
    m_throw->setObjectName(QStringLiteral("throwAgain"));
    m_throw->setToolTip(tr("The next seed, and with it other luck (Z)"));

    auto* line = new QHBoxLayout(this);
    line->setContentsMargins(0, 0, 0, 0);
    line->addWidget(label, 1);
    line->addWidget(m_seed);
    line->addWidget(m_throw);

    connect(m_seed, &QLineEdit::editingFinished, this, &ChanceRow::commit);
    connect(m_throw, &QPushButton::clicked, &lesson, &LessonModel::throwAgain);
    connect(&lesson, &LessonModel::chanceChanged, this, &ChanceRow::refresh);
    connect(&look, &Look::changed, this, &ChanceRow::applyLook);
    applyLook();
    refresh();
}

void ChanceRow::refresh() {
    setVisible(m_lesson.leftToChance());
    m_seed->setText(QString::number(m_lesson.seed()));
    m_seed->setCursorPosition(0);
    emit problemChanged({});
}

void ChanceRow::commit() {
    if (!m_seed->isModified()) return;
    bool whole = false;
    const qulonglong seed = m_seed->text().trimmed().toULongLong(&whole);
    if (!whole) {
        const QString written = m_seed->text();
        refresh(); // the run still has its seed
        emit problemChanged(tr("Seed '%1': allowed: whole numbers from 0 to %2")
                                .arg(written, QString::number(std::numeric_limits<std::uint64_t>::max())));
        return;
    }
    m_lesson.setSeed(seed);
    refresh(); // as it is written
}

void ChanceRow::applyLook() {
    layout()->setSpacing(m_look.px(8));
    constexpr int kDigits = 7; // more can be scrolled to
    m_seed->setFixedWidth(m_seed->fontMetrics().horizontalAdvance(QString(kDigits, QLatin1Char('0'))) +
                          m_look.px(16));
}

} // namespace lockscope::ui
