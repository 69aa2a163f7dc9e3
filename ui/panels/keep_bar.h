// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

class QLabel;
class QLineEdit;
class QPushButton;
class QToolButton;

namespace lockscope::ui {

class KeptRuns;
class Look;

/// A line in which the run that is shown gets a name to be kept under. Enter keeps it, Escape does not.
class KeepBar : public QFrame {
    Q_OBJECT
public:
    KeepBar(KeptRuns& kept, Look& look, QWidget* parent = nullptr);

    /// Shows the line with a name to take or to type over.
    void ask();

signals:
    void kept(int index);
    void refused(const QString& why);
    void closed(); ///< in either case

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void keep();
    void leave();
    void applyLook();

    KeptRuns& m_kept;
    Look& m_look;
    QLabel* m_label = nullptr;
    QLineEdit* m_name = nullptr;
    QPushButton* m_keep = nullptr;
    QToolButton* m_close = nullptr;
};

} // namespace lockscope::ui
