// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>

#include <memory>
#include <vector>

#include "core/trace/key_history.h"
#include "ui/bridge/run_model.h"

namespace lockscope::ui {

/// The life of one key up to an instant, the latest first, each moment with its reason.
class KeyHistoryModel : public QAbstractTableModel {
    Q_OBJECT
public:
    using QAbstractTableModel::QAbstractTableModel;

    void setKey(std::shared_ptr<const Run> run, StringId key);
    void setUntil(Instant until);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;

    const KeyMoment& momentAt(int row) const;
    /// The row of the moment that an event made, or -1.
    int rowOfEvent(int event) const;
    /// All of them, in order of time.
    const std::vector<KeyMoment>& moments() const { return m_moments; }

private:
    QString brief(const KeyMoment& moment) const;
    QString sentence(const KeyMoment& moment) const;

    std::shared_ptr<const Run> m_run;
    std::vector<KeyMoment> m_moments;
    int m_count = 0; ///< how many are not after the instant
};

} // namespace lockscope::ui
