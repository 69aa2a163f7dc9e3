// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QLabel;
class QLineEdit;
class QTableView;

namespace lockscope::ui {

class EventModel;
class Look;
class RunModel;

/// Everything that happened up to the veil. The row of the playhead follows it; a click moves the playhead
/// there and selects the event.
class EventList : public QWidget {
    Q_OBJECT
public:
    EventList(RunModel& run, Look& look, QWidget* parent = nullptr);

    EventModel& model() { return *m_model; }
    QTableView& view() { return *m_view; }
    void editFilter();

signals:
    void notePicked(int note); ///< index into Notes::all()

protected:
    void showEvent(QShowEvent* event) override;

private:
    void pick(int row);
    void follow();
    void refreshEmpty();
    void applyLook();

    RunModel& m_run;
    Look& m_look;
    EventModel* m_model = nullptr;
    QLineEdit* m_filter = nullptr;
    QTableView* m_view = nullptr;
    QLabel* m_empty = nullptr;
    bool m_following = false; ///< the current row is being set, not chosen
};

} // namespace lockscope::ui
