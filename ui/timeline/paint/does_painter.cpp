// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What an actor does: bars for progress, lines for waiting, gaps for pauses, and the hatch over work without
// the lock.
#include <QCoreApplication>

#include <cmath>
#include <vector>

#include "ui/bridge/text.h"
#include "ui/timeline/glyphs.h"
#include "ui/timeline/paint/frame.h"
#include "ui/timeline/paint/free_room.h"
#include "ui/timeline/time_text.h"

namespace lockscope::ui {

namespace {

class DoesPainter {
    Q_DECLARE_TR_FUNCTIONS(Timeline)

public:
    DoesPainter(const PaintFrame& frame, const Band& band)
        : m_frame(frame), m_style(frame.style), m_painter(frame.painter), m_band(band),
          m_lane(frame.lanes().actors[static_cast<std::size_t>(band.index)]),
          m_tracks(frame.data.actors()[static_cast<std::size_t>(band.index)]),
          m_fill(m_style.actor(frame.trace(), m_lane.actor)),
          m_ink(m_style.onActor(frame.trace(), m_lane.actor)), m_inset(band.dense ? 1 : m_style.px(2)) {}

    void paint() {
        for (int row = 0; row < m_band.doesRows; ++row)
            paintRow(row);
        paintRefusals();
        paintBirths();
    }

private:
    struct Label {
        double x0;
        double x1;
        const DoesSpan* span;
    };

    QRectF bar(double x0, double x1, int row) const {
        x0 = m_frame.left(x0);
        x1 = std::max(x0, m_frame.right(x1));
        return {x0, m_frame.y(m_band.doesTop(row)) + m_inset, x1 - x0, m_band.doesRow - 2 * m_inset};
    }

    void paintRow(int row) {
        m_labels.clear();
        m_crosses.clear();
        const SpanTrack& track = m_tracks.does[static_cast<std::size_t>(row)];
        walkSpans(track, m_frame.scale, m_frame.from, m_frame.until, m_style.least,
                  [&](const SpanMark& mark) {
                      const DoesSpan& span = m_lane.does[track.source(mark.worst)];
                      if (mark.count() > 1)
                          paintFolded(mark, span, row);
                      else
                          paintSpan(mark, span, row);
                  });
        paintHatches(row);
        for (const Label& label : m_labels)
            paintLabel(label, row);
        for (const QRectF& cross : m_crosses) {
            // A rim of the lane's colour sets it off from the bar it ends.
            drawGlyph(m_painter, Sign::CrossRim, cross, m_style.color(Role::Lane));
            drawGlyph(m_painter, Sign::Cross, cross, m_style.color(Role::Text));
        }
    }

    void paintSpan(const SpanMark& mark, const DoesSpan& span, int row) {
        switch (span.kind) {
        case DoesKind::Work:
        case DoesKind::Compute:
            paintWork(mark, span, row);
            break;
        case DoesKind::Waiting:
            paintLine(mark, row, Pattern::Dots, m_fill);
            break;
        case DoesKind::CannotRun:
            paintLine(mark, row, Pattern::Dots, m_style.color(Role::DimText));
            paintWord(mark, row, tr("cannot run"));
            break;
        case DoesKind::Paused:
            paintPaused(mark, span, row);
            break;
        case DoesKind::Dead:
            paintDead(mark, span, row);
            break;
        case DoesKind::Finished:
            paintFinished(mark, row);
            break;
        }
    }

    void paintWork(const SpanMark& mark, const DoesSpan& span, int row) {
        // A hair of ground between two pieces of work tells them apart.
        const double gap = span.finishes && mark.x1 - mark.x0 > 2 * m_style.least ? 1 : 0;
        const QRectF rect = bar(mark.x0, mark.x1 - gap, row);
        m_painter.fillRect(rect, m_fill);
        if (Look::actorColourRepeats(m_lane.actor)) paintInnerLine(rect);
        if (span.kind == DoesKind::Compute) m_style.fill(m_painter, rect, Pattern::Pinstripe, m_ink, mark.x0);
        m_labels.push_back({mark.x0, mark.x1, &span});
    }

