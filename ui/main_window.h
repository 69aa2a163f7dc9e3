// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMainWindow>
#include <QString>

#include <memory>

#include "core/lesson/saved_run.h"
#include "core/world/session.h"
#include "ui/bridge/recovery.h"

class QComboBox;
class QLabel;
class QMenu;
class QScrollArea;
class QSettings;
class QSplitter;
class QStackedWidget;
class QToolBar;
class QToolButton;

namespace lockscope::ui {

class ChallengeCheck;
class CodePanel;
class CompareView;
class EventList;
class FailurePanel;
class FailureSearch;
class FaultBar;
class FaultDesk;
class HelpWindow;
class Invitation;
class KeepBar;
class KeptRuns;
class LessonModel;
class LessonPanel;
class LightsBar;
class LiveHost;
class LiveWindow;
class ObserveWindow;
class ServeHost;
class ServeWindow;
class MatrixSearch;
class MatrixView;
class OddsSearch;
class OddsView;
class Look;
class Notes;
class ProgramEdit;
class NoticeBar;
class RunDocument;
class RunModel;
class SidePanel;
class TimelineView;
class Toast;
class TransportBar;
class WhatIf;
struct LaneMenu;
struct PictureCaption;
struct Shelf;

/// What the window needs from whoever starts it.
struct WindowOptions {
    WindowOptions();
    WindowOptions(WindowOptions&&) noexcept;
    ~WindowOptions();

    std::unique_ptr<Session> session; ///< must not be null
    std::unique_ptr<LiveHost> live;   ///< whoever really runs lessons; null: nobody can
    std::unique_ptr<ServeHost> serve; ///< whoever serves them to clients; null: nobody can
    QString lessonFolder;             ///< the shipped lessons
    QString open;         ///< a lesson's id or a file; empty: where the user left off, or the first lesson
    QString settingsFile; ///< where the window remembers its state; empty: the user's own place
    QString
        dataFolder; ///< where it keeps what the user did; empty: beside settingsFile, or the user's own place
};

/// The window: it makes the models and the views, gives them their places, and owns every action. It decides
/// nothing about a run or a lesson; those are the models' business.
class MainWindow : public QMainWindow {
    Q_OBJECT
public:
    explicit MainWindow(WindowOptions options, QWidget* parent = nullptr);
    ~MainWindow() override;

    RunModel& run() { return *m_run; }
    KeptRuns& kept() { return *m_kept; }
    LessonModel& lesson() { return *m_lesson; }
    Look& look() { return *m_look; }
    /// The window for live runs, shown; null if nobody can run them.
    LiveWindow* showLive();
    /// The window for a lesson that is served, shown; null if nobody can serve it.
    ServeWindow* showServe();
    /// The window that observes a key of somebody's server, shown; null if nobody can.
    ObserveWindow* showObserve();

    /// Opens a lesson of the shelf by its id, or a file.
    void openLesson(const QString& idOrFile, int step = 0);
    /// Opens a run that was saved, or says why not.
    void openRun(const QString& path);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    enum class Arrangement { Unset, Wide, Normal, Sheet };
    struct Actions;

    // main_window.cpp: the lesson that is open, and what is remembered.
    void restoreState();
    void saveState();
    void fillLessonPicker();
    void showProgress();
    void openNextLesson();
    void refreshTitle();

    // main_window_files.cpp: runs as files, notes on them, pictures of them.
    void buildFileMenu();
    void openFile(const QString& path);
    void openFileDialog();
    void saveRun();
    void saveRunAs();
    void saveRunTo(const QString& path);
    void rememberFile(const QString& path);
    void fillRecentMenu();
    void leaveDocument();
    void sayCannotClose();
    void offerLeftWork(void (MainWindow::*how)(const Recovery::Left&));
    void offer(const Recovery::Left& left);
    void mention(const Recovery::Left& left);
    QString leftWords(const Recovery::Left& left) const;
    void restoreLeft(const Recovery::Left& left);
    void notice(const QString& text);
    void noteHere();
    PictureCaption pictureCaption() const;
    void copyPicture();
    void exportPicture();
    void lessonChanged();

    // main_window_layout.cpp: what stands where.
    void buildCentre();
    void buildToolBar();
    void connectViews();
    void placePanels();
    void applyLook();
    void showLights();
    void applyStep();

    // main_window_menus.cpp: menus and keys.
    void buildActions();
    void buildLessonMenu();
    void buildRunMenu();
    void buildViewMenu();
    void fillLessonMenu();
    void fillAnswerMenu();
    void lendLetters(int letters);
    void refreshActions();

