// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/lane_headers.h"

#include <QContextMenuEvent>
#include <QFontMetricsF>
#include <QMouseEvent>
#include <QPainter>
#include <QPointer>

#include <algorithm>
#include <cmath>

#include "core/world/intervention.h"
#include "ui/bridge/text.h"
#include "ui/panels/duration_field.h"
#include "ui/timeline/canvas.h"
#include "ui/timeline/name_text.h"
#include "ui/timeline/paint/frame.h"
#include "ui/timeline/time_text.h"

namespace lockscope::ui {

/// One lane's header. It draws itself from the canvas' layout and is placed by LaneHeaders.
class LaneHeader : public QWidget {
    Q_DECLARE_TR_FUNCTIONS(LaneHeader)

public:
    LaneHeader(TimelineCanvas& canvas, LaneHeaders& column)
        : QWidget(&column), m_canvas(canvas), m_column(column) {}

    /// `first`: of those with a strip; one field is enough to go through by Tab.
    void setBand(int band, bool first) {
        m_band = band;
        placeField(first);
        const Band& b = this->band();
        const QString name = fullName();
        setObjectName(QStringLiteral("timeline.header.%1").arg(name));
        const bool saysServer = b.kind == BandKind::Key && !trace().server.empty();
        setToolTip(saysServer ? tr("%1\nServer: %2").arg(name, qstr(trace().server)) : name);
        setAccessibleName(b.kind == BandKind::Actor ? tr("%1: does, thinks").arg(name) : name);
        update();
    }

    /// Pixels that name and caption want side by side.
    double wantedWidth() const {
        const TimelineStyle& style = m_canvas.style();
        const Band& b = band();
        const double edge = 2 * style.px(8);
        if (b.kind == BandKind::Actor) {
            const double badge = style.px(18) + style.px(5);
            const double captions = b.dense ? 0 : style.width(tr("thinks"), TextFace::Caption) + style.px(8);
            const double strip = b.stripRows > 0 ? fieldLeft() + fieldWidth() + edge / 2 +
                                                       style.width(stripCaption()[1], TextFace::Smallest)
                                                 : 0;
            return std::max(strip, edge + badge + style.width(fullName(), TextFace::LaneBold) + captions);
        }
        return edge + style.width(title(), TextFace::LaneBold) + (b.kind == BandKind::Ttl ? style.px(44) : 0);
    }

protected:
    void paintEvent(QPaintEvent*) override {
        if (m_canvas.data() == nullptr) return;
        QPainter painter(this);
        const TimelineStyle& style = m_canvas.style();
        const Band& b = band();
        painter.fillRect(rect(), style.color(Role::Lane));
        if (b.stripRows > 0) paintStripCaption(painter, style, b);
        if (m_canvas.hasFocus() && m_canvas.focusBand() == m_band)
            painter.fillRect(QRectF(0, 0, style.px(3), height()), style.color(Role::Focus));
        switch (b.kind) {
        case BandKind::Actor:
            paintActor(painter, style, b);
            break;
        case BandKind::Key:
            paintKey(painter, style);
            break;
        case BandKind::Resource:
            paintTitle(painter, style, height() / 2.0);
            break;
        case BandKind::Ttl:
            paintTtlHeader(painter, style, b);
            break;
        }
    }
    void mousePressEvent(QMouseEvent* event) override {
        if (event->button() == Qt::LeftButton) emit m_column.clicked(m_band);
    }
    void contextMenuEvent(QContextMenuEvent* event) override {
        emit m_column.menuWanted(m_band, event->globalPos());
    }

private:
    const Band& band() const { return m_canvas.lanes().bands()[static_cast<std::size_t>(m_band)]; }
    const Trace& trace() const { return m_canvas.data()->trace(); }
    double edge() const { return m_canvas.style().px(8); }

    /// What stands before and after the length of the pause.
    static QStringList stripCaption() {
        //: In place of %1 stands a field with the length of the pause; it may come first or last.
        const QString text = tr("If paused %1 here →");
        const qsizetype field = text.indexOf(QLatin1String("%1"));
        return {text.left(field).trimmed(), field < 0 ? QString() : text.mid(field + 2).trimmed()};
    }
    double fieldLeft() const {
        const TimelineStyle& style = m_canvas.style();
        return edge() + style.width(stripCaption()[0], TextFace::Smallest) + style.px(4);
    }
    double fieldWidth() const {
        return m_canvas.style().width(QStringLiteral("88.888s"), TextFace::Smallest) + m_canvas.style().px(6);
    }

