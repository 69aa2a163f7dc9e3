// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/hit_test.h"

#include <cmath>

#include "ui/timeline/fault_marks.h"
#include "ui/timeline/strip.h"

namespace lockscope::ui {

namespace {

double distanceToSegment(const QPointF& p, const QPointF& a, const QPointF& b) {
    const QPointF way = b - a;
    const double square = QPointF::dotProduct(way, way);
    const double t = square <= 0 ? 0 : std::clamp(QPointF::dotProduct(p - a, way) / square, 0.0, 1.0);
    const QPointF off = p - (a + t * way);
    return std::hypot(off.x(), off.y());
}

class Tester {
public:
    Tester(const Scene& scene, const QPointF& pos)
        : m_scene(scene), m_style(scene.style), m_pos(pos), m_reach(m_style.px(4)) {
        m_hit.at = std::clamp(scene.scale.at(pos.x()), Instant{}, scene.trace().horizon);
    }

    Hit test() {
        if (m_pos.y() < m_scene.area.top()) return testRuler();
        if (m_scene.veil != kNever && m_pos.x() > m_scene.scale.x(m_scene.veil))
            return found(Hit::What::Veil, -1, {});
        if (testViolations()) return m_hit;
        m_hit.band = m_scene.layout.bandAt(m_pos.y() - m_scene.top);
        if (testFaults()) return m_hit;
        if (m_hit.band < 0) {
            testArrows();
            return m_hit;
        }
        const Band& band = m_scene.layout.bands()[static_cast<std::size_t>(m_hit.band)];
        m_hit.what = Hit::What::Lane;
        switch (band.kind) {
        case BandKind::Actor:
            testActor(band);
            break;
        case BandKind::Key:
            testKey(band);
            break;
        case BandKind::Resource:
            testResource(band);
            break;
        case BandKind::Ttl:
            testTtl(band);
            break;
        }
        return m_hit;
    }

private:
    Hit found(Hit::What what, int index, const QRectF& rect) {
        m_hit.what = what;
        m_hit.index = index;
        m_hit.rect = rect;
        return m_hit;
    }

    double x(Instant at) const { return m_scene.scale.x(at); }

    /// A span's rectangle in a row, cut to what is in sight and may be seen.
    QRectF spanRect(Instant from, Instant until, double top, double height) const {
        const double x0 = std::max(x(from), m_scene.area.left());
        const double x1 = std::min({x(std::min(until, m_scene.until)), m_scene.area.right()});
        return {x0, m_scene.y(top), std::max(x1 - x0, m_style.least), height};
    }

    /// The span at the point, or the nearest one within reach of it; narrow ones could not be hit otherwise.
    std::size_t spanNear(const SpanTrack& track) const {
        const std::size_t exact = track.covering(m_hit.at);
        if (exact < track.size()) return exact;
        const std::size_t i = track.firstReaching(m_scene.scale.at(m_pos.x() - m_style.least));
        if (i == track.size() || track.from(i) > m_scene.until) return track.size();
        return x(track.from(i)) <= m_pos.x() + m_style.least ? i : track.size();
    }

    struct Points {
        std::size_t worst;
        std::size_t count;
    };
    Points pointsNear(const PointTrack& track, double reach) const {
        const std::size_t begin = track.firstFrom(0, m_scene.scale.at(m_pos.x() - reach));
        const Instant end = std::min(m_scene.scale.at(m_pos.x() + reach), m_scene.until);
        std::size_t after = track.firstFrom(begin, end + Duration{1});
        return begin < after ? Points{track.worst(begin, after), after - begin} : Points{0, 0};
    }

    Hit testRuler() {
        const PointTrack& flags = m_scene.data.interventions();
        // A flag flies to the right of its pole.
        const double width = m_style.px(16);
        const std::size_t begin = flags.firstFrom(0, m_scene.scale.at(m_pos.x() - width));
        const std::size_t end = flags.firstFrom(begin, m_scene.scale.at(m_pos.x() + m_style.px(2)));
        if (end > begin && m_pos.y() > m_scene.area.top() - m_style.px(18) &&
            flags.at(end - 1) <= m_scene.until) {
            return found(
                Hit::What::Flag, static_cast<int>(flags.source(end - 1)),
                QRectF(x(flags.at(end - 1)), m_scene.area.top() - m_style.px(15), width, m_style.px(15)));
        }
        m_hit.what = Hit::What::Ruler;
        return m_hit;
    }