    /// What tells the fifth actor's bars from the first's: a light line inside.
    void paintInnerLine(const QRectF& rect) {
        const double line = m_style.px(2);
        const QRectF inner = rect.adjusted(line, line, -line, -line);
        if (inner.width() > 2 * line && inner.height() > 2 * line)
            paintOutline(m_painter, inner, line, m_style.color(Role::Lane));
    }

    void paintFolded(const SpanMark& mark, const DoesSpan& worst, int row) {
        const QRectF rect = bar(mark.x0, mark.x1, row);
        switch (worst.kind) {
        case DoesKind::Work:
        case DoesKind::Compute:
            m_painter.fillRect(rect, m_fill);
            m_style.fill(m_painter, rect, Pattern::Folded, m_style.color(Role::Lane), 0);
            break;
        case DoesKind::Paused:
            // Hollow, as one pause is: its upper and lower edge, and a line for there being more.
            m_painter.fillRect(QRectF(rect.left(), rect.top(), rect.width(), m_style.px(2)), m_fill);
            m_painter.fillRect(
                QRectF(rect.left(), rect.bottom() - m_style.px(2), rect.width(), m_style.px(2)), m_fill);
            m_style.fill(m_painter, rect, Pattern::Folded, m_fill, 0);
            break;
        case DoesKind::Waiting:
        case DoesKind::CannotRun:
            paintLine(mark, row, Pattern::Dots, m_fill);
            break;
        case DoesKind::Dead:
            paintDead(mark, worst, row);
            break;
        case DoesKind::Finished:
            return;
        }
        const double visible =
            std::min(rect.right(), m_frame.area.right()) - std::max(rect.left(), m_frame.area.left());
        if (visible < m_style.px(36)) return;
        const QString count = QStringLiteral("×%1").arg(mark.count());
        const double width = m_style.width(count, TextFace::Smallest);
        if (visible < width + 2 * m_style.pad) return;
        const double x = std::max(rect.left(), m_frame.area.left()) + (visible - width) / 2;
        paintPlate(m_frame, x, rect.center().y(), count, TextFace::Smallest, m_style.color(Role::Lane),
                   m_style.color(Role::Text));
    }

    void paintLine(const SpanMark& mark, int row, Pattern pattern, const QColor& color) {
        const double thick = m_style.px(2);
        const double middle = std::round(m_frame.y(m_band.doesMiddle(row)) - thick / 2);
        const double x0 = m_frame.left(mark.x0);
        m_style.fill(m_painter, QRectF(x0, middle, m_frame.right(mark.x1) - x0, thick), pattern, color,
                     mark.x0);
    }

    /// A word in the middle of a line, where there is room for it.
    void paintWord(const SpanMark& mark, int row, const QString& word) {
        const double x0 = std::max(mark.x0, m_frame.area.left());
        const double room = std::min(mark.x1, m_frame.area.right()) - x0;
        const double width = m_style.width(word, TextFace::Caption);
        if (room < width + 4 * m_style.pad) return;
        paintPlate(m_frame, x0 + 2 * m_style.pad, m_frame.y(m_band.doesMiddle(row)), word, TextFace::Caption,
                   m_style.color(Role::Lane), m_style.color(Role::DimText));
    }

