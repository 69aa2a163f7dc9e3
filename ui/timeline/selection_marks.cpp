// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Where on the picture a selection stands.
#include "ui/bridge/selection_facts.h"
#include "ui/timeline/fault_marks.h"
#include "ui/timeline/hit_test.h"

namespace lockscope::ui {

std::vector<QRectF> marksOf(const Scene& scene, const Selection& selection) {
    std::vector<QRectF> rects;
    if (selection.kind == Selection::Kind::None || selection.index < 0) return rects;
    const SelectionFacts facts = factsOf(scene.data.run(), selection);
    const auto inSight = [&](Instant from, Instant until) {
        return until >= scene.from && from <= scene.until;
    };
    const auto add = [&](Instant from, Instant until, double top, double height) {
        if (!inSight(from, until)) return;
        const double x0 = std::max(scene.scale.x(from), scene.area.left());
        const double x1 = std::min(scene.scale.x(std::min(until, scene.until)), scene.area.right());
        rects.emplace_back(x0, scene.y(top), std::max(x1 - x0, scene.style.least), height);
    };

    if (selection.kind == Selection::Kind::Violation) {
        const Violation& violation = scene.data.run().violations[static_cast<std::size_t>(selection.index)];
        const Band* band = scene.layout.actorBand(violation.actors[0]);
        if (band == nullptr) band = scene.layout.keyBand(scene.lanes(), violation.key, 0);
        if (band == nullptr || !inSight(violation.at, violation.at)) return rects;
        const double side = scene.style.diamond;
        rects.emplace_back(scene.scale.x(violation.at) - side / 2, scene.y(band->top) - side / 2, side, side);
        return rects;
    }
    if (selection.kind == Selection::Kind::Intervention) {
        if (const auto mark = faultMark(scene, selection.index)) rects.push_back(mark->rect);
        return rects;
    }
    for (const Band& band : scene.layout.bands()) {
        const auto index = static_cast<std::size_t>(band.index);
        if (band.kind == BandKind::Key && selection.kind == Selection::Kind::Grant) {
            const Grant& grant = scene.data.analysis().grants[static_cast<std::size_t>(selection.index)];
            if (scene.lanes().keys[index].key == grant.key && scene.lanes().keys[index].node == grant.node)
                add(grant.from, grant.until, band.top + scene.style.px(4),
                    band.height - 2 * scene.style.px(4));
        }
        if (band.kind != BandKind::Actor || scene.lanes().actors[index].actor != facts.actor) continue;
        const ActorLane& lane = scene.lanes().actors[index];
        if (selection.kind == Selection::Kind::Claim) {
            const Claim& claim = scene.data.analysis().claims[static_cast<std::size_t>(selection.index)];
            const auto span =
                std::find_if(lane.thinks.begin(), lane.thinks.end(),
                             [&](const ThinksSpan& candidate) { return candidate.claim == selection.index; });
            const int row = span == lane.thinks.end() ? 0 : span->row;
            add(claim.from, claim.until, band.thinksTop + band.thinksRow * row, band.thinksRow);
        } else if (selection.kind == Selection::Kind::Request) {
            const RequestTimes& times =
                scene.data.analysis().requests[static_cast<std::size_t>(selection.index)];
            add(times.sent, scene.data.lastKnown(selection.index), band.top, band.doesRow * band.doesRows);
        } else if (selection.kind == Selection::Kind::Event && facts.at != kNever) {
            // The bar that began with this event, or the instant itself.
            Instant until = facts.at;
            int row = 0;
            const auto begins =
                std::lower_bound(lane.does.begin(), lane.does.end(), facts.at,
                                 [](const DoesSpan& span, Instant at) { return span.from < at; });
            for (auto it = begins; it != lane.does.end() && it->from == facts.at; ++it)
                if (it->begins) {
                    until = it->until;
                    row = it->row;
                }
            add(facts.at, until, band.doesTop(row), band.doesRow);
        } else if (selection.kind == Selection::Kind::Actor) {
            add(scene.from, scene.until, band.top, band.height);
        }
    }
    return rects;
}

} // namespace lockscope::ui
