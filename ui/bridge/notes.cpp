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

/// A change of one note: what it was, if it was there, and what it became, if it still is.
class Notes::Change : public QUndoCommand {
public:
    Change(Notes& notes, const QString& what, std::optional<Note> before, std::optional<Note> after)
        : QUndoCommand(what), m_notes(notes), m_before(std::move(before)), m_after(std::move(after)) {}
    void undo() override { m_notes.replace(m_after, m_before); }
    void redo() override { m_notes.replace(m_before, m_after); }

private:
    Notes& m_notes;
    std::optional<Note> m_before;
    std::optional<Note> m_after;
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
    return make(tr("note"), std::nullopt, note);
}

int Notes::setText(int index, const QString& text) {
    const Note before = m_notes[static_cast<std::size_t>(index)];
    Note after = before;
    after.text = tidy(text);
    return make(tr("change of a note"), before, after);
}

int Notes::setSpan(int index, Instant from, Instant until) {
    LOCKSCOPE_ASSERT(from <= until);
    const Note before = m_notes[static_cast<std::size_t>(index)];
    Note after = before;
    after.from = from;
    after.until = until;
    return make(tr("move of a note"), before, after);
}

void Notes::remove(int index) {
    make(tr("removal of a note"), m_notes[static_cast<std::size_t>(index)], std::nullopt);
}

void Notes::replaceAll(std::vector<Note> notes) {
    show(std::move(notes));
}

int Notes::make(const QString& what, const std::optional<Note>& before, const std::optional<Note>& after) {
    if (m_history == nullptr)
        replace(before, after);
    else
        m_history->push(new Change(*this, what, before, after));
    const auto found = after ? std::find(m_notes.begin(), m_notes.end(), *after) : m_notes.end();
    return found == m_notes.end() ? -1 : static_cast<int>(found - m_notes.begin());
}

void Notes::replace(const std::optional<Note>& old, const std::optional<Note>& with) {
    std::vector<Note> notes = m_notes;
    if (old) {
        const auto place = std::find(notes.begin(), notes.end(), *old);
        LOCKSCOPE_ASSERT(place != notes.end());
        notes.erase(place);
    }
    if (with) notes.push_back(*with);
    show(std::move(notes));
}

void Notes::show(std::vector<Note> notes) {
    std::stable_sort(notes.begin(), notes.end(), [](const Note& a, const Note& b) {
        return std::tie(a.step, a.from, a.until, a.text) < std::tie(b.step, b.from, b.until, b.text);
    });
    if (notes == m_notes) return;
    m_notes = std::move(notes);
    findShown();
    emit changed();
}

} // namespace lockscope::ui
