// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>
#include <QRegularExpression>
#include <QTextDocument>

namespace lockscope::ui {

/// A label that likes to stand on one line and wraps where it must; a plain word-wrapping QLabel asks for a
/// square.
class WrapLabel : public QLabel {
    Q_OBJECT
public:
    explicit WrapLabel(QWidget* parent = nullptr) : QLabel(parent) { setWordWrap(true); }

    QSize sizeHint() const override {
        const QMargins m = contentsMargins();
        const QSize text = fontMetrics().size(0, plain());
        return {text.width() + m.left() + m.right() + 2 * margin() + 1,
                text.height() + m.top() + m.bottom() + 2 * margin()};
    }
    QSize minimumSizeHint() const override {
        return {fontMetrics().averageCharWidth() * 12, fontMetrics().height()};
    }

private:
    /// Without the tags that rich text has.
    QString plain() const {
        if (!Qt::mightBeRichText(text())) return text();
        QString out = text();
        static const QRegularExpression kTags(QStringLiteral("<[^>]*>"));
        return out.remove(kTags);
    }
};

} // namespace lockscope::ui
