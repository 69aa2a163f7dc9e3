// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The gestures that make, move and resize faults. Each works on the faults as they were at the press and
// shows what the mouse makes of them, so that going back with the mouse goes back in the run.
#include <QCoreApplication>

#include <algorithm>

#include "ui/bridge/fault_words.h"
#include "ui/bridge/text.h"
#include "ui/timeline/canvas.h"
#include "ui/timeline/fault_gesture.h"
#include "ui/timeline/snap.h"
#include "ui/timeline/time_text.h"

namespace lockscope::ui {

FaultGesture::FaultGesture(TimelineCanvas& canvas, const QPointF& pressed)
    : m_canvas(canvas), m_desk(*canvas.desk()), m_pressed(pressed), m_base(m_desk.faults()),
      m_run(m_desk.shownRun()) {}

void FaultGesture::move(const QPointF& pos, Qt::KeyboardModifiers keys) {
    if (!m_dragging) {
        if (!leftThePress(m_canvas, m_pressed, pos)) return;
        m_dragging = true;
        // What was taken hold of is named by its place in the tables of the run at the press.
        if (m_desk.shownRun() != m_run || m_desk.faults() != m_base) return;
        if (const QString why = refusal(); !why.isEmpty()) {
            m_refused = why;
        } else {
            m_desk.begin();
        }
    }
    if (!m_refused.isEmpty()) {
        m_canvas.showHand({pos, m_refused, {}, true});
        return;
    }
    if (!m_desk.held()) return; // the run was changed before it began, or something else has ended it
    drag(pos, keys & Qt::AltModifier);
}

void FaultGesture::release(const QPointF&) {
    m_canvas.hideHand();
    if (!m_dragging) {
        m_canvas.clickAt(m_pressed);
        return;
    }
    if (!m_refused.isEmpty()) return m_desk.refuse(m_refused);
    if (m_said.isEmpty() || unchanged())
        m_desk.drop();
    else
        m_desk.keep(m_what, m_said);
}

void FaultGesture::cancel() {
    m_canvas.hideHand();
    m_desk.drop();
}

bool FaultGesture::unchanged() const {
    return m_desk.faults() == m_base;
}

void FaultGesture::show(std::vector<Intervention> faults, int picked, const QString& what, const QPointF& pos,
                        Instant mark, bool onEvent) {
    const Intervention shown = faults[static_cast<std::size_t>(picked)];
    if (!m_desk.show(std::move(faults), picked)) return;
    m_what = what;
    m_said = faultSentence(shown);
    QString text = m_said;
    const auto& told = m_desk.run().trace->interventions;
    // What waits for a message that is never sent has no effect either.
    if (!told[static_cast<std::size_t>(picked)].applied)
        text += QCoreApplication::translate("FaultGesture", " (no effect there)");
    m_canvas.showHand({pos, text, onEvent ? std::optional(mark) : std::nullopt, false});
}

void FaultGesture::showNothing(const QPointF& pos, const QString& why) {
    m_desk.show(m_base, -1);
    m_said.clear();
    if (why.isEmpty())
        m_canvas.hideHand();
    else
        m_canvas.showHand({pos, why, {}, true});
}

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(FaultGesture)
};

