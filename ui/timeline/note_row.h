// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include <optional>

#include "ui/bridge/notes.h"
#include "ui/bridge/run_model.h"

class QLineEdit;

namespace lockscope::ui {

class Look;
class TimelineCanvas;

/// The notes of the step, above the ruler and on its scale: a numbered mark each, as much of the text as
/// there is room for, a bar under a span. It is only there while there is a note, or one is being written.
///
/// | mouse                    | key                      | what                    |
/// |--------------------------|--------------------------|-------------------------|
/// | click                    | Left, Right              | pick one                |
/// | drag, by a span's end    | Shift+Left, Shift+Right  | move, change the span   |
/// | double click             | Return, F2               | write; Escape gives up  |
/// |                          | Delete                   | remove                  |
///
/// Notes of nearly one instant stand side by side, each still tied to its own. Nothing behind the veil is
/// drawn, hit or described.
class NoteRow : public QWidget {
    Q_OBJECT
public:
    NoteRow(Notes& notes, RunModel& run, TimelineCanvas& canvas, const Look& look, QWidget* parent = nullptr);

    int wantedHeight() const; ///< 0 if there is nothing to show
    /// Lets the user write a new note; it becomes one when there is text.
    void begin(Instant from, Instant until);
    /// Index into Notes::all(), or -1.
    int picked() const { return m_picked; }
    void pick(int note);
    Instant fromOf(int note) const { return spanOf(note).first; }
    /// Where a note's mark stands; null if it is out of sight or veiled.
    QRectF markOf(int note) const;

signals:
    void heightChanged();
    void playheadWanted(lockscope::Instant at);

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    enum class Part { Whole, Start, End };
    struct Hit {
        int note = -1;
        Part part = Part::Whole;
    };
    /// It ends with any other change of the notes.
    struct Drag {
        int note;
        Part part;
        double pressedX;
        Instant from, until; ///< as they were
        bool moved = false;
    };

    void takeNotes();
    void follow();
    void settle();
    std::vector<int> inSight() const;
    std::vector<QRectF> marksOf(const std::vector<int>& seen) const;
    std::pair<Instant, Instant> spanOf(int note) const;
    double x(Instant at) const;
    Instant at(double x) const;
    Hit hitTest(const QPointF& pos) const;
    QString describe(int note) const;
    void pickNext(int direction);
    void shift(int direction);
    void edit(int note);
    void removePicked();
    void openEditor(Instant from, Instant until, const QString& text);
    void placeEditor();
    void closeEditor(bool keep);
    void giveUpDrag();

    Notes& m_notes;
    RunModel& m_run;
    TimelineCanvas& m_canvas;
    const Look& m_look;
    int m_picked = -1;
    Note m_pickedNote; ///< what it says: its index may become another
    std::optional<Drag> m_drag;
    std::pair<Instant, Instant> m_dragged; ///< where the drag has it now
    QLineEdit* m_editor = nullptr;
    int m_edited = -1; ///< -1: a new one
    Note m_editedNote; ///< as it was when writing began
    std::pair<Instant, Instant> m_editedSpan;
    int m_editedStep = 0;
};

} // namespace lockscope::ui