    void placeField(bool first) {
        const Band& b = band();
        if (b.stripRows == 0) {
            delete m_field;
            return;
        }
        if (m_field == nullptr) {
            m_field = new DurationField(m_canvas.style().look(), this);
            m_field->setProperty("inline", true);
            m_field->setRange(millis(1), seconds(3600));
            m_field->setAccessibleName(tr("If paused for so long"));
            m_field->setToolTip(tr(
                "The strip shows for every instant what a pause of this length that begins there would add"));
            QObject::connect(m_field, &DurationField::valueChanged, &m_column,
                             &LaneHeaders::pauseLengthWanted);
            m_field->show();
        }
        m_field->setObjectName(QStringLiteral("stripLength.%1").arg(fullName()));
        m_field->setFocusPolicy(first ? Qt::StrongFocus : Qt::ClickFocus);
        m_field->setFont(m_canvas.style().font(TextFace::Smallest));
        m_field->setValue(m_column.pauseLength());
        const TimelineStyle& style = m_canvas.style();
        m_field->setGeometry(
            QRectF(fieldLeft(), b.stripTop - b.top, fieldWidth(), b.bottom() - b.stripTop).toAlignedRect());
        m_field->setAlignment(Qt::AlignCenter);
        m_field->setFixedHeight(std::max(style.px(15), static_cast<int>(b.bottom() - b.stripTop)));
    }

    void paintStripCaption(QPainter& painter, const TimelineStyle& style, const Band& b) {
        const double top = b.stripTop - b.top;
        painter.fillRect(QRectF(0, top - style.px(2), width(), style.px(2)), style.color(Role::Window));
        const double middle = top + (height() - top) / 2;
        painter.setPen(style.color(Role::DimText));
        style.drawText(painter, edge(), middle, stripCaption()[0], TextFace::Smallest);
        const double after = fieldLeft() + fieldWidth() + style.px(4);
        if (after + style.width(stripCaption()[1], TextFace::Smallest) <= width())
            style.drawText(painter, after, middle, stripCaption()[1], TextFace::Smallest);
    }

    QString keyName() const {
        const KeyLane& lane = m_canvas.data()->lanes().keys[static_cast<std::size_t>(band().index)];
        const QString name = qstr(trace().text(lane.key));
        // Which node says so matters only where there are several.
        const bool several =
            std::any_of(m_canvas.data()->lanes().keys.begin(), m_canvas.data()->lanes().keys.end(),
                        [](const KeyLane& other) { return other.node > 0; });
        if (lane.node == kMajority) return tr("%1, most of %2").arg(name).arg(trace().majorityOf);
        return several ? tr("%1 on node %2").arg(name).arg(lane.node + 1) : name;
    }
    /// Whose word the lane is.
    QString saying() const {
        const NodeIndex node = m_canvas.data()->lanes().keys[static_cast<std::size_t>(band().index)].node;
        if (trace().majorityOf == 0) return tr("Redis says");
        return node == kMajority ? tr("Majority says") : tr("%1 says").arg(qstr(serverName(node)));
    }
    QString title() const {
        switch (band().kind) {
        case BandKind::Key:
            return saying();
        case BandKind::Resource:
            return m_column.resourceName();
        case BandKind::Ttl:
            return tr("TTL");
        case BandKind::Actor:
            break;
        }
        return fullName();
    }
    QString fullName() const {
        const auto index = static_cast<std::size_t>(band().index);
        switch (band().kind) {
        case BandKind::Actor: {
            const ActorIndex actor = m_canvas.data()->lanes().actors[index].actor;
            return qstr(trace().actors[static_cast<std::size_t>(actor)].name);
        }
        case BandKind::Key:
            return tr("%1: %2").arg(saying(), keyName());
        case BandKind::Resource:
            return m_column.resourceName();
        case BandKind::Ttl:
            return tr("TTL: %1").arg(keyName());
        }
        return {};
    }

    QStringList actorNames() const {
        QStringList names;
        for (const ActorLane& lane : m_canvas.data()->lanes().actors)
            names << qstr(trace().actors[static_cast<std::size_t>(lane.actor)].name);
        return names;
    }

    void paintText(QPainter& painter, const TimelineStyle& style, const QRectF& in, const QString& text,
                   TextFace face, Role role, Qt::Alignment side) {
        const QString shown = QFontMetricsF(style.font(face)).elidedText(text, Qt::ElideMiddle, in.width());
        painter.setFont(style.font(face));
        painter.setPen(style.color(role));
        painter.drawText(in, static_cast<int>(side | Qt::AlignVCenter | Qt::TextDontClip), shown);
    }

    void paintActor(QPainter& painter, const TimelineStyle& style, const Band& b) {
        const ActorIndex actor = m_canvas.data()->lanes().actors[static_cast<std::size_t>(b.index)].actor;
        const double middle = b.doesMiddle(0) - b.top;
        const int side = style.px(b.dense ? 14 : 18);
        style.drawBadge(painter, QPointF(edge() + side / 2.0, middle), side, trace(), actor);
        const double x = edge() + side + style.px(5);
        double right = width() - edge();
        if (!b.dense) {
            const double captions = std::max(style.width(tr("does"), TextFace::Caption),
                                             style.width(tr("thinks"), TextFace::Caption));
            const double line = style.lineHeight(TextFace::Caption);
            paintText(painter, style, QRectF(right - captions, middle - line / 2, captions, line), tr("does"),
                      TextFace::Caption, Role::DimText, Qt::AlignRight);
            const double thinks = std::min(b.thinksMiddle(0) - b.top, height() - line / 2.0);
            paintText(painter, style, QRectF(right - captions, thinks - line / 2, captions, line),
                      tr("thinks"), TextFace::Caption, Role::DimText, Qt::AlignRight);
            right -= captions + style.px(8);
        }
        const double line = style.lineHeight(TextFace::LaneBold);
        const QString name = nameApart(
            fullName(), actorNames(), [&](const QString& t) { return style.width(t, TextFace::LaneBold); },
            right - x);
        paintText(painter, style, QRectF(x, middle - line / 2, right - x, line), name, TextFace::LaneBold,
                  Role::Text, Qt::AlignLeft);
    }

