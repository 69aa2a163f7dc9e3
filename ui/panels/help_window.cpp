// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/help_window.h"

#include <QAction>
#include <QDialogButtonBox>
#include <QTextBrowser>
#include <QVBoxLayout>

#include "ui/look.h"

namespace lockscope::ui {

HelpWindow::HelpWindow(Look& look, QList<QAction*> actions, QWidget* parent)
    : QDialog(parent), m_look(look), m_actions(std::move(actions)) {
    setObjectName(QStringLiteral("helpWindow"));
    setWindowTitle(tr("Keys and words"));
    m_text = new QTextBrowser(this);
    m_text->setObjectName(QStringLiteral("helpText"));
    m_text->setAccessibleName(windowTitle());
    m_text->setFrameShape(QFrame::NoFrame);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    buttons->setObjectName(QStringLiteral("helpButtons"));
    auto* column = new QVBoxLayout(this);
    column->addWidget(m_text, 1);
    column->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(&look, &Look::changed, this, &HelpWindow::render);
    render();
}

void HelpWindow::render() {
    const auto cell = [](const QString& text) { return QStringLiteral("<td>%1</td>").arg(text); };
    const QString pad = QString::number(m_look.px(4));
    QString html = QStringLiteral("<h3>%1</h3><p>%2</p><table cellpadding='%3'>")
                       .arg(tr("The three rows"), tr("The lock and the work are two different things."), pad);
    const QList<std::pair<QString, QString>> words{
        {tr("does"), tr("what the process is doing: work, waiting, paused, dead")},
        {tr("thinks"), tr("while it acts as the holder of the lock")},
        {tr("Redis says"), tr("whose lock it is by Redis' rule, and why that ended")},
        {tr("lease ends"), tr("the deadline passes: from here on nobody owns the key")},
        {tr("key removed"), tr("Redis takes the dead key out of its memory, some time later")},
        {tr("Two act as holder"), tr("two at once do what only the holder may do")},
        {tr("Works without the lock"), tr("acts as the holder while Redis says somebody else, or nobody")},
        {tr("not broken in this run"), tr("no more than that: another run may break it")},
    };
    for (const auto& [word, meaning] : words)
        html +=
            QStringLiteral("<tr>%1%2</tr>").arg(cell(QStringLiteral("<b>%1</b>").arg(word)), cell(meaning));
    html += QStringLiteral("</table><h3>%1</h3><table cellpadding='%2'>").arg(tr("With the mouse"), pad);
    const QList<std::pair<QString, QString>> gestures{
        {tr("drag across a lane"), tr("pauses that server, from the press to the mouse")},
        {tr("drag a pause"), tr("moves it, also to another lane; its edges change its length")},
        {tr("drag a flag or a pin"), tr("moves that fault in time")},
        {tr("drag an arrow"), tr("delays the message; off it, up or down, loses it")},
        {tr("drag the end of a lease"), tr("changes how long leases are")},
        {tr("drag from the palette"), tr("does that fault to the lane you let go over")},
        {tr("with Alt"), tr("freely, without meeting events")},
        {tr("Escape"), tr("gives up, and all is as it was")},
    };
    for (const auto& [gesture, meaning] : gestures)
        html += QStringLiteral("<tr>%1%2</tr>")
                    .arg(cell(QStringLiteral("<b>%1</b>").arg(gesture)), cell(meaning));
    html += QStringLiteral("</table><h3>%1</h3><table cellpadding='%2'>").arg(tr("Keys"), pad);
    for (const QAction* action : m_actions) {
        QStringList keys;
        for (const QKeySequence& key : action->shortcuts())
            keys << key.toString(QKeySequence::NativeText).toHtmlEscaped();
        if (keys.isEmpty()) continue;
        QString name = action->text();
        name.remove(QLatin1Char('&')).remove(QStringLiteral("…"));
        html += QStringLiteral("<tr>%1%2</tr>")
                    .arg(cell(QStringLiteral("<b>%1</b>").arg(keys.join(tr(" or ")))),
                         cell(name.toHtmlEscaped()));
    }
    html += QStringLiteral("</table>");
    m_text->document()->setDefaultFont(m_look.font(TextRole::Lane));
    m_text->setHtml(html);
    layout()->setContentsMargins(m_look.px(12), m_look.px(12), m_look.px(12), m_look.px(12));
    if (!isVisible()) resize(m_look.px(520), m_look.px(560));
}

} // namespace lockscope::ui
