// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/note_row.h"

#include <QKeyEvent>
#include <QLineEdit>
#include <QPainter>

#include <algorithm>
#include <cmath>

#include "ui/bridge/text.h"
#include "ui/look.h"
#include "ui/timeline/canvas.h"

namespace lockscope::ui {

namespace {
constexpr double kHeight = 24;
constexpr double kNoteMark = 16;
constexpr double kGrip = 5;
} // namespace

NoteRow::NoteRow(Notes& notes, RunModel& run, TimelineCanvas& canvas, const Look& look, QWidget* parent)
    : QWidget(parent), m_notes(notes), m_run(run), m_canvas(canvas), m_look(look) {
    setObjectName(QStringLiteral("noteRow"));
    setAccessibleName(tr("Notes"));
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    m_editor = new QLineEdit(this);
    m_editor->setObjectName(QStringLiteral("noteEditor"));
    m_editor->setAccessibleName(tr("Text of the note"));
    m_editor->setPlaceholderText(tr("Write a note, then Return"));
    m_editor->setMaxLength(static_cast<int>(kLongestNote));
    m_editor->installEventFilter(this);
    m_editor->hide();
    connect(&notes, &Notes::changed, this, &NoteRow::takeNotes);
    connect(&notes, &Notes::settling, this, &NoteRow::settle);
    connect(&run, &RunModel::veilChanged, this, &NoteRow::follow);
    connect(&run, &RunModel::runChanged, this, &NoteRow::follow);
    connect(&canvas, &TimelineCanvas::viewMoved, this, [this] {
        placeEditor();
        update();
    });
    connect(&look, &Look::changed, this, &NoteRow::heightChanged);
}

int NoteRow::wantedHeight() const {
    const bool any = !m_editor->isHidden() || !m_notes.shown().empty();
    return any && m_canvas.data() != nullptr ? m_look.px(kHeight) : 0;
}

/// Somebody has changed the notes: what is picked or written may be another by its index, or gone. What was
/// written about a note that is gone goes with it.
void NoteRow::takeNotes() {
    m_drag.reset();
    const std::vector<Note>& all = m_notes.all();
    const auto again = [&](int& index, const Note& note) {
        if (index < 0) return true;
        const auto found = std::find(all.begin(), all.end(), note);
        index = found == all.end() ? -1 : static_cast<int>(found - all.begin());
        return index >= 0;
    };
    if (!again(m_picked, m_pickedNote)) pick(-1);
    if (!again(m_edited, m_editedNote)) closeEditor(false);
    follow();
}

/// The notes are about to be saved or left.
void NoteRow::settle() {
    m_drag.reset();
    closeEditor(true);
}

void NoteRow::follow() {
    if (m_editedStep != m_notes.step())
        closeEditor(true); // what was being written belongs to the step before
    m_editedStep = m_notes.step();
    emit heightChanged();
    update();
}

double NoteRow::x(Instant at) const {
    return m_canvas.scene().scale.x(at);
}

Instant NoteRow::at(double x) const {
    return std::min(m_canvas.instantAtX(x), m_run.end());
}

std::pair<Instant, Instant> NoteRow::spanOf(int note) const {
    if (m_drag && m_drag->note == note) return m_dragged;
    const Note& n = m_notes.all()[static_cast<std::size_t>(note)];
    return {n.from, n.until};
}

std::vector<int> NoteRow::inSight() const {
    std::vector<int> seen;
    if (m_canvas.data() == nullptr) return seen;
    for (const int note : m_notes.shown()) {
        const auto [from, until] = spanOf(note);
        if (from <= m_run.end() && x(until) >= 0 && x(from) <= width()) seen.push_back(note);
    }
    // One that is dragged may have passed others.
    std::stable_sort(seen.begin(), seen.end(),
                     [&](int a, int b) { return spanOf(a).first < spanOf(b).first; });
    return seen;
}

/// Parallel to `seen`, which is by time: as near to their instants as the others let them.
std::vector<QRectF> NoteRow::marksOf(const std::vector<int>& seen) const {
    const double side = m_look.px(kNoteMark), apart = side + m_look.px(2);
    std::vector<double> lefts;
    double least = 0;
    for (const int note : seen) {
        // A span that began out of sight keeps its mark at the edge.
        lefts.push_back(std::max(least, std::round(x(spanOf(note).first) - side / 2)));
        least = lefts.back() + apart;
    }
    double most = std::max(0.0, width() - side);
    for (auto left = lefts.rbegin(); left != lefts.rend(); ++left, most -= apart)
        *left = std::max(0.0, std::min(*left, most));
    std::vector<QRectF> marks;
    for (const double left : lefts)
        marks.emplace_back(left, std::round((height() - side) / 2 - m_look.px(1)), side, side);
    return marks;
}

QRectF NoteRow::markOf(int note) const {
    const std::vector<int> seen = inSight();
    const auto found = std::find(seen.begin(), seen.end(), note);
    return found == seen.end() ? QRectF() : marksOf(seen)[static_cast<std::size_t>(found - seen.begin())];
}

NoteRow::Hit NoteRow::hitTest(const QPointF& pos) const {
    const std::vector<int> seen = inSight();
    const std::vector<QRectF> marks = marksOf(seen);
    const double grip = m_look.px(kGrip);
    for (std::size_t i = 0; i < seen.size(); ++i)
        if (marks[i].contains(pos)) return {seen[i], Part::Whole};
    // From the right: where spans overlap, the later one lies on top.
    for (std::size_t i = seen.size(); i-- > 0;) {
        const auto [from, until] = spanOf(seen[i]);
        const bool span = until > from;
        const double end = x(std::min(until, m_run.end()));
        if (span && until <= m_run.end() && std::abs(pos.x() - end) <= grip) return {seen[i], Part::End};
        if (pos.x() > marks[i].right() && (i + 1 == seen.size() || pos.x() < marks[i + 1].left())) {
            const int text =
                QFontMetrics(m_look.font(TextRole::Caption))
                    .horizontalAdvance(qstr(m_notes.all()[static_cast<std::size_t>(seen[i])].text));
            if (pos.x() < std::max(end, marks[i].right() + m_look.px(4) + text))
                return {seen[i], Part::Whole};
        }
        if (span && std::abs(pos.x() - x(from)) <= grip) return {seen[i], Part::Start};
    }
    return {};
}

QString NoteRow::describe(int note) const {
    const Note& n = m_notes.all()[static_cast<std::size_t>(note)];
    const QString when = n.until > n.from && n.until <= m_run.end()
                             ? tr("%1 to %2").arg(exactSeconds(n.from), exactSeconds(n.until))
                             : exactSeconds(n.from);
    return tr("%1 · %2").arg(when, qstr(n.text));
}

void NoteRow::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), m_look.color(Role::Window));
    const std::vector<int> seen = inSight();
    const std::vector<QRectF> marks = marksOf(seen);
    const std::vector<int>& all = m_notes.shown();
    const QFont font = m_look.font(TextRole::Caption);
    const QFontMetrics metrics(font);
    for (std::size_t i = 0; i < seen.size(); ++i) {
        const int note = seen[i];
        const QRectF& mark = marks[i];
        const auto [from, until] = spanOf(note);
        const bool picked = note == m_picked;
        const QColor ink = m_look.color(picked ? Role::Focus : Role::Text);
        if (until > from) {
            const double left = std::max(0.0, x(from));
            const double right = std::min<double>(width(), x(std::min(until, m_run.end())));
            painter.fillRect(QRectF(left, height() - m_look.px(3), std::max(1.0, right - left), m_look.px(3)),
                             ink);
        } else {
            // From the instant up to the mark, wherever that had to stand.
            const double stem = std::clamp(std::round(x(from)) - 1, 0.0, width() - 2.0);
            painter.fillRect(QRectF(stem, mark.bottom(), 2, height() - mark.bottom()), ink);
            const double foot = std::clamp(stem, mark.left(), mark.right() - 2);
            painter.fillRect(QRectF(std::min(stem, foot), mark.bottom(), std::abs(stem - foot) + 2, 1), ink);
        }
        // A sheet with a folded corner: no other mark has that shape.
        const double fold = m_look.px(5);
        QPainterPath sheet;
        sheet.moveTo(mark.topLeft());
        sheet.lineTo(mark.right() - fold, mark.top());
        sheet.lineTo(mark.right(), mark.top() + fold);
        sheet.lineTo(mark.bottomRight());
        sheet.lineTo(mark.bottomLeft());
        sheet.closeSubpath();
        painter.setRenderHint(QPainter::Antialiasing);
        painter.fillPath(sheet, ink);
        painter.setRenderHint(QPainter::Antialiasing, false);
        const auto number = std::find(all.begin(), all.end(), note) - all.begin() + 1;
        painter.setFont(m_look.font(TextRole::Smallest));
        painter.setPen(m_look.color(Role::Window));
        painter.drawText(mark, Qt::AlignCenter, QString::number(number));
        const double next = i + 1 < seen.size() ? marks[i + 1].left() : width();
        const QRectF room(mark.right() + m_look.px(4), 0, next - mark.right() - m_look.px(8), height());
        if (room.width() < m_look.px(16)) continue;
        painter.setFont(font);
        painter.setPen(m_look.color(Role::Text));
        painter.drawText(room, Qt::AlignVCenter,
                         metrics.elidedText(qstr(m_notes.all()[static_cast<std::size_t>(note)].text),
                                            Qt::ElideRight, static_cast<int>(room.width())));
    }
}