    // main_window_compare.cpp: kept runs, and two of them at once.
    void buildCompare(QWidget* stage);
    void buildKeptActions(QMenu* menu);
    void fillKeptMenu();
    bool comparing() const;
    TimelineView& oneTimeline();
    void setComparing(bool on, int kept = -1);
    void keptRun(int index);
    void removedKeptRun(int index, const SavedRun& run);
    // main_window_search.cpp: what other runs would show.
    void buildSearchActions(QMenu* menu);
    void buildWhatIf();
    void followHand();
    void buildFailureSearch();
    void showFailure();
    void buildMatrix();
    void setTabulating(bool on);
    void refreshMatrix();
    QWidget* foundOut() const;
    void showStrip();
    QString readStrip(int actor, Instant at);

    // main_window_edits.cpp: what changes the run.
    void buildEditMenu();
    void buildActorMenu();
    void fillActorMenu();
    void connectEdits();
    void connectPalette();
    void refreshEdits();
    void showLaneMenu(const LaneMenu& menu);
    void doFault(InterventionKind kind);
    void stretchSelected(int direction, bool fine, bool reply);

    // main_window_programs.cpp: the programs: edited, checked, read in another language.
    void buildProgramActions(QMenu* menu);
    void buildChallengeActions(QMenu* menu);
    void connectPrograms();
    void refreshPrograms();
    void copyCommandLine();

    // main_window_acts.cpp: what the other actions do.
    void goToViolation(int index);
    void stepViolation(int direction);
    void forgetProgress(bool ofAllLessons);
    void showHelp();
    void tellDivergence();
    void stopMotion();
    QString actorName(int actor) const;

    std::unique_ptr<QSettings> m_settings;
    QString m_lessonFolder;
    QString m_dataFolder;
    std::unique_ptr<Shelf> m_shelf;
    std::unique_ptr<LiveHost> m_liveHost;
    std::unique_ptr<ServeHost> m_serveHost;

    Look* m_look = nullptr;
    RunModel* m_run = nullptr;
    LessonModel* m_lesson = nullptr;
    KeptRuns* m_kept = nullptr;
    WhatIf* m_whatIf = nullptr;
    FailureSearch* m_search = nullptr;
    MatrixSearch* m_tableSearch = nullptr;
    OddsSearch* m_odds = nullptr;
    FaultDesk* m_desk = nullptr;
    ProgramEdit* m_programs = nullptr;
    ChallengeCheck* m_check = nullptr;
    Notes* m_notes = nullptr;
    RunDocument* m_document = nullptr;
    Recovery* m_recovery = nullptr;

    QSplitter* m_rows = nullptr;    ///< the columns above the sheet
    QSplitter* m_columns = nullptr; ///< lesson | centre | side
    QSplitter* m_sheet = nullptr;   ///< lesson | side, where the window is too narrow for columns
    LessonPanel* m_lessonPanel = nullptr;
    QScrollArea* m_centre = nullptr;
    Invitation* m_invitation = nullptr;
    KeepBar* m_keepBar = nullptr;
    QStackedWidget* m_views = nullptr; ///< the timeline, two of them, or the lesson's table or chart
    NoticeBar* m_notice = nullptr;
    TimelineView* m_timeline = nullptr;
    CompareView* m_compare = nullptr;
    MatrixView* m_table = nullptr;
    OddsView* m_chart = nullptr;
    FailurePanel* m_failure = nullptr;
    FaultBar* m_faults = nullptr;
    TransportBar* m_transport = nullptr;
    LightsBar* m_lights = nullptr;
    SidePanel* m_side = nullptr;
    CodePanel* m_code = nullptr;
    Toast* m_toast = nullptr;
    HelpWindow* m_help = nullptr;
    ServeWindow* m_serve = nullptr;
    QString m_divergence; ///< as it was said last
    LiveWindow* m_live = nullptr;
    ObserveWindow* m_observe = nullptr;

    QToolBar* m_toolBar = nullptr;
    QComboBox* m_picker = nullptr;
    QLabel* m_world = nullptr;
    QToolButton* m_theme = nullptr;
    QToolButton* m_toTable = nullptr;
    QAction* m_tableEntry = nullptr; ///< the tool bar's, which shows and hides it
    std::unique_ptr<Actions> m_actions;
    bool m_closesAnyway = false;
    Duration m_lengthBefore{0}; ///< of pauses, when a gesture began
    Arrangement m_arrangement = Arrangement::Unset;
};

} // namespace lockscope::ui
