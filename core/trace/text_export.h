// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/exports.h"
#include "core/trace/lanes.h"
#include "core/trace/text_canvas.h"

namespace lockscope {

/// The signs of a plain-text timeline, each one column wide.
struct TextSigns {
    const char* workBegin;
    const char* workEnd;
    const char* work;
    const char* compute;
    const char* hatch;
    const char* cannotRun;
    const char* waiting;
    const char* paused;
    const char* dead;
    const char* deadLine;
    const char* thinksBegin;
    const char* thinksEnd;
    const char* thinks;
    const char* frozen;
    const char* dormant;
    const char* unknown;
    const char* owned;
    const char* nobodyHome;
    const char* lingering;
    const char* leaseEnded;
    const char* deleted;
    const char* evicted;
    const char* overwritten;
    const char* flushed;
    const char* accepted;
    const char* rejected;
    const char* violation;
    const char* lasting;
    const char* rule;
    const char* tick;
    const char* times;
};
const TextSigns& signsFor(bool unicode);

/// The picture: a caption column and rows over one time axis. Captions are as narrow as the names allow.
std::vector<std::string> drawTimeline(const Trace& trace, const Analysis& analysis, const Lanes& lanes,
                                      const std::vector<Violation>& violations,
                                      const TextExportOptions& options);
/// The life of each lock key, a line a moment; renewals in a row are one line.
std::vector<std::string> tellKeys(const Trace& trace, const Analysis& analysis);

} // namespace lockscope
