// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/odds_view.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QVBoxLayout>

#include <qcustomplot.h>

#include <algorithm>

#include "ui/bridge/odds_search.h"
#include "ui/bridge/text.h"
#include "ui/look.h"
#include "ui/panels/wrap_label.h"

namespace lockscope::ui {

namespace {

double inSeconds(Duration d) {
    return static_cast<double>(d.count()) / 1e6;
}

QString percent(double share) {
    return OddsView::tr("%1 %").arg(share * 100, 0, 'f', share > 0 && share < 0.1 ? 1 : 0);
}

} // namespace

OddsView::OddsView(OddsSearch& search, Look& look, QWidget* parent)
    : FindingsView(QStringLiteral("odds"), tr("How often two overlap, and how long a crash blocks"), look,
                   parent),
      m_search(search) {
    m_reading = new WrapLabel(this);
    m_reading->setObjectName(QStringLiteral("oddsReading"));
    buildPlot();
    setFocusProxy(m_plot);

    column()->addWidget(m_plot, 1);
    column()->addWidget(m_reading);
    connect(&search, &OddsSearch::changed, this, &OddsView::refresh);
    connect(&look, &Look::changed, this, &OddsView::applyLook);
    applyLook();
}

void OddsView::buildPlot() {
    m_plot = new QCustomPlot(this);
    m_plot->setObjectName(QStringLiteral("oddsPlot"));
    m_plot->setFocusPolicy(Qt::StrongFocus);
    m_plot->setMinimumHeight(1);
    m_plot->installEventFilter(this);
    m_plot->yAxis2->setVisible(true);
    m_turns = m_plot->addGraph(m_plot->xAxis, m_plot->yAxis);
    m_runs = m_plot->addGraph(m_plot->xAxis, m_plot->yAxis);
    m_recovery = m_plot->addGraph(m_plot->xAxis, m_plot->yAxis2);
    m_longest = m_plot->addGraph(m_plot->xAxis, m_plot->yAxis2);
    m_turns->setName(tr("turns beside another's"));
    m_runs->setName(tr("runs with an overlap"));
    m_recovery->setName(tr("a crash blocks for, on average"));
    m_longest->setName(tr("nine of ten crashes, up to"));
    m_here = new QCPItemStraightLine(m_plot);
    m_plot->yAxis->setLabel(tr("overlaps, %"));
    m_plot->yAxis2->setLabel(tr("blocked by a crash, s"));
    m_plot->legend->setVisible(true);
    m_plot->axisRect()->insetLayout()->setInsetAlignment(0, Qt::AlignTop | Qt::AlignHCenter);
}

QString OddsView::status() const {
    if (!m_search.problem().isEmpty()) return m_search.problem();
    std::uint64_t runs = 0;
    for (const auto& [value, point] : m_search.points())
        runs += point.runs;
    if (m_search.points().empty()) return tr("The first runs are on their way.");
    if (!m_search.complete())
        return tr("%L1 runs so far, each once more with a crash.").arg(static_cast<qulonglong>(runs));
    return tr("Found out by %L1 runs, and each once more with a crash of the owner. A click turns the knob.")
        .arg(static_cast<qulonglong>(runs));
}

QString OddsView::reading() const {
    const QString knob = tr("%1 %2").arg(m_search.knobLabel(), forPeople(m_search.value()));
    const OddsPoint* here = m_search.here();
    if (here == nullptr) return tr("%1: not known yet.").arg(knob);
    return tr("%1: %2 of the turns lie beside another's, %3 of the runs have an overlap; a crash blocks for "
              "%4 on "
              "average, nine of ten for no more than %5.")
        .arg(knob, percent(here->overlapShare()), percent(here->brokenShare()),
             forPeople(here->meanRecovery()), forPeople(here->recoveryOf(90)));
}

void OddsView::refresh() {
    setStatus(status());
    m_reading->setText(reading());
    m_plot->setAccessibleName(m_reading->text());
    draw();
}

void OddsView::draw() {
    QVector<double> x, turns, runs, recovery, longest;
    double most = 1;
    for (const auto& [value, point] : m_search.points()) {
        x << inSeconds(value);
        turns << point.overlapShare() * 100;
        runs << point.brokenShare() * 100;
        recovery << inSeconds(point.meanRecovery());
        longest << inSeconds(point.recoveryOf(90));
        most = std::max(most, longest.back());
    }
    m_turns->setData(x, turns, true);
    m_runs->setData(x, runs, true);
    m_recovery->setData(x, recovery, true);
    m_longest->setData(x, longest, true);
    m_plot->xAxis->setLabel(tr("%1, s").arg(m_search.knobLabel()));
    const double here = inSeconds(m_search.value());
    const double right = std::max(here, x.isEmpty() ? here : x.back());
    m_plot->xAxis->setRange(0, right * 1.02);
    m_plot->yAxis->setRange(0, 103);
    m_plot->yAxis2->setRange(0, most * 1.03);
    m_here->point1->setCoords(here, 0);
    m_here->point2->setCoords(here, 1);
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

bool OddsView::eventFilter(QObject* watched, QEvent* event) {
    if (watched != m_plot) return FindingsView::eventFilter(watched, event);
    if (event->type() == QEvent::MouseButtonPress) {
        const auto* press = static_cast<QMouseEvent*>(event);
        const double at = m_plot->xAxis->pixelToCoord(press->position().x());
        if (press->button() == Qt::LeftButton && at > 0)
            m_search.setValue(Duration{static_cast<std::int64_t>(at * 1e6)});
        m_plot->setFocus(Qt::MouseFocusReason);
        return true;
    }
    if (event->type() == QEvent::KeyPress || event->type() == QEvent::ShortcutOverride) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (key != Qt::Key_Left && key != Qt::Key_Right) return false;
        event->accept(); // here they turn the knob rather than the playhead
        if (event->type() == QEvent::ShortcutOverride) return true;
        m_search.setValue(m_search.value() + (key == Qt::Key_Left ? -seconds(1) : seconds(1)));
        return true;
    }
    return false;
}

void OddsView::applyLook() {
    m_reading->setFont(look().font(TextRole::Lane));
    const QColor text = look().color(Role::Text), line = look().color(Role::Hairline);
    const auto pen = [this](const QColor& color, double width, Qt::PenStyle style = Qt::SolidLine) {
        QPen made(color, look().px(width), style);
        made.setCosmetic(true);
        return made;
    };
    m_plot->setBackground(look().color(Role::Lane));
    for (QCPAxis* axis : {m_plot->xAxis, m_plot->yAxis, m_plot->yAxis2}) {
        axis->setLabelFont(look().font(TextRole::Caption));
        axis->setTickLabelFont(look().font(TextRole::Caption));
        axis->setLabelColor(text);
        axis->setTickLabelColor(text);
        axis->setBasePen(pen(line, 1));
        axis->setTickPen(pen(line, 1));
        axis->setSubTicks(false);
        axis->grid()->setPen(pen(line, 1, Qt::DotLine));
    }
    // Told apart by the form of the points and the line too.
    const QColor broken = look().color(Role::Violation), wait = look().color(Role::Focus);
    const auto points = [this](QCPScatterStyle::ScatterShape shape) {
        return QCPScatterStyle(shape, look().px(7));
    };
    m_turns->setPen(pen(broken, 2));
    m_turns->setScatterStyle(points(QCPScatterStyle::ssDisc));
    m_runs->setPen(pen(broken, 1, Qt::DashLine));
    m_runs->setScatterStyle(points(QCPScatterStyle::ssCircle));
    m_recovery->setPen(pen(wait, 2));
    m_recovery->setScatterStyle(points(QCPScatterStyle::ssSquare));
    m_longest->setPen(pen(wait, 1, Qt::DashLine));
    m_longest->setScatterStyle(points(QCPScatterStyle::ssDiamond));
    m_here->setPen(pen(text, 2));
    m_plot->legend->setFont(look().font(TextRole::Caption));
    m_plot->legend->setTextColor(text);
    m_plot->legend->setBrush(look().color(Role::Lane));
    m_plot->legend->setBorderPen(pen(line, 1));
    refresh();
}

} // namespace lockscope::ui
