// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/legend.h"

#include <QKeyEvent>
#include <QPainter>
#include <QScrollBar>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

#include "ui/timeline/paint/frame.h"
#include "ui/timeline/prepared_difference.h"
#include "ui/timeline/step_time.h"

namespace lockscope::ui {

namespace {

constexpr double kPad = 12;
constexpr double kSwatch = 128;

} // namespace

TimelineLegend::TimelineLegend(const Look& look, QWidget* parent)
    : QFrame(parent), m_look(look), m_sample(makeLegendSample()),
      m_data(std::make_unique<PreparedRun>(m_sample.run)), m_style(look) {
    Run nothing;
    nothing.trace = std::make_shared<Trace>();
    m_ghost = std::make_unique<PreparedDifference>(m_sample.run, nothing, *m_sample.run);
    setObjectName(QStringLiteral("timeline.legend"));
    setAccessibleName(tr("Legend of the timeline"));
    QStringList lines;
    for (const LegendEntry& entry : m_sample.entries)
        lines += entry.title + QStringLiteral(": ") + entry.text;
    setAccessibleDescription(lines.join(QStringLiteral("; ")));
    setFocusPolicy(Qt::StrongFocus);
    m_scroll = new QScrollBar(Qt::Vertical, this);
    m_scroll->setObjectName(QStringLiteral("timeline.legendScroll"));
    m_scroll->setAccessibleName(tr("Further marks"));
    connect(m_scroll, &QScrollBar::valueChanged, this, qOverload<>(&QWidget::update));
    connect(&look, &Look::changed, this, [this] {
        m_style.rebuild(devicePixelRatioF());
        updateGeometry();
        placeScroll();
        update();
    });
}

TimelineLegend::~TimelineLegend() = default;

int TimelineLegend::rowHeight() const {
    return m_look.px(40);
}
int TimelineLegend::columnWidth() const {
    double text = 0;
    for (const LegendEntry& entry : m_sample.entries)
        text = std::max({text, m_style.width(entry.title, TextFace::LaneBold),
                         m_style.width(entry.text, TextFace::Smallest)});
    return m_look.px(kSwatch + 10 + 2 * kPad) + static_cast<int>(std::ceil(text));
}

int TimelineLegend::headHeight() const {
    return m_look.px(kPad) + m_look.px(28);
}

int TimelineLegend::columnsIn(int width) const {
    return std::clamp((width - 2 * m_look.px(kPad)) / columnWidth(), 1, 3);
}

int TimelineLegend::rowsIn(int width) const {
    const int columns = columnsIn(width);
    return (static_cast<int>(m_sample.entries.size()) + columns - 1) / columns;
}

QSize TimelineLegend::sizeFor(const QSize& room) const {
    const int pad = m_look.px(kPad);
    const QSize whole(columnsIn(room.width()) * columnWidth() + 2 * pad,
                      rowsIn(room.width()) * rowHeight() + headHeight() + pad);
    if (whole.height() <= room.height()) return whole;
    return {whole.width() + m_scroll->sizeHint().width(), room.height()};
}

void TimelineLegend::placeScroll() {
    const int page = height() - headHeight() - m_look.px(kPad);
    const int bar = m_scroll->sizeHint().width();
    m_scroll->setGeometry(width() - bar - 1, headHeight(), bar, std::max(1, page));
    m_scroll->setRange(0, std::max(0, rowsIn(width()) * rowHeight() - page));
    m_scroll->setSingleStep(rowHeight());
    m_scroll->setPageStep(page);
    m_scroll->setVisible(m_scroll->maximum() > 0);
}

void TimelineLegend::resizeEvent(QResizeEvent* event) {
    QFrame::resizeEvent(event);
    placeScroll();
}

void TimelineLegend::wheelEvent(QWheelEvent* event) {
    m_scroll->setValue(m_scroll->value() - event->angleDelta().y() * rowHeight() / 120);
    event->accept();
}

QSize TimelineLegend::sizeHint() const {
    return sizeFor({m_look.px(1000), m_look.px(600)});
}

void TimelineLegend::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), m_look.color(Role::Window));
    paintOutline(painter, rect(), 1, m_look.color(Role::Hairline));
    const int pad = m_look.px(kPad);
    const int head = m_look.px(28);
    painter.setPen(m_look.color(Role::Text));
    m_style.drawText(painter, pad, pad + head / 2.0 - m_look.px(4), tr("What the marks mean"),
                     TextFace::LaneBold);
    const QString hint = tr("L or Esc closes");
    painter.setPen(m_look.color(Role::DimText));
    m_style.drawText(painter, width() - pad - m_style.width(hint, TextFace::Caption),
                     pad + head / 2.0 - m_look.px(4), hint, TextFace::Caption);

    const int rows = rowsIn(width());
    painter.setClipRect(QRect(0, headHeight(), width(), height() - headHeight() - 1));
    for (std::size_t i = 0; i < m_sample.entries.size(); ++i) {
        const LegendEntry& entry = m_sample.entries[i];
        const int column = static_cast<int>(i) / rows;
        const int row = static_cast<int>(i) % rows;
        const QRectF place(pad + column * columnWidth(), headHeight() + row * rowHeight() - m_scroll->value(),
                           columnWidth(), rowHeight());
        paintEntry(
            painter, entry,
            QRectF(place.left(), place.top() + m_look.px(3), m_look.px(kSwatch), rowHeight() - m_look.px(6)));
        const double x = place.left() + m_look.px(kSwatch + 10);
        painter.setPen(m_look.color(Role::Text));
        m_style.drawText(painter, x, place.top() + rowHeight() * 0.29, entry.title, TextFace::LaneBold);
        painter.setPen(m_look.color(Role::DimText));
        m_style.drawText(painter, x, place.top() + rowHeight() * 0.71, entry.text, TextFace::Smallest);
    }
}

