// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/event_model.h"

#include <QElapsedTimer>

#include <algorithm>

#include "core/trace/statements.h"
#include "core/trace/wording.h"
#include "ui/bridge/notes.h"
#include "ui/bridge/text.h"
#include "ui/panels/row_delegate.h"

namespace lockscope::ui {

namespace {
/// Short enough to leave room for a frame.
constexpr int kSliceMillis = 6;
} // namespace

EventModel::EventModel(RunModel& run, QObject* parent) : QAbstractTableModel(parent), m_run(run) {
    connect(&run, &RunModel::runChanged, this, &EventModel::takeRun);
    connect(&run, &RunModel::veilChanged, this, &EventModel::takeVeil);
    connect(&m_slices, &QTimer::timeout, this, &EventModel::filterSlice);
    takeRun();
}

int EventModel::visibleEvents() const {
    if (!m_shown) return 0;
    const auto& events = m_shown->trace->events;
    return static_cast<int>(std::upper_bound(events.begin(), events.end(), m_run.veil(),
                                             [](Instant t, const Event& event) { return t < event.at; }) -
                            events.begin());
}

void EventModel::takeRun() {
    beginResetModel();
    m_shown = m_run.run();
    m_count = visibleEvents();
    m_hits.clear();
    m_looked = 0;
    placeNotes();
    endResetModel();
    if (!m_filter.isEmpty()) m_slices.start(0);
}

void EventModel::takeVeil() {
    if (visibleEvents() != m_count)
        takeRun();
    else
        replaceNotes(); // they may lie between events
}

void EventModel::setFilter(const QString& filter) {
    if (filter == m_filter) return;
    beginResetModel();
    m_filter = filter;
    m_hits.clear();
    m_looked = 0;
    placeNotes();
    endResetModel();
    if (m_filter.isEmpty())
        m_slices.stop();
    else
        filterSlice(); // what fits into one slice is there at once
    if (!m_filter.isEmpty() && m_looked < m_count) m_slices.start(0);
}

void EventModel::filterSlice() {
    QElapsedTimer clock;
    clock.start();
    std::vector<int> found;
    while (m_looked < m_count) {
        const Event& event = m_shown->trace->events[static_cast<std::size_t>(m_looked)];
        if (qstr(nameOf(event.kind)).contains(m_filter, Qt::CaseInsensitive) ||
            sentence(m_looked).contains(m_filter, Qt::CaseInsensitive))
            found.push_back(m_looked);
        ++m_looked;
        if (m_looked % 256 == 0 && clock.elapsed() >= kSliceMillis) break;
    }
    if (!found.empty()) {
        const int first = static_cast<int>(m_hits.size());
        beginInsertRows({}, first, first + static_cast<int>(found.size()) - 1);
        m_hits.insert(m_hits.end(), found.begin(), found.end());
        endInsertRows();
    }
    if (m_looked >= m_count) {
        m_slices.stop();
        replaceNotes();
        emit filtered();
    }
}

void EventModel::showNotes(Notes& notes) {
    m_notes = &notes;
    connect(&notes, &Notes::changed, this, &EventModel::replaceNotes);
    replaceNotes();
}

void EventModel::replaceNotes() {
    if (m_notes == nullptr || (m_placed.empty() && m_notes->shown().empty())) return;
    beginResetModel();
    placeNotes();
    endResetModel();
}

/// Each after the events of its instant. With a filter they come once it has seen everything.
void EventModel::placeNotes() {
    m_placed.clear();
    if (m_notes == nullptr || !m_shown || (!m_filter.isEmpty() && m_looked < m_count)) return;
    for (const int index : m_notes->shown()) {
        const Note& note = m_notes->all()[static_cast<std::size_t>(index)];
        if (note.from > m_run.veil()) continue;
        if (!m_filter.isEmpty() && !qstr(note.text).contains(m_filter, Qt::CaseInsensitive)) continue;
        const int last = std::min(lastEventAt(note.from), m_count - 1);
        const int before =
            m_filter.isEmpty()
                ? last + 1
                : static_cast<int>(std::upper_bound(m_hits.begin(), m_hits.end(), last) - m_hits.begin());
        m_placed.push_back({before + static_cast<int>(m_placed.size()), index});
    }
}

int EventModel::eventRows() const {
    return m_filter.isEmpty() ? m_count : static_cast<int>(m_hits.size());
}

int EventModel::rowCount(const QModelIndex& parent) const {
    if (parent.isValid()) return 0;
    return eventRows() + static_cast<int>(m_placed.size());
}

int EventModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

int EventModel::noteAt(int row) const {
    const auto found = std::lower_bound(m_placed.begin(), m_placed.end(), row,
                                        [](const PlacedNote& placed, int r) { return placed.row < r; });
    return found != m_placed.end() && found->row == row ? found->note : -1;
}

int EventModel::eventAt(int row) const {
    const auto after = std::lower_bound(m_placed.begin(), m_placed.end(), row,
                                        [](const PlacedNote& placed, int r) { return placed.row < r; });
    if (after != m_placed.end() && after->row == row) return -1;
    row -= static_cast<int>(after - m_placed.begin());
    return m_filter.isEmpty() ? row : m_hits[static_cast<std::size_t>(row)];
}

int EventModel::rowOf(int event) const {
    int row = std::min(event, m_count - 1);
    if (!m_filter.isEmpty())
        row = static_cast<int>(std::upper_bound(m_hits.begin(), m_hits.end(), event) - m_hits.begin()) - 1;
    if (row < 0) return row;
    for (const PlacedNote& placed : m_placed) { // few, and by row
        if (placed.row > row) break;
        ++row;
    }
    return row;
}

int EventModel::lastEventAt(Instant at) const {
    if (!m_shown) return -1;
    const auto& events = m_shown->trace->events;
    const auto after = std::upper_bound(events.begin(), events.end(), at,
                                        [](Instant t, const Event& event) { return t < event.at; });
    return static_cast<int>(after - events.begin()) - 1;
}

QString EventModel::sentence(int event) const {
    return qstr(sentenceFor(*m_shown->trace, m_shown->trace->events[static_cast<std::size_t>(event)]));
}

QVariant EventModel::noteData(const Note& note, int column, int role) const {
    const QString text = tr("Note: %1").arg(qstr(note.text));
    switch (role) {
    case Qt::DisplayRole:
        return column == TimeColumn ? exactSeconds(note.from) : text;
    case Qt::ToolTipRole:
        return text;
    case Qt::AccessibleTextRole:
        return QString(exactSeconds(note.from) + QStringLiteral(", ") + text);
    case ActorRole:
        return kNone;
    default:
        return {};
    }
}

QVariant EventModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || !m_shown) return {};
    const int number = eventAt(index.row());
    if (number < 0)
        return noteData(m_notes->all()[static_cast<std::size_t>(noteAt(index.row()))], index.column(), role);
    const Event& event = m_shown->trace->events[static_cast<std::size_t>(number)];
    switch (role) {
    case Qt::DisplayRole:
        return index.column() == TimeColumn ? exactSeconds(event.at) : sentence(number);
    case Qt::ToolTipRole: {
        const StringId sql = Statements(*m_shown->trace).of(static_cast<std::size_t>(number));
        if (sql == StringId::Empty) return sentence(number);
        return sentence(number) + QLatin1Char('\n') + qstr(m_shown->trace->text(sql));
    }
    case Qt::AccessibleTextRole:
        return QString(exactSeconds(event.at) + QStringLiteral(", ") + sentence(number));
    case ActorRole:
        return static_cast<int>(event.actor);
    case OutsideRole:
        return event.actor != kNone && m_shown->trace->actors[static_cast<std::size_t>(event.actor)].outside;
    default:
        return {};
    }
}

} // namespace lockscope::ui
