// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/lights_bar.h"

#include <QPainter>
#include <QToolButton>

#include <algorithm>

#include "core/trace/wording.h"
#include "ui/bridge/lesson_model.h"
#include "ui/bridge/text.h"
#include "ui/look.h"
#include "ui/panels/flow_layout.h"
#include "ui/panels/wrap_label.h"

namespace lockscope::ui {

namespace {

bool contains(const std::vector<Invariant>& list, Invariant invariant) {
    return std::find(list.begin(), list.end(), invariant) != list.end();
}

} // namespace

void paintLight(QPainter& painter, const Look& look, const QRectF& mark, LightState state) {
    painter.setRenderHint(QPainter::Antialiasing);
    if (state != LightState::Whole) {
        const double in = state == LightState::Ahead ? look.px(1) : 0;
        QPainterPath diamond;
        diamond.moveTo(mark.center().x(), mark.top() + in);
        diamond.lineTo(mark.right() - in, mark.center().y());
        diamond.lineTo(mark.center().x(), mark.bottom() - in);
        diamond.lineTo(mark.left() + in, mark.center().y());
        diamond.closeSubpath();
        if (state == LightState::Broken)
            painter.fillPath(diamond, look.color(Role::Violation));
        else
            painter.strokePath(diamond, QPen(look.color(Role::Violation), look.px(2)));
    } else {
        painter.setPen(QPen(look.color(Role::DimText), look.px(1.5)));
        painter.setBrush(Qt::NoBrush);
        painter.drawEllipse(mark.adjusted(1.5, 1.5, -1.5, -1.5));
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
}

Light::Light(Invariant invariant, Look& look, QWidget* parent)
    : QAbstractButton(parent), m_invariant(invariant), m_look(look) {
    setObjectName(QStringLiteral("light_%1").arg(qstr(nameOf(invariant))));
    setText(qstr(titleOf(invariant)));
    setFocusPolicy(Qt::TabFocus);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    connect(&look, &Look::changed, this, &QWidget::updateGeometry);
    setState(0, {}, 0);
}

QString Light::suffix() const {
    if (m_count <= 0) return {};
    QString text = shortSeconds(m_first);
    if (m_count > 1) text += tr(" ×%1").arg(m_count);
    return text;
}

void Light::setState(int count, Instant first, int passed) {
    if (count == m_count && first == m_first && passed == m_passed && !toolTip().isEmpty()) return;
    m_count = count;
    m_first = first;
    m_passed = passed;
    const QString state = count < 0 ? tr("cannot be judged here")
                          : count == 0
                              ? tr("not broken in this run")
                              : tr("broken at %1, %n time(s)", nullptr, count).arg(shortSeconds(first));
    setAccessibleName(tr("%1: %2").arg(text(), state));
    setToolTip(count <= 0   ? tr("%1: %2").arg(text(), state)
               : passed > 0 ? tr("%1: %2. Click to go there.").arg(text(), state)
                            : tr("%1: %2, after the playhead. Click to go there.").arg(text(), state));
    setCursor(count > 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
    updateGeometry();
    update();
}

QSize Light::sizeHint() const {
    QFont bold = m_look.font(TextRole::Lane);
    bold.setWeight(QFont::DemiBold); // as it is once broken
    const QFontMetrics name(bold), small(m_look.font(TextRole::Caption));
    int width = m_look.px(12 + 6) + name.horizontalAdvance(text()) + m_look.px(8);
    // Room for a usual suffix is kept from the start, so that nothing moves when a light changes.
    width += m_look.px(6) + std::max(small.horizontalAdvance(suffix()),
                                     small.horizontalAdvance(QStringLiteral("88.8 s ×8")));
    return {width, std::max(m_look.px(24), name.height() + m_look.px(4))};
}

void Light::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QColor text = m_look.color(Role::Text), dim = m_look.color(Role::DimText);
    if (underMouse() && m_count > 0) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(m_look.color(Role::Lane));
        painter.drawRoundedRect(rect(), m_look.px(4), m_look.px(4));
    }
    const double side = m_look.px(12);
    const QRectF mark(m_look.px(3), (height() - side) / 2, side, side);
    if (m_count >= 0) {
        paintLight(painter, m_look, mark,
                   m_passed > 0  ? LightState::Broken
                   : m_count > 0 ? LightState::Ahead
                                 : LightState::Whole);
    } else {
        painter.setPen(QPen(dim, m_look.px(2)));
        painter.drawLine(QPointF(mark.left() + 1, mark.center().y()),
                         QPointF(mark.right() - 1, mark.center().y()));
    }
    int x = m_look.px(3 + 12 + 6);
    QFont name = m_look.font(TextRole::Lane);
    if (m_count > 0) name.setWeight(QFont::DemiBold);
    painter.setFont(name);
    painter.setPen(m_count > 0 ? text : dim);
    painter.drawText(QRect(x, 0, width() - x, height()), Qt::AlignLeft | Qt::AlignVCenter, this->text());
    x += QFontMetrics(name).horizontalAdvance(this->text()) + m_look.px(6);
    painter.setFont(m_look.font(TextRole::Caption));
    painter.setPen(text);
    painter.drawText(QRect(x, 0, width() - x, height()), Qt::AlignLeft | Qt::AlignVCenter, suffix());
}

LightsBar::LightsBar(LessonModel& lesson, RunModel& run, Look& look, QWidget* parent)
    : QWidget(parent), m_lesson(lesson), m_run(run), m_look(look) {
    setObjectName(QStringLiteral("lightsBar"));
    setAccessibleName(tr("What is broken"));
    auto* row = new FlowLayout(this);
    for (const Invariant invariant : kInvariants) {
        auto* light = new Light(invariant, look, this);
        connect(light, &Light::clicked, this, [this, invariant] { jump(invariant); });
        row->addWidget(light);
        m_lights.append(light);
    }
    m_rest = new QToolButton(this);
    m_rest->setObjectName(QStringLiteral("moreLights"));
    m_rest->setFocusPolicy(Qt::TabFocus);
    m_rest->setProperty("flat", true);
    row->addWidget(m_rest);
    m_outcome = new WrapLabel(this);
    m_outcome->setObjectName(QStringLiteral("outcomeLine"));
    m_outcome->setTextFormat(Qt::PlainText);
    row->addWidget(m_outcome);
    connect(m_rest, &QToolButton::clicked, this, [this] {
        m_all = !m_all;
        rebuild();
    });
    connect(&lesson, &LessonModel::lessonChanged, this, &LightsBar::rebuild);
    connect(&run, &RunModel::runChanged, this, &LightsBar::refresh);
    connect(&run, &RunModel::playheadChanged, this, &LightsBar::refresh);
    connect(&run, &RunModel::veilChanged, this, &LightsBar::refresh);
    connect(&look, &Look::changed, this, &LightsBar::applyLook);
    applyLook();
    rebuild();
}

void LightsBar::rebuild() {
    const Lesson* lesson = m_lesson.lesson();
    auto* row = static_cast<FlowLayout*>(layout());
    // The lesson's own first, in its order of severity, then the rest.
    while (row->count() > 0)
        delete row->takeAt(0);
    int hidden = 0;
    for (const bool own : {true, false})
        for (Light* light : m_lights) {
            const bool isOwn = lesson != nullptr && contains(lesson->lights, light->invariant());
            if (isOwn != own) continue;
            if (!own) ++hidden;
            light->setVisible(own || m_all);
            row->addWidget(light);
        }
    m_rest->setVisible(hidden > 0);
    m_rest->setText(m_all ? tr("fewer") : tr("+%1").arg(hidden));
    m_rest->setAccessibleName(m_all ? tr("Only the lesson's own invariants")
                                    : tr("%1 further invariants").arg(hidden));
    m_rest->setToolTip(m_rest->accessibleName());
    row->addWidget(m_rest);
    row->addWidget(m_outcome);
    refresh();
}

bool LightsBar::judgeable(Invariant invariant) const {
    return invariant != Invariant::StaleWrite || m_run.run()->trace->hasResource;
}

void LightsBar::refresh() {
    const auto run = m_run.run();
    if (!run) {
        for (Light* light : m_lights)
            light->setState(0, {}, 0);
        m_outcome->clear();
        return;
    }
    std::array<int, kInvariantCount> counts{}, passed{};
    std::array<Instant, kInvariantCount> firsts{};
    for (const Violation& violation : run->violations) { // ordered by their instants
        if (violation.at > m_run.veil()) break;
        const auto i = static_cast<std::size_t>(violation.invariant);
        if (counts[i]++ == 0) firsts[i] = violation.at;
        if (violation.at <= m_run.playhead()) ++passed[i];
    }
    for (Light* light : m_lights) {
        const auto i = static_cast<std::size_t>(light->invariant());
        const int count = judgeable(light->invariant()) ? counts[i] : -1;
        light->setState(count, firsts[i], passed[i]);
    }
    m_outcome->setText(
        !run->trace->failure.empty()         ? tr("The run stopped early: %1").arg(qstr(run->trace->failure))
        : m_run.veil() < run->trace->reached ? tr("What comes of it is veiled until you answer.")
                                             : qstr(sentenceFor(run->outcome)));
}

void LightsBar::jump(Invariant invariant) {
    const auto run = m_run.run();
    if (!run) return;
    // Clicked again, it goes on to the next episode, and from the last to the first.
    int first = -1, next = -1;
    const Selection selected = m_run.selection();
    for (int i = 0; i < static_cast<int>(run->violations.size()); ++i) {
        const Violation& violation = run->violations[static_cast<std::size_t>(i)];
        if (violation.invariant != invariant || violation.at > m_run.veil()) continue;
        if (first < 0) first = i;
        if (next < 0 && selected.kind == Selection::Kind::Violation && i > selected.index) next = i;
    }
    if (first >= 0) emit violationRequested(next >= 0 ? next : first);
}

void LightsBar::applyLook() {
    layout()->setContentsMargins(m_look.px(12), m_look.px(6), m_look.px(12), m_look.px(6));
    layout()->setSpacing(m_look.px(6));
    m_outcome->setFont(m_look.font(TextRole::Caption));
    m_outcome->setMinimumWidth(m_look.px(200));
    m_rest->setFont(m_look.font(TextRole::Caption));
}

} // namespace lockscope::ui