/// The entry's lane alone on a little timeline of its own.
void TimelineLegend::paintEntry(QPainter& painter, const LegendEntry& entry, const QRectF& swatch) const {
    using Family = LegendEntry::Family;
    const TrueTime time;
    const Instant end = m_sample.run->trace->horizon;
    const StepTime steps({instantAt(millis(1)), instantAt(millis(2)), end - millis(2), end - millis(1)}, end);
    const bool broken = entry.family == Family::Break;
    const TimeMap& map = broken ? static_cast<const TimeMap&>(steps) : time;
    const TimeScale scale(map, {0, map.toAxis(end)}, swatch.left(), swatch.width());
    const bool arrows = entry.family == Family::Request;

    Band band;
    band.index = entry.lane;
    band.doesRow = arrows ? m_look.px(8) : swatch.height();
    band.height = arrows ? band.doesRow : swatch.height();
    band.thinksTop = (swatch.height() - m_look.px(10)) / 2;
    band.thinksRow = m_look.px(10);
    switch (entry.family) {
    case Family::Owner:
        band.kind = BandKind::Key;
        break;
    case Family::Resource:
        band.kind = BandKind::Resource;
        break;
    case Family::Ttl:
        band.kind = BandKind::Ttl;
        break;
    default:
        band.kind = BandKind::Actor;
        break;
    }
    if (entry.family == Family::Strip) {
        band.stripRows = StripPicture::kMostRows;
        band.stripRow = m_look.px(6);
        band.stripTop = (swatch.height() - band.stripRow * band.stripRows) / 2;
    }
    Band redis;
    redis.kind = BandKind::Key;
    redis.top = swatch.height() - m_look.px(6);
    redis.height = m_look.px(6);
    const LaneLayout layout(arrows ? std::vector<Band>{band, redis} : std::vector<Band>{band});

    Scene scene{*m_data, m_style, layout, scale, ShownParts{}};
    scene.top = swatch.top();
    scene.area = swatch;
    scene.until = end;
    scene.strip = &m_sample.strip;
    const PaintFrame frame{scene, painter};
    painter.save();
    painter.setClipRect(swatch);
    if (arrows) {
        painter.fillRect(QRectF(swatch.left(), swatch.top(), swatch.width(), band.height),
                         m_look.color(Role::Lane));
        painter.fillRect(QRectF(swatch.left(), frame.y(redis.top), swatch.width(), redis.height),
                         m_look.color(Role::Lane));
    } else {
        paintBands(frame);
    }
    switch (entry.family) {
    case Family::Does:
        paintDoes(frame, band);
        break;
    case Family::Thinks:
        paintThinks(frame, band);
        break;
    case Family::Owner:
        paintOwners(frame, band);
        break;
    case Family::Resource:
        paintResource(frame, band);
        break;
    case Family::Ttl:
        paintTtl(frame, band);
        break;
    case Family::Request:
        paintRequests(frame, band);
        break;
    case Family::Ghost:
        paintGhost(frame, *m_ghost);
        break;
    case Family::Break:
        scene.top += m_look.px(5);
        paintBreakGrounds(PaintFrame{scene, painter});
        paintDoes(PaintFrame{scene, painter}, band);
        paintBreakCuts(PaintFrame{scene, painter});
        break;
    case Family::Strip:
        paintStrip(frame, band);
        break;
    case Family::Fault:
        paintDoes(frame, band);
        paintFaults(frame);
        break;
    case Family::Violation:
        scene.top += m_look.px(9);
        paintDoes(PaintFrame{scene, painter}, band);
        paintViolations(PaintFrame{scene, painter});
        break;
    }
    painter.restore();
}

void TimelineLegend::mousePressEvent(QMouseEvent*) {
    emit closeWanted();
}

void TimelineLegend::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
    case Qt::Key_Escape:
    case Qt::Key_L:
        emit closeWanted();
        return;
    case Qt::Key_Up:
    case Qt::Key_Down:
        m_scroll->triggerAction(event->key() == Qt::Key_Up ? QScrollBar::SliderSingleStepSub
                                                           : QScrollBar::SliderSingleStepAdd);
        return;
    default:
        QFrame::keyPressEvent(event);
    }
}

} // namespace lockscope::ui
