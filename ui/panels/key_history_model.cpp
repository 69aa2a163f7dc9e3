// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/key_history_model.h"

#include <algorithm>

#include "core/trace/wording.h"
#include "ui/bridge/text.h"
#include "ui/panels/row_delegate.h"

namespace lockscope::ui {

void KeyHistoryModel::setKey(std::shared_ptr<const Run> run, StringId key) {
    beginResetModel();
    m_run = std::move(run);
    m_moments = m_run ? keyHistory(*m_run->trace, m_run->analysis, key) : std::vector<KeyMoment>{};
    m_count = 0;
    endResetModel();
}

void KeyHistoryModel::setUntil(Instant until) {
    const auto after = std::upper_bound(m_moments.begin(), m_moments.end(), until,
                                        [](Instant t, const KeyMoment& moment) { return t < moment.at; });
    const int count = static_cast<int>(after - m_moments.begin());
    if (count == m_count) return;
    // The latest stands on top, so moments come and go there.
    if (count > m_count) {
        beginInsertRows({}, 0, count - m_count - 1);
        m_count = count;
        endInsertRows();
    } else {
        beginRemoveRows({}, 0, m_count - count - 1);
        m_count = count;
        endRemoveRows();
    }
}

int KeyHistoryModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : m_count;
}
int KeyHistoryModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : 2;
}

const KeyMoment& KeyHistoryModel::momentAt(int row) const {
    return m_moments[static_cast<std::size_t>(m_count - 1 - row)];
}

int KeyHistoryModel::rowOfEvent(int event) const {
    for (int row = 0; row < m_count; ++row)
        if (static_cast<int>(momentAt(row).event) == event) return row;
    return -1;
}

/// Short enough for a narrow panel; who it was is told by the badge, the rest by the tool tip.
QString KeyHistoryModel::brief(const KeyMoment& moment) const {
    const QString length = moment.deadline == kNever
                               ? tr("without a deadline")
                               : tr("for %1").arg(forPeople(moment.deadline - moment.at));
    switch (moment.kind) {
    case KeyMoment::Kind::Granted:
        return tr("granted %1").arg(length);
    case KeyMoment::Kind::Renewed:
        return tr("renewed %1").arg(length);
    case KeyMoment::Kind::Rewritten:
        return tr("written %1").arg(length);
    case KeyMoment::Kind::DeadlineChanged:
        return tr("deadline moved, %1").arg(length);
    case KeyMoment::Kind::LeaseEnded:
        return tr("lease ended");
    case KeyMoment::Kind::Ended:
        return qstr(wordFor(moment.reason));
    case KeyMoment::Kind::Removed:
        return moment.reason == EndReason::LeaseEnded
                   ? tr("key removed")
                   : tr("key removed: %1").arg(qstr(wordFor(moment.reason)));
    }
    return {};
}

QString KeyHistoryModel::sentence(const KeyMoment& moment) const {
    const auto& trace = *m_run->trace;
    QString text = brief(moment);
    if (moment.actor != kNone)
        text = tr("%1 by %2").arg(text, qstr(trace.actors[static_cast<std::size_t>(moment.actor)].name));
    if (moment.kind == KeyMoment::Kind::Granted && moment.actor != kNone)
        text = tr("%1 to %2")
                   .arg(brief(moment), qstr(trace.actors[static_cast<std::size_t>(moment.actor)].name));
    const bool setsDeadline = moment.kind <= KeyMoment::Kind::DeadlineChanged && moment.deadline != kNever;
    return setsDeadline ? tr("%1, until %2").arg(text, exactSeconds(moment.deadline)) : text;
}

QVariant KeyHistoryModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    const KeyMoment& moment = momentAt(index.row());
    switch (role) {
    case Qt::DisplayRole:
        return index.column() == RowDelegate::kTimeColumn ? exactSeconds(moment.at) : brief(moment);
    case Qt::ToolTipRole:
        return sentence(moment);
    case Qt::AccessibleTextRole:
        return QString(exactSeconds(moment.at) + QStringLiteral(", ") + sentence(moment));
    case ActorRole:
        return static_cast<int>(moment.actor);
    case OutsideRole:
        return moment.actor != kNone && m_run->trace->actors[static_cast<std::size_t>(moment.actor)].outside;
    default:
        return {};
    }
}

} // namespace lockscope::ui
