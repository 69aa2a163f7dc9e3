// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/strip.h"

#include <algorithm>

namespace lockscope::ui {

namespace {

constexpr double kLeastWidth = 4; ///< design pixels a region is drawn wide at least

ActorIndex actorOf(const Scene& scene, const Band& band) {
    return scene.lanes().actors[static_cast<std::size_t>(band.index)].actor;
}

/// The narrow mark that is nearest to x, within `reach` of it.
std::optional<StripMark> narrowNear(const Scene& scene, ActorIndex actor, std::size_t row, double x,
                                    double reach) {
    std::optional<StripMark> best;
    const auto distance = [x](const StripMark& mark) { return std::max({mark.x0 - x, x - mark.x1, 0.0}); };
    for (const StripMark& mark : stripMarks(scene, actor, row))
        if (mark.narrow && distance(mark) <= reach && (!best || distance(mark) < distance(*best)))
            best = mark;
    return best;
}

} // namespace

const Sweep::Region* StripPicture::regionAt(ActorIndex actor, std::size_t row, Instant at) const {
    const std::vector<Sweep::Region>& all = regions[static_cast<std::size_t>(actor)][row];
    const auto after = std::upper_bound(all.begin(), all.end(), at,
                                        [](Instant t, const Sweep::Region& r) { return t < r.from; });
    if (after == all.begin() || at >= std::prev(after)->until) return nullptr;
    return &*std::prev(after);
}

Instant StripPicture::borderAfter(ActorIndex actor, Instant at) const {
    Instant next = kNever;
    for (const std::vector<Sweep::Region>& row : regions[static_cast<std::size_t>(actor)])
        for (const Sweep::Region& region : row)
            for (const Instant border : {region.from, region.until})
                if (border > at) next = std::min(next, border);
    return next;
}

StripPicture pictureOf(const WhatIfStrip& strip, const std::vector<Invariant>& lights,
                       InvariantMask brokenBefore) {
    StripPicture picture;
    picture.pause = strip.pause;
    InvariantMask added = 0;
    for (const Sweep& sweep : strip.actors) {
        picture.horizon = sweep.horizon;
        for (const Sweep::Point& point : sweep.points)
            added |= point.adds;
    }
    const auto isLight = [&](Invariant invariant) {
        return std::find(lights.begin(), lights.end(), invariant) != lights.end();
    };
    InvariantMask chosen = 0;
    int count = 0;
    for (const bool light : {true, false})
        for (const Invariant invariant : kInvariants) {
            if (count == StripPicture::kMostRows || isLight(invariant) != light) continue;
            if (!light && !(added & maskOf(invariant))) continue;
            chosen |= maskOf(invariant);
            ++count;
        }
    for (const Invariant invariant : kInvariants)
        if (chosen & maskOf(invariant))
            picture.rows.push_back({invariant, (brokenBefore & maskOf(invariant)) != 0});
    for (const Sweep& sweep : strip.actors) {
        auto& rows = picture.regions.emplace_back();
        for (const StripPicture::Row& row : picture.rows)
            rows.push_back(sweep.regions(row.invariant));
    }
    return picture;
}

double stripRowTop(const Band& band, std::size_t row) {
    return band.stripTop + band.stripRow * static_cast<double>(row);
}

std::vector<StripMark> stripMarks(const Scene& scene, ActorIndex actor, std::size_t row) {
    std::vector<StripMark> marks;
    const double least = scene.style.px(kLeastWidth);
    for (const Sweep::Region& region : scene.strip->regions[static_cast<std::size_t>(actor)][row]) {
        if (region.until <= scene.from || region.from >= scene.until) continue;
        StripMark mark{region, scene.scale.x(region.from), scene.scale.x(std::min(region.until, scene.until)),
                       false};
        mark.narrow = scene.mayTell(region.until) && scene.scale.x(region.until) - mark.x0 < least;
        if (mark.narrow) mark.x1 = mark.x0 + least;
        marks.push_back(mark);
    }
    return marks;
}

std::optional<Hit> stripHit(const Scene& scene, const QPointF& pos) {
    if (pos.y() < scene.area.top()) return {};
    if (scene.veil != kNever && pos.x() > scene.scale.x(scene.veil)) return {};
    const int index = scene.layout.bandAt(pos.y() - scene.top);
    if (index < 0) return {};
    const Band& band = scene.layout.bands()[static_cast<std::size_t>(index)];
    const double y = pos.y() - scene.y(band.stripTop);
    if (band.kind != BandKind::Actor || band.stripRows == 0 || y < 0) return {};

    Hit hit;
    hit.what = Hit::What::Strip;
    hit.band = index;
    hit.at = std::clamp(scene.scale.at(pos.x()), Instant{}, scene.trace().horizon);
    if (scene.strip == nullptr || scene.strip->rows.empty()) return hit;
    const ActorIndex actor = actorOf(scene, band);
    const std::size_t rows = scene.strip->rows.size();
    std::size_t row = std::min(static_cast<std::size_t>(y / band.stripRow), rows - 1);
    // A sliver is hard to point at, so it is found from any row and from a little beside it.
    std::optional<StripMark> sliver = narrowNear(scene, actor, row, pos.x(), scene.style.px(4));
    for (std::size_t other = 0; other < rows && !sliver; ++other) {
        sliver = narrowNear(scene, actor, other, pos.x(), scene.style.px(4));
        if (sliver) row = other;
    }
    hit.index = static_cast<int>(row);
    const double top = scene.y(stripRowTop(band, row));
    if (sliver) {
        const Sweep::Region& region = sliver->region;
        if (hit.at < region.from || hit.at >= region.until)
            hit.at = region.from + (region.until - region.from) / 2;
        hit.rect = QRectF(sliver->x0, top, sliver->x1 - sliver->x0, band.stripRow);
    } else if (const Sweep::Region* region = scene.strip->regionAt(actor, row, hit.at)) {
        const double x0 = std::max(scene.scale.x(region->from), scene.area.left());
        const double x1 = std::min(scene.scale.x(std::min(region->until, scene.until)), scene.area.right());
        hit.rect = QRectF(x0, top, x1 - x0, band.stripRow);
    }
    return hit;
}

} // namespace lockscope::ui
