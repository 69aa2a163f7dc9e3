// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <QTimer>

#include <memory>
#include <vector>

#include "core/lesson/run_file.h"
#include "ui/bridge/run_model.h"

namespace lockscope::ui {

class Notes;

/// The events of the run up to the veil, one a row, and the user's notes among them by their time; with a
/// filter, those whose sentence or kind contains it.
/// Rows cost nothing until they are looked at, and filtering goes on in slices, so that a million events do
/// no harm.
class EventModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { TimeColumn, TextColumn, ColumnCount };

    explicit EventModel(RunModel& run, QObject* parent = nullptr);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;

    /// These stand among the events from now on.
    void showNotes(Notes& notes);
    void setFilter(const QString& filter);
    bool filtering() const { return m_slices.isActive(); }

    /// The event shown in a row; -1 if it is a note.
    int eventAt(int row) const;
    /// The note shown in a row, as an index into Notes::all(); -1 if it is an event.
    int noteAt(int row) const;
    /// The last row that is not after `event`; -1 if there is none.
    int rowOf(int event) const;
    /// The last event at or before an instant; -1 if there is none.
    int lastEventAt(Instant at) const;

signals:
    void filtered(); ///< the whole run has been looked through

private:
    void takeRun();
    void takeVeil();
    void filterSlice();
    int eventRows() const;
    void placeNotes();
    void replaceNotes();
    int visibleEvents() const;
    QString sentence(int event) const;
    QVariant noteData(const Note& note, int column, int role) const;

    RunModel& m_run;
    std::shared_ptr<const Run> m_shown;
    int m_count = 0; ///< events up to the veil
    QString m_filter;
    std::vector<int> m_hits; ///< with a filter: rising indices of events
    Notes* m_notes = nullptr;
    struct PlacedNote {
        int row;  ///< in which it stands
        int note; ///< index into Notes::all()
    };
    std::vector<PlacedNote> m_placed; ///< by row
    int m_looked = 0;                 ///< how many events the filter has seen
    QTimer m_slices;
};

} // namespace lockscope::ui
