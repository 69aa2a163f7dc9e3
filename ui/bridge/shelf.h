// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QString>

namespace lockscope::ui {

/// The lessons of a folder, as a picker needs them: in order, the broken ones among them.
struct Shelf {
    struct Entry {
        QString id; ///< empty if the file cannot be read
        QString title;
        QString path;
        bool broken = false;
    };
    QList<Entry> entries;

    /// Null if there is none.
    const Entry* byId(const QString& id) const;
    const Entry* byPath(const QString& path) const;
};

Shelf readShelf(const QString& folder);

} // namespace lockscope::ui
