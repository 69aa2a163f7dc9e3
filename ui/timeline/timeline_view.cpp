// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/timeline_view.h"

#include <QResizeEvent>
#include <QScrollBar>
#include <QToolButton>

#include <algorithm>

#include "ui/bridge/text.h"
#include "ui/look.h"
#include "ui/timeline/canvas.h"
#include "ui/timeline/lane_headers.h"
#include "ui/timeline/legend.h"
#include "ui/timeline/note_row.h"
#include "ui/timeline/snap.h"
#include "ui/timeline/view_bar.h"

namespace lockscope::ui {

namespace {
constexpr double kPast = 2.0 / 3;    ///< of the view is for what led to where one looks
constexpr double kVeilPart = 0.14;   ///< of the view at least, where a veil begins in it
constexpr double kTurnPage = 0.95;   ///< of the view: play that comes so far …
constexpr double kPageBegins = 0.15; ///< … goes on there
} // namespace

TimelineView::TimelineView(RunModel& run, Look& look, QWidget* parent)
    : QWidget(parent), m_run(run), m_look(look) {
    setObjectName(QStringLiteral("timeline"));
    setAccessibleName(tr("Timeline"));
    m_canvas = new TimelineCanvas(look, this);
    m_bar = new ViewBar(look, this);
    m_headers = new LaneHeaders(*m_canvas, this);
    m_scroll = new QScrollBar(Qt::Vertical, this);
    m_scroll->setObjectName(QStringLiteral("timeline.scroll"));
    m_scroll->setAccessibleName(tr("Scroll lanes"));
    m_legendButton = new QToolButton(this);
    m_legendButton->setObjectName(QStringLiteral("timeline.legendButton"));
    m_legendButton->setText(tr("Legend"));
    m_legendButton->setAccessibleName(tr("Show what the marks mean"));
    m_legendButton->setToolTip(tr("What the marks mean (L)"));
    m_legendButton->setCheckable(true);
    m_legendButton->setAutoRaise(true);
    m_legend = new TimelineLegend(look, this);
    m_legend->hide();
    setFocusProxy(m_canvas);
    setTabOrder(m_canvas, m_legendButton);

    connect(&m_run, &RunModel::runChanged, this, &TimelineView::takeRun);
    connect(&m_run, &RunModel::playheadChanged, this, [this] {
        m_canvas->setPlayhead(m_run.playhead());
        followPlay();
    });
    connect(&m_run, &RunModel::playingChanged, this, [this] { m_canvas->setPlaying(m_run.playing()); });
    connect(&m_run, &RunModel::baselineChanged, this, &TimelineView::takeBaseline);
    connect(&m_run, &RunModel::veilChanged, this, [this] {
        m_canvas->setVeil(m_run.veil());
        tellDifference();
    });
    connect(&m_run, &RunModel::selectionChanged, this, [this] { m_canvas->setSelection(m_run.selection()); });

    connect(m_canvas, &TimelineCanvas::playheadWanted, this, [this](Instant at) {
        // Who drags the playhead wants it where the mouse is, not where play takes it.
        m_run.pause();
        m_run.setPlayhead(at);
    });
    connect(m_canvas, &TimelineCanvas::selectionWanted, this,
            [this](const Selection& s) { m_run.select(s); });
    connect(m_canvas, &TimelineCanvas::stepWanted, this, [this](int direction) {
        m_run.pause();
        direction < 0 ? m_run.stepBack() : m_run.stepForward();
        showInstant(m_run.playhead());
    });
    connect(m_canvas, &TimelineCanvas::endWanted, this, [this](int direction) {
        m_run.pause();
        direction < 0 ? m_run.toStart() : m_run.toEnd();
        showInstant(m_run.playhead());
    });
    connect(m_canvas, &TimelineCanvas::playWanted, this,
            [this] { m_run.playing() ? m_run.pause() : m_run.play(); });
    connect(m_canvas, &TimelineCanvas::menuWanted, this, &TimelineView::askForMenu);
    connect(m_canvas, &TimelineCanvas::focusBandMoved, this, [this] {
        if (std::exchange(m_actorBefore, focusedActor()) != focusedActor()) emit focusedActorChanged();
    });
    connect(m_canvas, &TimelineCanvas::legendWanted, this, [this] { setLegendShown(!legendShown()); });
    connect(m_canvas, &TimelineCanvas::viewMoved, this, [this] {
        const double at = m_canvas->timeMap().toAxis(m_run.playhead());
        m_followed = at >= m_canvas->view().from && at <= m_canvas->view().until;
    });
    connect(m_canvas, &TimelineCanvas::arranged, this, &TimelineView::followScroll);
    connect(m_scroll, &QScrollBar::valueChanged, m_canvas, [this](int value) { m_canvas->setScroll(value); });
    connect(m_canvas, &TimelineCanvas::pauseWanted, this, &TimelineView::pauseWanted);
    connect(m_canvas, &TimelineCanvas::pauseAheadWanted, this, &TimelineView::pauseAheadWanted);
    connect(m_headers, &LaneHeaders::pauseLengthWanted, this, &TimelineView::pauseLengthWanted);
    connect(m_headers, &LaneHeaders::clicked, this, [this](int band) {
        m_canvas->setFocus(Qt::MouseFocusReason);
        m_canvas->setFocusBand(band);
        if (const ActorIndex actor = focusedActor(); actor != kNone)
            m_run.select({Selection::Kind::Actor, actor});
    });
    connect(m_headers, &LaneHeaders::menuWanted, this, [this](int band, QPoint where) {
        m_canvas->setFocusBand(band);
        askForMenu(band, -1, m_run.playhead(), where);
    });
    connect(m_canvas, &TimelineCanvas::stepViewChanged, m_bar, &ViewBar::setStepView);
    connect(m_canvas, &TimelineCanvas::stepViewChanged, this, &TimelineView::stepViewChanged);
    connect(m_bar, &ViewBar::stepViewWanted, this, [this](bool on) {
        setStepView(on);
        m_bar->setStepView(stepView()); // a click on what is already so must not look otherwise
    });
    connect(m_bar, &ViewBar::ghostWanted, this, &TimelineView::setGhostShown);
    connect(m_legendButton, &QToolButton::toggled, this, &TimelineView::setLegendShown);
    connect(m_legend, &TimelineLegend::closeWanted, this, [this] { setLegendShown(false); });
    connect(&m_look, &Look::changed, this, &TimelineView::arrange);
    m_canvas->setVeil(m_run.veil());
    m_bar->setGhostOffered(m_run.pastEditable());
    takeRun();
}

/// The canvas gives up the focus when it goes, and then this is a plain widget already.
TimelineView::~TimelineView() {
    m_canvas->disconnect(this);
}

void TimelineView::takeRun() {
    m_headers->setResourceName(qstr(m_run.scenario().resource.name));
    m_canvas->setRun(m_run.run());
    m_canvas->setPlayhead(m_run.playhead());
    m_canvas->setVeil(m_run.veil());
    m_canvas->setSelection(m_run.selection());
    takeBaseline();
    arrange();
}

void TimelineView::takeBaseline() {
    m_canvas->holdTimeMap(m_run.baselineHeld());
    m_canvas->setGhost(m_ghostShown ? m_run.baseline() : nullptr);
    tellDifference();
}

void TimelineView::tellDifference() {
    const auto now = m_run.run();
    const auto before = m_run.baseline();
    m_bar->setSentence(now && before && m_ghostShown
                           ? qstr(sentenceForDifference(toldRun(*before), toldRun(*now), m_run.veil()))
                           : QString());
}

void TimelineView::setStepView(bool on) {
    m_canvas->setStepView(on);
}
bool TimelineView::stepView() const {
    return m_canvas->stepView();
}

void TimelineView::setGhostShown(bool shown) {
    m_bar->setGhostShown(shown);
    if (shown == m_ghostShown) return;
    m_ghostShown = shown;
    takeBaseline();
    emit ghostShownChanged(shown);
}

void TimelineView::showNotes(Notes& notes) {
    m_noteRow = new NoteRow(notes, m_run, *m_canvas, m_look, this);
    setTabOrder(m_legendButton, m_noteRow);
    connect(m_noteRow, &NoteRow::heightChanged, this, &TimelineView::arrange);
    connect(m_noteRow, &NoteRow::playheadWanted, this, [this](Instant at) {
        m_run.pause();
        m_run.setPlayhead(at);
        showInstant(m_run.playhead());
    });
    arrange();
}

void TimelineView::beginNote(Instant from, Instant until) {
    m_noteRow->begin(from, until);
}

void TimelineView::showNote(int note) {
    m_noteRow->pick(note);
    m_run.setPlayhead(m_noteRow->fromOf(note));
    showInstant(m_run.playhead());
}

void TimelineView::setShownParts(ShownParts parts) {
    m_canvas->setShownParts(parts);
    arrange();
}

ShownParts TimelineView::shownParts() const {
    return m_canvas->shownParts();
}

void TimelineView::showRange(Instant from, Instant until) {
    const Instant end = m_canvas->data() != nullptr ? m_canvas->data()->trace().horizon : until;
    if (until == kNever || until > end) until = end;
    const TimeMap& map = m_canvas->timeMap();
    AxisRange range{map.toAxis(from), map.toAxis(until)};
    if (const double most = m_canvas->readableSize(); stepView() && range.size() > most) {
        // More than can be read step by step: the part around the playhead, more of what led there.
        const double at = map.toAxis(m_run.playhead()) - most * kPast;
        range.from = std::clamp(at, range.from, range.until - most);
        range.until = range.from + most;
    } else if (from == Instant{} && until == end) {
        fit();
        return;
    }
    const bool veiled = m_run.veil() >= from && m_run.veil() <= until && m_run.veil() < end;
    const double least = veiled ? map.toAxis(m_run.veil()) + range.size() * kVeilPart : range.until;
    if (range.until < least) {
        // In step view it may lie beyond what can be read at once; then what is longest ago gives way.
        if (stepView())
            range.from = std::max(range.from, least - std::max(range.size(), m_canvas->readableSize()));
        range.until = least;
    }
    const double margin = range.size() * 0.02;
    m_canvas->glideTo({range.from - margin, range.until + margin});
}

void TimelineView::showViolation(int index) {
    const std::shared_ptr<const Run> run = m_run.run();
    if (!run || index < 0 || static_cast<std::size_t>(index) >= run->violations.size()) return;
    const Violation& violation = run->violations[static_cast<std::size_t>(index)];
    if (violation.at > m_run.veil()) return;
    m_run.select({Selection::Kind::Violation, index});
    const int lane = m_canvas->data()->laneOf(violation.actors[0]);
    const std::vector<Band>& bands = m_canvas->lanes().bands();
    for (std::size_t i = 0; i < bands.size(); ++i)
        if (bands[i].kind == BandKind::Actor && bands[i].index == lane)
            m_canvas->setFocusBand(static_cast<int>(i));

    // Already well in sight: nothing moves while somebody reads.
    const TimeMap& map = m_canvas->timeMap();
    const AxisRange view = m_canvas->view();
    const double at = map.toAxis(violation.at);
    const double inner = view.size() * 0.1;
    if (at > view.from + inner && at < view.until - inner) return;
    m_canvas->glideTo({at - view.size() * kPast, at + view.size() * (1 - kPast)});
}

void TimelineView::showInstant(Instant instant) {
    const double at = m_canvas->timeMap().toAxis(instant);
    const AxisRange view = m_canvas->view();
    if (at >= view.from && at <= view.until) return;
    m_canvas->glideTo({at - view.size() / 2, at + view.size() / 2});
}

/// What plays out of sight on the right comes into sight again further left; but who has looked away from
/// the playhead is not called back.
void TimelineView::followPlay() {
    if (m_canvas->gliding()) return;
    const double at = m_canvas->timeMap().toAxis(m_run.playhead());
    const AxisRange view = m_canvas->view();
    if (at < view.from + view.size() * kTurnPage) {
        m_followed = at >= view.from;
        return;
    }
    if (!m_followed || !(m_run.playing() || m_follows) || view.until >= m_canvas->limits().until) return;
    const double from = at - view.size() * kPageBegins;
    m_canvas->glideTo({from, from + view.size()});
}

void TimelineView::setPauseLength(Duration length) {
    m_headers->setPauseLength(length);
}

void TimelineView::fit() {
    m_canvas->fit();
}
void TimelineView::zoomIn() {
    m_canvas->zoomByKey(0.8);
}
void TimelineView::zoomOut() {
    m_canvas->zoomByKey(1 / 0.8);
}

Instant TimelineView::visibleFrom() const {
    return m_canvas->instantAtX(0);
}
Instant TimelineView::visibleUntil() const {
    return m_canvas->instantAtX(m_canvas->width());
}

void TimelineView::focusActor(int actor) {
    if (m_canvas->data() == nullptr) return;
    const Band* band = m_canvas->lanes().actorBand(static_cast<ActorIndex>(actor));
    if (band != nullptr) m_canvas->setFocusBand(static_cast<int>(band - m_canvas->lanes().bands().data()));
}

ActorIndex TimelineView::focusedActor() const {
    const std::vector<Band>& bands = m_canvas->lanes().bands();
    if (m_canvas->data() == nullptr || bands.empty()) return kNone;
    const Band& band = bands[static_cast<std::size_t>(m_canvas->focusBand())];
    return band.kind == BandKind::Actor
               ? m_canvas->data()->lanes().actors[static_cast<std::size_t>(band.index)].actor
               : ActorIndex{kNone};
}

void TimelineView::setLegendShown(bool shown) {
    const QSignalBlocker quiet(m_legendButton);
    m_legendButton->setChecked(shown);
    if (shown == legendShown()) return;
    if (shown) {
        placeLegend();
        m_legend->raise();
        m_legend->show();
        m_legend->setFocus(Qt::PopupFocusReason);
    } else {
        m_legend->hide();
        m_canvas->setFocus(Qt::PopupFocusReason);
    }
    emit legendShownChanged(shown);
}

bool TimelineView::legendShown() const {
    return !m_legend->isHidden();
}

void TimelineView::placeLegend() {
    const int margin = m_look.px(12);
    const QSize room(width() - 2 * margin, height() - 2 * margin);
    const QSize size = m_legend->sizeFor(room).boundedTo(room);
    m_legend->setGeometry(QRect(QPoint((width() - size.width()) / 2, (height() - size.height()) / 2), size));
}

void TimelineView::lineUpWith(TimelineView& other) {
    const int headers = std::max(m_headers->wantedWidth(), other.m_headers->wantedWidth());
    for (TimelineView* view : {this, &other}) {
        view->m_leastHeaders = headers;
        view->m_keepsBarRoom = true;
        view->arrange();
    }
}

void TimelineView::lineUpAlone() {
    m_leastHeaders = 0;
    m_keepsBarRoom = false;
    arrange();
}

void TimelineView::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    arrange();
}

