// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>

#include <optional>
#include <vector>

#include "core/lesson/run_file.h"

class QUndoStack;

namespace lockscope::ui {

/// What somebody has written on the timeline. A note belongs to a step, as another step shows another run.
///
/// Invariant: notes are sorted by step, then by time, then by text, so that a note that comes back stands
/// where it stood. An index is good until the next change.
class Notes : public QObject {
    Q_OBJECT
public:
    explicit Notes(QObject* parent = nullptr) : QObject(parent) {}

    /// Where changes go so that they can be undone, among those of the run. Null: they are only made.
    void setHistory(QUndoStack* history) { m_history = history; }

    const std::vector<Note>& all() const { return m_notes; }
    /// The step that is shown, whose notes are.
    int step() const { return m_step; }
    void setStep(int step);
    /// The notes of that step, by time, as indices into all().
    const std::vector<int>& shown() const { return m_shown; }

    // Each gives the index the note then has. Texts lose the blanks around them and what lies beyond
    // kLongestNote.
    int add(Note note);
    int setText(int index, const QString& text);
    int setSpan(int index, Instant from, Instant until);
    void remove(int index);
    /// All others, as when a file is opened. It cannot be undone. What the history holds is about the notes
    /// that were there: it is cleared by whoever owns it before anybody can undo.
    void replaceAll(std::vector<Note> notes);
    /// Whoever is writing or moving a note does it now, or it is lost: the notes are about to be saved or
    /// left.
    void settle() { emit settling(); }

signals:
    void changed();
    void settling();

private:
    class Change;
    int make(const QString& what, const std::optional<Note>& before, const std::optional<Note>& after);
    void replace(const std::optional<Note>& old, const std::optional<Note>& with);
    void show(std::vector<Note> notes);
    void findShown();

    std::vector<Note> m_notes;
    int m_step = 0;
    std::vector<int> m_shown;
    QUndoStack* m_history = nullptr;
};

} // namespace lockscope::ui
