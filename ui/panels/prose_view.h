// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTextBrowser>

namespace lockscope::ui {

class Look;
enum class TextRole;

/// Markdown of a lesson, as high as it needs to be: it stands in a column that scrolls as a whole.
/// A lesson is a stranger's file, so nothing is ever loaded from it; web links open in the user's browser.
class ProseView : public QTextBrowser {
    Q_OBJECT
public:
    ProseView(Look& look, TextRole role, QWidget* parent = nullptr);

    void setProse(const QString& markdown);
    QVariant loadResource(int type, const QUrl& name) override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void resizeEvent(QResizeEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;

private:
    void render();
    void dressBlocks();
    void fitHeight();

    Look& m_look;
    TextRole m_role;
    QString m_markdown;
};

} // namespace lockscope::ui
