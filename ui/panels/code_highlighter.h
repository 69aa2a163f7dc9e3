// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSyntaxHighlighter>

namespace lockscope::ui {

class Look;
struct CodeWords;

/// Code by weight and shade: colours belong to actors and states. What a program says to the world
/// (redis.call, enter, work, storage.write …) is bold, keywords and comments step back.
class CodeHighlighter : public QSyntaxHighlighter {
    Q_OBJECT
public:
    CodeHighlighter(const Look& look, QTextDocument* document);

    /// "lua", or a language that programs are told in. One that is not known has no words of its own.
    void setLanguage(const QString& id);

protected:
    void highlightBlock(const QString& text) override;

private:
    const Look& m_look;
    const CodeWords* m_words = nullptr;
};

} // namespace lockscope::ui
