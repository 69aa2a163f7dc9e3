// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The what-if strip on the canvas: reading it by mouse and by key.
#include <QTextDocument>
#include <QToolTip>

#include "ui/timeline/canvas.h"
#include "ui/timeline/descriptions.h"
#include "ui/timeline/paint/frame.h"

namespace lockscope::ui {

namespace {
constexpr int kReadForMs = 60'000;
} // namespace

/// What a mark says. What a pause would do is not in the picture: it is asked for.
QString TimelineCanvas::say(const Hit& hit) const {
    if (hit.what != Hit::What::Strip) return describe(scene(), hit);
    const Band& band = m_layout.bands()[static_cast<std::size_t>(hit.band)];
    return m_stripReader
               ? m_stripReader(m_data->lanes().actors[static_cast<std::size_t>(band.index)].actor, hit.at)
               : QString();
}

/// The strip under the playhead on the lane with the focus: the most severe that a pause adds there.
Hit TimelineCanvas::stripAtPlayhead() const {
    if (!m_data || m_layout.bands().empty()) return {};
    const Band& band = m_layout.bands()[static_cast<std::size_t>(m_focusBand)];
    if (band.kind != BandKind::Actor || band.stripRows == 0) return {};
    const Scene now = scene();
    Hit hit;
    hit.what = Hit::What::Strip;
    hit.band = m_focusBand;
    hit.at = m_playhead;
    if (!m_strip) return hit;
    const ActorIndex actor = m_data->lanes().actors[static_cast<std::size_t>(band.index)].actor;
    for (std::size_t row = 0; row < m_strip->rows.size(); ++row) {
        const Sweep::Region* region = m_strip->regionAt(actor, row, m_playhead);
        if (region == nullptr) continue;
        hit.index = static_cast<int>(row);
        const double x0 = now.scale.x(region->from);
        const double x1 = std::max(now.scale.x(region->until), x0 + m_style.px(4));
        hit.rect = QRectF(x0, now.y(stripRowTop(band, row)), x1 - x0, band.stripRow);
        break;
    }
    return hit;
}

void TimelineCanvas::readStrip() {
    if (m_reading)
        stopReading();
    else
        sayStrip();
}

void TimelineCanvas::sayStrip() {
    const Hit hit = stripAtPlayhead();
    m_reading = hit.what == Hit::What::Strip;
    repaintMoving();
    if (!m_reading) return;
    const QString text = say(hit);
    setAccessibleDescription(text);
    const Scene now = scene();
    const Band& band = m_layout.bands()[static_cast<std::size_t>(m_focusBand)];
    const QPointF at(std::clamp<double>(now.scale.x(m_playhead), 0, width()),
                     now.y(band.bottom()) + m_style.px(72));
    QToolTip::showText(mapToGlobal(at.toPoint()), Qt::convertFromPlainText(text), this, {}, kReadForMs);
}

void TimelineCanvas::stopReading() {
    if (!m_reading) return;
    m_reading = false;
    QToolTip::hideText();
    repaintMoving();
}

void TimelineCanvas::toStripBorder() {
    const Hit hit = stripAtPlayhead();
    if (hit.what != Hit::What::Strip || !m_strip) return;
    const Band& band = m_layout.bands()[static_cast<std::size_t>(hit.band)];
    const ActorIndex actor = m_data->lanes().actors[static_cast<std::size_t>(band.index)].actor;
    Instant next = m_strip->borderAfter(actor, m_playhead);
    if (next == kNever || next > m_veil) next = m_strip->borderAfter(actor, Instant{Duration{-1}});
    if (next == kNever || next > m_veil) return;
    emit playheadWanted(next);
    if (!m_reading) sayStrip();
}

void TimelineCanvas::drawStripLens(const PaintFrame& frame) {
    const Hit hit = m_reading ? stripAtPlayhead() : m_hover;
    if (hit.what != Hit::What::Strip || hit.index < 0 || !m_strip) return;
    const Band& band = m_layout.bands()[static_cast<std::size_t>(hit.band)];
    const ActorIndex actor = m_data->lanes().actors[static_cast<std::size_t>(band.index)].actor;
    for (const StripMark& mark : stripMarks(frame, actor, static_cast<std::size_t>(hit.index)))
        if (mark.narrow && mark.region.from <= hit.at && hit.at < mark.region.until)
            paintStripLens(frame, band, static_cast<std::size_t>(hit.index), mark.region);
}

} // namespace lockscope::ui
