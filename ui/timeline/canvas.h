// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QVariantAnimation>
#include <qcustomplot.h>

#include <functional>
#include <memory>
#include <optional>

#include "ui/timeline/hit_test.h"
#include "ui/timeline/ruler.h"
#include "ui/timeline/strip.h"

namespace lockscope::ui {

class FaultDesk;
class Gesture;
class Passing;
class PreparedDifference;
struct PaintFrame;

/// A stretch of an actor's lane that the hand has drawn and that is not in the run yet.
struct HandStretch {
    ActorIndex actor = kNone;
    Instant from{};
    Instant until{};
};

/// What the canvas says at the hand while it drags.
struct HandNote {
    QPointF at;
    QString text;
    std::optional<Instant> mark; ///< what the hand has snapped to
    bool refused = false;        ///< it cannot be done here; the text says why
    std::optional<HandStretch> stretch = std::nullopt;
};

/// The picture of one run: a QCustomPlot whose lanes are one plottable in one opaque buffer, with playhead
/// and highlights drawn over that with each frame, so that scrubbing and hovering do not paint the lanes
/// again. It knows no model: it is told what to show and says what the user wants. Gestures that change the
/// run work at the FaultDesk, if it is given one.
///
/// Invariants:
///  1. What is drawn, hit and described comes from one Scene, and no Scene reaches behind the veil.
///  2. The view stays within the run (and a small margin).
/// Times of the view are in axis units of the TimeMap.
class TimelineCanvas : public QCustomPlot {
    Q_OBJECT
public:
    explicit TimelineCanvas(const Look& look, QWidget* parent = nullptr);
    ~TimelineCanvas() override;

    /// Null: nothing is shown. The view is kept if the run is as long as the one before; else it fits the new
    /// one.
    void setRun(std::shared_ptr<const Run> run);
    void setPlayhead(Instant at);
    /// While it plays, what the playhead passes moves for a moment.
    void setPlaying(bool playing) { m_playing = playing; }
    void setVeil(Instant from);
    /// What the veil says beside its question mark: the letters of the question.
    void setVeilCaption(const QString& caption);
    void setSelection(const Selection& selection);
    /// The run before the last change, drawn under this one where it was otherwise. Null: none.
    void setGhost(std::shared_ptr<const Run> was);
    bool hasGhost() const { return m_ghost != nullptr; }
    /// A run that is shown beside this one, on the same axis: what differs from it is outlined, and what
    /// happens in it counts in step view too. What is apart by no more than `least` is alike: one of the two
    /// may be real, where nothing is on time to the microsecond. Null: none.
    void setPartner(std::shared_ptr<const Run> partner, Duration least = Duration{0});
    /// Null: not known yet. The lanes' rows for it come with setShownParts().
    void setStrip(std::shared_ptr<const StripPicture> strip);
    /// Who says what a pause of an actor that begins at an instant would do. Asked when it is read, not
    /// before.
    using StripReader = std::function<QString(ActorIndex actor, Instant at)>;
    void setStripReader(StripReader reader) { m_stripReader = std::move(reader); }
    void setShownParts(const ShownParts& parts);
    const ShownParts& shownParts() const { return m_parts; }

    const PreparedRun* data() const { return m_data.get(); }
    const TimelineStyle& style() const { return m_style; }
    const LaneLayout& lanes() const { return m_layout; }
    Instant playhead() const { return m_playhead; }
    const TimeMap& timeMap() const { return *m_map; }
    /// Only while there is a run.
    Scene scene() const;

    /// Step view rather than true time. The playhead keeps its place, and about the same stretch of the run
    /// stays in sight, or as much of it as can be read.
    void setStepView(bool on);
    bool stepView() const { return m_stepView; }
    /// While it is held, another run brings no other axis: what the mouse has hold of stays under it.
    void holdTimeMap(bool held);
    /// The greatest size of a view in which every gap of step view can be read.
    double readableSize() const;

    AxisRange view() const { return m_view; }
    AxisRange limits() const;
    /// At once.
    void setView(AxisRange range);
    /// In 350 ms, or at once if motion is reduced.
    void glideTo(AxisRange range);
    bool gliding() const { return m_camera.state() == QAbstractAnimation::Running; }
    void fit() { glideTo(limits()); }
    void zoom(double factor, double atX);
    /// About the playhead if it is in sight, else about the middle.
    void zoomByKey(double factor);
    void panBy(double pixels);

    /// Paints all of it, as it stands, for a picture that gives a unit of length `ratio` pixels.
    void paintTo(QCPPainter& painter, double ratio);

    int rulerHeight() const { return m_rulerHeight; }
    double scroll() const { return m_scroll; }
    void setScroll(double scroll);
    double mostScroll() const;

    int focusBand() const { return m_focusBand; }
    void setFocusBand(int band);
    /// Selects what is under the playhead on the lane with the focus.
    void selectAtPlayhead();

