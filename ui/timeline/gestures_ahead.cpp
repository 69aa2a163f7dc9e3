// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// On a run that goes on in real time: what is drawn ahead of it happens when it gets there. The run grows
// under the hand, so nothing of it is kept from the press to the release but names and instants.
#include <QCoreApplication>

#include <algorithm>

#include "ui/bridge/fault_words.h"
#include "ui/bridge/text.h"
#include "ui/timeline/canvas.h"
#include "ui/timeline/gestures.h"
#include "ui/timeline/snap.h"
#include "ui/timeline/time_text.h"

namespace lockscope::ui {

namespace {

class PauseAhead final : public Gesture {
    Q_DECLARE_TR_FUNCTIONS(PauseAhead)

public:
    PauseAhead(TimelineCanvas& canvas, const QPointF& pos, ActorIndex actor, bool free)
        : m_canvas(canvas), m_pressed(pos), m_actor(actor),
          m_from(snapAt(canvas.scene(), pos.x(), {.free = free}).at) {}

    QCursor cursor() const override { return Qt::SizeHorCursor; }

    void move(const QPointF& pos, Qt::KeyboardModifiers keys) override {
        m_dragging = m_dragging || leftThePress(m_canvas, m_pressed, pos);
        if (!m_dragging || m_canvas.data() == nullptr) return;
        const Snap snap = snapAt(m_canvas.scene(), pos.x(), {.free = bool(keys & Qt::AltModifier)});
        m_until = std::max(m_from, snap.at);
        m_begin = std::min(m_from, snap.at);
        const Trace& trace = m_canvas.data()->trace();
        const std::string& name = trace.actors[static_cast<std::size_t>(m_actor)].name;
        m_possible = clampToFuture();
        if (!m_possible)
            return m_canvas.showHand({pos,
                                      tr("That has happened: %1 can only be paused after %2")
                                          .arg(qstr(name), instantText(trace.reached)),
                                      {},
                                      true});
        const Intervention pause{InterventionKind::Pause, name, m_begin, m_until - m_begin};
        m_canvas.showHand({pos, faultSentence(pause), snap.onEvent ? std::optional(snap.at) : std::nullopt,
                           false, HandStretch{m_actor, m_begin, m_until}});
    }

    void release(const QPointF&) override {
        m_canvas.hideHand();
        if (!m_dragging) return m_canvas.clickAt(m_pressed);
        // Time has gone on since the last move.
        if (m_possible && m_canvas.data() != nullptr && clampToFuture())
            emit m_canvas.pauseAheadWanted(m_actor, m_begin, m_until - m_begin);
    }

    void cancel() override { m_canvas.hideHand(); }

private:
    /// Cuts off what lies behind the run by now; false if nothing is left.
    bool clampToFuture() {
        m_begin = std::max(m_begin, m_canvas.data()->trace().reached);
        return m_until - m_begin >= millis(1);
    }

    TimelineCanvas& m_canvas;
    QPointF m_pressed;
    ActorIndex m_actor;
    Instant m_from; ///< at the press
    Instant m_begin{};
    Instant m_until{};
    bool m_dragging = false;
    bool m_possible = false;
};

} // namespace

std::unique_ptr<Gesture> drawPauseAhead(TimelineCanvas& canvas, const QPointF& pos, ActorIndex actor,
                                        bool free) {
    return std::make_unique<PauseAhead>(canvas, pos, actor, free);
}

} // namespace lockscope::ui
