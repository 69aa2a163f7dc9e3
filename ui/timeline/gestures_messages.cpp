// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The gestures on what goes between an actor and Redis: messages and leases.
#include <QCoreApplication>

#include <cmath>

#include "ui/bridge/text.h"
#include "ui/timeline/canvas.h"
#include "ui/timeline/fault_gesture.h"
#include "ui/timeline/snap.h"

namespace lockscope::ui {

namespace {

struct MessageWords {
    Q_DECLARE_TR_FUNCTIONS(FaultGesture)
};

/// To the right: the message comes later. Up or down and away: it never comes. Back again: as it was.
class DragMessage final : public FaultGesture {
public:
    DragMessage(TimelineCanvas& canvas, const QPointF& pos, RequestIndex request)
        : FaultGesture(canvas, pos),
          m_message(m_desk.run(), m_desk.faults(), request, legAt(canvas.scene(), request, pos)) {
        const RequestTimes& times = m_desk.run().analysis.requests[static_cast<std::size_t>(request)];
        m_arrives = m_message.leg() == Leg::Request ? times.executed : times.replied;
    }
    QCursor cursor() const override { return Qt::ClosedHandCursor; }

protected:
    void drag(const QPointF& pos, bool free) override {
        const Scene scene = m_canvas.scene();
        int index = -1;
        if (std::abs(pos.y() - m_pressed.y()) > scene.style.px(40)) {
            auto lost = m_message.withLoss(index);
            return showOne(std::move(lost), index, pos, {});
        }
        // Where the message would arrive is what may meet something.
        const Instant start = m_arrives != kNever ? m_arrives : scene.scale.at(m_pressed.x());
        const Snap snap = snapAt(scene, scene.scale.x(start) + pos.x() - m_pressed.x(),
                                 {-1, actor(), m_message.sent(), free});
        auto delayed = m_message.delayed(m_message.delay() + (snap.at - start), index);
        if (index < 0) return heal(std::move(delayed), pos);
        showOne(std::move(delayed), index, pos, snap.onEvent ? std::optional(snap.at) : std::nullopt);
    }

private:
    /// The half of the round trip whose arrow is nearer; a tick stands for the request.
    static Leg legAt(const Scene& scene, RequestIndex request, const QPointF& pos) {
        if (!drawnAsArrows(scene, request)) return Leg::Request;
        const RequestTimes& times = scene.data.analysis().requests[static_cast<std::size_t>(request)];
        const Instant turn = times.executed;
        return turn != kNever && pos.x() > scene.scale.x(turn) ? Leg::Reply : Leg::Request;
    }
    ActorIndex actor() const {
        return m_desk.run().trace->requests[static_cast<std::size_t>(m_message.request())].actor;
    }

    void showOne(std::vector<Intervention> faults, int index, const QPointF& pos,
                 std::optional<Instant> mark) {
        const QString what = m_message.leg() == Leg::Request ? MessageWords::tr("fate of a request")
                                                             : MessageWords::tr("fate of a reply");
        show(std::move(faults), index, what, pos, mark.value_or(Instant{}), mark.has_value());
        if (m_desk.held() && !m_message.hits(m_desk.run(), index))
            showNothing(pos, MessageWords::tr("Another message of this server leaves at the same instant"));
    }

    /// Nothing is done to the message any more.
    void heal(std::vector<Intervention> faults, const QPointF& pos) {
        if (faults == m_base)
            return showNothing(pos, MessageWords::tr("To the right: later. Up or down: lost."));
        m_desk.show(std::move(faults), -1);
        m_what = MessageWords::tr("fate of a message");
        m_said = MessageWords::tr("The message travels as fast as the network lets it");
        m_canvas.showHand({pos, m_said, {}, false});
    }

    MessageFault m_message;
    Instant m_arrives = kNever;
};

/// The lease's end follows the mouse, by the knob that says how long leases are.
class DragLease final : public FaultGesture {
public:
    DragLease(TimelineCanvas& canvas, const QPointF& pos, int grant)
        : FaultGesture(canvas, pos), m_knob(m_desk.leaseKnob(grant)) {
        const Grant& g = m_desk.run().analysis.grants[static_cast<std::size_t>(grant)];
        m_end = g.until;
        m_grab = pos.x() - canvas.scene().scale.x(m_end);
        m_instants = snapInstants(canvas.scene());
        std::erase(m_instants, m_end);
    }
    QCursor cursor() const override { return m_knob ? Qt::SizeHorCursor : Qt::ArrowCursor; }

protected:
    QString refusal() const override {
        return m_knob ? QString() : MessageWords::tr("No knob of this lesson sets the length of this lease");
    }
    bool unchanged() const override { return m_length == m_knob->length; }
    void drag(const QPointF& pos, bool free) override {
        // A lease's end says nothing more exactly than to the millisecond.
        const Snap snap = snapAt(m_canvas.scene(), pos.x() - m_grab, {.free = free, .instants = &m_instants});
        Duration length = m_knob->length + (snap.at - m_end);
        const Duration step = free || snap.onEvent
                                  ? Duration{millis(1)}
                                  : std::max<Duration>(millis(1), roundStep(m_canvas.scene(), m_end));
        length = step * std::llround(static_cast<double>(length.count()) / static_cast<double>(step.count()));
        length = std::clamp(length, m_knob->least, m_knob->most);
        if (!m_desk.showKnob(m_knob->name, length)) return;
        m_length = length;
        m_what = MessageWords::tr("length of the lease");
        m_said = MessageWords::tr("The lease is %1 long").arg(exactSeconds(length));
        m_canvas.showHand({pos, m_said, snap.onEvent ? std::optional(snap.at) : std::nullopt, false});
    }

private:
    std::vector<Instant> m_instants; ///< what happened at the press, but for the end itself
    std::optional<LeaseKnob> m_knob;
    Instant m_end{};
    double m_grab = 0;
    Duration m_length{0};
};

} // namespace

std::unique_ptr<Gesture> dragMessage(TimelineCanvas& canvas, const QPointF& pos, RequestIndex request) {
    return std::make_unique<DragMessage>(canvas, pos, request);
}
std::unique_ptr<Gesture> dragLease(TimelineCanvas& canvas, const QPointF& pos, int grant) {
    return std::make_unique<DragLease>(canvas, pos, grant);
}

} // namespace lockscope::ui
