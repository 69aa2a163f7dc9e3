// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/passing.h"

#include <QElapsedTimer>

#include <algorithm>

#include "ui/timeline/glyphs.h"
#include "ui/timeline/paint/frame.h"

namespace lockscope::ui {

namespace {

constexpr int kFrameMs = 16;
constexpr int kDiamondMs = 180;
constexpr int kDotMs = 250;
constexpr double kSmallDiamond = 0.6;
constexpr int kMostDots = 6; ///< in sight; among more of them a dot would only be restless

/// Messages of an actor of which a part lies within a stretch, as RequestIndex.
template <typename Each>
void messagesWithin(const Scene& scene, const Band& band, Instant from, Instant until, Each each) {
    const SpanTrack& track = scene.data.actors()[static_cast<std::size_t>(band.index)].requests;
    for (std::size_t i = track.firstReaching(from); i < track.size() && track.from(i) <= until; ++i)
        if (!each(static_cast<RequestIndex>(track.source(i)))) return;
}

bool fewArrows(const Scene& scene) {
    int arrows = 0;
    for (const Band& band : scene.layout.bands()) {
        if (band.kind != BandKind::Actor) continue;
        messagesWithin(scene, band, scene.from, scene.until, [&](RequestIndex request) {
            arrows += drawnAsArrows(scene, request) ? 1 : 0;
            return arrows <= kMostDots;
        });
        if (arrows > kMostDots) return false;
    }
    return arrows > 0;
}

} // namespace

Passing::Clock Passing::steadyClock() {
    QElapsedTimer timer;
    timer.start();
    return [timer] { return timer.elapsed(); };
}

Passing::Passing(std::function<void()> repaint, Clock clock)
    : m_repaint(std::move(repaint)), m_clock(std::move(clock)) {
    m_frames.setTimerType(Qt::PreciseTimer);
    m_frames.setInterval(kFrameMs);
    QObject::connect(&m_frames, &QTimer::timeout, &m_frames, [this] {
        const qint64 now = m_clock();
        std::erase_if(m_moves, [&](const Move& move) { return now - move.began >= lengthOf(move.what); });
        if (m_moves.empty()) m_frames.stop();
        m_repaint();
    });
}

int Passing::lengthOf(Move::What what) {
    return what == Move::What::Violation ? kDiamondMs : kDotMs;
}

void Passing::pass(const Scene& scene, Instant from, Instant to) {
    const std::vector<Violation>& violations = scene.data.run().violations;
    const std::vector<Band>& bands = scene.layout.bands();
    const auto first = std::upper_bound(violations.begin(), violations.end(), from,
                                        [](Instant at, const Violation& v) { return at < v.at; });
    for (auto it = first; it != violations.end() && it->at <= to; ++it) {
        const Band* home = scene.layout.actorBand(it->actors[0]);
        if (home == nullptr) continue;
        m_moves.push_back({Move::What::Violation, static_cast<int>(it - violations.begin()),
                           static_cast<int>(home - bands.data()), m_clock()});
    }
    if (fewArrows(scene)) passMessages(scene, from, to);
    if (!m_moves.empty() && !m_frames.isActive()) m_frames.start();
}

void Passing::passMessages(const Scene& scene, Instant from, Instant to) {
    const std::vector<Band>& bands = scene.layout.bands();
    const auto within = [&](Instant at) { return at > from && at <= to; };
    for (std::size_t i = 0; i < bands.size(); ++i) {
        if (bands[i].kind != BandKind::Actor) continue;
        messagesWithin(scene, bands[i], from, to, [&](RequestIndex request) {
            const RequestTimes& times = scene.data.analysis().requests[static_cast<std::size_t>(request)];
            if (!drawnAsArrows(scene, request)) return true;
            const auto add = [&](Move::What what) {
                m_moves.push_back({what, request, static_cast<int>(i), m_clock()});
            };
            if (within(times.sent) && times.executed != kNever) add(Move::What::Request);
            if (within(times.executed) && times.replied != kNever) add(Move::What::Reply);
            return true;
        });
    }
}

void Passing::stop() {
    m_moves.clear();
    m_frames.stop();
}

void Passing::paint(const PaintFrame& frame) {
    const qint64 now = m_clock();
    for (const Move& move : m_moves) {
        const double part = std::clamp(static_cast<double>(now - move.began) / lengthOf(move.what), 0.0, 1.0);
        if (move.what == Move::What::Violation)
            paintViolation(frame, move, part);
        else
            paintMessage(frame, move, part);
    }
}

void Passing::paintViolation(const PaintFrame& frame, const Move& move, double part) const {
    const Violation& violation = frame.data.run().violations[static_cast<std::size_t>(move.index)];
    const Band& band = frame.layout.bands()[static_cast<std::size_t>(move.band)];
    const QPointF centre(frame.scale.x(violation.at), frame.y(band.top));
    const double rim = 2 * frame.style.px(2);
    const double size = frame.style.diamond * (kSmallDiamond + (1 - kSmallDiamond) * part);
    frame.painter.setRenderHint(QPainter::Antialiasing);
    frame.painter.fillPath(diamondShape(centre, frame.style.diamond + rim), frame.style.color(Role::Window));
    frame.painter.fillPath(diamondShape(centre, size), frame.style.color(Role::Violation));
    frame.painter.setRenderHint(QPainter::Antialiasing, false);
}

void Passing::paintMessage(const PaintFrame& frame, const Move& move, double part) const {
    const RequestTimes& times = frame.data.analysis().requests[static_cast<std::size_t>(move.index)];
    const TraceRequest& request = frame.trace().requests[static_cast<std::size_t>(move.index)];
    const Band& band = frame.layout.bands()[static_cast<std::size_t>(move.band)];
    const MessagePath path(frame, band, request);
    const QPointF there(frame.scale.x(times.executed), path.redis);
    const bool reply = move.what == Move::What::Reply;
    const QPointF from = reply ? there : QPointF(frame.scale.x(times.sent), path.actor);
    const QPointF to = reply ? QPointF(frame.scale.x(times.replied), path.actor) : there;
    const double radius = frame.style.px(4);
    frame.painter.setRenderHint(QPainter::Antialiasing);
    frame.painter.setPen(QPen(frame.style.color(Role::Window), frame.style.px(1.5)));
    frame.painter.setBrush(frame.style.color(Role::Text));
    frame.painter.drawEllipse(from + (to - from) * part, radius, radius);
    frame.painter.setRenderHint(QPainter::Antialiasing, false);
}

} // namespace lockscope::ui
