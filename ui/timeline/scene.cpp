// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/scene.h"

namespace lockscope::ui {

TtlScale::TtlScale(const Scene& scene, const Band& band)
    : bottom(scene.y(band.bottom()) - scene.style.px(4)), high(band.height - scene.style.px(14)),
      most(std::max<double>(
          1, static_cast<double>(scene.data.keys()[static_cast<std::size_t>(band.index)].mostLeft.count()))) {
}

MessagePath::MessagePath(const Scene& scene, const Band& actorBand, const TraceRequest& request) {
    const Band* key = scene.layout.keyBand(scene.lanes(), request.key, request.node);
    if (key == nullptr) key = scene.layout.anyKeyBand();
    const double edge = scene.style.px(2);
    down = key == nullptr || key->top > actorBand.top;
    actor = scene.y(down ? actorBand.doesTop(actorBand.doesRows) - edge : actorBand.top + edge);
    redis = key == nullptr ? actor : scene.y(down ? key->top + edge : key->bottom() - edge);
}

bool drawnAsArrows(const Scene& scene, RequestIndex request) {
    if (!scene.parts.arrows) return false;
    const RequestTimes& times = scene.data.analysis().requests[static_cast<std::size_t>(request)];
    const double wide = scene.scale.x(scene.data.lastKnown(request)) - scene.scale.x(times.sent);
    return wide >= scene.style.arrowsFrom;
}

} // namespace lockscope::ui
