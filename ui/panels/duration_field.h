// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLineEdit>

#include "core/base/time.h"

namespace lockscope::ui {

class Look;

/// A length of time as people write it: `30s`, `1 m 30 s`, `250 ms`; a bare number is seconds.
class DurationField : public QLineEdit {
    Q_OBJECT
public:
    explicit DurationField(const Look& look, QWidget* parent = nullptr);

    void setRange(Duration least, Duration most);
    Duration value() const { return m_value; }
    /// Shows it, unless the user is writing.
    void setValue(Duration value);
    /// What is wrong with what stands there and what is allowed; empty if nothing.
    QString problem() const { return m_problem; }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

signals:
    /// The user is done: with Return, by leaving, or by Up and Down.
    void valueChanged(lockscope::Duration value);
    void problemChanged(const QString& problem);

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    void judge();
    void commit();
    void nudge(int direction);
    void setProblem(const QString& problem);

    const Look& m_look;
    Duration m_value{0};
    Duration m_least{0};
    Duration m_most{seconds(3600)};
    QString m_problem;
};

/// A step that is round for people and fine enough for a slider over this range.
Duration niceStep(Duration range);

} // namespace lockscope::ui