/// A pause from the press to the mouse, to either side.
class DrawPause final : public FaultGesture {
public:
    DrawPause(TimelineCanvas& canvas, const QPointF& pos, ActorIndex actor, bool free)
        : FaultGesture(canvas, pos), m_actor(actor),
          m_name(canvas.data()->trace().actors[static_cast<std::size_t>(actor)].name),
          m_from(snapAt(canvas.scene(), pos.x(), {.free = free}).at),
          m_lives(livesAt(canvas.scene(), actor, m_from)) {}
    QCursor cursor() const override { return Qt::SizeHorCursor; }

protected:
    QString refusal() const override {
        return m_lives ? QString()
                       : Words::tr("%1 does not run at %2").arg(qstr(m_name), instantText(m_from));
    }
    void drag(const QPointF& pos, bool free) override {
        if (!leftThePress(m_canvas, m_pressed, {pos.x(), m_pressed.y()})) return showNothing(pos);
        const Snap snap = snapAt(m_canvas.scene(), pos.x(),
                                 {static_cast<int>(m_base.size()), m_actor, std::min(m_from, m_last), free});
        m_last = std::min(m_last, snap.at);
        const Instant from = std::min(m_from, snap.at);
        const Duration length = std::max<Duration>(std::max(m_from, snap.at) - from, millis(1));
        auto faults = m_base;
        faults.push_back({InterventionKind::Pause, m_name, from, length});
        show(std::move(faults), static_cast<int>(m_base.size()), faultOf({InterventionKind::Pause, m_name}),
             pos, snap.at, snap.onEvent);
    }

private:
    ActorIndex m_actor;
    std::string m_name;
    Instant m_from;
    Instant m_last = kNever; ///< the farthest to the left it has been
    bool m_lives;
};

class MoveFault final : public FaultGesture {
public:
    MoveFault(TimelineCanvas& canvas, const QPointF& pos, int fault, bool inTimeOnly)
        : FaultGesture(canvas, pos), m_fault(fault), m_inTimeOnly(inTimeOnly),
          m_before(m_desk.faults()[static_cast<std::size_t>(fault)]) {
        m_grab = pos.x() - canvas.scene().scale.x(m_before.at);
    }
    QCursor cursor() const override { return Qt::ClosedHandCursor; }

protected:
    void drag(const QPointF& pos, bool free) override {
        const Scene scene = m_canvas.scene();
        Intervention moved = m_before;
        const int under = scene.layout.bandAt(pos.y() - scene.top);
        if (!m_inTimeOnly && under >= 0) {
            const Band& band = scene.layout.bands()[static_cast<std::size_t>(under)];
            if (takesFault(scene, band, moved.kind)) moved.actor = targetOf(scene, band);
        }
        const SnapTo to{m_fault, m_canvas.actorNamed(moved.actor), std::min(m_before.at, m_least), free};
        const double x = pos.x() - m_grab;
        const bool stays = !leftThePress(m_canvas, m_pressed, {pos.x(), m_pressed.y()});
        Snap snap = stays ? Snap{m_before.at, false} : snapAt(scene, x, to);
        moved.at = snap.at;
        Instant mark = snap.at;
        // The end may meet something where the beginning does not.
        if (!stays && !snap.onEvent && infoOf(moved.kind).length == LengthRule::Positive) {
            const Snap end = snapAt(scene, scene.scale.x(moved.at + moved.length), to);
            if (end.onEvent && end.at - moved.length >= Instant{}) {
                moved.at = end.at - moved.length;
                mark = end.at;
                snap.onEvent = true;
            }
        }
        m_least = std::min(m_least, moved.at);
        auto faults = m_base;
        faults[static_cast<std::size_t>(m_fault)] = moved;
        show(std::move(faults), m_fault, Words::tr("move of the %1").arg(faultOf(moved)), pos, mark,
             snap.onEvent);
    }

private:
    int m_fault;
    bool m_inTimeOnly;
    Intervention m_before;
    double m_grab = 0; ///< pixels from the fault's begin to the hand
    Instant m_least = kNever;
};

/// One edge of a fault that lasts. Beyond the other edge the two change their parts.
class ResizeFault final : public FaultGesture {
public:
    ResizeFault(TimelineCanvas& canvas, const QPointF& pos, int fault, FaultHold::Part edge)
        : FaultGesture(canvas, pos), m_fault(fault),
          m_before(m_desk.faults()[static_cast<std::size_t>(fault)]),
          m_fixed(edge == FaultHold::Part::Begin ? m_before.at + m_before.length : m_before.at) {
        const Instant moving = edge == FaultHold::Part::Begin ? m_before.at : m_before.at + m_before.length;
        m_grab = pos.x() - canvas.scene().scale.x(moving);
    }
    QCursor cursor() const override { return Qt::SizeHorCursor; }

protected:
    void drag(const QPointF& pos, bool free) override {
        const Snap snap = snapAt(m_canvas.scene(), pos.x() - m_grab,
                                 {m_fault, m_canvas.actorNamed(m_before.actor), m_before.at, free});
        Intervention changed = m_before;
        changed.at = std::min(m_fixed, snap.at);
        changed.length = FaultDesk::possibleLength(changed.kind, std::max(m_fixed, snap.at) - changed.at);
        auto faults = m_base;
        faults[static_cast<std::size_t>(m_fault)] = changed;
        show(std::move(faults), m_fault, Words::tr("length of the %1").arg(faultOf(changed)), pos, snap.at,
             snap.onEvent);
    }

private:
    int m_fault;
    Intervention m_before;
    Instant m_fixed;
    double m_grab = 0;
};

