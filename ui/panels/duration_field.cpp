// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/duration_field.h"

#include <QKeyEvent>
#include <QStyle>

#include <algorithm>
#include <array>

#include "ui/bridge/text.h"
#include "ui/look.h"

namespace lockscope::ui {

Duration niceStep(Duration range) {
    constexpr int kSteps = 240; // about as many as a slider has pixels
    constexpr std::array<std::int64_t, 16> kMillis{1,   2,    5,    10,    20,    50,    100,    200,
                                                   500, 1000, 5000, 10000, 30000, 60000, 300000, 600000};
    for (const std::int64_t ms : kMillis)
        if (millis(ms) * kSteps >= range) return millis(ms);
    return millis(kMillis.back());
}

DurationField::DurationField(const Look& look, QWidget* parent) : QLineEdit(parent), m_look(look) {
    setToolTip(tr("A length of time: 30s, 250ms, 1m30s"));
    connect(this, &QLineEdit::textEdited, this, &DurationField::judge);
    connect(this, &QLineEdit::returnPressed, this, [this] {
        commit();
        selectAll();
    });
}

void DurationField::setRange(Duration least, Duration most) {
    m_least = least;
    m_most = most;
}

void DurationField::setValue(Duration value) {
    m_value = value;
    if (hasFocus() && isModified()) return;
    setText(qstr(formatDuration(value)));
    setCursorPosition(0); // whatever does not fit is missing at the end, where one sees that it is
    updateGeometry();
    setProblem({});
}

/// As wide as what stands there, and never narrower than most lengths are.
QSize DurationField::sizeHint() const {
    constexpr int kOfQt = 17; // letters x that a line has room for by itself
    const QSize own = QLineEdit::sizeHint();
    const QFontMetrics metrics = fontMetrics();
    int width = hasFocus() ? 0 : metrics.horizontalAdvance(text());
    for (const QString& usual : {QStringLiteral("88m88.888s"), QStringLiteral("888.888ms")})
        width = std::max(width, metrics.horizontalAdvance(usual));
    const int around = own.width() - kOfQt * metrics.horizontalAdvance(QLatin1Char('x'));
    return {width + std::max(around, m_look.px(14)) + m_look.px(2), own.height()};
}

void DurationField::judge() {
    const auto read = readDuration(text());
    if (!read)
        setProblem(qstr(read.error().message));
    else if (*read < m_least || *read > m_most)
        setProblem(tr("From %1 to %2.").arg(qstr(formatDuration(m_least)), qstr(formatDuration(m_most))));
    else
        setProblem({});
}

void DurationField::commit() {
    judge();
    if (!m_problem.isEmpty()) return;
    const Duration value = *readDuration(text());
    setModified(false);
    const bool changed = value != m_value;
    setValue(value);
    if (changed) emit valueChanged(value);
}

void DurationField::nudge(int direction) {
    const Duration step = niceStep(m_most - m_least);
    const Duration value = std::clamp(m_value + direction * step, m_least, m_most);
    setModified(false);
    if (value == m_value) return;
    setValue(value);
    emit valueChanged(value);
}

void DurationField::setProblem(const QString& problem) {
    if (problem == m_problem) return;
    m_problem = problem;
    setProperty("wrong", !problem.isEmpty());
    style()->unpolish(this);
    style()->polish(this);
    setAccessibleDescription(problem);
    emit problemChanged(problem);
}

void DurationField::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
    case Qt::Key_Up:
        nudge(1);
        break;
    case Qt::Key_Down:
        nudge(-1);
        break;
    case Qt::Key_Escape:
        setModified(false);
        setValue(m_value);
        setProblem({});
        selectAll();
        break;
    default:
        QLineEdit::keyPressEvent(event);
    }
}

/// Whoever leaves a wrong text behind gets the last right one back.
void DurationField::focusOutEvent(QFocusEvent* event) {
    QLineEdit::focusOutEvent(event);
    commit();
    setModified(false);
    setValue(m_value);
}

} // namespace lockscope::ui
