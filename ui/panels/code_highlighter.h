// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSyntaxHighlighter>

namespace lockscope::ui {

class Look;

/// Lua by weight and shade: colours belong to actors and states. What a program says to the world
/// (redis.call, enter, work, storage.write …) is bold, keywords and comments step back.
class LuaHighlighter : public QSyntaxHighlighter {
    Q_OBJECT
public:
    LuaHighlighter(const Look& look, QTextDocument* document);

protected:
    void highlightBlock(const QString& text) override;

private:
    const Look& m_look;
};

} // namespace lockscope::ui
