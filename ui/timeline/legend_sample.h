// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <memory>
#include <vector>

#include "ui/bridge/run_model.h"
#include "ui/timeline/strip.h"

namespace lockscope::ui {

/// One line of the legend: a mark and what it says.
struct LegendEntry {
    enum class Family { Does, Thinks, Owner, Resource, Ttl, Request, Violation, Fault, Ghost, Break, Strip };
    Family family = Family::Does;
    int lane = 0; ///< index into Lanes::actors or Lanes::keys of the sample; the mark is all there is on it
    QString title;
    QString text;
};

/// A made-up run in which every lane shows one mark, from 0 to 10 s, so that the legend is drawn by the
/// painters of the timeline and can never differ from it.
struct LegendSample {
    std::shared_ptr<const Run> run;
    StripPicture strip;
    std::vector<LegendEntry> entries;
};
LegendSample makeLegendSample();

} // namespace lockscope::ui
