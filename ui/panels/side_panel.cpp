// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/side_panel.h"

#include <QFrame>
#include <QSplitter>
#include <QTabBar>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/look.h"
#include "ui/panels/icons.h"

namespace lockscope::ui {

SidePanel::SidePanel(Look& look, QWidget* key, QWidget* code, QWidget* events, QWidget* parent)
    : QWidget(parent), m_look(look), m_parts{key, code, events} {
    setObjectName(QStringLiteral("sidePanel"));
    setAccessibleName(tr("Details"));
    const std::array<QString, PartCount> names{tr("Key"), tr("Code"), tr("Events")};
    m_tabs = new QTabBar(this);
    m_tabs->setObjectName(QStringLiteral("sideTabs"));
    m_tabs->setAccessibleName(tr("Details"));
    m_tabs->setDrawBase(false);
    m_tabs->setExpanding(false);
    m_splitter = new QSplitter(Qt::Vertical, this);
    m_splitter->setObjectName(QStringLiteral("sideSplitter"));
    m_splitter->setChildrenCollapsible(false);
    m_splitter->setHandleWidth(1);
    for (int i = 0; i < PartCount; ++i) {
        m_tabs->addTab(names[static_cast<std::size_t>(i)]);
        m_tabs->setTabToolTip(i, tr("%1 (Ctrl+%2)").arg(names[static_cast<std::size_t>(i)]).arg(i + 1));
        auto* card = new QFrame(m_splitter);
        card->setObjectName(QStringLiteral("card_%1").arg(i));
        auto* column = new QVBoxLayout(card);
        column->setContentsMargins(0, 0, 0, 0);
        column->setSpacing(0);
        auto* title = new QToolButton(card);
        title->setObjectName(QStringLiteral("cardTitle_%1").arg(i));
        title->setText(names[static_cast<std::size_t>(i)]);
        title->setAccessibleName(names[static_cast<std::size_t>(i)]);
        title->setProperty("flat", true);
        title->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
        title->setFocusPolicy(Qt::NoFocus);
        title->setAttribute(Qt::WA_TransparentForMouseEvents);
        column->addWidget(title, 0, Qt::AlignLeft);
        column->addWidget(m_parts[static_cast<std::size_t>(i)], 1);
        m_cards[static_cast<std::size_t>(i)] = card;
        m_titles[static_cast<std::size_t>(i)] = title;
        m_splitter->addWidget(card);
    }
    m_titles[Events]->setToolTip(tr("Open or close the list of events (Ctrl+3)"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_tabs);
    column->addWidget(m_splitter, 1);
    connect(m_tabs, &QTabBar::currentChanged, this, [this](int index) {
        if (index < 0) return;
        m_front = static_cast<Part>(index);
        arrange();
    });
    connect(m_titles[Events], &QToolButton::clicked, this, [this] { setDrawerOpen(!m_drawerOpen); });
    connect(&look, &Look::changed, this, &SidePanel::applyLook);
    applyLook();
    arrange();
}

void SidePanel::setStacked(bool stacked) {
    if (stacked == m_stacked) return;
    m_stacked = stacked;
    arrange();
}

void SidePanel::setShown(bool key, bool code, bool events) {
    const std::array<bool, PartCount> shown{key, code, events};
    // What has just been brought in is what the step is about.
    for (int i = PartCount - 1; i >= 0; --i)
        if (shown[static_cast<std::size_t>(i)] && !m_shown[static_cast<std::size_t>(i)])
            m_front = static_cast<Part>(i);
    m_shown = shown;
    if (!m_shown[m_front])
        for (int i = PartCount - 1; i >= 0; --i)
            if (m_shown[static_cast<std::size_t>(i)]) m_front = static_cast<Part>(i);
    arrange();
    emit shownChanged();
}

void SidePanel::raise(Part part) {
    m_shown[part] = true; // asked for by name, whatever the step shows
    m_front = part;
    if (part == Events) m_drawerOpen = true;
    arrange();
    emit shownChanged();
}

void SidePanel::setDrawerOpen(bool open) {
    m_drawerOpen = open;
    arrange();
}

/// A drawer is beside something: alone they have the room that there is.
bool SidePanel::eventsAreDrawer() const {
    return m_stacked && (m_shown[Key] || m_shown[Code]);
}

void SidePanel::arrange() {
    int count = 0;
    {
        const QSignalBlocker quiet(m_tabs);
        for (int i = 0; i < PartCount; ++i) {
            m_tabs->setTabVisible(i, m_shown[static_cast<std::size_t>(i)]);
            count += m_shown[static_cast<std::size_t>(i)];
        }
        m_tabs->setCurrentIndex(m_front);
    }
    m_tabs->setVisible(!m_stacked && count > 0);
    for (int i = 0; i < PartCount; ++i) {
        const auto p = static_cast<std::size_t>(i);
        m_titles[p]->setVisible(m_stacked);
        const bool closed = i == Events && eventsAreDrawer() && !m_drawerOpen;
        m_parts[p]->setVisible(!closed);
        m_cards[p]->setVisible(m_shown[p] && (m_stacked || i == m_front));
        m_cards[p]->setSizePolicy(QSizePolicy::Preferred,
                                  closed ? QSizePolicy::Maximum : QSizePolicy::Expanding);
        // A closed drawer is its title and no more.
        m_cards[p]->setMaximumHeight(closed ? m_titles[p]->sizeHint().height() + m_look.px(2)
                                            : QWIDGETSIZE_MAX);
    }
    QToolButton& handle = *m_titles[Events];
    handle.setIcon(eventsAreDrawer() ? glyphIcon(m_look, m_drawerOpen ? Glyph::Fold : Glyph::Unfold)
                                     : QIcon());
    handle.setFocusPolicy(eventsAreDrawer() ? Qt::TabFocus : Qt::NoFocus);
    handle.setAttribute(Qt::WA_TransparentForMouseEvents, !eventsAreDrawer());
    setVisible(count > 0);
}

void SidePanel::applyLook() {
    m_tabs->setFont(m_look.font(TextRole::Lane));
    for (QToolButton* title : m_titles) {
        QFont font = m_look.font(TextRole::Lane);
        font.setWeight(QFont::DemiBold);
        title->setFont(font);
        title->setIconSize({m_look.px(12), m_look.px(12)});
    }
    arrange();
}

} // namespace lockscope::ui
