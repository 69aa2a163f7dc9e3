// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointer>
#include <QWidget>

namespace lockscope::ui {

class Look;

/// The ring around whatever has the keyboard's focus in a window: 2 px, outside of it, with a gap of 1 px. It
/// appears with the keyboard and goes with the mouse.
class FocusRing : public QWidget {
    Q_OBJECT
public:
    FocusRing(Look& look, QWidget* window);

protected:
    void paintEvent(QPaintEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void follow(QWidget* focused);
    void place();

    Look& m_look;
    QPointer<QWidget> m_focused;
    bool m_byKeyboard = false;
};

} // namespace lockscope::ui
