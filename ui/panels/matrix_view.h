// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/panels/findings_view.h"

class QTableWidget;

namespace lockscope {
struct MatrixCell;
}

namespace lockscope::ui {

class MatrixSearch;

/// The table of programs and failures in the place of the timeline. A cell names what breaks; a click, or
/// Return, plays the run that breaks it.
class MatrixView : public FindingsView {
    Q_OBJECT
public:
    MatrixView(MatrixSearch& search, Look& look, QWidget* parent = nullptr);

signals:
    /// A run was put into the timeline: that is where it is to be seen.
    void played();
    void said(const QString& line);

protected:
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void refresh();
    void fill();
    void choose(int row, int column);
    void play(int row, int column, int which);
    QString status() const;
    void applyLook();
    void arrange();

    MatrixSearch& m_search;
    QTableWidget* m_table = nullptr;
};

} // namespace lockscope::ui
