// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/lane_layout.h"

#include <algorithm>
#include <cmath>

#include "ui/timeline/strip.h"
#include "ui/timeline/timeline_style.h"

namespace lockscope::ui {

namespace {

constexpr int kManyActors = 6; ///< more than so many: dense rows, Redis on top
constexpr int kManyKeys = 2;   ///< more lanes of Redis than so many: low ones, and no TTL curves
constexpr int kVoters = 4;     ///< more than so many: as low as a name is, and close together
constexpr double kMostGrowth = 1.75;

} // namespace

LaneLayout::LaneLayout(std::vector<Band> bands) : m_bands(std::move(bands)) {
    m_height = m_bands.empty() ? 0 : m_bands.back().bottom();
}

LaneLayout::LaneLayout(const Lanes& lanes, const ShownParts& parts, const TimelineStyle& style, double room) {
    place(lanes, parts, style, 1);
    if (m_height < room && m_height > 0) {
        place(lanes, parts, style, std::min(kMostGrowth, room / m_height));
        // Rounding each row to whole pixels can overshoot by a few.
        if (m_height > room) place(lanes, parts, style, std::min(kMostGrowth, room / m_height * 0.96));
    }
}

void LaneLayout::place(const Lanes& lanes, const ShownParts& parts, const TimelineStyle& style,
                       double growth) {
    m_bands.clear();
    m_actorBands.clear();
    const bool dense = lanes.actors.size() > kManyActors;
    const bool manyKeys = lanes.keys.size() > kManyKeys;
    const bool voters = lanes.keys.size() > kVoters;
    const auto grown = [&](double atFull) { return std::round(style.px(atFull) * growth); };
    const double gap = style.px(dense ? 6 : 12);

    double y = 0;
    const auto addActor = [&](std::size_t i) {
        const ActorLane& lane = lanes.actors[i];
        Band band;
        band.kind = BandKind::Actor;
        band.index = static_cast<int>(i);
        band.top = y;
        band.dense = dense;
        band.doesRows = std::max(1, lane.doesRows);
        band.thinksRows = std::max(1, lane.thinksRows);
        // The first strand has the full height; with more of them all are a little lower, and still hold
        // their text.
        const double row = grown(dense ? 18 : 24);
        band.doesRow = band.doesRows == 1 ? row : std::max<double>(style.px(18), std::round(row * 0.8));
        band.thinksRow = dense ? style.px(4) : grown(10);
        band.thinksTop = y + band.doesRow * band.doesRows + (dense ? 0 : style.px(2));
        band.height = band.thinksTop - y + band.thinksRow * band.thinksRows + (dense ? 0 : style.px(3));
        if (!dense && lane.actor >= 0 && lane.actor < parts.strips) {
            band.stripTop = y + band.height + style.px(2);
            band.stripRow = std::min<double>(grown(5), style.px(8));
            band.stripRows = StripPicture::kMostRows;
            band.height = band.stripTop - y + band.stripRow * band.stripRows;
        }
        if (m_actorBands.size() <= static_cast<std::size_t>(lane.actor))
            m_actorBands.resize(static_cast<std::size_t>(lane.actor) + 1, -1);
        m_actorBands[static_cast<std::size_t>(lane.actor)] = static_cast<int>(m_bands.size());
        m_bands.push_back(band);
        y = band.bottom() + gap;
    };
    const auto addPlain = [&](BandKind kind, std::size_t index, double height) {
        Band band;
        band.kind = kind;
        band.index = static_cast<int>(index);
        band.top = y;
        band.height = height;
        m_bands.push_back(band);
        y = band.bottom() + gap;
    };
    const auto addKeys = [&] {
        for (std::size_t i = 0; i < lanes.keys.size(); ++i) {
            addPlain(BandKind::Key, i, grown(voters ? 22 : manyKeys ? 30 : 36));
            if (voters && i + 1 < lanes.keys.size()) y -= gap - style.px(4);
        }
    };

    const std::size_t before = dense ? 0 : std::max<std::size_t>(1, lanes.actors.size() / 2);
    bool keysPlaced = false;
    for (std::size_t i = 0; i < lanes.actors.size(); ++i) {
        if (i == before) {
            addKeys();
            keysPlaced = true;
        }
        addActor(i);
    }
    if (!keysPlaced) addKeys();
    if (parts.resource) addPlain(BandKind::Resource, 0, grown(32));
    if (parts.ttl && !manyKeys)
        for (std::size_t i = 0; i < lanes.keys.size(); ++i)
            addPlain(BandKind::Ttl, i, grown(56));
    m_height = m_bands.empty() ? 0 : m_bands.back().bottom();
}

int LaneLayout::bandAt(double y) const {
    const auto after = std::upper_bound(m_bands.begin(), m_bands.end(), y,
                                        [](double value, const Band& band) { return value < band.top; });
    if (after == m_bands.begin()) return -1;
    const auto band = after - 1;
    return y < band->bottom() ? static_cast<int>(band - m_bands.begin()) : -1;
}

const Band* LaneLayout::actorBand(ActorIndex actor) const {
    if (actor < 0 || static_cast<std::size_t>(actor) >= m_actorBands.size()) return nullptr;
    const int band = m_actorBands[static_cast<std::size_t>(actor)];
    return band < 0 ? nullptr : &m_bands[static_cast<std::size_t>(band)];
}

const Band* LaneLayout::keyBand(const Lanes& lanes, StringId key, NodeIndex node) const {
    for (const Band& band : m_bands) {
        if (band.kind != BandKind::Key) continue;
        const KeyLane& lane = lanes.keys[static_cast<std::size_t>(band.index)];
        if (lane.key == key && lane.node == node) return &band;
    }
    return nullptr;
}

const Band* LaneLayout::anyKeyBand() const {
    const auto found = std::find_if(m_bands.begin(), m_bands.end(),
                                    [](const Band& band) { return band.kind == BandKind::Key; });
    return found == m_bands.end() ? nullptr : &*found;
}

} // namespace lockscope::ui
