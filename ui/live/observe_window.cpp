// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/live/observe_window.h"

#include <QCheckBox>
#include <QCloseEvent>
#include <QHBoxLayout>
#include <QPushButton>
#include <QSplitter>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

#include "ui/bridge/run_model.h"
#include "ui/live/connection_dialog.h"
#include "ui/live/fact_list.h"
#include "ui/live/first_page.h"
#include "ui/live/live_session.h"
#include "ui/look.h"
#include "ui/panels/event_list.h"
#include "ui/panels/wrap_label.h"
#include "ui/timeline/canvas.h"
#include "ui/timeline/timeline_view.h"

namespace lockscope::ui {

namespace {

constexpr int kObserveFrameMillis = 33;
/// While it follows, so much of the past is in the picture.
constexpr Duration kShownPast = seconds(50);

} // namespace

ObserveWindow::ObserveWindow(LiveHost& host, Look& look, QWidget* parent)
    : QWidget(parent, Qt::Window), m_host(host), m_look(look),
      m_frame(kObserveFrameMillis, [this] { grow(); }) {
    setObjectName(QStringLiteral("observeWindow"));
    setWindowTitle(tr("Observe a key"));
    m_run = new RunModel(std::make_unique<ObserveSession>(host), this);
    auto* column = new QVBoxLayout(this);
    column->setSpacing(0);
    column->setContentsMargins(0, 0, 0, 0);
    buildBar();
    buildViews();
    connect(m_run, &RunModel::playheadChanged, this, &ObserveWindow::stay);
    connect(&host, &LiveHost::observed, this, &ObserveWindow::say);
    connect(&host, &LiveHost::observingFailed, this, &ObserveWindow::fail);
    connect(&look, &Look::changed, this, &ObserveWindow::applyLook);
    m_told->setText(tr(
        "Choose a lock key of any Redis. It is watched and never written: who holds it, until when, and how "
        "that is known."));
    applyLook();
}

/// The views read from the model, so they go first.
ObserveWindow::~ObserveWindow() {
    m_frame.stop();
    m_host.stopObserving();
    delete m_stack;
}

void ObserveWindow::buildBar() {
    auto* bar = new QWidget(this);
    bar->setObjectName(QStringLiteral("observeBar"));
    auto* row = new QHBoxLayout(bar);
    m_choose = new QPushButton(tr("&Choose a key…"), bar);
    m_choose->setObjectName(QStringLiteral("observeChoose"));
    m_stop = new QPushButton(tr("&Stop watching"), bar);
    m_stop->setObjectName(QStringLiteral("observeStop"));
    m_stop->setEnabled(false);
    m_follow = new QCheckBox(tr("&Follow"), bar);
    m_follow->setObjectName(QStringLiteral("observeFollow"));
    m_follow->setToolTip(tr("The picture stays at the newest instant"));
    m_follow->setChecked(true);
    for (QWidget* each : QList<QWidget*>{m_choose, m_stop, m_follow})
        row->addWidget(each);
    row->addStretch(1);
    layout()->addWidget(bar);
    connect(m_choose, &QPushButton::clicked, this, &ObserveWindow::choose);
    connect(m_stop, &QPushButton::clicked, this, &ObserveWindow::stop);
    connect(m_follow, &QCheckBox::toggled, this, &ObserveWindow::tell);
}

void ObserveWindow::buildViews() {
    m_told = new WrapLabel(this);
    m_told->setObjectName(QStringLiteral("observeTold"));
    m_told->setTextFormat(Qt::PlainText);
    layout()->addWidget(m_told);
    m_stack = new QSplitter(Qt::Horizontal, this);
    m_stack->setObjectName(QStringLiteral("observeStack"));
    m_timeline = new TimelineView(*m_run, m_look, m_stack);
    m_timeline->setObjectName(QStringLiteral("observeTimeline"));
    m_timeline->setAccessibleName(tr("The key over time"));
    auto* side = new QSplitter(Qt::Vertical, m_stack);
    side->setObjectName(QStringLiteral("observeSide"));
    m_facts = new FactList(m_look, side);
    m_events = new EventList(*m_run, m_look, side);
    side->setStretchFactor(1, 1);
    side->setChildrenCollapsible(false);
    m_stack->setStretchFactor(0, 1);
    m_stack->hide(); // until something is watched
    m_first = new FirstPage(QStringLiteral("observeFirst"), m_look, this);
    m_first->setText(tr(
        "<p>1.&nbsp; Press <b>Choose a key…</b>. Say where the Redis is and what the key of the lock is "
        "called; it need not be there yet.</p>"
        "<p>2.&nbsp; Watch. A lane shows whom Redis calls the owner. From outside a holder is no more than a "
        "value, so each value that the key has had is somebody. Beside it stands what is known of the key, "
        "with where that comes from and how old it is.</p>"
        "<p>3.&nbsp; There is no lock at hand? Take one, from a terminal:</p>"
        "<pre>    redis-cli SET lock:report me NX PX 30000</pre>"));
    auto* column = static_cast<QVBoxLayout*>(layout());
    column->addWidget(m_first, 1);
    column->addWidget(m_stack, 1);
}

void ObserveWindow::choose() {
    ConnectionDialog dialog(m_host, m_look, this, ConnectionDialog::Purpose::Observe);
    if (dialog.exec() == QDialog::Accepted) watch(dialog.choice(), dialog.key());
}

void ObserveWindow::watch(const LiveChoice& where, const QString& key) {
    stop();
    m_key = key;
    m_line.clear();
    if (const QString why = m_host.observe(where, key); !why.isEmpty()) return m_told->setText(why);
    m_watching = true;
    m_first->hide();
    m_stack->show();
    m_stop->setEnabled(true);
    m_set.reset();
    m_follow->setChecked(true);
    setWindowTitle(tr("Observe %1").arg(key));
    m_told->setText(tr("Connecting…"));
    if (const QString why = m_run->start({}); !why.isEmpty()) return fail(why);
    m_frame.start();
}

void ObserveWindow::stop() {
    if (!std::exchange(m_watching, false)) return;
    m_frame.stop();
    grow();
    m_host.stopObserving();
    m_stop->setEnabled(false);
    m_facts->setFacts({});
    m_told->setText(tr("%1 is not watched any more. What was seen stays.").arg(m_key));
}

/// While it follows, the picture ends with what is to come; whoever has panned or zoomed it since wants to
/// look there.
void ObserveWindow::grow() {
    TimelineCanvas& canvas = m_timeline->canvas();
    if (m_set && canvas.view() != *m_set) m_follow->setChecked(false);
    m_growing = true;
    const AxisRange before = canvas.view();
    m_run->advance();
    m_facts->setFacts(m_host.observedFacts());
    m_set.reset();
    if (m_run->run() && m_follow->isChecked()) {
        m_run->setPlayhead(m_run->end());
        const TimeMap& map = canvas.timeMap();
        canvas.setView({map.toAxis(std::max(Instant{}, m_run->end() - kShownPast)),
                        map.toAxis(m_run->run()->trace->horizon)});
        m_set = canvas.view();
    } else if (m_run->run()) {
        canvas.setView(before); // a longer run would be fitted anew
    }
    m_growing = false;
}

/// Whoever scrubs wants to look there.
void ObserveWindow::stay() {
    if (!m_growing && m_watching && m_run->run()) m_follow->setChecked(false);
}

void ObserveWindow::say(const QString& line) {
    m_line = line;
    tell();
}

void ObserveWindow::tell() {
    if (!m_watching || m_line.isEmpty()) return;
    QString text = QStringLiteral("%1: %2").arg(m_key, m_line);
    if (!m_follow->isChecked()) text += tr(". The picture stands still; time goes on in Redis.");
    m_told->setText(text);
}

void ObserveWindow::fail(const QString& why) {
    m_frame.stop();
    m_watching = false;
    m_stop->setEnabled(false);
    m_facts->setFacts({});
    m_told->setText(why);
}

/// Nobody looks on.
void ObserveWindow::closeEvent(QCloseEvent* event) {
    stop();
    QWidget::closeEvent(event);
}

void ObserveWindow::applyLook() {
    m_told->setContentsMargins(m_look.px(12), m_look.px(4), m_look.px(12), m_look.px(4));
    m_told->setFont(m_look.font(TextRole::Lane));
    m_timeline->setMinimumSize(m_look.px(360), m_look.px(150));
    if (isVisible()) return;
    resize(m_look.px(1100), m_look.px(420));
    m_stack->setSizes({m_look.px(720), m_look.px(380)});
}

} // namespace lockscope::ui