    bool testViolations() {
        const double half = m_style.diamond / 2 + m_style.px(2);
        const std::vector<Band>& bands = m_scene.layout.bands();
        for (std::size_t i = 0; i < bands.size(); ++i) {
            const double y = m_scene.y(bands[i].top);
            if (std::abs(m_pos.y() - y) > half) continue;
            std::vector<const PointTrack*> tracks;
            const auto index = static_cast<std::size_t>(bands[i].index);
            if (bands[i].kind == BandKind::Actor) tracks.push_back(&m_scene.data.actors()[index].violations);
            if (bands[i].kind == BandKind::Key) tracks.push_back(&m_scene.data.keys()[index].violations);
            if (i == 0) tracks.push_back(&m_scene.data.looseViolations());
            for (const PointTrack* track : tracks) {
                const Points near = pointsNear(*track, half);
                if (near.count == 0) continue;
                m_hit.band = static_cast<int>(i);
                m_hit.count = static_cast<int>(near.count);
                const double centre = x(track->at(near.worst)), side = m_style.diamond;
                found(Hit::What::Violation, static_cast<int>(track->source(near.worst)),
                      QRectF(centre - side / 2, y - side / 2, side, side));
                return true;
            }
        }
        return false;
    }

    /// What covers a lane (a pause, a stall) is found there as what it makes of it.
    bool testFaults() {
        for (const FaultMark& mark : faultMarks(m_scene)) {
            const bool own = !mark.stretch || mark.kind == InterventionKind::Partition;
            if (!own || !mark.rect.contains(m_pos)) continue;
            m_hit.band = mark.band;
            found(Hit::What::Fault, mark.fault, mark.rect);
        }
        return m_hit.what == Hit::What::Fault;
    }

    void testActor(const Band& band) {
        const auto index = static_cast<std::size_t>(band.index);
        const ActorTracks& tracks = m_scene.data.actors()[index];
        const ActorLane& lane = m_scene.lanes().actors[index];
        const double y = m_pos.y() - m_scene.top;
        if (y < band.doesTop(band.doesRows)) {
            const int row = std::clamp(static_cast<int>((y - band.top) / band.doesRow), 0, band.doesRows - 1);
            if (testTicks(band, tracks)) return;
            const SpanTrack& track = tracks.does[static_cast<std::size_t>(row)];
            const std::size_t i = spanNear(track);
            if (i < track.size()) {
                const DoesSpan& span = lane.does[track.source(i)];
                found(Hit::What::Does, static_cast<int>(track.source(i)),
                      spanRect(span.from, span.until, band.doesTop(row), band.doesRow));
            }
            return;
        }
        if (testArrows()) return;
        const int row =
            std::clamp(static_cast<int>((y - band.thinksTop) / band.thinksRow), 0, band.thinksRows - 1);
        const SpanTrack& track = tracks.thinks[static_cast<std::size_t>(row)];
        const std::size_t i = spanNear(track);
        if (i < track.size()) {
            const ThinksSpan& span = lane.thinks[track.source(i)];
            found(Hit::What::Thinks, static_cast<int>(track.source(i)),
                  spanRect(span.from, span.until, band.thinksTop + band.thinksRow * row, band.thinksRow));
        }
    }

    bool testTicks(const Band& band, const ActorTracks& tracks) {
        const Band* redis = m_scene.layout.anyKeyBand();
        if (!m_scene.parts.arrows || redis == nullptr) return false;
        const double height = m_style.px(band.dense ? 4 : 6);
        const double top = redis->top > band.top ? band.doesTop(band.doesRows) - height : band.top;
        const double y = m_pos.y() - m_scene.top;
        if (y < top - 1 || y > top + height + 1) return false;
        const Points near = pointsNear(tracks.ticks, m_reach);
        if (near.count == 0) return false;
        m_hit.count = static_cast<int>(near.count);
        found(Hit::What::Request, static_cast<int>(tracks.ticks.source(near.worst)),
              QRectF(x(tracks.ticks.at(near.worst)) - m_style.px(2), m_scene.y(top), m_style.px(4), height));
        return true;
    }