void NoteRow::pick(int note) {
    m_picked = note;
    if (note >= 0) m_pickedNote = m_notes.all()[static_cast<std::size_t>(note)];
    setAccessibleDescription(note < 0 ? QString() : describe(note));
    update();
}

void NoteRow::begin(Instant from, Instant until) {
    if (m_canvas.data() == nullptr) return;
    closeEditor(true);
    m_edited = -1;
    openEditor(from, until, {});
}

void NoteRow::edit(int note) {
    closeEditor(true);
    const auto [from, until] = spanOf(note);
    m_edited = note;
    m_editedNote = m_notes.all()[static_cast<std::size_t>(note)];
    openEditor(from, until, qstr(m_editedNote.text));
}

void NoteRow::removePicked() {
    if (m_picked >= 0) m_notes.remove(std::exchange(m_picked, -1));
}

void NoteRow::openEditor(Instant from, Instant until, const QString& text) {
    m_drag.reset();
    m_editedSpan = {from, until};
    m_editor->setFont(m_look.font(TextRole::Caption));
    m_editor->setText(text);
    m_editor->show();
    emit heightChanged(); // now there is a place for it
    placeEditor();
    m_editor->setFocus(Qt::OtherFocusReason);
    m_editor->selectAll();
}

void NoteRow::placeEditor() {
    if (m_editor->isHidden() || m_canvas.data() == nullptr) return;
    const int wide = std::min(width(), m_look.px(280));
    const int left =
        std::clamp(static_cast<int>(x(m_editedSpan.first)) - m_look.px(8), 0, std::max(0, width() - wide));
    m_editor->setGeometry(left, 0, wide, height());
}