    void paintPaused(const SpanMark& mark, const DoesSpan& span, int row) {
        const QRectF rect = bar(mark.x0, std::max(mark.x1, mark.x0 + m_style.least), row);
        m_painter.fillRect(rect, m_style.color(Role::Lane)); // no ghost shows through
        paintOutline(m_painter, rect, m_style.px(2), m_fill);
        m_pauses.push_back(rect);
        const double side = std::min<double>(m_style.px(14), rect.height() - 2 * m_style.px(3));
        const double left = std::max(rect.left(), m_frame.area.left());
        const double room = std::min(rect.right(), m_frame.area.right()) - left;
        if (room < side + 2 * m_style.px(3)) return;
        const double middle = rect.center().y();
        const QColor ink = m_style.color(Role::Text);
        const QString full = m_frame.mayTell(span.until)
                                 ? tr("paused %1").arg(durationText(span.until - span.from))
                                 : tr("paused");
        for (const QString& text : {full, tr("paused")}) {
            const double width = m_style.width(text, TextFace::Lane);
            if (room < side + width + 3 * m_style.pad) continue;
            const double x = left + m_style.pad;
            drawGlyph(m_painter, Sign::PauseBars, QRectF(x, middle - side / 2, side, side), ink);
            m_painter.setPen(ink);
            m_style.drawText(m_painter, x + side + m_style.px(4), middle, text, TextFace::Lane);
            return;
        }
        drawGlyph(m_painter, Sign::PauseBars, QRectF(left + (room - side) / 2, middle - side / 2, side, side),
                  ink);
    }

    void paintDead(const SpanMark& mark, const DoesSpan& span, int row) {
        const double side = m_style.px(m_band.dense ? 12 : 16);
        const double middle = m_frame.y(m_band.doesMiddle(row));
        const double thick = m_style.px(2);
        const double x0 = m_frame.left(mark.x0 + side / 2);
        m_style.fill(m_painter,
                     QRectF(x0, std::round(middle - thick / 2), m_frame.right(mark.x1) - x0, thick),
                     Pattern::Dashes, m_style.color(Role::DimText), mark.x0);
        if (mark.count() == 1 && span.until > span.from) {
            SpanMark rest = mark;
            rest.x0 += side;
            paintWord(rest, row, tr("dead"));
        }
        // The cross comes last: it stands on the end of the bar, over its hatch.
        m_crosses.emplace_back(mark.x0 - side / 2, middle - side / 2, side, side);
    }

    void paintFinished(const SpanMark& mark, int row) {
        const double middle = std::round(m_frame.y(m_band.doesMiddle(row)));
        const double half = std::round(m_band.doesRow / 2 - 2 * m_inset);
        const QColor color = m_style.color(Role::DimText);
        m_painter.fillRect(QRectF(mark.x0, middle - half, m_style.px(2), 2 * half), color);
        paintWord(mark, row, tr("finished"));
    }

    void paintHatches(int row) {
        const SpanTrack& track = m_tracks.hatches[static_cast<std::size_t>(row)];
        const double edge = m_style.px(3);
        walkSpans(track, m_frame.scale, m_frame.from, m_frame.until, m_style.least,
                  [&](const SpanMark& mark) {
                      const QRectF rect = bar(mark.x0, std::max(mark.x1, mark.x0 + m_style.least), row);
                      if (rect.width() < 2 * edge) {
                          // Too narrow for a line and a gap: the violation's colour alone.
                          m_painter.fillRect(rect, m_style.color(Role::Violation));
                      } else {
                          m_painter.fillRect(rect, m_style.color(Role::Lane));
                          m_style.fill(m_painter, rect, Pattern::Hatch, m_style.color(Role::Violation), 0);
                      }
                      m_painter.fillRect(QRectF(rect.left(), rect.top(), rect.width(), edge), m_fill);
                  });
    }

    /// Whether a hatch begins or ends under this part of a row.
    bool hatchEdge(double x0, double x1, int row) const {
        const SpanTrack& track = m_tracks.hatches[static_cast<std::size_t>(row)];
        return hatched(x0, x1, row) && (track.covering(m_frame.scale.at(x0)) == track.size() ||
                                        track.covering(m_frame.scale.at(x1)) == track.size());
    }

    bool hatched(double x0, double x1, int row) const {
        return m_tracks.hatches[static_cast<std::size_t>(row)].touches(m_frame.scale.at(x0),
                                                                       m_frame.scale.at(x1));
    }