    void paintTitle(QPainter& painter, const TimelineStyle& style, double middle) {
        const double line = style.lineHeight(TextFace::LaneBold);
        paintText(painter, style, QRectF(edge(), middle - line / 2, width() - 2 * edge(), line), title(),
                  TextFace::LaneBold, Role::Text, Qt::AlignLeft);
    }

    void paintKey(QPainter& painter, const TimelineStyle& style) {
        const double first = style.lineHeight(TextFace::LaneBold);
        const double second = style.lineHeight(TextFace::Caption);
        if (height() < first + second) {
            paintTitle(painter, style, height() / 2.0);
            return;
        }
        const double top = (height() - first - second) / 2;
        paintTitle(painter, style, top + first / 2);
        paintText(painter, style, QRectF(edge(), top + first, width() - 2 * edge(), second), keyName(),
                  TextFace::Caption, Role::DimText, Qt::AlignLeft);
    }

    void paintTtlHeader(QPainter& painter, const TimelineStyle& style, const Band& b) {
        const Scene scene = m_canvas.scene();
        const TtlScale scale(scene, b);
        const double offset = scene.y(b.top);
        const double line = style.lineHeight(TextFace::Smallest);
        for (const double part : {0.0, 0.5, 1.0}) {
            const Duration left{static_cast<std::int64_t>(scale.most * part)};
            const double middle =
                std::clamp(scale.y(scale.most * part) - offset, line / 2, height() - line / 2);
            paintText(painter, style, QRectF(edge(), middle - line / 2, width() - edge() - style.px(4), line),
                      part == 0.0 ? tr("0 s") : durationText(left), TextFace::Smallest, Role::DimText,
                      Qt::AlignRight);
        }
        paintTitle(painter, style, style.lineHeight(TextFace::LaneBold) / 2.0 + style.px(6));
    }

    TimelineCanvas& m_canvas;
    LaneHeaders& m_column;
    int m_band = 0;
    QPointer<DurationField> m_field;
};

LaneHeaders::LaneHeaders(TimelineCanvas& canvas, QWidget* parent) : QWidget(parent), m_canvas(canvas) {
    setObjectName(QStringLiteral("timeline.headers"));
    setAccessibleName(tr("Lanes"));
    connect(&canvas, &TimelineCanvas::arranged, this, &LaneHeaders::follow);
    connect(&canvas, &TimelineCanvas::focusBandMoved, this, [this] {
        for (LaneHeader* header : m_headers)
            header->update();
    });
    follow();
}

int LaneHeaders::wantedWidth() const {
    const TimelineStyle& style = m_canvas.style();
    double wanted = style.px(104);
    for (const LaneHeader* header : m_headers)
        wanted = std::max(wanted, header->wantedWidth());
    return static_cast<int>(std::ceil(std::min<double>(wanted, style.px(176))));
}

void LaneHeaders::setPauseLength(Duration length) {
    if (length == m_pause) return;
    m_pause = length;
    follow();
}

void LaneHeaders::setResourceName(const QString& name) {
    if (name == m_resource) return;
    m_resource = name;
    follow();
}

void LaneHeaders::follow() {
    const std::vector<Band>& bands = m_canvas.lanes().bands();
    while (m_headers.size() > bands.size()) {
        delete m_headers.back();
        m_headers.pop_back();
    }
    while (m_headers.size() < bands.size())
        m_headers.push_back(new LaneHeader(m_canvas, *this));
    if (bands.empty()) return;
    const Scene scene = m_canvas.scene();
    bool first = true;
    for (std::size_t i = 0; i < bands.size(); ++i) {
        m_headers[i]->setBand(static_cast<int>(i), first && bands[i].stripRows > 0);
        first = first && bands[i].stripRows == 0;
        m_headers[i]->setGeometry(0, static_cast<int>(std::round(scene.y(bands[i].top))), width(),
                                  static_cast<int>(std::round(bands[i].height)));
        // A header that scrolled under the ruler must not cover the corner.
        m_headers[i]->setVisible(scene.y(bands[i].bottom()) > m_canvas.rulerHeight());
        const int hidden = m_canvas.rulerHeight() - m_headers[i]->y();
        if (hidden > 0)
            m_headers[i]->setMask(QRegion(0, hidden, width(), m_headers[i]->height() - hidden));
        else
            m_headers[i]->clearMask();
    }
}

void LaneHeaders::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    follow();
}

void LaneHeaders::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), m_canvas.style().color(Role::Window));
}

} // namespace lockscope::ui
