// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What has been done to the run, below the palette.
#include <QHBoxLayout>
#include <QScrollArea>
#include <QToolButton>

#include <algorithm>

#include "ui/bridge/fault_words.h"
#include "ui/bridge/lesson_model.h"
#include "ui/bridge/run_model.h"
#include "ui/look.h"
#include "ui/panels/fault_bar.h"
#include "ui/panels/flow_layout.h"
#include "ui/panels/icons.h"

namespace lockscope::ui {

namespace {
constexpr int kLongestChip = 400; // in units of the look
constexpr int kMostChipRows = 2;
} // namespace

/// One chip a fault. They are kept while a hand changes what they say, many times a second.
void FaultBar::rebuildChips() {
    const auto& list = m_lesson.interventions();
    // A row that comes or goes would move the timeline away under the hand.
    if (m_lesson.trying() && m_chipList.size() != list.size()) return;
    while (m_chipList.size() > list.size()) {
        QWidget* gone = m_chipList.back().whole;
        m_chipList.pop_back();
        m_chipRow->removeWidget(gone);
        gone->hide();
        gone->deleteLater(); // it may be the one that was just clicked
    }
    while (m_chipList.size() < list.size())
        addChip();
    const Selection selection = m_run.selection();
    bool any = false;
    for (int i = 0; i < static_cast<int>(list.size()); ++i) {
        const Chip& chip = m_chipList[static_cast<std::size_t>(i)];
        const bool veiled = list[static_cast<std::size_t>(i)].at > m_run.veil();
        chip.whole->setHidden(veiled);
        any = any || !veiled;
        QString text;
        if (!veiled) text = faultSentence(list[static_cast<std::size_t>(i)]);
        // While a hand moves it the run is another already.
        if (!veiled && !m_lesson.trying() && m_run.run()) text += faultOutcome(*m_run.run()->trace, i);
        chip.pick->setFont(m_look.font(TextRole::Caption));
        // A command can be as long as a script; the rest of it stands in the tip.
        const QString shown =
            chip.pick->fontMetrics().elidedText(text, Qt::ElideRight, m_look.px(kLongestChip));
        chip.pick->setText(tr("%1  %2").arg(i + 1).arg(shown));
        chip.pick->setToolTip(shown == text ? tr("Select it on the timeline") : text);
        chip.pick->setAccessibleName(text);
        chip.pick->setChecked(selection == Selection{Selection::Kind::Intervention, i});
        chip.remove->setIconSize({m_look.px(12), m_look.px(12)});
        chip.remove->setAccessibleName(tr("Remove: %1").arg(text));
    }
    m_chipScroll->setVisible(any);
    m_chipRow->invalidate();
    m_chips->updateGeometry();
    fitChips();
    if (selection.kind == Selection::Kind::Intervention &&
        selection.index < static_cast<int>(m_chipList.size()))
        m_chipScroll->ensureWidgetVisible(m_chipList[static_cast<std::size_t>(selection.index)].whole, 0, 0);
}

/// However many there are, the timeline and what stands below keep their room: the third row is scrolled to.
void FaultBar::fitChips() {
    if (m_chipScroll->isHidden()) return;
    const QMargins edges = layout()->contentsMargins();
    const int room = width() - edges.left() - edges.right();
    int row = 0;
    for (const Chip& chip : m_chipList)
        if (!chip.whole->isHidden()) row = std::max(row, chip.whole->sizeHint().height());
    const int most = kMostChipRows * row + (kMostChipRows - 1) * m_chipRow->spacing();
    const int wanted = m_chipRow->heightForWidth(room);
    m_chipScroll->setFixedHeight(std::min(wanted, most));
}

void FaultBar::addChip() {
    const int i = static_cast<int>(m_chipList.size());
    Chip chip;
    chip.whole = new QWidget(m_chips);
    auto* row = new QHBoxLayout(chip.whole);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    chip.pick = new QToolButton(chip.whole);
    chip.pick->setObjectName(QStringLiteral("fault%1").arg(i + 1));
    chip.pick->setToolTip(tr("Select it on the timeline"));
    chip.pick->setCheckable(true);
    chip.pick->setFocusPolicy(Qt::TabFocus);
    chip.remove = new QToolButton(chip.whole);
    chip.remove->setObjectName(QStringLiteral("removeFault%1").arg(i + 1));
    chip.remove->setIcon(glyphIcon(m_look, Glyph::Close));
    chip.remove->setToolTip(tr("Take it back (Delete while it is selected)"));
    chip.remove->setFocusPolicy(Qt::TabFocus);
    row->addWidget(chip.pick);
    row->addWidget(chip.remove);
    connect(chip.pick, &QToolButton::clicked, this, [this, i] {
        m_run.select({Selection::Kind::Intervention, i});
        rebuildChips(); // the click has toggled it
    });
    connect(chip.remove, &QToolButton::clicked, this, [this, i] { emit removeRequested(i); });
    m_chipRow->addWidget(chip.whole);
    chip.whole->show();
    m_chipList.push_back(chip);
}

} // namespace lockscope::ui
