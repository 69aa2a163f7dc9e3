// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "ui/bridge/run_model.h"

class QComboBox;
class QHBoxLayout;
class QLabel;
class QLineEdit;
class QScrollBar;
class QToolButton;

namespace lockscope::ui {

class LaneHeaders;
class Look;
class TimelineCanvas;

/// One of the two timelines that are compared: which run it shows, what can be done with that, its lanes.
/// It knows the names of the runs there are, and says what is wanted of them.
class ComparePane : public QWidget {
    Q_OBJECT
public:
    /// `place`: "above" or "below", for names.
    ComparePane(const QString& place, Look& look, QWidget* parent = nullptr);

    /// The runs to choose from. The first is the one that is shown in the window, the others are kept.
    void setChoices(const QStringList& names, int chosen);
    /// Null: none, and `problem` says why.
    void setRun(std::shared_ptr<const Run> run, const QString& problem = {});
    TimelineCanvas& canvas() { return *m_canvas; }
    /// Wide enough for both panes' headers.
    int wantedHeaderWidth() const;
    void setResourceName(const QString& name);
    void setHeaderWidth(int width);

signals:
    void chosen(int choice); ///< 0: the run that is shown; else a kept one, from 1
    void restoreWanted();
    void renameWanted(const QString& name);
    void removeWanted();

protected:
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QToolButton* button(const QString& name, const QString& text, const QString& help);
    void editName(bool edit);
    void applyLook();
    void arrange();
    void followScroll();

    Look& m_look;
    QWidget* m_head = nullptr;
    QHBoxLayout* m_row = nullptr;
    QLabel* m_place = nullptr;
    QComboBox* m_runs = nullptr;
    QLineEdit* m_name = nullptr; ///< in place of the list while a run gets another name
    QToolButton* m_restore = nullptr;
    QToolButton* m_rename = nullptr;
    QToolButton* m_remove = nullptr;
    TimelineCanvas* m_canvas = nullptr;
    LaneHeaders* m_headers = nullptr;
    QScrollBar* m_scroll = nullptr;
    QLabel* m_problem = nullptr;
    int m_headerWidth = 0;
};

} // namespace lockscope::ui
