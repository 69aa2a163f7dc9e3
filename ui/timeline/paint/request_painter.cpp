// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Requests and replies: arrows between an actor's lane and Redis where the zoom leaves them room, ticks where
// not.
#include <QCoreApplication>

#include <array>
#include <cmath>

#include "ui/bridge/text.h"
#include "ui/timeline/glyphs.h"
#include "ui/timeline/paint/frame.h"

namespace lockscope::ui {

namespace {

/// More arrows than this on one lane are a thicket, and ticks tell as much.
constexpr std::size_t kMostArrows = 400;

class RequestPainter {
public:
    RequestPainter(const PaintFrame& frame, const Band& band)
        : m_frame(frame), m_style(frame.style), m_painter(frame.painter), m_band(band),
          m_lane(frame.lanes().actors[static_cast<std::size_t>(band.index)]),
          m_tracks(frame.data.actors()[static_cast<std::size_t>(band.index)]),
          m_color(m_style.actor(frame.trace(), m_lane.actor)) {}

    void paint() {
        paintArrows();
        if (m_frame.visible(m_band)) paintTicks();
    }

private:
    double wide(std::size_t i) const {
        return m_frame.scale.x(m_tracks.requests.until(i)) - m_frame.scale.x(m_tracks.requests.from(i));
    }

    void paintArrows() {
        const SpanTrack& track = m_tracks.requests;
        // Zoomed out so far that not even the longest round trip has room: only ticks.
        const Instant begin = m_frame.from;
        if (m_frame.scale.map().bends().empty() &&
            m_frame.scale.x(begin + track.longest()) - m_frame.scale.x(begin) < m_style.arrowsFrom &&
            m_frame.scale.x(m_frame.until) - m_frame.scale.x(m_frame.until - track.longest()) <
                m_style.arrowsFrom)
            return;
        m_painter.setRenderHint(QPainter::Antialiasing);
        std::size_t drawn = 0;
        for (std::size_t i = track.firstReaching(m_frame.from);
             i < track.size() && track.from(i) <= m_frame.until;) {
            if (wide(i) >= m_style.arrowsFrom) {
                if (++drawn > kMostArrows) break;
                paintArrow(static_cast<RequestIndex>(track.source(i)));
                ++i;
                continue;
            }
            // Those that are too short for arrows have their ticks; leap over what shares this pixel.
            const Instant next = m_frame.scale.at(m_frame.scale.x(track.from(i)) + 1);
            i = track.firstFrom(i + 1, std::max(next, track.from(i)));
        }
        m_painter.setRenderHint(QPainter::Antialiasing, false);
    }

    void paintArrow(RequestIndex index) {
        const RequestTimes& times = m_frame.data.analysis().requests[static_cast<std::size_t>(index)];
        const TraceRequest& request = m_frame.trace().requests[static_cast<std::size_t>(index)];
        const MessagePath path(m_frame, m_band, request);
        const double here = path.actor;
        const double there = path.redis;
        const QPointF tail(m_frame.scale.x(times.sent), here);
        if (times.requestLost != kNever) {
            paintBroken(tail, QPointF(m_frame.scale.x(times.requestLost), here + (there - here) * 0.6));
        } else if (times.executed != kNever && times.executed <= m_frame.veil) {
            const QPointF head(m_frame.scale.x(times.executed), there);
            paintLine(tail, head);
            paintHead(tail, head, false);
            paintReply(times, head, here);
        } else {
            // Still under way at the end of what is known.
            const double x = m_frame.scale.x(std::min(m_frame.trace().reached, m_frame.veil));
            paintLine(tail, QPointF(std::min(x, tail.x() + m_style.px(40)), here + (there - here) * 0.5));
        }
        if (times.gaveUp != kNever && times.gaveUp <= m_frame.veil) paintGivenUp(times, here);
        paintCommand(request, times, tail, path.down);
    }

    void paintReply(const RequestTimes& times, const QPointF& from, double here) {
        if (times.replyLost != kNever && times.replyLost <= m_frame.veil) {
            paintBroken(from, QPointF(std::max(m_frame.scale.x(times.replyLost), from.x() + m_style.px(4)),
                                      from.y() + (here - from.y()) * 0.6));
            return;
        }
        if (times.replied == kNever || times.replied > m_frame.veil) return;
        const QPointF head(m_frame.scale.x(times.replied), here);
        paintLine(from, head);
        paintHead(from, head, times.refusal || times.failed);
    }

