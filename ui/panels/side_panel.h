// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include <array>

class QFrame;
class QSplitter;
class QTabBar;
class QToolButton;

namespace lockscope::ui {

class Look;

/// The place for Key, Code and Events: one at a time behind tabs where room is scarce; where it is not, Key
/// above Code with Events as a drawer below, or in all of it if they are alone.
class SidePanel : public QWidget {
    Q_OBJECT
public:
    enum Part { Key, Code, Events, PartCount };

    SidePanel(Look& look, QWidget* key, QWidget* code, QWidget* events, QWidget* parent = nullptr);

    void setStacked(bool stacked);
    bool stacked() const { return m_stacked; }
    /// Which parts there are at all; with none, the panel hides itself.
    void setShown(bool key, bool code, bool events);
    bool shown(Part part) const { return m_shown[part]; }
    /// Brings a part to the front; a drawer opens.
    void raise(Part part);
    void setDrawerOpen(bool open);
    bool drawerOpen() const { return m_drawerOpen; }

signals:
    void shownChanged();

private:
    bool eventsAreDrawer() const;
    void arrange();
    void applyLook();

    Look& m_look;
    std::array<QWidget*, PartCount> m_parts;
    std::array<QFrame*, PartCount> m_cards{};
    std::array<QToolButton*, PartCount> m_titles{};
    std::array<bool, PartCount> m_shown{};
    QTabBar* m_tabs = nullptr;
    QSplitter* m_splitter = nullptr;
    bool m_stacked = false;
    bool m_drawerOpen = false;
    Part m_front = Key;
};

} // namespace lockscope::ui
