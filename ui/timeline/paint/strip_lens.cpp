// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
// A lens on a sliver of the what-if strip. Its scale is that of steps: whatever happens in it, and the
// sliver's own borders, stand a readable way apart.
#include <QCoreApplication>

#include <cmath>

#include "core/trace/wording.h"
#include "ui/bridge/text.h"
#include "ui/timeline/paint/frame.h"
#include "ui/timeline/strip.h"
#include "ui/timeline/time_text.h"

namespace lockscope::ui {

namespace {

constexpr double kWide = 240;
constexpr double kHigh = 64;
constexpr std::size_t kMostSteps = 12; ///< more could not be told apart

class Lens {
    Q_DECLARE_TR_FUNCTIONS(Timeline)

public:
    Lens(const PaintFrame& frame, const Band& band, std::size_t row, const Sweep::Region& region)
        : m_frame(frame), m_style(frame.style), m_painter(frame.painter), m_band(band), m_row(row),
          m_region(region), m_actor(frame.lanes().actors[static_cast<std::size_t>(band.index)].actor) {}

    void paint() {
        place();
        m_painter.fillRect(m_box, m_style.color(Role::Window));
        paintOutline(m_painter, m_box, m_style.px(1), m_style.color(Role::Text));
        const QString title = tr("%1 · %2").arg(qstr(titleOf(m_frame.strip->rows[m_row].invariant)),
                                                durationText(m_region.until - m_region.from));
        m_painter.setPen(m_style.color(Role::Text));
        const double pad = m_style.px(6);
        m_style.drawText(m_painter, m_box.left() + pad, m_box.top() + m_style.px(11), title,
                         TextFace::Smallest);
        collectSteps();
        paintRows();
        paintBorder(m_region.from, true);
        paintBorder(m_region.until, false);
    }

private:
    void place() {
        const double wide = std::min<double>(m_style.px(kWide), m_frame.area.width());
        const double high = m_style.px(kHigh);
        const double gap = m_style.px(4);
        const double x = m_frame.scale.x(m_region.from) - wide / 2;
        double y = m_frame.y(m_band.bottom()) + gap;
        if (y + high > m_frame.area.bottom()) y = m_frame.y(m_band.stripTop) - gap - high;
        m_box = QRectF(std::round(std::clamp(x, m_frame.area.left(),
                                             std::max(m_frame.area.left(), m_frame.area.right() - wide))),
                       std::round(y), wide, high);
        m_track = QRectF(m_box.left() + m_style.px(6), m_box.top() + m_style.px(21), wide - m_style.px(12),
                         m_style.px(15));
    }

    /// What the actor does from half a sliver before to half a sliver after it, and the sliver's borders.
    void collectSteps() {
        const Duration around = (m_region.until - m_region.from) / 2 + Duration{1};
        const Instant from = std::max(Instant{}, m_region.from - around);
        const Instant until = std::min({m_frame.trace().horizon, m_frame.veil, m_region.until + around});
        m_steps = {from, m_region.from, m_region.until, until};
        for (auto event = firstFrom(from); event != events().end() && event->at < until; ++event)
            if (event->actor == m_actor && m_steps.size() < kMostSteps) m_steps.push_back(event->at);
        std::sort(m_steps.begin(), m_steps.end());
        m_steps.erase(std::unique(m_steps.begin(), m_steps.end()), m_steps.end());
    }

    const std::vector<Event>& events() const { return m_frame.trace().events; }
    std::vector<Event>::const_iterator firstFrom(Instant at) const {
        return std::lower_bound(events().begin(), events().end(), at,
                                [](const Event& e, Instant t) { return e.at < t; });
    }

    double x(Instant at) const {
        if (m_steps.size() < 2) return m_track.left();
        const auto after = std::upper_bound(m_steps.begin() + 1, m_steps.end() - 1, at);
        const auto before = after - 1;
        const double step = m_track.width() / static_cast<double>(m_steps.size() - 1);
        const double part = std::clamp(static_cast<double>((at - *before).count()) /
                                           static_cast<double>((*after - *before).count()),
                                       0.0, 1.0);
        return m_track.left() + step * (static_cast<double>(before - m_steps.begin()) + part);
    }

    void paintRows() {
        m_painter.fillRect(m_track, m_style.color(Role::Lane));
        const double high = m_style.px(5);
        for (std::size_t row = 0; row < m_frame.strip->rows.size(); ++row)
            for (const Sweep::Region& r : m_frame.strip->regions[static_cast<std::size_t>(m_actor)][row]) {
                if (r.until <= m_steps.front() || r.from >= m_steps.back()) continue;
                fillStripRow(
                    m_frame,
                    QRectF(QPointF(x(std::max(r.from, m_steps.front())),
                                   m_track.top() + high * static_cast<double>(row)),
                           QSizeF(x(std::min(r.until, m_steps.back())) - x(std::max(r.from, m_steps.front())),
                                  high - m_style.px(1))),
                    row);
            }
        for (const Instant step : m_steps)
            m_painter.fillRect(QRectF(std::round(x(step)), m_track.top() - m_style.px(2), 1,
                                      m_track.height() + m_style.px(4)),
                               m_style.color(Role::DimText));
    }

    /// When the border is, and what the actor does there.
    void paintBorder(Instant at, bool left) {
        const QString time = instantText(at, 3);
        const double gap = m_style.px(4);
        const double reach = m_track.width() / 2 - gap;
        const double middleX = m_track.center().x();
        const auto draw = [&](const QString& text, double middle, Role role) {
            const double wide = m_style.width(text, TextFace::Smallest);
            if (wide > reach) return;
            m_painter.setPen(m_style.color(role));
            // Under its border, but on its own half.
            const double start = left ? std::clamp(x(at), m_track.left(), middleX - gap - wide)
                                      : std::clamp(x(at) - wide, middleX + gap, m_track.right() - wide);
            m_style.drawText(m_painter, start, middle, text, TextFace::Smallest);
        };
        draw(time, m_track.bottom() + m_style.px(8), Role::Text);
        draw(happens(at), m_track.bottom() + m_style.px(20), Role::DimText);
    }

    /// A border lies just beside what makes the difference.
    QString happens(Instant at) const {
        QString text;
        for (auto it = firstFrom(at - millis(1)); it != events().end() && it->at <= at + millis(1); ++it) {
            const Event& event = *it;
            if (event.actor != m_actor || event.at > m_frame.veil) continue;
            const QString command =
                event.request == kNone
                    ? QString()
                    : qstr(m_frame.trace().text(
                          m_frame.trace().requests[static_cast<std::size_t>(event.request)].command));
            if (event.kind == EventKind::RequestSent) text = tr("sends %1").arg(command);
            if (event.kind == EventKind::RequestExecuted && text.isEmpty())
                text = tr("%1 executed").arg(command);
            if (event.kind == EventKind::ReplyReceived && text.isEmpty())
                text = tr("%1 answered").arg(command);
            if (event.kind == EventKind::WorkEnded && text.isEmpty())
                text = tr("%1 done").arg(qstr(m_frame.trace().text(event.text)));
        }
        return text;
    }

    const PaintFrame& m_frame;
    const TimelineStyle& m_style;
    QPainter& m_painter;
    const Band& m_band;
    std::size_t m_row;
    const Sweep::Region& m_region;
    ActorIndex m_actor;
    QRectF m_box;
    QRectF m_track;
    std::vector<Instant> m_steps;
};

} // namespace

void paintStripLens(const PaintFrame& frame, const Band& band, std::size_t row, const Sweep::Region& region) {
    Lens(frame, band, row, region).paint();
}

} // namespace lockscope::ui
