// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/trace/lanes.h"

namespace lockscope::ui {

class TimelineStyle;

/// Parts of the picture that a lesson can bring in one by one.
struct ShownParts {
    bool resource = true;
    bool ttl = true;
    bool arrows = true;
    int strips = 0; ///< under how many actors the what-if strip lies: the first ones, those with a program

    bool operator==(const ShownParts&) const = default;
};

enum class BandKind { Actor, Key, Resource, Ttl };

/// One group of rows, in pixels from the top of the first one (before scrolling).
struct Band {
    BandKind kind = BandKind::Actor;
    int index = 0; ///< into Lanes::actors (Actor) or Lanes::keys (Key, Ttl)
    double top = 0;
    double height = 0;
    // Actor only: the rows within.
    double doesRow = 0; ///< height of one
    int doesRows = 1;
    double thinksTop = 0;
    double thinksRow = 0;
    int thinksRows = 1;
    double stripTop = 0;
    double stripRow = 0;
    int stripRows = 0;  ///< 0: no what-if strip
    bool dense = false; ///< many actors: what it thinks is an underline, captions are left out

    double bottom() const { return top + height; }
    double doesTop(int row) const { return top + doesRow * row; }
    double doesMiddle(int row) const { return doesTop(row) + doesRow / 2; }
    double thinksMiddle(int row) const { return thinksTop + thinksRow * (row + 0.5); }
};

/// Where every row stands. Redis stands between the actors, so that what they say to it is short to draw;
/// above them when they are many, so that it is in sight.
class LaneLayout {
public:
    LaneLayout() = default;
    /// Bands that were placed by hand, as the legend does.
    explicit LaneLayout(std::vector<Band> bands);
    /// `room` is the height there is: rows grow, up to a limit, to use it. They never shrink below the
    /// design's.
    LaneLayout(const Lanes& lanes, const ShownParts& parts, const TimelineStyle& style, double room);

    const std::vector<Band>& bands() const { return m_bands; }
    double height() const { return m_height; }
    /// Index of the band at y, or -1 for a gap.
    int bandAt(double y) const;
    const Band* actorBand(ActorIndex actor) const;
    const Band* keyBand(const Lanes& lanes, StringId key, NodeIndex node) const;
    /// The first key's, for what names none.
    const Band* anyKeyBand() const;

private:
    void place(const Lanes& lanes, const ShownParts& parts, const TimelineStyle& style, double growth);

    std::vector<Band> m_bands;
    std::vector<int> m_actorBands; ///< by ActorIndex; -1: no lane
    double m_height = 0;
};

} // namespace lockscope::ui
