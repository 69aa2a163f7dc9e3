// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/code_view.h"

#include <QKeyEvent>
#include <QPainter>
#include <QTextBlock>

#include <algorithm>

#include "ui/look.h"
#include "ui/panels/code_highlighter.h"
#include "ui/panels/icons.h"

namespace lockscope::ui {

class CodeView::Margin : public QWidget {
public:
    explicit Margin(CodeView* view) : QWidget(view), m_view(view) {
        setObjectName(QStringLiteral("codeMargin"));
        setAccessibleName(tr("Line numbers"));
    }

protected:
    void paintEvent(QPaintEvent* event) override { m_view->paintMargin(event); }

private:
    CodeView* m_view;
};

CodeView::CodeView(Look& look, QWidget* parent) : QPlainTextEdit(parent), m_look(look) {
    setReadOnly(true);
    setLineWrapMode(QPlainTextEdit::NoWrap);
    setFrameShape(QFrame::NoFrame);
    setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_highlighter = new CodeHighlighter(look, document());
    m_margin = new Margin(this);
    connect(this, &QPlainTextEdit::updateRequest, this, [this](const QRect& rect, int dy) {
        if (dy != 0)
            m_margin->scroll(0, dy);
        else
            m_margin->update(0, rect.y(), m_margin->width(), rect.height());
    });
    connect(this, &QPlainTextEdit::textChanged, this, [this] {
        placeMargin();
        if (!m_filling && editing()) emit typed(toPlainText());
    });
    connect(&look, &Look::changed, this, &CodeView::applyLook);
    applyLook();
}

int CodeView::lineOf(const QTextBlock& block) const {
    return block.blockNumber() + m_firstLine;
}

QString CodeView::lineText(int line) const {
    return document()->findBlockByNumber(line - m_firstLine).text();
}

void CodeView::setSource(const QString& source, int firstLine, const QString& what) {
    m_firstLine = firstLine;
    const QString before = toPlainText();
    m_filling = true;
    if (what != std::exchange(m_what, what) || what.isEmpty()) {
        if (source != before) setPlainText(source);
    } else if (source != before) {
        // Only what differs, so that the cursor stays where it is.
        const auto mismatch = [](auto a, auto aEnd, auto b, auto bEnd) {
            return std::distance(a, std::mismatch(a, aEnd, b, bEnd).first);
        };
        const qsizetype head = mismatch(before.begin(), before.end(), source.begin(), source.end());
        const qsizetype most = std::min(before.size(), source.size()) - head;
        const qsizetype tail = std::min<qsizetype>(
            most, mismatch(before.rbegin(), before.rend(), source.rbegin(), source.rend()));
        QTextCursor cursor(document());
        cursor.setPosition(static_cast<int>(head));
        cursor.setPosition(static_cast<int>(before.size() - tail), QTextCursor::KeepAnchor);
        cursor.insertText(source.mid(head, source.size() - tail - head));
    }
    m_filling = false;
    placeMargin();
}

void CodeView::setLanguage(const QString& id) {
    m_highlighter->setLanguage(id);
}

void CodeView::setEditing(bool on) {
    if (on == editing()) return;
    setTextInteractionFlags(on ? Qt::TextEditorInteraction
                               : Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_margin->update();
    viewport()->update();
}

void CodeView::setWrongLine(int line) {
    if (line == std::exchange(m_wrongLine, line)) return;
    m_margin->update();
    viewport()->update();
}

/// Tab indents and Return keeps the indentation; Escape leaves, so that Tab is nobody's trap.
void CodeView::keyPressEvent(QKeyEvent* event) {
    const bool plain = (event->modifiers() & ~Qt::KeypadModifier) == Qt::NoModifier;
    if (!editing() || !plain) return QPlainTextEdit::keyPressEvent(event);
    switch (event->key()) {
    case Qt::Key_Escape:
        emit done();
        return;
    case Qt::Key_Tab:
        insertPlainText(QStringLiteral("  "));
        return;
    case Qt::Key_Return:
    case Qt::Key_Enter: {
        const QString line = textCursor().block().text().left(textCursor().positionInBlock());
        const auto ink = std::find_if(line.begin(), line.end(), [](QChar c) { return !c.isSpace(); });
        insertPlainText(QLatin1Char('\n') + line.left(std::distance(line.begin(), ink)));
        ensureCursorVisible();
        return;
    }
    default:
        QPlainTextEdit::keyPressEvent(event);
    }
}

void CodeView::setMarks(std::map<int, std::vector<int>> actors, int selectedLine) {
    if (actors == m_actors && selectedLine == m_selectedLine) return;
    m_actors = std::move(actors);
    m_selectedLine = selectedLine;
    m_margin->update();
    viewport()->update();
}

void CodeView::showLine(int line) {
    const QTextBlock block = document()->findBlockByNumber(line - m_firstLine);
    if (!block.isValid()) return;
    const QRectF place = blockBoundingGeometry(block).translated(contentOffset());
    if (place.top() >= 0 && place.bottom() <= viewport()->height()) return; // it is there; nothing jumps
    QTextCursor cursor(block);
    setTextCursor(cursor);
    centerCursor();
}

int CodeView::numberWidth() const {
    const int digits = QString::number(std::max(10, m_firstLine + blockCount() - 1)).size();
    return fontMetrics().horizontalAdvance(QLatin1Char('9')) * digits;
}

void CodeView::placeMargin() {
    const int badges = 2 * m_look.px(17);
    const int width = m_look.px(4) + badges + numberWidth() + m_look.px(8);
    setViewportMargins(width, 0, 0, 0);
    m_margin->setGeometry(contentsRect().left(), contentsRect().top(), width, contentsRect().height());
}

void CodeView::resizeEvent(QResizeEvent* event) {
    QPlainTextEdit::resizeEvent(event);
    placeMargin();
}

void CodeView::paintMargin(QPaintEvent* event) {
    QPainter painter(m_margin);
    painter.fillRect(event->rect(), m_look.color(Role::Window));
    const int side = m_look.px(15), step = m_look.px(17);
    for (QTextBlock block = firstVisibleBlock(); block.isValid(); block = block.next()) {
        const QRectF place = blockBoundingGeometry(block).translated(contentOffset());
        if (place.top() > event->rect().bottom()) break;
        const int line = lineOf(block);
        const auto here = m_actors.find(line);
        const bool current = here != m_actors.end();
        QFont font = this->font();
        font.setWeight(current ? QFont::DemiBold : QFont::Normal);
        painter.setFont(font);
        painter.setPen(m_look.color(current || line == m_selectedLine ? Role::Text : Role::DimText));
        painter.drawText(QRectF(0, place.top(), m_margin->width() - m_look.px(8), place.height()),
                         Qt::AlignRight | Qt::AlignVCenter, QString::number(line));
        if (line == m_wrongLine) {
            const QRect sign(m_look.px(4), static_cast<int>(place.center().y()) - side / 2, side, side);
            glyphIcon(m_look, Glyph::Warning).paint(&painter, sign);
            continue;
        }
        if (!current) continue;
        int x = m_look.px(4);
        for (const int actor : here->second) {
            if (x + step > m_look.px(4) + 2 * step) { // a third one says that there are more
                painter.drawText(QPointF(x - m_look.px(3), place.center().y()), QStringLiteral("+"));
                break;
            }
            m_look.drawBadge(painter, QRectF(x, place.center().y() - side / 2.0, side, side), actor);
            x += step;
        }
    }
}

void CodeView::paintEvent(QPaintEvent* event) {
    {
        QPainter painter(viewport());
        for (QTextBlock block = firstVisibleBlock(); block.isValid(); block = block.next()) {
            const QRectF place = blockBoundingGeometry(block).translated(contentOffset());
            if (place.top() > event->rect().bottom()) break;
            const int line = lineOf(block);
            const QRectF whole(0, place.top(), viewport()->width(), place.height());
            if (m_actors.contains(line)) {
                painter.fillRect(whole, m_look.color(Role::Lane));
                painter.fillRect(QRectF(0, place.top(), m_look.px(3), place.height()),
                                 m_look.actor(m_actors[line].front()));
            }
            if (line == m_wrongLine) {
                painter.fillRect(whole, m_look.color(Role::Lane));
                painter.setPen(QPen(m_look.color(Role::Text), m_look.px(1.5), Qt::DotLine));
                painter.drawLine(whole.bottomLeft(), whole.bottomRight());
            }
            if (line == m_selectedLine) {
                painter.setPen(QPen(m_look.color(Role::Focus), m_look.px(1)));
                painter.drawRect(whole.adjusted(0.5, 0.5, -1.5, -0.5));
            }
        }
    }
    QPlainTextEdit::paintEvent(event);
}

void CodeView::applyLook() {
    setFont(m_look.font(TextRole::Code));
    document()->setDocumentMargin(m_look.px(6));
    setTabStopDistance(4 * fontMetrics().horizontalAdvance(QLatin1Char(' ')));
    placeMargin();
}

} // namespace lockscope::ui
