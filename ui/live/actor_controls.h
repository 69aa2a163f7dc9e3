// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QList>
#include <QWidget>

class QHBoxLayout;
class QToolButton;

namespace lockscope::ui {

class LiveHost;
class Look;

/// For each actor of a live run: stop its process and let it go on, kill it, start it again. They act at
/// once, on the real process; while a stop is held down it lasts, and ends with it.
class ActorControls : public QWidget {
    Q_OBJECT
public:
    ActorControls(LiveHost& host, Look& look, QWidget* parent = nullptr);

    /// For the actors of the host's scenario.
    void rebuild();
    /// What can be done now.
    void refresh(bool running);

    void pauseOrResume(int actor);
    /// The button goes down, and up again: a process that was stopped by it and held stands still for so
    /// long, a short click until the next one.
    void press(int actor);
    void release();
    void kill(int actor);
    void restart(int actor);

signals:
    void refused(const QString& why);

private:
    struct Buttons {
        QToolButton* pause = nullptr;
        QToolButton* kill = nullptr;
        QToolButton* restart = nullptr;
    };
    QToolButton* addButton(QWidget* group, const QString& name, int actor);
    void tell(const QString& why);

    LiveHost& m_host;
    Look& m_look;
    QHBoxLayout* m_row = nullptr;
    QList<QWidget*> m_groups;
    QList<Buttons> m_buttons;
    int m_held = -1; ///< the actor that a button which is down has stopped
    QElapsedTimer m_holding;
};

} // namespace lockscope::ui
