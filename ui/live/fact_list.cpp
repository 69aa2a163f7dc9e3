// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/live/fact_list.h"

#include <QGridLayout>
#include <QLabel>

#include <algorithm>

#include "ui/bridge/text.h"
#include "ui/look.h"
#include "ui/panels/wrap_label.h"

namespace lockscope::ui {

namespace {

/// Younger than that is shown as just now: the figure would only flicker.
constexpr Duration kJustNow = millis(100);
constexpr Duration kTenth = millis(100);

} // namespace

FactList::FactList(Look& look, QWidget* parent) : QWidget(parent), m_look(look) {
    setObjectName(QStringLiteral("factList"));
    setAccessibleName(tr("What is known, and from where"));
    m_grid = new QGridLayout(this);
    m_grid->setColumnStretch(1, 1);
    connect(&look, &Look::changed, this, &FactList::applyLook);
    applyLook();
}

void FactList::addRow() {
    const auto index = static_cast<int>(m_rows.size());
    Row row;
    row.name = new QLabel(this);
    row.name->setTextFormat(Qt::PlainText);
    row.name->setObjectName(QStringLiteral("factName%1").arg(index));
    row.value = new WrapLabel(this);
    row.value->setObjectName(QStringLiteral("factValue%1").arg(index));
    row.value->setTextFormat(Qt::PlainText);
    row.source = new QLabel(this);
    row.source->setObjectName(QStringLiteral("factSource%1").arg(index));
    row.source->setTextFormat(Qt::PlainText);
    row.source->setProperty("dim", true);
    row.name->setProperty("dim", true);
    m_grid->addWidget(row.name, 2 * index, 0, Qt::AlignTop);
    m_grid->addWidget(row.value, 2 * index, 1);
    m_grid->addWidget(row.source, 2 * index + 1, 1);
    m_rows.append(row);
    applyLook();
}

void FactList::setFacts(const QList<KnownFact>& facts) {
    m_facts = facts;
    while (m_rows.size() < facts.size())
        addRow();
    for (qsizetype i = 0; i < m_rows.size(); ++i) {
        const Row& row = m_rows[i];
        const bool there = i < facts.size();
        for (QWidget* each : {static_cast<QWidget*>(row.name), static_cast<QWidget*>(row.value),
                              static_cast<QWidget*>(row.source)})
            each->setVisible(there);
        if (!there) continue;
        const KnownFact& fact = facts[i];
        const Duration age{fact.age.count() / kTenth.count() * kTenth.count()};
        row.name->setText(fact.name);
        row.value->setText(breakable(fact.value));
        row.source->setText(fact.age < kJustNow ? tr("%1, now").arg(fact.source)
                                                : tr("%1, %2 ago").arg(fact.source, exactSeconds(age)));
    }
    setAccessibleDescription(lines().join(QLatin1Char('\n')));
    if (isVisible()) setMinimumHeight(heightForWidth(width()));
}

/// A splitter asks nobody how high he is at his width.
int FactList::heightForWidth(int width) const {
    return std::max(0, m_grid->totalHeightForWidth(width)); // -1: nothing is known yet
}

void FactList::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    setMinimumHeight(heightForWidth(width()));
}

QStringList FactList::lines() const {
    QStringList out;
    for (qsizetype i = 0; i < m_facts.size(); ++i)
        out += QStringLiteral("%1: %2 (%3)").arg(m_facts[i].name, m_facts[i].value, m_rows[i].source->text());
    return out;
}

void FactList::applyLook() {
    m_grid->setContentsMargins(m_look.px(12), m_look.px(8), m_look.px(12), m_look.px(8));
    m_grid->setHorizontalSpacing(m_look.px(12));
    m_grid->setVerticalSpacing(m_look.px(2));
    for (const Row& row : m_rows) {
        row.name->setFont(m_look.font(TextRole::Caption));
        row.value->setFont(m_look.font(TextRole::Lane));
        row.source->setFont(m_look.font(TextRole::Caption));
    }
}

} // namespace lockscope::ui
