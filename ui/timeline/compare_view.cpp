// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/compare_view.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

#include <algorithm>

#include "core/trace/difference.h"
#include "ui/bridge/fault_words.h"
#include "ui/bridge/text.h"
#include "ui/look.h"
#include "ui/timeline/canvas.h"
#include "ui/timeline/compare_pane.h"

namespace lockscope::ui {

namespace {

/// What was done to `one` and not to `other`.
QStringList doneOnlyIn(const Trace& one, const Trace& other) {
    QStringList only;
    for (const TraceIntervention& fault : one.interventions) {
        const bool shared = std::any_of(
            other.interventions.begin(), other.interventions.end(), [&](const TraceIntervention& each) {
                return each.kind == fault.kind && each.target == fault.target && each.at == fault.at &&
                       each.length == fault.length && each.command == fault.command;
            });
        if (!shared && !fault.takenBack) only << faultSentence(faultFrom(fault));
    }
    return only;
}

} // namespace

CompareView::CompareView(KeptRuns& kept, RunModel& run, Look& look, QWidget* parent)
    : QWidget(parent), m_kept(kept), m_run(run), m_look(look) {
    setObjectName(QStringLiteral("compare"));
    setAccessibleName(tr("Compare two runs"));
    m_head = new QWidget(this);
    m_head->setObjectName(QStringLiteral("compare.head"));
    m_sentence = new QLabel(m_head);
    m_sentence->setObjectName(QStringLiteral("compare.difference"));
    m_sentence->setAccessibleName(tr("How they differ"));
    m_sentence->setTextFormat(Qt::PlainText);
    m_sentence->setWordWrap(true);
    m_sentence->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_step = new QToolButton(m_head);
    m_step->setObjectName(QStringLiteral("compare.stepView"));
    m_step->setText(tr("Step view"));
    m_step->setAccessibleName(m_step->text());
    m_step->setToolTip(tr("Every gap between events is wide enough to read (S)"));
    m_step->setCheckable(true);
    m_step->setProperty("segment", true);
    m_step->setFocusPolicy(Qt::TabFocus);
    m_close = new QToolButton(m_head);
    m_close->setObjectName(QStringLiteral("compare.close"));
    m_close->setText(tr("Close"));
    m_close->setAccessibleName(tr("Back to one timeline"));
    m_close->setToolTip(tr("Back to one timeline (Esc)"));
    m_close->setFocusPolicy(Qt::TabFocus);
    auto* row = new QHBoxLayout(m_head);
    row->addWidget(m_sentence, 1);
    row->addWidget(m_step);
    row->addWidget(m_close);
    m_empty = new QLabel(tr("Keep a run with Ctrl+K to compare it."), this);
    m_empty->setObjectName(QStringLiteral("compare.empty"));
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setWordWrap(true);
    m_empty->setProperty("dim", true);
    m_panes = {new ComparePane(QStringLiteral("above"), look, this),
               new ComparePane(QStringLiteral("below"), look, this)};
    for (int pane = 0; pane < 2; ++pane)
        connectPane(pane);
    setFocusProxy(m_panes[0]);

    connect(m_step, &QToolButton::clicked, this, &CompareView::setStepView);
    connect(m_close, &QToolButton::clicked, this, &CompareView::closeWanted);
    connect(&kept, &KeptRuns::changed, this, &CompareView::refresh);
    connect(&run, &RunModel::runChanged, this, &CompareView::refresh);
    connect(&run, &RunModel::veilChanged, this, &CompareView::tell);
    connect(&run, &RunModel::playheadChanged, this, [this] {
        for (ComparePane* pane : m_panes)
            pane->canvas().setPlayhead(m_run.playhead());
    });
    connect(&look, &Look::changed, this, &CompareView::applyLook);
    applyLook();
}

void CompareView::connectPane(int pane) {
    ComparePane* it = m_panes[static_cast<std::size_t>(pane)];
    TimelineCanvas* canvas = &it->canvas();
    connect(it, &ComparePane::chosen, this, [this, pane](int choice) {
        m_names[static_cast<std::size_t>(pane)] = choice == 0 ? QString() : m_kept.name(choice - 1);
        refresh();
    });
    connect(it, &ComparePane::restoreWanted, this, [this, pane] { restore(pane); });
    connect(it, &ComparePane::renameWanted, this, [this, pane](const QString& name) { rename(pane, name); });
    connect(it, &ComparePane::removeWanted, this, [this, pane] {
        const int index = keptIndex(pane);
        if (index >= 0) emit removed(index, m_kept.remove(index));
    });
    connect(canvas, &TimelineCanvas::viewMoved, this, [this, pane] { follow(pane); });
    connect(canvas, &TimelineCanvas::playheadWanted, this, [this](Instant at) {
        m_run.pause();
        m_run.setPlayhead(at);
    });
    connect(canvas, &TimelineCanvas::stepWanted, this, &CompareView::step);
    connect(canvas, &TimelineCanvas::endWanted, this,
            [this](int direction) { direction < 0 ? m_run.toStart() : m_run.toEnd(); });
    connect(canvas, &TimelineCanvas::playWanted, this,
            [this] { m_run.playing() ? m_run.pause() : m_run.play(); });
    connect(&m_run, &RunModel::playingChanged, canvas,
            [this, canvas] { canvas->setPlaying(m_run.playing()); });
    connect(canvas, &TimelineCanvas::legendWanted, this, &CompareView::legendWanted);
}

void CompareView::compare(int kept) {
    if (kept >= 0) {
        m_names = {m_kept.name(kept), QString()};
    } else if (keptIndex(0) < 0 && m_kept.count() > 0) {
        m_names = {m_kept.name(latestUnlikeShown()), QString()};
    }
    refresh();
}

/// The run kept last that is not the one that is shown, if there is one.
int CompareView::latestUnlikeShown() const {
    const int last = m_kept.count() - 1;
    for (int i = last; i >= 0 && m_run.run(); --i) {
        const auto run = m_kept.run(i);
        if (run && firstDifference(*(*run)->trace, *m_run.run()->trace) != kNever) return i;
    }
    return last;
}

int CompareView::keptIndex(int pane) const {
    const QString& name = m_names[static_cast<std::size_t>(pane)];
    for (int i = 0; i < m_kept.count(); ++i)
        if (m_kept.name(i) == name) return i;
    return -1;
}

std::shared_ptr<const Run> CompareView::runOf(int pane, QString& problem) const {
    const int index = keptIndex(pane);
    if (index < 0) return m_run.run();
    const auto run = m_kept.run(index);
    if (run) return *run;
    problem = tr("This run cannot be made from the lesson as it is now: %1").arg(qstr(run.error().message));
    return nullptr;
}

/// What is not in sight costs nothing: it is made when it comes into sight.
void CompareView::refresh() {
    if (!isVisible()) return;
    QStringList names{tr("The run that is shown")};
    for (int i = 0; i < m_kept.count(); ++i)
        names << m_kept.name(i);
    const bool any = m_kept.count() > 0 && m_run.run() != nullptr;
    m_empty->setVisible(!any);
    m_step->setVisible(any);
    m_following = true; // both are set up before either follows the other
    for (int pane = 0; pane < 2; ++pane) {
        const auto i = static_cast<std::size_t>(pane);
        if (keptIndex(pane) < 0) m_names[i].clear();
        m_panes[i]->setVisible(any);
        m_panes[i]->setResourceName(qstr(m_run.scenario().resource.name));
        m_panes[i]->setChoices(names, keptIndex(pane) + 1);
        QString problem;
        const auto run = any ? runOf(pane, problem) : nullptr;
        if (run == m_runs[i] && run != nullptr) continue;
        m_runs[i] = run;
        m_panes[i]->setRun(run, problem);
    }
    for (std::size_t i = 0; i < 2; ++i)
        m_panes[i]->canvas().setPartner(m_runs[0] && m_runs[1] ? m_runs[1 - i] : nullptr);
    m_following = false;
    tell();
    arrange();
    follow(0);
}

void CompareView::tell() {
    if (!isVisible()) return;
    for (ComparePane* pane : m_panes) {
        pane->canvas().setVeil(m_run.veil());
        pane->canvas().setPlayhead(m_run.playhead());
    }
    if (m_kept.count() == 0 || !m_runs[0] || !m_runs[1]) return m_sentence->clear();
    QStringList parts;
    for (const std::size_t i : {std::size_t{0}, std::size_t{1}}) {
        const QStringList only = doneOnlyIn(*m_runs[i]->trace, *m_runs[1 - i]->trace);
        if (!only.isEmpty())
            parts << (i == 0 ? tr("Only above: %1.") : tr("Only below: %1.")).arg(only.join(tr("; ")));
    }
    parts << tr("Below, compared with above: %1")
                 .arg(qstr(sentenceForDifference(toldRun(*m_runs[0]), toldRun(*m_runs[1]), m_run.veil())));
    m_sentence->setText(parts.join(QLatin1Char(' ')));
}

QString CompareView::sentence() const {
    return m_sentence->text();
}

/// The other pane shows what this one does.
void CompareView::follow(int pane) {
    if (m_following || !m_runs[0] || !m_runs[1]) return;
    m_following = true;
    const auto i = static_cast<std::size_t>(pane);
    m_panes[1 - i]->canvas().setView(m_panes[i]->canvas().view());
    m_following = false;
}

/// To the next instant at which anything happens in either run.
void CompareView::step(int direction) {
    m_run.pause();
    const Instant here = m_run.playhead();
    Instant to = direction > 0 ? kNever : Instant{};
    for (const auto& run : m_runs) {
        if (!run) continue;
        const std::vector<Event>& events = run->trace->events;
        if (direction > 0) {
            const auto next = std::upper_bound(events.begin(), events.end(), here,
                                               [](Instant at, const Event& event) { return at < event.at; });
            if (next != events.end()) to = std::min(to, next->at);
        } else {
            const auto first = std::lower_bound(events.begin(), events.end(), here,
                                                [](const Event& event, Instant at) { return event.at < at; });
            if (first != events.begin()) to = std::max(to, (first - 1)->at);
        }
    }
    m_run.setPlayhead(to);
}

void CompareView::restore(int pane) {
    const int index = keptIndex(pane);
    if (index < 0) return;
    const QString name = m_kept.name(index);
    const QString problem = m_kept.restore(index);
    emit said(problem.isEmpty() ? tr("“%1” is the run that is shown now").arg(name) : problem);
}

void CompareView::rename(int pane, const QString& name) {
    const int index = keptIndex(pane);
    if (index < 0) return;
    const QString before = m_kept.name(index);
    const auto follows = [&](const QString& from, const QString& to) {
        for (QString& each : m_names)
            if (each == from) each = to;
    };
    const QString now = KeptRuns::possibleName(name);
    follows(before, now); // the list changes while rename() runs
    if (const QString problem = m_kept.rename(index, name); !problem.isEmpty()) {
        follows(now, before);
        refresh();
        emit said(problem);
    }
}

void CompareView::setShownParts(const ShownParts& parts) {
    for (ComparePane* pane : m_panes)
        pane->canvas().setShownParts(parts);
}

void CompareView::setVeilCaption(const QString& caption) {
    for (ComparePane* pane : m_panes)
        pane->canvas().setVeilCaption(caption);
}

void CompareView::setStepView(bool on) {
    m_step->setChecked(on);
    if (on == stepView()) return;
    m_following = true;
    for (ComparePane* pane : m_panes)
        pane->canvas().setStepView(on);
    m_following = false;
    follow(0);
    emit stepViewChanged(on);
}

bool CompareView::stepView() const {
    return m_panes[0]->canvas().stepView();
}

void CompareView::showRange(Instant from, Instant until) {
    const TimeMap& map = m_panes[0]->canvas().timeMap();
    m_panes[0]->canvas().setView({map.toAxis(from), map.toAxis(until)});
}

void CompareView::fit() {
    m_panes[0]->canvas().fit();
}
void CompareView::zoomIn() {
    m_panes[0]->canvas().zoomByKey(0.8);
}
void CompareView::zoomOut() {
    m_panes[0]->canvas().zoomByKey(1 / 0.8);
}

TimelineCanvas& CompareView::canvas(int pane) {
    return m_panes[static_cast<std::size_t>(pane)]->canvas();
}

void CompareView::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    arrange();
}

void CompareView::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    refresh();
}

void CompareView::applyLook() {
    m_head->layout()->setContentsMargins(m_look.px(12), 0, m_look.px(8), 0);
    m_head->layout()->setSpacing(m_look.px(8));
    m_sentence->setFont(m_look.font(TextRole::Lane));
    m_step->setFont(m_look.font(TextRole::Caption));
    m_close->setFont(m_look.font(TextRole::Caption));
    m_empty->setFont(m_look.font(TextRole::Lane));
    arrange();
}

void CompareView::arrange() {
    const int head = m_look.px(44);
    const int high = (height() - head) / 2;
    m_head->setGeometry(0, 0, width(), head);
    m_empty->setGeometry(0, head, width(), std::max(1, height() - head));
    const int headers = std::max(m_panes[0]->wantedHeaderWidth(), m_panes[1]->wantedHeaderWidth());
    for (std::size_t i = 0; i < 2; ++i) {
        m_panes[i]->setHeaderWidth(headers);
        m_panes[i]->setGeometry(0, head + static_cast<int>(i) * high, width(), std::max(1, high));
    }
}

} // namespace lockscope::ui