    /// Arrows cross other lanes; they are looked for where nothing else is.
    bool testArrows() {
        for (const Band& band : m_scene.layout.bands()) {
            if (band.kind != BandKind::Actor) continue;
            const SpanTrack& track = m_scene.data.actors()[static_cast<std::size_t>(band.index)].requests;
            const Instant until = std::min(m_scene.scale.at(m_pos.x() + m_reach), m_scene.until);
            const std::size_t first = track.firstReaching(m_scene.scale.at(m_pos.x() - m_reach));
            for (std::size_t i = first; i < track.size() && i < first + 64 && track.from(i) <= until; ++i) {
                const auto request = static_cast<RequestIndex>(track.source(i));
                if (!drawnAsArrows(m_scene, request) || !nearArrow(band, request)) continue;
                const MessagePath path(m_scene, band, m_scene.trace().requests[track.source(i)]);
                found(Hit::What::Request, request,
                      QRectF(QPointF(x(track.from(i)), std::min(path.actor, path.redis)),
                             QPointF(x(std::min(track.until(i), m_scene.until)),
                                     std::max(path.actor, path.redis))));
                return true;
            }
        }
        return false;
    }

    bool nearArrow(const Band& band, RequestIndex request) const {
        const RequestTimes& times = m_scene.data.analysis().requests[static_cast<std::size_t>(request)];
        const MessagePath path(m_scene, band, m_scene.trace().requests[static_cast<std::size_t>(request)]);
        const Instant there = times.executed != kNever ? times.executed : m_scene.data.lastKnown(request);
        const Instant back = times.replied != kNever ? times.replied : m_scene.data.lastKnown(request);
        const QPointF sent(x(times.sent), path.actor);
        const QPointF executed(x(there), path.redis);
        return distanceToSegment(m_pos, sent, executed) <= m_reach ||
               distanceToSegment(m_pos, executed, QPointF(x(back), path.actor)) <= m_reach;
    }

    void testKey(const Band& band) {
        const auto index = static_cast<std::size_t>(band.index);
        const KeyTracks& tracks = m_scene.data.keys()[index];
        for (const PointTrack* track : {&tracks.leaseEnds, &tracks.removals}) {
            const Points near = pointsNear(*track, m_style.px(3));
            if (near.count == 0) continue;
            found(Hit::What::KeyEvent, static_cast<int>(track->source(near.worst)),
                  QRectF(x(track->at(near.worst)) - m_style.px(3), m_scene.y(band.top), m_style.px(6),
                         band.height));
            return;
        }
        const SpanTrack& out = tracks.outages;
        if (const std::size_t i = spanNear(out); i < out.size()) {
            const QRectF rect = spanRect(out.from(i), out.until(i), band.top, band.height);
            found(Hit::What::Outage, static_cast<int>(out.source(i)), rect);
            return;
        }
        const std::size_t i = spanNear(tracks.owners);
        if (i >= tracks.owners.size()) return;
        const OwnerSpan& span = m_scene.lanes().keys[index].owners[tracks.owners.source(i)];
        found(Hit::What::Owner, static_cast<int>(tracks.owners.source(i)),
              spanRect(span.from, span.until, band.top + m_style.px(4), band.height - 2 * m_style.px(4)));
    }

    void testResource(const Band& band) {
        const PointTrack& track = m_scene.data.resource();
        const double radius = m_style.px(9);
        const Points near = pointsNear(track, radius);
        if (near.count == 0) return;
        m_hit.count = static_cast<int>(near.count);
        const double centre = x(track.at(near.worst)), middle = m_scene.y(band.top + band.height / 2);
        found(Hit::What::Resource, static_cast<int>(track.source(near.worst)),
              QRectF(centre - radius, middle - radius, 2 * radius, 2 * radius));
    }