    // What gestures ask of the canvas.
    FaultDesk* desk() const { return m_desk; }
    void setDesk(FaultDesk& desk);
    /// A run that goes on in real time takes pauses that are drawn ahead of it: pauseAheadWanted().
    bool takesPausesAhead() const { return m_pausesAhead; }
    void setPausesAhead(bool taken) { m_pausesAhead = taken; }
    ActorIndex actorOf(int band) const; ///< kNone if the band is no actor's
    ActorIndex actorNamed(const std::string& name) const;
    void showHand(const HandNote& note);
    void hideHand() { showHand({}); }
    const HandNote& hand() const { return m_hand; }
    Instant instantAtX(double x) const;
    void scrubTo(double x) { emit playheadWanted(instantAtX(x)); }
    void clickAt(const QPointF& pos);
    /// Reads the strip out at the playhead on the lane with the focus, with a lens if it is a sliver; once
    /// more ends that.
    void readStrip();
    /// So that slivers are found without aiming: the playhead goes from border to border of the focused
    /// lane's strip, and round.
    void toStripBorder();

    // A fault that comes from outside of the canvas hangs on the mouse; positions are the screen's.
    void beginPlacing(const Intervention& fault);
    void movePlacing(const QPoint& where, Qt::KeyboardModifiers keys);
    void endPlacing();
    /// What a held button or a fault on its way in has done goes back.
    void cancelGesture();
    bool gesturing() const { return m_gesture != nullptr; }

signals:
    void playheadWanted(lockscope::Instant at);
    void selectionWanted(const lockscope::ui::Selection& selection);
    void stepWanted(int direction);                     ///< -1 or 1: to the event before or after
    void endWanted(int direction);                      ///< -1: start, 1: end
    void playWanted();                                  ///< or pause
    void pauseWanted(int actor, lockscope::Instant at); ///< by a click on the strip
    void pauseAheadWanted(int actor, lockscope::Instant from, lockscope::Duration length);
    /// `band` is of an actor or of Redis; `fault` is the one under the pointer or the selected one, or -1.
    void menuWanted(int band, int fault, lockscope::Instant at, QPoint where);
    void legendWanted();
    void viewMoved();
    void stepViewChanged(bool on);
    void arranged(); ///< rows or scrolling changed
    void focusBandMoved();

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void keyReleaseEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    static constexpr double kLeastView = 0.0005; ///< axis units: no view is shorter

    void buildLayers();
    void applyLook();
    void applyScale();
    void arrange();
    Instant horizon() const;
    Instant anchorInstant() const;
    AxisRange placed(Instant at, double part, double size) const;
    void makeMap();
    void remap();
    void repaintLanes();
    void freshenLanes();
    void repaintMoving();
    void setHover(const Hit& hit);
    void announce();
    bool handles(const QKeyEvent& event) const;
    QString say(const Hit& hit) const;
    Hit stripAtPlayhead() const;
    void sayStrip();
    void stopReading();
    void menuAtPlayhead();
    int pickedFault() const {
        return m_selection.kind == Selection::Kind::Intervention ? m_selection.index : -1;
    }

    void drawBands(QPainter& painter);
    void drawLanes(QPainter& painter);
    void drawFlags(QPainter& painter);
    void drawHighlights(QPainter& painter);
    void drawMoving(QPainter& painter);
    void drawPassing(QPainter& painter);
    void drawPlayhead(QPainter& painter);
    void drawStripLens(const PaintFrame& frame);
    void drawHand(QPainter& painter);

    const Look& m_look;
    TimelineStyle m_style;
    std::unique_ptr<TimeMap> m_map;
    bool m_stepView = false;
    bool m_mapHeld = false;
    struct Turn { ///< the last change between true time and step view
        AxisRange before;
        AxisRange now;
        Instant anchor;
    };
    std::optional<Turn> m_turned;
    std::unique_ptr<PreparedRun> m_data;
    std::unique_ptr<PreparedDifference> m_ghost;
    std::shared_ptr<const Run> m_partner;
    std::unique_ptr<PreparedDifference> m_apart;
    Instant m_parting = kNever; ///< where this run and its partner begin to differ
    LaneLayout m_layout;
    ShownParts m_parts;
    std::shared_ptr<const StripPicture> m_strip;
    StripReader m_stripReader;
    bool m_reading = false; ///< the strip, by key
    QSharedPointer<TimeTicker> m_ticker;

    AxisRange m_view{0, 60};
    QVariantAnimation m_camera;
    AxisRange m_cameraFrom;
    AxisRange m_cameraTo;
    double m_scroll = 0;
    int m_rulerHeight = 28;
    bool m_lanesStale = true; ///< the buffer shows another state

    std::unique_ptr<Passing> m_passing;
    bool m_playing = false;
    Instant m_playhead{};
    Instant m_veil = kNever;      ///< what may be told
    Instant m_veilDrawn = kNever; ///< differs from it only while the veil lifts
    QVariantAnimation m_veilLift;
    QString m_veilCaption;
    Selection m_selection;
    Hit m_hover;
    int m_focusBand = 0;

    FaultDesk* m_desk = nullptr;
    bool m_pausesAhead = false;
    HandNote m_hand;
    std::unique_ptr<Gesture> m_gesture;
    Qt::MouseButton m_gestureButton = Qt::NoButton; ///< that holds it; none holds a fault on its way in
    bool m_spaceHeld = false;
    bool m_spaceUsed = false; ///< for a drag: then it is no play key
};

} // namespace lockscope::ui