void NoteRow::closeEditor(bool keep) {
    if (m_editor->isHidden()) return;
    const bool hadFocus = window()->focusWidget() == m_editor; // also behind a dialog
    const QString text = m_editor->text().simplified();
    m_editor->hide();
    const int edited = std::exchange(m_edited, -1);
    if (keep && edited < 0 && !text.isEmpty())
        pick(m_notes.add({m_editedStep, m_editedSpan.first, m_editedSpan.second, text.toStdString()}));
    else if (keep && edited >= 0 && text.isEmpty())
        m_notes.remove(edited);
    else if (keep && edited >= 0)
        pick(m_notes.setText(edited, text));
    emit heightChanged();
    if (hadFocus && wantedHeight() > 0)
        setFocus(Qt::OtherFocusReason);
    else if (hadFocus)
        m_canvas.setFocus(Qt::OtherFocusReason);
    update();
}

bool NoteRow::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        const bool done = key == Qt::Key_Return || key == Qt::Key_Enter;
        if (done || key == Qt::Key_Escape) {
            closeEditor(done);
            return true; // else the row would take the key for its own
        }
    }
    if (event->type() == QEvent::FocusOut &&
        static_cast<QFocusEvent*>(event)->reason() != Qt::PopupFocusReason &&
        static_cast<QFocusEvent*>(event)->reason() != Qt::ActiveWindowFocusReason)
        closeEditor(true);
    return QWidget::eventFilter(watched, event);
}

} // namespace lockscope::ui
