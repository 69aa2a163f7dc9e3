// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The protected resource: a disc for a write it took, a ring with a bar for one it refused, and beside it, in
// a live run and where there is room, the SQL that was really executed.
#include <QCoreApplication>

#include <cmath>

#include "ui/bridge/text.h"
#include "ui/timeline/paint/frame.h"

namespace lockscope::ui {

namespace {

/// Of an UPDATE what tells least goes first: what it sets, then its name, then all but the condition.
QStringList shorterAndShorter(const QString& sql) {
    QStringList texts{sql};
    const qsizetype where = sql.indexOf(QLatin1String("WHERE "));
    if (where < 0) return texts;
    texts << QStringLiteral("UPDATE … ") + sql.mid(where) << sql.mid(where);
    const qsizetype condition = sql.indexOf(QLatin1String(" AND "), where);
    if (condition >= 0) texts << sql.mid(condition + 1);
    return texts;
}

} // namespace

void paintResource(const PaintFrame& frame, const Band& band) {
    const TimelineStyle& style = frame.style;
    QPainter& painter = frame.painter;
    const PointTrack& track = frame.data.resource();
    const double middle = std::round(frame.y(band.top + band.height / 2));
    const double radius = std::min<double>(style.px(9), band.height / 2 - style.px(3));
    painter.fillRect(QRectF(std::max(frame.area.left(), frame.scale.x(Instant{})), middle,
                            std::min(frame.area.right(), frame.scale.x(frame.until)) -
                                std::max(frame.area.left(), frame.scale.x(Instant{})),
                            1),
                     style.color(Role::Hairline));
    const double cell = 2 * radius + style.px(2);
    const Instant from = frame.scale.at(frame.area.left() - style.px(60));

    walkPoints(track, frame.scale, from, frame.until, cell, [&](const PointMark& mark) {
        const ResourceMark& worst = frame.lanes().resource[track.source(mark.worst)];
        const Event& event = frame.trace().events[worst.event];
        const QPointF centre(mark.x, middle);
        const QColor color = style.actor(frame.trace(), worst.actor);
        painter.setRenderHint(QPainter::Antialiasing);
        QString beside;
        if (worst.accepted) {
            painter.setPen(Qt::NoPen);
            painter.setBrush(color);
            painter.drawEllipse(centre, radius, radius);
            const QString version = QString::number(event.b);
            const double width = style.width(version, TextFace::Smallest);
            if (mark.count() > 1) {
                beside = QStringLiteral("×%1").arg(mark.count());
            } else if (width <= 2 * radius - style.px(2)) {
                painter.setPen(style.onActor(frame.trace(), worst.actor));
                style.drawText(painter, mark.x - width / 2, middle, version, TextFace::Smallest);
            } else {
                beside = version;
            }
        } else {
            const double line = style.px(2.5);
            painter.setPen(QPen(color, line));
            painter.setBrush(style.color(Role::Lane));
            painter.drawEllipse(centre, radius - line / 2, radius - line / 2);
            painter.drawLine(QPointF(mark.x - radius * 0.6, middle + radius * 0.6),
                             QPointF(mark.x + radius * 0.6, middle - radius * 0.6));
            beside = mark.count() > 1 ? QStringLiteral("×%1").arg(mark.count())
                     : event.a >= 0   ? QStringLiteral("%1 < %2").arg(event.a).arg(event.b)
                                      : QCoreApplication::translate("Timeline", "no fence");
        }
        painter.setRenderHint(QPainter::Antialiasing, false);
        QStringList texts;
        if (worst.sql != StringId::Empty && mark.count() == 1)
            for (const QString& sql : shorterAndShorter(qstr(frame.trace().text(worst.sql))))
                texts << (beside.isEmpty() ? sql : beside + QLatin1String("   ") + sql);
        texts << beside;
        const double x = mark.x + radius + style.px(5);
        const double next = mark.end < track.size() && track.at(mark.end) <= frame.until
                                ? frame.scale.x(track.at(mark.end)) - radius
                                : frame.area.right();
        for (const QString& text : texts) {
            if (text.isEmpty() || x + style.width(text, TextFace::Caption) + style.px(3) > next) continue;
            paintPlate(frame, x, middle, text, TextFace::Caption, style.color(Role::Lane),
                       style.color(Role::Text));
            return;
        }
    });
}

} // namespace lockscope::ui