    /// The longest text that fits stands at the left; the name comes again every 400 px, so that a long bar
    /// says what it is wherever one looks.
    void paintLabel(const Label& label, int row) {
        const double begin = std::max(label.x0, m_frame.area.left()) + badgeAt(label);
        const double end = std::min({label.x1, m_frame.area.right(), m_frame.scale.x(m_frame.until)});
        if (end - begin < m_style.px(14)) return;
        const QString name = label.span->label == StringId::Empty
                                 ? (label.span->kind == DoesKind::Compute ? tr("compute") : tr("work"))
                                 : qstr(m_frame.trace().text(label.span->label));
        const auto fits = [&](const QString& text) {
            return m_style.width(text, TextFace::Lane) + 2 * m_style.pad <= end - begin;
        };
        QString text;
        if (label.span->begins && label.span->finishes && m_frame.mayTell(label.span->until)) {
            const QString full =
                QStringLiteral("%1  %2").arg(name, durationText(label.span->until - label.span->from));
            if (fits(full)) text = full;
        }
        if (text.isEmpty())
            for (const QString& shorter :
                 {name, name.section(QLatin1Char(' '), 0, 0), name.left(3), name.left(1)})
                if (fits(shorter)) {
                    text = shorter;
                    break;
                }
        if (text.isEmpty()) return;
        double x = begin + m_style.pad;
        paintBarText(x, row, text, label);
        double free = x + m_style.width(text, TextFace::Lane) + 3 * m_style.pad;
        const double width = m_style.width(name, TextFace::Lane);
        const double first = std::ceil((free - label.x0 - m_style.pad) / m_style.labelEvery);
        for (x = label.x0 + m_style.pad + first * m_style.labelEvery; x + width + m_style.pad <= end;
             x += m_style.labelEvery)
            if (!hatchEdge(x, x + width, row)) paintBarText(x, row, name, label);
    }

    void paintBarText(double x, int row, const QString& text, const Label& label) {
        const double middle = m_frame.y(m_band.doesMiddle(row));
        if (hatched(x, x + m_style.width(text, TextFace::Lane), row)) {
            paintPlate(m_frame, x, middle + m_style.px(1), text, TextFace::Lane, m_style.color(Role::Lane),
                       m_style.color(Role::Text));
        } else if (label.span->kind == DoesKind::Compute) {
            paintPlate(m_frame, x, middle, text, TextFace::Lane, m_fill, m_ink);
        } else {
            m_painter.setPen(m_ink);
            m_style.drawText(m_painter, x, middle, text, TextFace::Lane);
        }
    }

    /// First and last refusal stand alone, as open arrow heads; what lies between is a number.
    void paintRefusals() {
        const SpanTrack& track = m_tracks.refusals;
        const double head = 2 * refusalSize();
        walkSpans(
            track, m_frame.scale, m_frame.from, m_frame.until + Duration{1}, head, [&](const SpanMark& mark) {
                const int row = m_tracks.refusalRows[track.source(mark.worst)];
                const double middle = m_frame.y(m_band.doesMiddle(row));
                const RefusalRun& last = m_lane.refusals[track.source(mark.end - 1)];
                const double until = std::min(m_frame.scale.x(last.last), m_frame.scale.x(m_frame.until));
                paintRefusal(mark.x0, middle);
                if (m_frame.mayTell(last.last) && until - mark.x0 > head) paintRefusal(until, middle);
                paintRefusalCount(mark, last, until, middle);
            });
    }

