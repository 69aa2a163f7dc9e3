// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/panels/findings_view.h"

class QCPGraph;
class QCPItemStraightLine;
class QCustomPlot;

namespace lockscope::ui {

class OddsSearch;
class WrapLabel;

/// The chart of a lesson's odds in the place of the timeline: how often two overlap, and how long a crash
/// blocks, against the knob. A click, or Left and Right, turns the knob.
class OddsView : public FindingsView {
    Q_OBJECT
public:
    OddsView(OddsSearch& search, Look& look, QWidget* parent = nullptr);

    /// What is known at the knob's value, in a sentence.
    QString reading() const;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void buildPlot();
    void refresh();
    void draw();
    QString status() const;
    void applyLook();

    OddsSearch& m_search;
    WrapLabel* m_reading = nullptr;
    QCustomPlot* m_plot = nullptr;
    QCPGraph* m_turns = nullptr;    ///< share of turns beside another's, on the left
    QCPGraph* m_runs = nullptr;     ///< share of runs with an overlap, on the left
    QCPGraph* m_recovery = nullptr; ///< mean, on the right …
    QCPGraph* m_longest = nullptr;  ///< … and what nine of ten stay below
    QCPItemStraightLine* m_here = nullptr;
};

} // namespace lockscope::ui
