// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDateTime>
#include <QLockFile>
#include <QObject>
#include <QTimer>

#include <memory>
#include <optional>

#include "ui/bridge/run_document.h"

namespace lockscope::ui {

/// Keeps unsaved work in a folder while it is being done, so that neither a crash nor closing the window
/// loses it, and finds what earlier windows have left.
///
/// Each window writes a file of its own, under a lock that ends with the process; a file without its lock has
/// been left. So two windows never offer, overwrite or remove each other's work.
class Recovery : public QObject {
    Q_OBJECT
public:
    Recovery(RunDocument& document, const QString& folder, QObject* parent = nullptr);
    ~Recovery() override;

    QString folder() const { return m_folder; }
    /// Writes what has not been written yet. Whether nothing would be lost now: the work is in its file, or
    /// there is none.
    [[nodiscard]] bool flush();
    /// The document is about to be replaced: what is unsaved is left behind, to be found by look(). Whether
    /// there was anything.
    bool setAside();

    /// Work that was left.
    struct Left {
        QString file;
        QString origin; ///< the run file it belongs to; empty if it was never saved
        QDateTime when;
        RunFile content;
    };
    struct Found {
        std::optional<Left> newest; ///< the latest that no window is working on
        QStringList unreadable;     ///< files that are of no use here, by their new names; told only once
    };
    /// Looks for what was left. What cannot be read is not offered but keeps lying there under another name:
    /// a newer version, or somebody's own eyes, may make something of it.
    Found look();
    void discard(const Left& left);
    /// What was discarded lies there again, as old as it was.
    void putBack(const Left& left);

private:
    void flushQuietly();
    void take();
    void letGo();
    void follow();

    RunDocument& m_document;
    QString m_folder;
    QString m_file; ///< of this window's unsaved work; it need not exist
    std::unique_ptr<QLockFile> m_lock;
    QTimer m_quiet;
};

} // namespace lockscope::ui