/// Out of the palette: wherever it may be put, the run is already the one with it.
class PlaceFault final : public FaultGesture {
public:
    PlaceFault(TimelineCanvas& canvas, Intervention fault)
        : FaultGesture(canvas, {-1e6, -1e6}), m_new(std::move(fault)) {}
    QCursor cursor() const override { return Qt::DragCopyCursor; }

protected:
    void drag(const QPointF& pos, bool free) override {
        const Scene scene = m_canvas.scene();
        if (m_places.empty()) rememberPlaces(scene);
        if (!scene.area.contains(pos)) return showNothing(pos);
        if (scene.veil != kNever && pos.x() > scene.scale.x(scene.veil))
            return showNothing(pos, Words::tr("Not behind the veil"));
        const auto place = std::find_if(m_places.begin(), m_places.end(), [&](const Place& each) {
            return pos.y() >= each.top && pos.y() < each.bottom;
        });
        if (place == m_places.end())
            return showNothing(pos,
                               infoOf(m_new.kind).target == InterventionTarget::Actor
                                   ? Words::tr("%1: on the lane of a server").arg(faultName(m_new.kind))
                                   : Words::tr("%1: on the lane \"Redis says\"").arg(faultName(m_new.kind)));
        Intervention placed = m_new;
        placed.actor = place->target;
        const Snap snap = snapAt(scene, pos.x(),
                                 {static_cast<int>(m_base.size()), m_canvas.actorNamed(placed.actor),
                                  std::min(m_least, scene.scale.at(pos.x())), free});
        m_least = std::min(m_least, snap.at);
        placed.at = snap.at;
        auto faults = m_base;
        faults.push_back(placed);
        show(std::move(faults), static_cast<int>(m_base.size()), faultOf(placed), pos, snap.at, snap.onEvent);
    }

private:
    /// A lane that it may be put on.
    struct Place {
        double top;
        double bottom;
        std::string target;
    };

    /// The lanes as they stood before: what hangs on the mouse can bring a lane of its own, and the others
    /// must not run away from under the mouse.
    void rememberPlaces(const Scene& scene) {
        for (const Band& band : scene.layout.bands())
            if (takesFault(scene, band, m_new.kind))
                m_places.push_back({scene.y(band.top), scene.y(band.bottom()), targetOf(scene, band)});
    }

    std::vector<Place> m_places;
    Intervention m_new;
    Instant m_least = kNever;
};

} // namespace

std::unique_ptr<Gesture> drawPause(TimelineCanvas& canvas, const QPointF& pos, ActorIndex actor, bool free) {
    return std::make_unique<DrawPause>(canvas, pos, actor, free);
}
std::unique_ptr<Gesture> moveFault(TimelineCanvas& canvas, const QPointF& pos, int fault, bool inTimeOnly) {
    return std::make_unique<MoveFault>(canvas, pos, fault, inTimeOnly);
}
std::unique_ptr<Gesture> resizeFault(TimelineCanvas& canvas, const QPointF& pos, int fault,
                                     FaultHold::Part edge) {
    return std::make_unique<ResizeFault>(canvas, pos, fault, edge);
}
std::unique_ptr<Gesture> placeFault(TimelineCanvas& canvas, Intervention fault) {
    return std::make_unique<PlaceFault>(canvas, std::move(fault));
}

} // namespace lockscope::ui