void TimelineView::arrange() {
    m_legendButton->setFont(m_look.font(TextRole::Caption));
    const int headers = std::max(m_headers->wantedWidth(), m_leastHeaders);
    const bool scrolls = m_canvas->mostScroll() > 0;
    const int bar = scrolls || m_keepsBarRoom ? m_scroll->sizeHint().width() : 0;
    const int top = m_bar->wantedHeight();
    const int under = top + (m_noteRow != nullptr ? m_noteRow->wantedHeight() : 0);
    const int ruler = m_canvas->rulerHeight();
    const int room = std::max(1, width() - headers - bar);
    m_bar->setGeometry(0, 0, width(), top);
    m_headers->setGeometry(0, under, headers, height() - under);
    m_legendButton->setGeometry(0, under, headers, ruler);
    m_canvas->setGeometry(headers, under, room, height() - under);
    m_scroll->setGeometry(width() - bar, under + ruler, bar, height() - under - ruler);
    if (m_noteRow != nullptr) {
        m_noteRow->setGeometry(headers, top, room, std::max(1, under - top));
        m_noteRow->setVisible(under > top);
    }
    m_scroll->setVisible(scrolls);
    if (legendShown()) placeLegend();
    followScroll();
}

void TimelineView::followScroll() {
    const QSignalBlocker quiet(m_scroll);
    m_scroll->setRange(0, static_cast<int>(std::ceil(m_canvas->mostScroll())));
    m_scroll->setPageStep(std::max(1, m_canvas->height() - m_canvas->rulerHeight()));
    m_scroll->setSingleStep(m_look.px(24));
    m_scroll->setValue(static_cast<int>(m_canvas->scroll()));
}

} // namespace lockscope::ui