    /// The client gave up: for it the request ends in a question mark.
    void paintGivenUp(const RequestTimes& times, double here) {
        const double side = m_style.px(14);
        const double x = m_frame.scale.x(times.gaveUp);
        m_painter.fillRect(QRectF(x - side / 2, here - side / 2, side, side), m_style.color(Role::Lane));
        drawGlyph(m_painter, Sign::Question, QRectF(x - side / 2, here - side / 2, side, side),
                  m_style.color(Role::Unknown));
    }

    void paintLine(const QPointF& from, const QPointF& to) {
        m_painter.setPen(QPen(m_color, m_style.arrow));
        m_painter.drawLine(from, to);
    }

    void paintBroken(const QPointF& from, const QPointF& to) {
        paintLine(from, to);
        const double side = m_style.px(12);
        drawGlyph(m_painter, Sign::Cross, QRectF(to.x() - side / 2, to.y() - side / 2, side, side),
                  m_style.color(Role::Text));
    }

    /// Filled: it does what was asked. Open: refused.
    void paintHead(const QPointF& from, const QPointF& tip, bool open) {
        const QPointF way = tip - from;
        const double length = std::hypot(way.x(), way.y());
        if (length < 1) return;
        const QPointF along = way / length;
        const QPointF across(-along.y(), along.x());
        const double size = m_style.px(7);
        const std::array<QPointF, 3> head{tip - size * along + size * 0.45 * across, tip,
                                          tip - size * along - size * 0.45 * across};
        if (open) {
            m_painter.setPen(QPen(m_color, m_style.arrow));
            m_painter.drawPolyline(head.data(), 3);
            return;
        }
        m_painter.setPen(Qt::NoPen);
        m_painter.setBrush(m_color);
        m_painter.drawConvexPolygon(head.data(), 3);
    }

    /// The command's name in the actor's lane, between its request and its reply, when they leave it room.
    void paintCommand(const TraceRequest& request, const RequestTimes& times, const QPointF& tail,
                      bool down) {
        const Instant end = times.replied != kNever ? times.replied : times.executed;
        if (end == kNever || end > m_frame.veil || request.command == StringId::Empty) return;
        const QString command = qstr(m_frame.trace().text(request.command));
        const double width = m_style.width(command, TextFace::Smallest);
        const double room = m_frame.scale.x(end) - tail.x();
        if (room < width + 2 * m_style.pad) return;
        const double inward = m_style.lineHeight(TextFace::Smallest) / 2.0 + m_style.px(1);
        m_painter.setRenderHint(QPainter::Antialiasing, false);
        paintPlate(m_frame, tail.x() + (room - width) / 2, tail.y() + (down ? -inward : inward), command,
                   TextFace::Smallest, m_style.color(Role::Lane), m_style.color(Role::Text));
        m_painter.setRenderHint(QPainter::Antialiasing);
    }

    void paintTicks() {
        const double width = m_style.px(2);
        const double height = m_style.px(m_band.dense ? 4 : 6);
        const Band& redis = *m_frame.layout.anyKeyBand();
        const bool down = redis.top > m_band.top;
        const double y = m_frame.y(down ? m_band.doesTop(m_band.doesRows) - height : m_band.top);
        walkPoints(m_tracks.ticks, m_frame.scale, m_frame.from, m_frame.until, m_style.px(5),
                   [&](const PointMark& mark) {
                       const auto request = static_cast<RequestIndex>(m_tracks.ticks.source(mark.worst));
                       if (mark.count() == 1 && drawnAsArrows(m_frame, request)) return;
                       const bool lost =
                           static_cast<RequestRank>(m_tracks.ticks.rank(mark.worst)) >= RequestRank::Unknown;
                       // On a bar of the same colour the tick needs an edge of its own; where they crowd
                       // there is no room for one.
                       if (mark.count() == 1)
                           m_painter.fillRect(QRectF(mark.x - width / 2 - 1, y, width + 2, height),
                                              m_style.color(Role::Lane));
                       m_painter.fillRect(QRectF(mark.x - width / 2, y, width, height),
                                          lost ? m_style.color(Role::Unknown) : m_style.color(Role::Text));
                   });
    }

    const PaintFrame& m_frame;
    const TimelineStyle& m_style;
    QPainter& m_painter;
    const Band& m_band;
    const ActorLane& m_lane;
    const ActorTracks& m_tracks;
    QColor m_color;
};

} // namespace

void paintRequests(const PaintFrame& frame, const Band& band) {
    if (frame.layout.anyKeyBand() != nullptr) RequestPainter(frame, band).paint();
}

} // namespace lockscope::ui
