// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

class QLabel;
class QToolButton;
class QVBoxLayout;

namespace lockscope::ui {

class Look;
class WrapLabel;

/// What many runs have shown, in the place of the timeline: a head with its title, how far it is, and the way
/// back. What is found stands below, in the column.
class FindingsView : public QFrame {
    Q_OBJECT
public:
    /// `name`: of its parts, as "matrix" in `matrixStatus`.
    FindingsView(const QString& name, const QString& title, Look& look, QWidget* parent);

signals:
    void closeWanted();

protected:
    QVBoxLayout* column() const { return m_column; }
    Look& look() const { return m_look; }
    void setStatus(const QString& text);

private:
    void applyLook();

    Look& m_look;
    QVBoxLayout* m_column = nullptr;
    QLabel* m_title = nullptr;
    WrapLabel* m_status = nullptr;
    QToolButton* m_close = nullptr;
};

} // namespace lockscope::ui
