// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include <map>
#include <memory>
#include <vector>

#include "core/world/scenario.h"
#include "ui/panels/current_lines.h"

class QComboBox;
class QStackedWidget;
class QTabBar;
class QToolButton;
class QVBoxLayout;

namespace lockscope {
struct Translation;
}

namespace lockscope::ui {

class ChangesView;
class CodeView;
class FlowLayout;
class LessonModel;
class Look;
class ProgramEdit;
class RunModel;
struct Run;
class WrapLabel;

/// The programs, exactly as they run, with the line at which each actor stands at the playhead. Actors that
/// run the same program share a tab. A program can be edited, laid over what it was, and read in another
/// language; what runs is the Lua.
class CodePanel : public QWidget {
    Q_OBJECT
public:
    CodePanel(RunModel& run, LessonModel& lesson, ProgramEdit& edit, Look& look, QWidget* parent = nullptr);

    CodeView& view() { return *m_view; }

    bool canEdit() const;
    bool editing() const;
    void setEditing(bool on);
    /// Whether the program of this tab differs from what the step begins with.
    bool edited() const;
    void reset();
    bool showsChanges() const;
    void setShowsChanges(bool on);

    /// The id of a language, or "lua". What a program is not told in is shown in Lua.
    QString language() const { return m_language; }
    void setLanguage(const QString& id);
    /// To the next one that this program is told in.
    void nextLanguage();
    bool hasLanguages() const;

signals:
    void stateChanged(); ///< whether it is edited, what is shown, and what can be
    void languageChanged();

protected:
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    struct Tab {
        std::shared_ptr<const Program> program;
        std::vector<int> actors;
    };
    void build();
    void takeRun();
    void showTab();
    void showTools();
    void showText();
    void fillLanguages();
    void refresh();
    void refreshTools();
    QString trouble(int& line) const;
    const Tab* tab() const;
    const Translation* translation() const;
    QString whereabouts(const std::vector<int>& actors, const std::map<int, int>& lines) const;
    void showSelection();
    void applyLook();

    RunModel& m_run;
    LessonModel& m_lesson;
    ProgramEdit& m_programs;
    Look& m_look;
    QTabBar* m_bar = nullptr;
    QWidget* m_tools = nullptr;
    FlowLayout* m_toolRow = nullptr;
    QToolButton* m_editButton = nullptr;
    QToolButton* m_changesButton = nullptr;
    QToolButton* m_resetButton = nullptr;
    QComboBox* m_languages = nullptr;
    WrapLabel* m_problem = nullptr;
    QStackedWidget* m_pages = nullptr;
    CodeView* m_view = nullptr;
    CodeView* m_told = nullptr; ///< in another language
    ChangesView* m_changes = nullptr;
    QVBoxLayout* m_foot = nullptr;
    WrapLabel* m_where = nullptr;
    WrapLabel* m_empty = nullptr;
    std::vector<Tab> m_tabs;
    std::shared_ptr<const Run> m_shown;
    CurrentLines m_lines;
    QString m_language = QStringLiteral("lua");
};

} // namespace lockscope::ui
