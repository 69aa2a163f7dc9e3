// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/knob_panel.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSlider>
#include <QStyle>
#include <QVBoxLayout>

#include <cmath>

#include "ui/bridge/lesson_model.h"
#include "ui/bridge/text.h"
#include "ui/look.h"
#include "ui/panels/chance_row.h"
#include "ui/panels/duration_field.h"
#include "ui/panels/wrap_label.h"

namespace lockscope::ui {

namespace {

bool whole(double value) {
    return std::floor(value) == value;
}

double numberStep(const Knob& knob) {
    const double least = std::get<double>(knob.least), most = std::get<double>(knob.most);
    if (whole(least) && whole(most) && whole(std::get<double>(knob.initial))) return 1;
    return (most - least) / 100;
}

} // namespace

KnobPanel::KnobPanel(LessonModel& lesson, Look& look, QWidget* parent)
    : QFrame(parent), m_lesson(lesson), m_look(look) {
    setObjectName(QStringLiteral("knobPanel"));
    setAccessibleName(tr("Knobs of the lesson"));
    setProperty("topline", true);
    auto* column = new QVBoxLayout(this);
    auto* chance = new ChanceRow(lesson, look, this);
    connect(chance, &ChanceRow::problemChanged, this, &KnobPanel::showProblem);
    column->addWidget(chance);
    m_rowsLayout = new QVBoxLayout;
    m_rowsLayout->setContentsMargins(0, 0, 0, 0);
    column->addLayout(m_rowsLayout);
    m_problem = new WrapLabel(this);
    m_problem->setObjectName(QStringLiteral("knobProblem"));
    m_problem->setProperty("alarm", true);
    m_problem->hide();
    column->addWidget(m_problem);
    connect(&lesson, &LessonModel::lessonChanged, this, &KnobPanel::rebuild);
    connect(&lesson, &LessonModel::knobsChanged, this, &KnobPanel::refresh);
    connect(&look, &Look::changed, this, &KnobPanel::applyLook);
    rebuild();
}

void KnobPanel::rebuild() {
    for (const Row& row : m_rows)
        delete row.frame;
    m_rows.clear();
    showProblem({});
    if (m_lesson.lesson() == nullptr) return;
    for (const Knob& knob : m_lesson.lesson()->knobs) {
        Row& row = m_rows.emplace_back();
        row.knob = knob;
        row.frame = new QWidget(this);
        row.frame->setObjectName(QStringLiteral("knobRow_%1").arg(qstr(knob.name)));
        row.label = new QLabel(qstr(knob.label.empty() ? knob.name : knob.label), row.frame);
        row.label->setObjectName(QStringLiteral("knobLabel_%1").arg(qstr(knob.name)));
        row.label->setWordWrap(true);
        row.label->setToolTip(qstr(knob.help));
        switch (knob.kind) {
        case KnobKind::Time:
            makeDuration(row);
            break;
        case KnobKind::Number:
            makeNumber(row);
            break;
        case KnobKind::Choice:
            makeChoice(row);
            break;
        }
        m_rowsLayout->addWidget(row.frame);
    }
    applyLook();
}

void KnobPanel::makeDuration(Row& row) {
    const QString name = qstr(row.knob.name);
    const Duration least = std::get<Duration>(row.knob.least), most = std::get<Duration>(row.knob.most);
    const Duration step = niceStep(most - least);
    row.slider = new QSlider(Qt::Horizontal, row.frame);
    row.slider->setObjectName(QStringLiteral("knob_%1").arg(name));
    row.slider->setAccessibleName(row.label->text());
    row.slider->setRange(0, static_cast<int>((most - least) / step));
    row.slider->setPageStep(std::max(1, row.slider->maximum() / 10));
    row.field = new DurationField(m_look, row.frame);
    row.field->setObjectName(QStringLiteral("knobField_%1").arg(name));
    row.field->setAccessibleName(row.label->text());
    row.field->setRange(least, most);
    row.label->setBuddy(row.field);

    auto* column = new QVBoxLayout(row.frame);
    auto* line = new QHBoxLayout;
    line->addWidget(row.label, 1);
    line->addWidget(row.field);
    column->addLayout(line);
    column->addWidget(row.slider);

    const std::string knob = row.knob.name;
    connect(row.slider, &QSlider::sliderPressed, &m_lesson, [=, this] { m_lesson.beginSliding(knob); });
    connect(row.slider, &QSlider::sliderReleased, &m_lesson, &LessonModel::endSliding);
    connect(row.slider, &QSlider::valueChanged, this, [=, this](int position) {
        if (!m_showing) turn(knob, std::min(most, least + position * step));
    });
    connect(row.field, &DurationField::valueChanged, this, [=, this](Duration value) { turn(knob, value); });
    connect(row.field, &DurationField::problemChanged, this, &KnobPanel::showProblem);
}

void KnobPanel::makeNumber(Row& row) {
    const QString name = qstr(row.knob.name);
    const double least = std::get<double>(row.knob.least), most = std::get<double>(row.knob.most);
    const double step = numberStep(row.knob);
    row.number = new QDoubleSpinBox(row.frame);
    row.number->setObjectName(QStringLiteral("knobField_%1").arg(name));
    row.number->setAccessibleName(row.label->text());
    row.number->setDecimals(whole(step) ? 0 : std::max(1, static_cast<int>(std::ceil(-std::log10(step)))));
    row.number->setRange(least, most);
    row.number->setSingleStep(step);
    row.number->setButtonSymbols(QAbstractSpinBox::NoButtons);
    row.label->setBuddy(row.number);
    row.slider = new QSlider(Qt::Horizontal, row.frame);
    row.slider->setObjectName(QStringLiteral("knob_%1").arg(name));
    row.slider->setAccessibleName(row.label->text());
    row.slider->setRange(0, static_cast<int>(std::lround((most - least) / step)));

    auto* column = new QVBoxLayout(row.frame);
    auto* line = new QHBoxLayout;
    line->addWidget(row.label, 1);
    line->addWidget(row.number);
    column->addLayout(line);
    column->addWidget(row.slider);

    const std::string knob = row.knob.name;
    connect(row.slider, &QSlider::sliderPressed, &m_lesson, [=, this] { m_lesson.beginSliding(knob); });
    connect(row.slider, &QSlider::sliderReleased, &m_lesson, &LessonModel::endSliding);
    connect(row.slider, &QSlider::valueChanged, this, [=, this](int position) {
        if (!m_showing) turn(knob, std::min(most, least + position * step));
    });
    connect(row.number, &QDoubleSpinBox::valueChanged, this, [=, this](double value) {
        if (!m_showing) turn(knob, value);
    });
}

void KnobPanel::makeChoice(Row& row) {
    row.choice = new QComboBox(row.frame);
    row.choice->setObjectName(QStringLiteral("knob_%1").arg(qstr(row.knob.name)));
    row.choice->setAccessibleName(row.label->text());
    row.choice->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    row.choice->setMinimumContentsLength(8);
    for (const std::string& choice : row.knob.choices)
        row.choice->addItem(qstr(choice));
    row.label->setBuddy(row.choice);
    auto* column = new QVBoxLayout(row.frame);
    column->addWidget(row.label);
    column->addWidget(row.choice);
    const std::string knob = row.knob.name;
    connect(row.choice, &QComboBox::textActivated, this,
            [=, this](const QString& choice) { turn(knob, choice.toStdString()); });
}

void KnobPanel::refresh() {
    if (m_lesson.lesson() == nullptr) return;
    m_showing = true;
    for (Row& row : m_rows) {
        const KnobValue value = m_lesson.knobValue(row.knob.name);
        if (row.field != nullptr) {
            const Duration least = std::get<Duration>(row.knob.least),
                           most = std::get<Duration>(row.knob.most);
            row.field->setValue(std::get<Duration>(value));
            // The hand on the slider stays master of it: rounding must not push it back.
            const auto position =
                static_cast<int>((std::get<Duration>(value) - least) / niceStep(most - least));
            if (!row.slider->isSliderDown()) row.slider->setValue(position);
        } else if (row.number != nullptr) {
            const double least = std::get<double>(row.knob.least);
            row.number->setValue(std::get<double>(value));
            row.slider->setValue(
                static_cast<int>(std::lround((std::get<double>(value) - least) / numberStep(row.knob))));
        } else {
            row.choice->setCurrentText(qstr(std::get<std::string>(value)));
        }
    }
    m_showing = false;
}

void KnobPanel::turn(const std::string& name, const KnobValue& value) {
    showProblem(m_lesson.setKnob(name, value));
}

void KnobPanel::showProblem(const QString& problem) {
    m_problem->setText(problem);
    m_problem->setVisible(!problem.isEmpty());
}

void KnobPanel::setFlush(bool flush) {
    m_flush = flush;
    setProperty("topline", !flush);
    style()->unpolish(this);
    style()->polish(this);
    applyLook();
}

void KnobPanel::applyLook() {
    const int side = m_flush ? 0 : m_look.px(12);
    layout()->setContentsMargins(side, m_look.px(8), side, m_look.px(8));
    layout()->setSpacing(m_look.px(4));
    m_rowsLayout->setSpacing(m_look.px(8));
    m_problem->setFont(m_look.font(TextRole::Caption));
    for (const Row& row : m_rows) {
        row.frame->layout()->setContentsMargins(0, 0, 0, 0);
        row.frame->layout()->setSpacing(m_look.px(4));
    }
    refresh();
}

} // namespace lockscope::ui
