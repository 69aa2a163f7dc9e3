// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QWidget>

#include "ui/live/live_host.h"

class QGridLayout;
class QLabel;

namespace lockscope::ui {

class Look;
class WrapLabel;

/// What is known of a key: each fact, and under it where it came from and how old it is.
class FactList : public QWidget {
    Q_OBJECT
public:
    explicit FactList(Look& look, QWidget* parent = nullptr);

    void setFacts(const QList<KnownFact>& facts);
    int heightForWidth(int width) const override;
    /// `Value: "5f3a" (reply, 1.2 s ago)`: what a screen reader says.
    QStringList lines() const;

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    struct Row {
        QLabel* name = nullptr;
        WrapLabel* value = nullptr;
        QLabel* source = nullptr;
    };
    void addRow();
    void applyLook();

    Look& m_look;
    QGridLayout* m_grid = nullptr;
    QList<Row> m_rows;
    QList<KnownFact> m_facts;
};

} // namespace lockscope::ui
