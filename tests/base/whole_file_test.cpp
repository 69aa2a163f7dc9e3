// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
// A save that fails, wherever it fails, leaves the old file as it was.
#include <QtTest>

#include <csignal>
#include <sys/resource.h>
#include <sys/stat.h>

#include "core/base/whole_file.h"

using namespace lockscope;

class WholeFileTest : public QObject {
    Q_OBJECT
private slots:
    void init() { QVERIFY(m_folder.isValid()); }
    void whatIsWrittenIsRead();
    void aLinkStaysALink();
    void aLinkToNothingYetStaysALink();
    void linksInARingAreNoPlace();
    void aNewFileGetsWhatNewFilesGet();
    void aFullDiskLeavesTheOldFile();
    void placesThatCannotBeWritten();
    void theLimitHolds();

private:
    std::string path(const char* name) const {
        return m_folder.filePath(QString::fromLatin1(name)).toStdString();
    }
    std::string content(const char* name) const {
        const Result<std::string> text = readWholeFile(path(name), 1000, "a file");
        return text ? *text : text.error().text();
    }
    QStringList names() const { return QDir(m_folder.path()).entryList(QDir::Files | QDir::Hidden); }

    QTemporaryDir m_folder;
};

void WholeFileTest::whatIsWrittenIsRead() {
    QVERIFY(writeWholeFile(path("a"), "first").ok());
    QVERIFY(writeWholeFile(path("a"), "second").ok());
    QCOMPARE(content("a"), std::string("second"));
    QVERIFY(QFile::setPermissions(m_folder.filePath("a"), QFile::ReadOwner | QFile::WriteOwner));
    QVERIFY(writeWholeFile(path("a"), "third").ok());
    QCOMPARE(QFile::permissions(m_folder.filePath("a")) & (QFile::ReadOther | QFile::ReadGroup),
             QFile::Permissions{});
    QCOMPARE(names(), QStringList{"a"}); // no draft is left
}

void WholeFileTest::aLinkStaysALink() {
    QVERIFY(writeWholeFile(path("target"), "old").ok());
    QVERIFY(QFile::link(m_folder.filePath("target"), m_folder.filePath("link")));
    QVERIFY(writeWholeFile(path("link"), "new").ok());
    QVERIFY(QFileInfo(m_folder.filePath("link")).isSymLink());
    QCOMPARE(content("target"), std::string("new"));
}

void WholeFileTest::aLinkToNothingYetStaysALink() {
    QVERIFY(QDir(m_folder.path()).mkdir("runs"));
    QVERIFY(QFile::link("runs/later", m_folder.filePath("first"))); // relative, and one through another
    QVERIFY(QFile::link(m_folder.filePath("first"), m_folder.filePath("second")));
    QVERIFY(writeWholeFile(path("second"), "new").ok());
    QVERIFY(QFileInfo(m_folder.filePath("first")).isSymLink());
    QVERIFY(QFileInfo(m_folder.filePath("second")).isSymLink());
    QCOMPARE(content("runs/later"), std::string("new"));
}

void WholeFileTest::linksInARingAreNoPlace() {
    QVERIFY(QFile::link(m_folder.filePath("ring"), m_folder.filePath("ring")));
    QCOMPARE(writeWholeFile(path("ring"), "x").error().message,
             std::string("Too many levels of symbolic links"));
}

void WholeFileTest::aNewFileGetsWhatNewFilesGet() {
    const mode_t mask = ::umask(027);
    const bool done = writeWholeFile(path("masked"), "x").ok();
    ::umask(mask);
    QVERIFY(done);
    struct stat found {};
    QCOMPARE(::stat(path("masked").c_str(), &found), 0);
    QCOMPARE(found.st_mode & 07777, mode_t{0640});
}

/// The system refuses to write more than a hundred bytes to any file, as a full disk would in the middle.
void WholeFileTest::aFullDiskLeavesTheOldFile() {
    QVERIFY(writeWholeFile(path("b"), "what was there").ok());
    const QStringList before = names();
    rlimit old{};
    QCOMPARE(getrlimit(RLIMIT_FSIZE, &old), 0);
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    rlimit small = old;
    small.rlim_cur = 100;
    QCOMPARE(setrlimit(RLIMIT_FSIZE, &small), 0);
    const Result<void> written = writeWholeFile(path("b"), std::string(5000, 'x'));
    setrlimit(RLIMIT_FSIZE, &old);
    std::signal(SIGXFSZ, handler);
    QVERIFY(!written.ok());
    QCOMPARE(written.error().message, std::string("File too large"));
    QCOMPARE(content("b"), std::string("what was there"));
    QCOMPARE(names(), before);
}

void WholeFileTest::placesThatCannotBeWritten() {
    QCOMPARE(writeWholeFile(path("no/such/folder"), "x").error().message,
             std::string("No such file or directory"));
    QCOMPARE(writeWholeFile(m_folder.path().toStdString(), "x").error().message,
             std::string("Is a directory"));
}

void WholeFileTest::theLimitHolds() {
    QVERIFY(writeWholeFile(path("c"), std::string(1001, 'x')).ok());
    QCOMPARE(content("c"), path("c") + ": a file may have 1000 bytes at most, this one has more");
    QVERIFY(writeWholeFile(path("c"), std::string(1000, 'x')).ok());
    QCOMPARE(content("c").size(), std::size_t{1000});
}

QTEST_GUILESS_MAIN(WholeFileTest)
#include "whole_file_test.moc"