    void paintRefusalCount(const SpanMark& mark, const RefusalRun& last, double until, double middle) {
        const double edge = 2 * refusalSize();
        const auto [begin, end] = widestFree(std::max(mark.x0 + edge, m_frame.area.left()),
                                             std::min(until - edge, m_frame.area.right()), middle, m_pauses);
        const double room = end - begin;
        if (room < m_style.px(24)) return;
        const std::size_t count =
            mark.count() == 1 && m_frame.mayTell(last.last)
                ? static_cast<std::size_t>(last.count)
                : refusedWithin(m_lane.refusals[m_tracks.refusals.source(mark.begin)].first, last.last);
        if (count < 2) return;
        for (const QString& text : {tr("×%1 refused").arg(count), QStringLiteral("×%1").arg(count)}) {
            const double width = m_style.width(text, TextFace::Caption);
            if (room < width + m_style.px(4)) continue;
            paintPlate(m_frame, begin + (room - width) / 2, middle, text, TextFace::Caption,
                       m_style.color(Role::Lane), m_style.color(Role::Text));
            return;
        }
    }

    double refusalSize() const { return m_style.px(m_band.dense ? 3.5 : 5); }

    /// The asks refused from `first` to `last`, as far as may be told.
    std::size_t refusedWithin(Instant first, Instant last) const {
        const std::size_t begin = m_tracks.refused.firstFrom(0, first);
        return m_tracks.refused.firstFrom(begin, std::min(last, m_frame.veil) + Duration{1}) - begin;
    }

    void paintRefusal(double x, double middle) {
        if (x < m_frame.area.left() - 20 || x > m_frame.area.right() + 20) return;
        const double size = refusalSize(), side = 2 * size + 2;
        m_style.drawMark(m_painter, QPointF(x, middle), side,
                         markKey(Mark::Refusal, static_cast<int>(side), m_fill.rgba()),
                         [&](QPainter& painter, const QRectF& box) {
                             painter.fillRect(box, m_style.color(Role::Lane));
                             painter.setPen(QPen(m_fill, m_style.arrow));
                             const std::array<QPointF, 3> head{QPointF(1, 2), QPointF(size + 1, 2 * size),
                                                               QPointF(2 * size + 1, 2)};
                             painter.drawPolyline(head.data(), 3);
                         });
    }

    /// Whether a new life begins where this bar does; then its badge takes the bar's first pixels.
    double badgeAt(const Label& label) const {
        const std::size_t i = m_tracks.births.firstFrom(0, label.span->from - millis(5));
        const bool born = i < m_tracks.births.size() && m_tracks.births.at(i) <= label.span->from;
        return born && label.x0 >= m_frame.area.left() ? birthSide() + m_style.px(2) : 0;
    }
    double birthSide() const { return m_style.px(m_band.dense ? 14 : 20); }

    void paintBirths() {
        const double side = birthSide();
        const PointTrack& births = m_tracks.births;
        walkPoints(births, m_frame.scale, m_frame.from, m_frame.until, side, [&](const PointMark& mark) {
            const TraceProcess& process = m_frame.trace().processes[births.source(mark.end - 1)];
            const double x = mark.x + side / 2 + m_style.px(2);
            const std::size_t i = m_tracks.does.front().covering(m_frame.scale.at(x));
            const bool onBar = i < m_tracks.does.front().size() &&
                               m_lane.does[m_tracks.does.front().source(i)].kind == DoesKind::Work;
            m_style.drawBadge(m_painter, QPointF(x, m_frame.y(m_band.doesMiddle(0))), static_cast<int>(side),
                              m_frame.trace(), m_lane.actor, process.incarnation - 1, onBar);
        });
    }

    const PaintFrame& m_frame;
    const TimelineStyle& m_style;
    QPainter& m_painter;
    const Band& m_band;
    const ActorLane& m_lane;
    const ActorTracks& m_tracks;
    QColor m_fill;
    QColor m_ink;
    double m_inset;
    std::vector<Label> m_labels;
    std::vector<QRectF> m_crosses, m_pauses; ///< by row, and in each from left to right
};

} // namespace

void paintDoes(const PaintFrame& frame, const Band& band) {
    DoesPainter(frame, band).paint();
}

} // namespace lockscope::ui
