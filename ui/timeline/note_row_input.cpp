// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Mouse and keys of the notes: see the table in the header.
#include <QKeyEvent>
#include <QMenu>
#include <QTextDocument>
#include <QToolTip>

#include <algorithm>
#include <cmath>

#include "ui/look.h"
#include "ui/timeline/canvas.h"
#include "ui/timeline/note_row.h"

namespace lockscope::ui {

namespace {
constexpr double kKeyStep = 8; ///< pixels that Shift and an arrow move a note
} // namespace

bool NoteRow::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const Hit hit = hitTest(help->pos());
        if (hit.note < 0)
            QToolTip::hideText();
        else
            QToolTip::showText(help->globalPos(), Qt::convertFromPlainText(describe(hit.note)), this);
        return true;
    }
    // With the focus here its keys come before the window's shortcuts.
    if (event->type() == QEvent::ShortcutOverride && m_picked >= 0) {
        switch (static_cast<QKeyEvent*>(event)->key()) {
        case Qt::Key_Left:
        case Qt::Key_Right:
        case Qt::Key_Return:
        case Qt::Key_Enter:
        case Qt::Key_F2:
        case Qt::Key_Delete:
        case Qt::Key_Backspace:
        case Qt::Key_Escape:
            event->accept();
            return true;
        default:
            break;
        }
    }
    return QWidget::event(event);
}

void NoteRow::pickNext(int direction) {
    const std::vector<int> seen = inSight();
    if (seen.empty()) return;
    const auto here = std::find(seen.begin(), seen.end(), m_picked);
    const auto last = static_cast<std::ptrdiff_t>(seen.size()) - 1;
    const std::ptrdiff_t now = here == seen.end() ? (direction > 0 ? -1 : last + 1) : here - seen.begin();
    pick(seen[static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(now + direction, 0, last))]);
    emit playheadWanted(spanOf(m_picked).first);
}

void NoteRow::shift(int direction) {
    const auto [from, until] = spanOf(m_picked);
    const double pixels = direction * m_look.px(kKeyStep);
    Duration by = at(x(from) + pixels) - from;
    by = Duration{by.count() / 1000 * 1000};
    if (by == Duration{0}) by = millis(direction);
    const Duration least = Instant{} - from;
    by = std::clamp(by, least, std::max<Duration>(least, m_run.run()->trace->horizon - until));
    pick(m_notes.setSpan(m_picked, from + by, until + by));
}

void NoteRow::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return;
    const Hit hit = hitTest(event->position());
    pick(hit.note);
    if (hit.note < 0) return;
    const auto [from, until] = spanOf(hit.note);
    m_drag = Drag{hit.note, hit.part, event->position().x(), from, until};
    m_dragged = {from, until};
}

void NoteRow::mouseMoveEvent(QMouseEvent* event) {
    if (!m_drag) {
        const Hit hit = hitTest(event->position());
        setCursor(hit.note < 0              ? Qt::ArrowCursor
                  : hit.part == Part::Whole ? Qt::PointingHandCursor
                                            : Qt::SizeHorCursor);
        return;
    }
    const double way = event->position().x() - m_drag->pressedX;
    if (!m_drag->moved && std::abs(way) < m_look.px(4)) return;
    m_drag->moved = true;
    const Instant last = m_run.end();
    const auto moved = [&](Instant from) { return std::min(m_canvas.instantAtX(x(from) + way), last); };
    switch (m_drag->part) {
    case Part::Whole: {
        const Duration length = m_drag->until - m_drag->from;
        const Instant latest = std::max(Instant{}, m_run.run()->trace->horizon - length);
        const Instant from = std::min(moved(m_drag->from), latest);
        m_dragged = {from, from + length};
        break;
    }
    case Part::Start:
        m_dragged.first = std::min(moved(m_drag->from), m_drag->until);
        break;
    case Part::End:
        m_dragged.second = std::max(moved(m_drag->until), m_drag->from);
        break;
    }
    update();
}

void NoteRow::mouseReleaseEvent(QMouseEvent*) {
    if (!m_drag) return;
    const Drag drag = *std::exchange(m_drag, std::nullopt);
    if (drag.moved)
        pick(m_notes.setSpan(drag.note, m_dragged.first, m_dragged.second));
    else
        emit playheadWanted(drag.from);
}

void NoteRow::mouseDoubleClickEvent(QMouseEvent* event) {
    if (const Hit hit = hitTest(event->position()); hit.note >= 0) edit(hit.note);
}

void NoteRow::giveUpDrag() {
    m_drag.reset();
    update();
}

void NoteRow::keyPressEvent(QKeyEvent* event) {
    const bool shifted = event->modifiers() & Qt::ShiftModifier;
    switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_Right: {
        const int direction = event->key() == Qt::Key_Left ? -1 : 1;
        if (shifted && m_picked >= 0)
            shift(direction);
        else
            pickNext(direction);
        return;
    }
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_F2:
        if (m_picked >= 0) edit(m_picked);
        return;
    case Qt::Key_Delete:
    case Qt::Key_Backspace:
        removePicked();
        return;
    case Qt::Key_Escape:
        if (m_drag)
            giveUpDrag();
        else
            pick(-1);
        return;
    default:
        QWidget::keyPressEvent(event);
    }
}

void NoteRow::contextMenuEvent(QContextMenuEvent* event) {
    const Hit hit =
        event->reason() == QContextMenuEvent::Keyboard ? Hit{m_picked, Part::Whole} : hitTest(event->pos());
    if (hit.note < 0) return;
    pick(hit.note);
    auto* menu = new QMenu(this);
    menu->setObjectName(QStringLiteral("noteMenu"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    // While the menu is open the note may go.
    menu->addAction(tr("Edit the note"), this, [this] {
        if (m_picked >= 0) edit(m_picked);
    });
    menu->addAction(tr("Remove the note"), this, &NoteRow::removePicked);
    menu->popup(event->globalPos());
}

} // namespace lockscope::ui
