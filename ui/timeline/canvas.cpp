// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/canvas.h"

#include <QAccessible>
#include <QEasingCurve>

#include <cmath>
#include <utility>

#include "core/base/assert.h"
#include "ui/timeline/canvas_layers.h"
#include "ui/timeline/descriptions.h"
#include "ui/timeline/fault_marks.h"
#include "ui/timeline/gestures.h"
#include "ui/timeline/passing.h"
#include "ui/timeline/prepared_difference.h"

namespace lockscope::ui {

namespace {

constexpr int kCameraMs = 350;
constexpr int kVeilMs = 400;
constexpr double kMargin = 0.02;  ///< of the run, beyond both its ends
constexpr double kStepMargin = 1; ///< the least of it in step view: a unit

} // namespace

TimelineCanvas::TimelineCanvas(const Look& look, QWidget* parent)
    : QCustomPlot(parent), m_look(look), m_style(look), m_map(std::make_unique<TrueTime>()),
      m_ticker(new TimeTicker(*m_map)) {
    setObjectName(QStringLiteral("timeline.canvas"));
    setAccessibleName(tr("Timeline"));
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setInteractions({});
    setNoAntialiasingOnDrag(false);
    setMinimumSize(look.px(200), look.px(120));
    buildLayers();
    m_passing = std::make_unique<Passing>([this] { repaintMoving(); });

    m_camera.setStartValue(0.0);
    m_camera.setEndValue(1.0);
    m_camera.setDuration(kCameraMs);
    m_camera.setEasingCurve(QEasingCurve::InOutQuad);
    connect(&m_camera, &QVariantAnimation::valueChanged, this, [this](const QVariant& value) {
        m_view = keptWithin(between(m_cameraFrom, m_cameraTo, value.toDouble()), limits(), kLeastView);
        applyScale();
    });
    m_veilLift.setDuration(kVeilMs);
    connect(&m_veilLift, &QVariantAnimation::valueChanged, this, [this](const QVariant& value) {
        m_veilDrawn = m_map->toTime(value.toDouble());
        repaintLanes();
    });
    connect(&m_veilLift, &QVariantAnimation::finished, this, [this] {
        m_veilDrawn = m_veil;
        repaintLanes();
    });
    connect(&look, &Look::changed, this, &TimelineCanvas::applyLook);
    applyLook();
}

TimelineCanvas::~TimelineCanvas() = default;

void TimelineCanvas::buildLayers() {
    xAxis->setVisible(false);
    yAxis->setVisible(false);
    xAxis2->setVisible(true);
    xAxis2->setTicker(m_ticker);
    xAxis2->setTickLengthIn(0);
    xAxis2->setSubTickLengthIn(0);
    xAxis2->grid()->setVisible(true);
    xAxis2->grid()->setZeroLinePen(Qt::NoPen);
    axisRect()->setAutoMargins(QCP::msNone);

    // From below, in one opaque buffer: grounds of lanes, grid, lanes, ruler with flags. What moves without
    // the run changing is drawn over it with each frame: a further buffer would cost every frame twice its
    // pixels.
    mPaintBuffers = {QSharedPointer<OpaqueBuffer>::create(size(), devicePixelRatioF())};
    addLayer(QStringLiteral("bands"), layer(QStringLiteral("background")), limAbove);
    new DrawnLayer(*this, QStringLiteral("bands"), [this](QPainter& painter) { drawBands(painter); });
    new LanesPlottable(xAxis2, yAxis, [this](QPainter& painter) { drawLanes(painter); });
    new DrawnLayer(*this, QStringLiteral("axes"), [this](QPainter& painter) { drawFlags(painter); });
    layer(QStringLiteral("overlay"))->setMode(QCPLayer::lmLogical);
}

void TimelineCanvas::applyLook() {
    setBufferDevicePixelRatio(devicePixelRatioF());
    m_style.rebuild(devicePixelRatioF());
    m_rulerHeight = m_style.px(height() > m_style.px(620) ? 32 : 28);
    setBackground(QBrush(m_look.color(Role::Window)));
    axisRect()->setMargins(QMargins(0, m_rulerHeight, 0, 0));
    const QPen hairline(m_look.color(Role::Hairline), 1);
    xAxis2->setBasePen(hairline);
    xAxis2->setTickPen(hairline);
    xAxis2->setSubTickPen(hairline);
    xAxis2->setTickLengthOut(m_style.px(6));
    xAxis2->setSubTickLengthOut(m_style.px(3));
    xAxis2->setTickLabelFont(m_style.font(TextFace::Caption));
    xAxis2->setTickLabelColor(m_look.color(Role::DimText));
    xAxis2->setTickLabelPadding(m_style.px(2));
    xAxis2->grid()->setPen(hairline);
    arrange();
}

void TimelineCanvas::arrange() {
    const double room = height() - m_rulerHeight - m_style.px(12) - m_style.px(8);
    m_layout = m_data ? LaneLayout(m_data->lanes(), m_parts, m_style, room) : LaneLayout();
    m_focusBand = std::clamp(m_focusBand, 0, std::max(0, static_cast<int>(m_layout.bands().size()) - 1));
    m_scroll = std::clamp(m_scroll, 0.0, mostScroll());
    emit arranged();
    applyScale();
}

void TimelineCanvas::setRun(std::shared_ptr<const Run> run) {
    const bool sameLength = m_data && run && m_data->trace().horizon == run->trace->horizon;
    m_hover = {};
    m_passing->stop();
    m_ghost = nullptr; // the one that was drawn belongs to the other run
    m_data = run ? std::make_unique<PreparedRun>(std::move(run)) : nullptr;
    if (!sameLength) {
        m_camera.stop();
        m_mapHeld = false;
        makeMap();
        m_view = limits();
    } else {
        remap();
    }
    arrange();
    announce();
}

void TimelineCanvas::setPlayhead(Instant at) {
    if (m_playhead == at) return;
    if (m_playing && m_data && at > m_playhead && isVisible() && !m_look.reducedMotion())
        m_passing->pass(scene(), m_playhead, at);
    m_playhead = at;
    repaintMoving();
    if (m_reading) sayStrip();
    announce();
}

void TimelineCanvas::setVeil(Instant from) {
    if (m_veil == from) return;
    const Instant before = m_veil;
    m_veil = from;
    m_veilLift.stop();
    m_hover = {};
    remap();
    const bool lifts = before != kNever && from == kNever && m_data && isVisible() && !m_look.reducedMotion();
    if (lifts) {
        m_veilDrawn = before;
        m_veilLift.setStartValue(std::max(m_map->toAxis(before), m_view.from));
        m_veilLift.setEndValue(m_view.until);
        m_veilLift.start();
    } else {
        m_veilDrawn = from;
    }
    applyScale();
    announce();
}

void TimelineCanvas::setVeilCaption(const QString& caption) {
    if (m_veilCaption == caption) return;
    m_veilCaption = caption;
    repaintLanes();
}

void TimelineCanvas::setSelection(const Selection& selection) {
    if (m_selection == selection) return;
    const bool flags =
        m_selection.kind == Selection::Kind::Intervention || selection.kind == Selection::Kind::Intervention;
    m_selection = selection;
    repaintMoving();
    if (flags) repaintLanes(); // a selected flag has another colour
}

void TimelineCanvas::setStrip(std::shared_ptr<const StripPicture> strip) {
    if (m_strip == strip) return;
    m_strip = std::move(strip);
    m_hover = {};
    repaintLanes();
    if (m_reading) sayStrip();
}

void TimelineCanvas::setShownParts(const ShownParts& parts) {
    if (m_parts == parts) return;
    m_parts = parts;
    stopReading();
    arrange();
}

Scene TimelineCanvas::scene() const {
    LOCKSCOPE_ASSERT(m_data != nullptr);
    const QRectF area(0, m_rulerHeight, width(), height() - m_rulerHeight);
    const TimeScale scale(*m_map, m_view, 0, std::max(1, width()));
    Scene scene{*m_data, m_style, m_layout, scale, m_parts};
    scene.top = m_rulerHeight + m_style.px(12) - std::round(m_scroll);
    scene.area = area;
    scene.from = std::max(Instant{}, scale.from());
    scene.veil = m_veilDrawn;
    scene.strip = m_strip.get();
    scene.until = std::min({scale.until(), m_data->trace().horizon, scene.veil});
    return scene;
}

AxisRange TimelineCanvas::limits() const {
    const double end = m_map->toAxis(horizon());
    const double margin = m_stepView ? std::max(end * kMargin, kStepMargin) : end * kMargin;
    return {-margin, end + margin};
}

void TimelineCanvas::setView(AxisRange range) {
    m_camera.stop();
    range = keptWithin(range, limits(), kLeastView);
    if (range == m_view) return;
    m_view = range;
    applyScale();
}

void TimelineCanvas::glideTo(AxisRange range) {
    range = keptWithin(range, limits(), kLeastView);
    if (m_look.reducedMotion() || !isVisible()) {
        setView(range);
        return;
    }
    m_camera.stop();
    m_cameraFrom = m_view;
    m_cameraTo = range;
    m_camera.start();
}

void TimelineCanvas::zoom(double factor, double atX) {
    const double anchor = m_view.from + atX / std::max(1, width()) * m_view.size();
    // Against a limit nothing must slide: the size is limited first, then the anchor keeps its place.
    const double size = std::clamp(m_view.size() * factor, kLeastView, limits().size());
    setView(zoomedAt(m_view, anchor, size / m_view.size()));
}

void TimelineCanvas::zoomByKey(double factor) {
    zoom(factor, TimeScale(*m_map, m_view, 0, std::max(1, width())).x(anchorInstant()));
}

void TimelineCanvas::panBy(double pixels) {
    setView(movedBy(m_view, pixels / std::max(1, width()) * m_view.size()));
}

double TimelineCanvas::mostScroll() const {
    const double shown = height() - m_rulerHeight - m_style.px(12) - m_style.px(8);
    return std::max(0.0, m_layout.height() - shown);
}

void TimelineCanvas::setScroll(double scroll) {
    scroll = std::clamp(scroll, 0.0, mostScroll());
    if (scroll == m_scroll) return;
    m_scroll = scroll;
    emit arranged();
    repaintLanes();
}

void TimelineCanvas::setFocusBand(int band) {
    if (m_layout.bands().empty()) return;
    band = std::clamp(band, 0, static_cast<int>(m_layout.bands().size()) - 1);
    if (band != m_focusBand) {
        m_focusBand = band;
        const Band& b = m_layout.bands()[static_cast<std::size_t>(band)];
        const double shown = height() - m_rulerHeight - m_style.px(20);
        if (b.bottom() - m_scroll > shown) setScroll(b.bottom() - shown);
        if (b.top < m_scroll) setScroll(b.top);
        announce();
        emit focusBandMoved();
    }
    repaintMoving();
}

void TimelineCanvas::applyScale() {
    m_ticker->setRoom(width(),
                      m_style.width(QStringLiteral("0000.000 s"), TextFace::Caption) + m_style.px(16));
    xAxis2->setRange(m_view.from, m_view.until);
    repaintLanes();
    emit viewMoved();
}

/// With the next frame, whatever else changes until then.
void TimelineCanvas::repaintLanes() {
    m_lanesStale = true;
    update();
}

/// The plot would ask for another frame, in the middle of this one.
void TimelineCanvas::freshenLanes() {
    if (!std::exchange(m_lanesStale, false)) return;
    setAttribute(Qt::WA_UpdatesDisabled, true);
    replot(QCustomPlot::rpQueuedRefresh);
    setAttribute(Qt::WA_UpdatesDisabled, false);
}

void TimelineCanvas::repaintMoving() {
    update();
}

void TimelineCanvas::setHover(const Hit& hit) {
    if (hit == m_hover) return;
    const bool seen = hit.onMark() || m_hover.onMark();
    m_hover = hit;
    if (seen) repaintMoving();
}

/// Tells a screen reader what is under the playhead on the lane with the focus.
void TimelineCanvas::announce() {
    if (!m_data || m_layout.bands().empty()) {
        setAccessibleDescription(tr("No run"));
        return;
    }
    if (!QAccessible::isActive() && !hasFocus()) return;
    // The playhead comes out from behind a new veil a moment after it.
    setAccessibleDescription(describeLane(scene(), m_focusBand, std::min(m_playhead, m_veil)));
}

void TimelineCanvas::selectAtPlayhead() {
    if (!m_data || m_layout.bands().empty()) return;
    const Scene now = scene();
    const Band& band = m_layout.bands()[static_cast<std::size_t>(m_focusBand)];
    const double y = band.kind == BandKind::Actor ? band.doesMiddle(0) : band.top + band.height / 2;
    Hit hit = hitTest(now, QPointF(now.scale.x(m_playhead), now.y(y)));
    if (hit.what == Hit::What::Lane && band.kind == BandKind::Actor)
        hit = hitTest(now, QPointF(now.scale.x(m_playhead), now.y(band.thinksMiddle(0))));
    emit selectionWanted(selectionFor(now, hit));
}

Instant TimelineCanvas::instantAtX(double x) const {
    const TimeScale scale(*m_map, m_view, 0, std::max(1, width()));
    return std::clamp(scale.at(std::clamp<double>(x, 0, width())), Instant{}, horizon());
}

void TimelineCanvas::clickAt(const QPointF& pos) {
    if (!m_data) return;
    const Scene now = scene();
    const Hit hit = hitTest(now, pos);
    if (hit.what == Hit::What::Veil) return;
    if (hit.band >= 0) setFocusBand(hit.band);
    if (hit.what == Hit::What::Strip) {
        const Band& band = m_layout.bands()[static_cast<std::size_t>(hit.band)];
        emit pauseWanted(m_data->lanes().actors[static_cast<std::size_t>(band.index)].actor, hit.at);
        return;
    }
    const bool onViolation = hit.what == Hit::What::Violation;
    const FaultHold hold = onViolation ? FaultHold{} : holdAt(now, pos, pickedFault());
    emit selectionWanted(hold.any() ? Selection{Selection::Kind::Intervention, hold.fault}
                                    : selectionFor(now, hit));
}

} // namespace lockscope::ui
