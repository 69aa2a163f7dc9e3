// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/bridge/recovery.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QUuid>

#include "core/base/whole_file.h"
#include "ui/bridge/text.h"

namespace lockscope::ui {

namespace {

constexpr int kSaveAfterMillis = 700;
constexpr int kMostLeft = 20; ///< older ones are removed
constexpr auto kSuffix = ".lockrun";
constexpr auto kUnreadable = ".unreadable";

QString lockOf(const QString& file) {
    return file + QStringLiteral(".lock");
}

std::unique_ptr<QLockFile> tryToLock(const QString& file) {
    auto lock = std::make_unique<QLockFile>(lockOf(file));
    lock->setStaleLockTime(std::chrono::milliseconds(0)); // it ends with its process, however long that takes
    if (!lock->tryLock(0)) return nullptr;
    return lock;
}

} // namespace

Recovery::Recovery(RunDocument& document, const QString& folder, QObject* parent)
    : QObject(parent), m_document(document), m_folder(folder) {
    QDir().mkpath(folder);
    m_quiet.setSingleShot(true);
    m_quiet.setInterval(kSaveAfterMillis);
    connect(&m_quiet, &QTimer::timeout, this, &Recovery::flushQuietly);
    connect(&document, &RunDocument::changed, this, &Recovery::follow);
    take();
}

Recovery::~Recovery() = default;

void Recovery::take() {
    const QString name = QUuid::createUuid().toString(QUuid::WithoutBraces);
    m_file = QDir(m_folder).filePath(name + QLatin1String(kSuffix));
    m_lock = tryToLock(m_file);
}

void Recovery::letGo() {
    m_quiet.stop();
    m_lock.reset();
}

void Recovery::follow() {
    if (m_document.modified()) {
        m_quiet.start();
    } else {
        m_quiet.stop();
        QFile::remove(m_file);
    }
}

bool Recovery::flush() {
    m_quiet.stop();
    if (!m_document.modified()) return true;
    if (m_lock == nullptr) return false;
    RunFile file = m_document.content();
    file.origin = m_document.path().toStdString();
    return writeRunFile(file, m_file.toStdString()).ok();
}

/// If this fails there is nobody to tell who could help: the work is still in the window. What a hand holds
/// is no work yet; the document tells when it is.
void Recovery::flushQuietly() {
    if (!m_document.inHand()) static_cast<void>(flush());
}

bool Recovery::setAside() {
    flushQuietly();
    letGo();
    const bool left = QFile::exists(m_file);
    take();
    return left;
}

Recovery::Found Recovery::look() {
    Found found;
    int seen = 0;
    const QFileInfoList files =
        QDir(m_folder).entryInfoList({QLatin1Char('*') + QLatin1String(kSuffix)}, QDir::Files, QDir::Time);
    for (const QFileInfo& info : files) {
        if (info.filePath() == m_file) continue;
        const std::unique_ptr<QLockFile> lock = tryToLock(info.filePath());
        if (lock == nullptr) continue; // another window is working on it
        Result<RunFile> file = readRunFile(info.filePath().toStdString());
        if (!file) {
            const QString aside = info.filePath() + QLatin1String(kUnreadable);
            if (QFile::rename(info.filePath(), aside)) found.unreadable << aside;
        } else if (++seen > kMostLeft) {
            QFile::remove(info.filePath());
        } else if (!found.newest) {
            const QString origin = qstr(file->origin);
            found.newest = Left{info.filePath(), origin, info.lastModified(), std::move(*file)};
        }
    }
    return found;
}

void Recovery::discard(const Left& left) {
    QFile::remove(left.file);
    QFile::remove(lockOf(left.file));
}

void Recovery::putBack(const Left& left) {
    if (!writeRunFile(left.content, left.file.toStdString())) return; // it can be offered all the same
    QFile file(left.file);
    if (file.open(QIODevice::ReadWrite)) file.setFileTime(left.when, QFileDevice::FileModificationTime);
}

} // namespace lockscope::ui
