// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QApplication>
#include <QDropEvent>
#include <QFile>
#include <QFileDialog>
#include <QLineEdit>
#include <QMimeData>
#include <QTemporaryDir>
#include <QTest>

#include <memory>
#include <optional>

#include "ui/bridge/lesson_model.h"
#include "ui/bridge/text.h"
#include "ui/look.h"
#include "ui/main_window.h"

namespace lockscope::test {

/// Collects what Qt complains about, from when it is made: that must be while a test runs, as QTest puts a
/// handler of its own over what was there before.
class Complaints {
public:
    Complaints() { s_before = qInstallMessageHandler(take); }
    ~Complaints() { qInstallMessageHandler(s_before); }
    static QStringList taken() { return std::exchange(s_list, {}); }

private:
    static void take(QtMsgType type, const QMessageLogContext& context, const QString& text) {
        // The offscreen platform says this of every window and tooltip; it is about itself.
        const bool ofThePlatform = text.contains(QLatin1String("This plugin does not support"));
        if (type != QtDebugMsg && type != QtInfoMsg && !ofThePlatform) s_list << text;
        s_before(type, context, text);
    }
    static inline QtMessageHandler s_before = nullptr;
    static inline QStringList s_list;
};

/// A test in which Qt complains of anything has failed. What overrides init() or cleanup() calls them.
class QuietTest : public QObject {
    Q_OBJECT
protected slots:
    void init() { m_complaints.emplace(); }
    void cleanup() {
        m_complaints.reset();
        QCOMPARE(Complaints::taken(), QStringList());
    }

private:
    std::optional<Complaints> m_complaints;
};

/// The real window over the real simulator and the shipped lessons, with a home of its own.
class WindowUnderTest {
public:
    explicit WindowUnderTest(const QString& open = {}, const QSize& size = QSize(1280, 720)) {
        start(open, size);
    }

    void start(const QString& open = {}, const QSize& size = QSize(1280, 720)) {
        m_window.reset();
        ui::WindowOptions options;
        options.session = makeSimulatedSession();
        options.lessonFolder = lessons();
        options.open = open;
        options.settingsFile = m_home.filePath(QStringLiteral("window.ini"));
        m_window = std::make_unique<ui::MainWindow>(std::move(options));
        if (size.isValid()) m_window->resize(size);
        m_window->show();
        QApplication::setActiveWindow(m_window.get());
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        m_window->look().setReducedMotion(true);
    }
    void close() { m_window->close(); }
    /// As when the process ends: no window gets to say anything.
    void kill() { m_window.reset(); }

    static QString lessons() { return QStringLiteral(LOCKSCOPE_SOURCE_DIR "/lessons"); }
    QString home(const QString& file) const { return m_home.filePath(file); }

    ui::MainWindow& operator*() { return *m_window; }
    ui::MainWindow* operator->() { return m_window.get(); }

    /// A child by its name; if it is missing, the test fails with what is there.
    template <typename T = QWidget>
    T* child(const QString& name) {
        T* found = m_window->findChild<T*>(name);
        if (found == nullptr) {
            QStringList names;
            for (const T* each : m_window->findChildren<T*>())
                names << each->objectName();
            names.removeAll(QString());
            names.sort();
            qFatal("no %s among: %s", qPrintable(name), qPrintable(names.join(QStringLiteral(", "))));
        }
        return found;
    }
    /// Lets layouts settle and paints happen.
    static void settle() {
        for (int i = 0; i < 4; ++i)
            QApplication::processEvents();
    }
    bool sees(const QString& name) {
        settle();
        const QWidget* widget = m_window->findChild<QWidget*>(name);
        if (widget == nullptr || !widget->isVisible()) return false;
        QRect rest = widget->rect(); // what its ancestors leave of it
        for (; widget != m_window.get() && widget->parentWidget() != nullptr; widget = widget->parentWidget())
            rest = rest.translated(widget->pos()).intersected(widget->parentWidget()->rect());
        return !rest.isEmpty();
    }
    /// The text of a visible label or button; empty if it cannot be seen.
    QString text(const QString& name) {
        settle();
        const QWidget* widget = child(name);
        return widget->isVisible() ? widget->property("text").toString() : QString();
    }
    void click(const QString& name) {
        settle();
        QWidget* widget = child(name);
        QVERIFY2(widget->isVisible() && widget->isEnabled(),
                 qPrintable(name + QStringLiteral(" cannot be clicked")));
        QTest::mouseClick(widget, Qt::LeftButton);
    }
    void key(Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
        QWidget* focus = QApplication::focusWidget();
        QTest::keyClick(focus != nullptr ? focus : m_window.get(), key, modifiers);
    }

    ui::RunModel& run() { return m_window->run(); }
    ui::LessonModel& lesson() { return m_window->lesson(); }
    double playheadSeconds() { return static_cast<double>(micros(run().playhead())) / 1e6; }

private:
    QTemporaryDir m_home;
    std::unique_ptr<ui::MainWindow> m_window;
};

/// Types a path into the dialog of this name, and Return; under a filter, if one is named.
inline void answerDialog(WindowUnderTest& window, const QString& name, const QString& path,
                         const QString& filter = {}) {
    auto* dialog = window.child<QFileDialog>(name);
    QVERIFY(QTest::qWaitForWindowExposed(dialog));
    if (!filter.isEmpty()) {
        dialog->selectNameFilter(filter);
        emit dialog->filterSelected(filter);
    }
    auto* line = dialog->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"));
    QVERIFY(line != nullptr);
    line->setText(path);
    QTest::keyClick(line, Qt::Key_Return);
    QApplication::setActiveWindow(&*window);
    window.settle();
}

inline void dropOn(WindowUnderTest& window, const QString& path) {
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(path)});
    QDragEnterEvent enter(QPoint(100, 100), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&*window, &enter);
    QVERIFY(enter.isAccepted());
    QDropEvent drop(QPointF(100, 100), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&*window, &drop);
    window.settle();
}

inline QByteArray bytesOf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("cannot be read");
}

inline void write(const QString& path, const QByteArray& bytes) {
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size()) qFatal("cannot write");
}

inline QByteArray shippedLesson(const char* id) {
    return bytesOf(QStringLiteral("%1/%2.md").arg(WindowUnderTest::lessons(), QLatin1String(id)));
}

} // namespace lockscope::test
