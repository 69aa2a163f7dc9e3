// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
// True time and step view: which TimeMap there is, and how the view gets from one to another without anything
// that somebody looks at going away.
#include <algorithm>
#include <cmath>

#include "ui/timeline/canvas.h"
#include "ui/timeline/prepared_difference.h"
#include "ui/timeline/step_time.h"

namespace lockscope::ui {

namespace {

constexpr double kReadableGap = 32; ///< design pixels for a unit of step view

} // namespace

/// The end of the axis: of the longer run, if there are two.
Instant TimelineCanvas::horizon() const {
    Instant end = instantAt(m_data ? millis(1) : seconds(60));
    if (m_data) end = std::max(end, m_data->trace().horizon);
    if (m_partner) end = std::max(end, m_partner->trace->horizon);
    return end;
}

double TimelineCanvas::readableSize() const {
    return std::max(1, width()) / static_cast<double>(m_style.px(kReadableGap));
}

/// The instant that keeps its place: the playhead's if it is in sight, else the middle's.
Instant TimelineCanvas::anchorInstant() const {
    const double playhead = m_map->toAxis(m_playhead);
    if (playhead >= m_view.from && playhead <= m_view.until) return m_playhead;
    return std::clamp(m_map->toTime((m_view.from + m_view.until) / 2), Instant{}, horizon());
}

/// A view of this size, or the greatest within the limits, that has `at` at that part of its width.
AxisRange TimelineCanvas::placed(Instant at, double part, double size) const {
    const AxisRange most = limits();
    const double axis = m_map->toAxis(at);
    part = std::clamp(part, 0.0, 1.0);
    size = std::clamp(size, kLeastView, most.size());
    if (part > 0) size = std::min(size, (axis - most.from) / part);
    if (part < 1) size = std::min(size, (most.until - axis) / (1 - part));
    return {axis - part * size, axis + (1 - part) * size};
}

void TimelineCanvas::makeMap() {
    std::unique_ptr<TimeMap> map = std::make_unique<TrueTime>();
    if (m_stepView && m_data) {
        std::vector<Instant> stops = stopsOf(m_data->trace(), m_veil);
        if (m_partner) {
            const std::vector<Instant> more = stopsOf(*m_partner->trace, m_veil);
            const auto middle = static_cast<std::ptrdiff_t>(stops.size());
            stops.insert(stops.end(), more.begin(), more.end());
            std::inplace_merge(stops.begin(), stops.begin() + middle, stops.end());
        }
        map = std::make_unique<StepTime>(stops, horizon());
    }
    m_ticker->setMap(*map);
    m_map = std::move(map);
}

/// Makes the map anew; what is in sight keeps its place and its scale.
void TimelineCanvas::remap() {
    if (!m_stepView || m_mapHeld) return;
    m_camera.stop();
    const Instant anchor = anchorInstant();
    const double part = (m_map->toAxis(anchor) - m_view.from) / m_view.size();
    makeMap();
    m_view = placed(anchor, part, m_view.size());
}

void TimelineCanvas::setStepView(bool on) {
    if (on == m_stepView) return;
    m_camera.stop();
    const Instant anchor = anchorInstant();
    const AxisRange before = m_view;
    const double part = (m_map->toAxis(anchor) - before.from) / before.size();
    const Instant end = horizon();
    const Instant from = std::clamp(m_map->toTime(before.from), Instant{}, end);
    const Instant until = std::clamp(m_map->toTime(before.until), Instant{}, end);
    m_stepView = on;
    makeMap();
    if (m_turned && m_turned->now == before && m_turned->anchor == anchor) {
        // There and back with nothing moved in between is no change.
        m_view = keptWithin(m_turned->before, limits(), kLeastView);
        m_turned.reset();
    } else {
        double size = m_map->toAxis(until) - m_map->toAxis(from);
        if (on) size = std::min(size, readableSize());
        m_view = placed(anchor, part, size);
        m_turned = Turn{before, m_view, anchor};
    }
    m_hover = {};
    applyScale();
    repaintMoving();
    emit stepViewChanged(on);
}

void TimelineCanvas::holdTimeMap(bool held) {
    if (held == m_mapHeld) return;
    m_mapHeld = held;
    if (held) return;
    remap();
    applyScale();
}

void TimelineCanvas::setGhost(std::shared_ptr<const Run> was) {
    m_ghost = was && m_data
                  ? std::make_unique<PreparedDifference>(std::move(was), m_data->run(), m_data->run())
                  : nullptr;
    repaintLanes();
}

void TimelineCanvas::setPartner(std::shared_ptr<const Run> partner, Duration least) {
    m_partner = std::move(partner);
    m_apart = nullptr;
    if (m_partner && m_data) {
        m_apart = std::make_unique<PreparedDifference>(m_data->sharedRun(), *m_partner, m_data->run(), least);
        m_parting = least == Duration{0} ? firstDifference(m_data->trace(), *m_partner->trace) : kNever;
    }
    remap();
    applyScale();
}

} // namespace lockscope::ui
