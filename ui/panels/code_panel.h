// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include <map>
#include <memory>
#include <vector>

#include "core/world/scenario.h"
#include "ui/panels/current_lines.h"

class QTabBar;
class QVBoxLayout;

namespace lockscope::ui {

class CodeView;
class Look;
class RunModel;
struct Run;
class WrapLabel;

/// The programs, exactly as they run, with the line at which each actor stands at the playhead. Actors that
/// run the same program share a tab.
class CodePanel : public QWidget {
    Q_OBJECT
public:
    CodePanel(RunModel& run, Look& look, QWidget* parent = nullptr);

    CodeView& view() { return *m_view; }

protected:
    void showEvent(QShowEvent* event) override;

private:
    struct Tab {
        std::shared_ptr<const Program> program;
        std::vector<int> actors;
    };
    void takeRun();
    void showTab();
    void refresh();
    QString whereabouts(const std::vector<int>& actors, const std::map<int, int>& lines) const;
    void showSelection();
    void applyLook();

    RunModel& m_run;
    Look& m_look;
    QTabBar* m_bar = nullptr;
    CodeView* m_view = nullptr;
    QVBoxLayout* m_foot = nullptr;
    WrapLabel* m_where = nullptr;
    WrapLabel* m_empty = nullptr;
    std::vector<Tab> m_tabs;
    std::shared_ptr<const Run> m_shown;
    CurrentLines m_lines;
};

} // namespace lockscope::ui