    void testTtl(const Band& band) {
        const SpanTrack& track = m_scene.data.keys()[static_cast<std::size_t>(band.index)].ttl;
        const std::size_t i = track.covering(m_hit.at);
        // No outline: the curve itself is what one looks at.
        if (i < track.size()) found(Hit::What::Ttl, static_cast<int>(track.source(i)), {});
    }

    const Scene& m_scene;
    const TimelineStyle& m_style;
    QPointF m_pos;
    double m_reach;
    Hit m_hit;
};

/// The event at which a piece of work began, also if a pause cut it since.
int startOfWork(const Scene& scene, const ActorLane& lane, std::size_t i) {
    const DoesSpan& span = lane.does[i];
    while (!lane.does[i].begins || lane.does[i].task != span.task || lane.does[i].kind != span.kind) {
        if (i == 0) return -1;
        --i;
    }
    const EventKind kind = span.kind == DoesKind::Work ? EventKind::WorkStarted : EventKind::ComputeStarted;
    return scene.data.eventAt(lane.does[i].from, kind, span.task);
}

Selection selectDoes(const Scene& scene, const ActorLane& lane, std::size_t i) {
    const DoesSpan& span = lane.does[i];
    if (span.kind == DoesKind::Work || span.kind == DoesKind::Compute) {
        const int event = startOfWork(scene, lane, i);
        if (event >= 0) return {Selection::Kind::Event, event};
    }
    if (span.kind == DoesKind::Paused || span.kind == DoesKind::Dead) {
        const std::vector<TraceIntervention>& list = scene.trace().interventions;
        const std::string& name = scene.trace().actors[static_cast<std::size_t>(lane.actor)].name;
        for (std::size_t k = 0; k < list.size(); ++k)
            if (list[k].at == span.from && list[k].target == name)
                return {Selection::Kind::Intervention, static_cast<int>(k)};
    }
    return {Selection::Kind::Actor, lane.actor};
}

} // namespace

Hit hitTest(const Scene& scene, const QPointF& pos) {
    if (const std::optional<Hit> onStrip = stripHit(scene, pos)) return *onStrip;
    return Tester(scene, pos).test();
}

Selection selectionFor(const Scene& scene, const Hit& hit) {
    const auto index = static_cast<std::size_t>(std::max(0, hit.index));
    const Band* band = hit.band < 0 ? nullptr : &scene.layout.bands()[static_cast<std::size_t>(hit.band)];
    const auto inBand = band == nullptr ? std::size_t{0} : static_cast<std::size_t>(band->index);
    switch (hit.what) {
    case Hit::What::Flag:
    case Hit::What::Fault:
        return {Selection::Kind::Intervention, hit.index};
    case Hit::What::Violation:
        return {Selection::Kind::Violation, hit.index};
    case Hit::What::Request:
        return {Selection::Kind::Request, hit.index};
    case Hit::What::KeyEvent:
        return {Selection::Kind::Event, hit.index};
    case Hit::What::Resource:
        return {Selection::Kind::Event, static_cast<int>(scene.lanes().resource[index].event)};
    case Hit::What::Does:
        return selectDoes(scene, scene.lanes().actors[inBand], index);
    case Hit::What::Thinks: {
        const ThinksSpan& span = scene.lanes().actors[inBand].thinks[index];
        if (span.claim != kNone) return {Selection::Kind::Claim, span.claim};
        return span.request == kNone ? Selection{} : Selection{Selection::Kind::Request, span.request};
    }
    case Hit::What::Owner: {
        const int grant = scene.lanes().keys[inBand].owners[index].grant;
        return grant == kNone ? Selection{} : Selection{Selection::Kind::Grant, grant};
    }
    case Hit::What::Ttl: {
        const int grant = scene.lanes().keys[inBand].ttl[index].grant;
        return grant == kNone ? Selection{} : Selection{Selection::Kind::Grant, grant};
    }
    case Hit::What::Lane:
        if (band != nullptr && band->kind == BandKind::Actor)
            return {Selection::Kind::Actor, scene.lanes().actors[inBand].actor};
        break;
    case Hit::What::Outage:
    case Hit::What::Nothing:
    case Hit::What::Ruler:
    case Hit::What::Veil:
    case Hit::What::Strip:
        break;
    }
    return {};
}

} // namespace lockscope::ui
