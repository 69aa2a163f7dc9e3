// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/bridge/notes.h"

#include <QUndoStack>

#include <algorithm>
#include <tuple>

#include "core/base/assert.h"
#include "ui/bridge/text.h"

namespace lockscope::ui {

namespace {

std::string tidy(const QString& text) {
    return fittingLine(text, kLongestNote).toStdString();
}

} // namespace

/// A change of the notes, kept as all of them before and after: they are few.
class Notes::Change : public QUndoCommand {
public:
    Change(Notes& notes, const QString& what, std::vector<Note> after)
        : QUndoCommand(what), m_notes(notes), m_before(notes.m_notes), m_after(std::move(after)) {}
    void undo() override { m_notes.show(m_before); }
    void redo() override { m_notes.show(m_after); }

private:
    Notes& m_notes;
    std::vector<Note> m_before;
    std::vector<Note> m_after;
};

void Notes::setStep(int step) {
    if (step == m_step) return;
    m_step = step;
    findShown();
    emit changed();
}

void Notes::findShown() {
    m_shown.clear();
    for (int i = 0; i < static_cast<int>(m_notes.size()); ++i)
        if (m_notes[static_cast<std::size_t>(i)].step == m_step) m_shown.push_back(i);
}

int Notes::add(Note note) {
    note.text = tidy(QString::fromStdString(note.text));
    std::vector<Note> after = m_notes;
    after.push_back(note);
    return make(tr("note"), std::move(after), note);
}

int Notes::setText(int index, const QString& text) {
    std::vector<Note> after = m_notes;
    Note& note = after[static_cast<std::size_t>(index)];
    note.text = tidy(text);
    const Note about = note;
    return make(tr("change of a note"), std::move(after), about);
}

int Notes::setSpan(int index, Instant from, Instant until) {
    LOCKSCOPE_ASSERT(from <= until);
    std::vector<Note> after = m_notes;
    Note& note = after[static_cast<std::size_t>(index)];
    note.from = from;
    note.until = until;
    const Note about = note;
    return make(tr("move of a note"), std::move(after), about);
}

void Notes::remove(int index) {
    std::vector<Note> after = m_notes;
    const Note about = after[static_cast<std::size_t>(index)];
    after.erase(after.begin() + index);
    make(tr("removal of a note"), std::move(after), about);
}

void Notes::replaceAll(std::vector<Note> notes) {
    if (m_history != nullptr) m_history->clear(); // its commands hold the notes that were there
    show(std::move(notes));
}

int Notes::make(const QString& what, std::vector<Note> after, const Note& about) {
    if (m_history == nullptr)
        show(std::move(after));
    else
        m_history->push(new Change(*this, what, std::move(after)));
    const auto found = std::find(m_notes.begin(), m_notes.end(), about);
    return found == m_notes.end() ? -1 : static_cast<int>(found - m_notes.begin());
}

void Notes::show(std::vector<Note> notes) {
    std::stable_sort(notes.begin(), notes.end(), [](const Note& a, const Note& b) {
        return std::tie(a.step, a.from, a.until) < std::tie(b.step, b.from, b.until);
    });
    if (notes == m_notes) return;
    m_notes = std::move(notes);
    findShown();
    emit changed();
}

} // namespace lockscope::ui
