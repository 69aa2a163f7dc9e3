// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/prose_view.h"

#include <QDesktopServices>
#include <QTextBlock>
#include <QTextDocument>
#include <QTextList>
#include <QUrl>
#include <QWheelEvent>

#include <cmath>

#include "ui/look.h"

namespace lockscope::ui {

namespace {
constexpr double kLineHeight = 22.0 / 15.0; // of the text size
constexpr double kCodeLineHeight = 19.0 / 13.0;
} // namespace

ProseView::ProseView(Look& look, TextRole role, QWidget* parent)
    : QTextBrowser(parent), m_look(look), m_role(role) {
    setFrameShape(QFrame::NoFrame);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setOpenLinks(false);
    setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::LinksAccessibleByMouse |
                            Qt::LinksAccessibleByKeyboard);
    setFocusPolicy(Qt::ClickFocus);
    document()->setDocumentMargin(0);
    viewport()->setAutoFillBackground(false);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(this, &QTextBrowser::anchorClicked, this, [](const QUrl& url) {
        if (url.scheme() == QLatin1String("https") || url.scheme() == QLatin1String("http"))
            QDesktopServices::openUrl(url);
    });
    connect(&look, &Look::changed, this, &ProseView::render);
}

QVariant ProseView::loadResource(int, const QUrl&) {
    return {};
}

void ProseView::setProse(const QString& markdown) {
    if (markdown == m_markdown) return;
    m_markdown = markdown;
    render();
}

void ProseView::render() {
    document()->setDefaultFont(m_look.font(m_role));
    document()->setMarkdown(m_markdown, QTextDocument::MarkdownDialectGitHub);
    dressBlocks();
    fitHeight();
}

/// The importer knows only the default font; headings, code and distances are ours.
void ProseView::dressBlocks() {
    const QFont body = m_look.font(m_role);
    const QFont code = m_look.font(TextRole::Code);
    document()->setIndentWidth(m_look.px(18));
    QTextCursor cursor(document());
    cursor.beginEditBlock();
    for (QTextBlock block = document()->begin(); block.isValid(); block = block.next()) {
        QTextBlockFormat format = block.blockFormat();
        const bool isCode = format.hasProperty(QTextFormat::BlockCodeFence) ||
                            format.hasProperty(QTextFormat::BlockCodeLanguage);
        const bool first = block == document()->begin();
        const bool inList = block.textList() != nullptr;
        format.setTopMargin(first || isCode ? 0 : m_look.px(inList ? 4 : 10));
        format.setBottomMargin(0);
        format.setNonBreakableLines(false);
        if (QTextList* list = block.textList(); list != nullptr && list->item(0) == block) {
            QTextListFormat marks = list->format();
            if (marks.style() != QTextListFormat::ListDecimal) marks.setStyle(QTextListFormat::ListDisc);
            list->setFormat(marks);
        }
        if (isCode) {
            format.setBackground(m_look.color(Role::Lane));
            const bool opens = !block.previous().isValid() ||
                               !block.previous().blockFormat().hasProperty(QTextFormat::BlockCodeLanguage);
            if (opens && !first) format.setTopMargin(m_look.px(8));
        }
        format.setLineHeight(
            std::lround(isCode ? code.pixelSize() * kCodeLineHeight : body.pixelSize() * kLineHeight),
            QTextBlockFormat::MinimumHeight);
        cursor.setPosition(block.position());
        cursor.setBlockFormat(format);

        for (auto it = block.begin(); !it.atEnd(); ++it) {
            const QTextFragment fragment = it.fragment();
            QTextCharFormat text = fragment.charFormat();
            const bool mono = isCode || text.fontFixedPitch();
            const bool strong = text.fontWeight() > QFont::Normal || format.headingLevel() > 0 ||
                                m_role == TextRole::Question || text.fontItalic();
            text.clearProperty(QTextFormat::FontSizeAdjustment); // a heading is bold, not huge
            QFont font = mono ? code : body;
            if (mono && !isCode) font.setPixelSize(std::lround(body.pixelSize() * 0.9));
            font.setWeight(strong ? QFont::DemiBold : QFont::Normal); // no italics: emphasis is weight
            text.setFont(font, QTextCharFormat::FontPropertiesAll);
            if (mono && !isCode) text.setBackground(m_look.color(Role::Lane));
            text.setForeground(m_look.color(text.isAnchor() ? Role::Focus : Role::Text));
            cursor.setPosition(fragment.position());
            cursor.setPosition(fragment.position() + fragment.length(), QTextCursor::KeepAnchor);
            cursor.setCharFormat(text);
        }
    }
    cursor.endEditBlock();
}

void ProseView::fitHeight() {
    if (width() <= 0) return;
    document()->setTextWidth(viewport()->width());
    const int height = static_cast<int>(std::ceil(document()->size().height()));
    if (height != minimumHeight() || height != maximumHeight()) setFixedHeight(height);
}

QSize ProseView::sizeHint() const {
    return {m_look.px(200), std::max(1, minimumHeight())};
}

QSize ProseView::minimumSizeHint() const {
    return {m_look.px(80), 1};
}

void ProseView::resizeEvent(QResizeEvent* event) {
    QTextBrowser::resizeEvent(event);
    fitHeight();
}

void ProseView::wheelEvent(QWheelEvent* event) {
    event->ignore();
} // the column scrolls, not this

} // namespace lockscope::ui
