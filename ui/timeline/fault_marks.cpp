// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/fault_marks.h"

#include "ui/bridge/fault_words.h"

namespace lockscope::ui {

namespace {

int bandOf(const Scene& scene, const Intervention& fault) {
    const std::vector<Band>& bands = scene.layout.bands();
    const bool server = infoOf(fault.kind).target == InterventionTarget::Server;
    for (std::size_t i = 0; i < bands.size(); ++i) {
        if (bands[i].kind != (server ? BandKind::Key : BandKind::Actor)) continue;
        if (targetOf(scene, bands[i]) == fault.actor) return static_cast<int>(i);
    }
    return -1;
}

bool covers(InterventionKind kind) {
    return kind == InterventionKind::Pause || kind == InterventionKind::Partition ||
           kind == InterventionKind::ServerStall;
}

/// Upper edge and height of a stretch's mark, in canvas pixels.
std::pair<double, double> heightOf(const Scene& scene, const Band& band, InterventionKind kind) {
    const TimelineStyle& style = scene.style;
    switch (kind) {
    case InterventionKind::Partition: {
        // A wall on the side where Redis is.
        const Band* redis = scene.layout.anyKeyBand();
        const double high = style.px(band.dense ? 5 : 9);
        const bool below = redis == nullptr || redis->top > band.top;
        return {scene.y(below ? band.bottom() : band.top - high), high};
    }
    case InterventionKind::ServerStall:
        return {scene.y(band.top), band.height};
    default:
        return {scene.y(band.top), band.doesRow * band.doesRows};
    }
}

} // namespace

std::string targetOf(const Scene& scene, const Band& band) {
    const auto index = static_cast<std::size_t>(band.index);
    switch (band.kind) {
    case BandKind::Actor:
        return scene.trace().actors[static_cast<std::size_t>(scene.lanes().actors[index].actor)].name;
    case BandKind::Key:
    case BandKind::Ttl:
        if (scene.lanes().keys[index].node == kMajority) break; // what most say is no server
        return serverName(scene.lanes().keys[index].node);
    case BandKind::Resource:
        break;
    }
    return {};
}

std::optional<FaultMark> faultMark(const Scene& scene, int fault) {
    const auto& list = scene.trace().interventions;
    if (fault < 0 || static_cast<std::size_t>(fault) >= list.size()) return std::nullopt;
    if (list[static_cast<std::size_t>(fault)].takenBack) return std::nullopt;
    const Intervention told = faultFrom(list[static_cast<std::size_t>(fault)]);
    FaultMark mark;
    mark.fault = fault;
    mark.kind = told.kind;
    mark.stretch = covers(told.kind);
    const Instant end = mark.stretch ? told.at + told.length : told.at;
    if (told.at > scene.until || end < scene.from) return std::nullopt;
    mark.band = bandOf(scene, told);
    if (mark.band < 0) return std::nullopt;
    const Band& band = scene.layout.bands()[static_cast<std::size_t>(mark.band)];
    mark.x0 = scene.scale.x(told.at);
    mark.x1 = scene.scale.x(end);
    mark.endShown = scene.mayTell(end);
    if (mark.stretch) {
        const auto [top, high] = heightOf(scene, band, told.kind);
        const double x0 = std::max(mark.x0, scene.area.left());
        const double x1 = std::min(scene.scale.x(std::min(end, scene.until)), scene.area.right());
        mark.rect = QRectF(x0, top, std::max(x1 - x0, scene.style.least), high);
    } else {
        const double side = scene.style.px(band.dense ? 12 : 15);
        mark.rect = QRectF(std::round(mark.x0), scene.y(band.top), side, side);
    }
    return mark;
}

std::vector<FaultMark> faultMarks(const Scene& scene) {
    std::vector<FaultMark> marks;
    for (std::size_t i = 0; i < scene.trace().interventions.size(); ++i) {
        auto mark = faultMark(scene, static_cast<int>(i));
        if (!mark) continue;
        // Pins at one place stand side by side.
        if (!mark->stretch)
            for (const FaultMark& other : marks)
                if (!other.stretch && other.band == mark->band && other.x0 == mark->x0)
                    mark->rect.moveLeft(other.rect.right() + 1);
        marks.push_back(*mark);
    }
    return marks;
}

FaultHold holdAt(const Scene& scene, const QPointF& pos, int picked) {
    FaultHold best;
    const std::vector<FaultMark> marks = faultMarks(scene);
    const double reach = scene.style.px(3);
    for (const FaultMark& mark : marks) {
        if (!mark.rect.adjusted(-reach, 0, reach, 0).contains(pos)) continue;
        if (best.any() && best.fault == picked) break;
        // Narrow ones keep a middle to take hold of.
        const double grip = std::min<double>(scene.style.px(8), mark.rect.width() / 3);
        best = {mark.fault, FaultHold::Part::Whole, mark.rect};
        if (!mark.stretch) continue;
        if (mark.x0 >= scene.area.left() && pos.x() < mark.rect.left() + grip)
            best.part = FaultHold::Part::Begin;
        else if (mark.endShown && mark.x1 <= scene.area.right() && pos.x() > mark.rect.right() - grip)
            best.part = FaultHold::Part::End;
    }
    return best;
}

bool takesFault(const Scene& scene, const Band& band, InterventionKind kind) {
    if (infoOf(kind).target == InterventionTarget::Server)
        return band.kind == BandKind::Key || band.kind == BandKind::Ttl;
    if (band.kind != BandKind::Actor) return false;
    const ActorIndex actor = scene.lanes().actors[static_cast<std::size_t>(band.index)].actor;
    return !scene.trace().actors[static_cast<std::size_t>(actor)].outside;
}

bool livesAt(const Scene& scene, ActorIndex actor, Instant at) {
    const Trace& trace = scene.trace();
    for (std::size_t i = 0; i < trace.processes.size(); ++i)
        if (trace.processes[i].actor == actor && scene.data.analysis().lives[i].aliveAt(at)) return true;
    return false;
}

} // namespace lockscope::ui
