// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What hands and keys ask of the timeline: menus, steps, and messages one after another.
#include <algorithm>

#include "ui/bridge/run_model.h"
#include "ui/timeline/canvas.h"
#include "ui/timeline/snap.h"
#include "ui/timeline/timeline_view.h"

namespace lockscope::ui {

void TimelineView::askForMenu(int band, int fault, Instant at, QPoint where) {
    const Band& b = m_canvas->lanes().bands()[static_cast<std::size_t>(band)];
    LaneMenu menu{m_canvas->actorOf(band), 0, fault, at, where};
    if (b.kind == BandKind::Key)
        menu.node = m_canvas->data()->lanes().keys[static_cast<std::size_t>(b.index)].node;
    if (menu.node == kMajority) return; // no server that anything could be done to
    if (b.kind == BandKind::Actor || b.kind == BandKind::Key) emit laneMenuRequested(menu);
}

void TimelineView::setDesk(FaultDesk& desk) {
    m_canvas->setDesk(desk);
}

void TimelineView::offerNoGhost() {
    m_bar->setGhostOffered(false);
}

void TimelineView::setPausesAhead(bool taken) {
    m_canvas->setPausesAhead(taken);
}

Duration TimelineView::keyStep(bool fine) const {
    if (m_canvas->data() == nullptr) return seconds(1);
    return roundStep(m_canvas->scene(), m_run.playhead()) * (fine ? 1 : 10);
}

void TimelineView::walkMessages(int direction) {
    const ActorIndex actor = focusedActor();
    if (actor == kNone) return;
    const Run& run = *m_run.run();
    const int lane = m_canvas->data()->laneOf(actor);
    const std::vector<RequestIndex>& sent = run.lanes.actors[static_cast<std::size_t>(lane)].requests;
    const auto at = [&](RequestIndex request) {
        return run.analysis.requests[static_cast<std::size_t>(request)].sent;
    };
    const Selection selected = m_run.selection();
    auto here = selected.kind == Selection::Kind::Request
                    ? std::find(sent.begin(), sent.end(), selected.index)
                    : sent.end();
    if (here == sent.end()) {
        here = std::find_if(sent.begin(), sent.end(),
                            [&](RequestIndex request) { return at(request) >= m_run.playhead(); });
        if (direction > 0 && here == sent.end()) return;
        if (direction < 0) {
            if (here == sent.begin()) return;
            --here;
        }
    } else {
        if (direction < 0 && here == sent.begin()) return;
        here += direction;
        if (here == sent.end()) return;
    }
    if (at(*here) > m_run.veil()) return;
    m_run.pause();
    m_run.setPlayhead(at(*here));
    m_run.select({Selection::Kind::Request, *here});
}

} // namespace lockscope::ui
