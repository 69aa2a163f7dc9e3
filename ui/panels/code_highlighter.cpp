// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/lua_highlighter.h"

#include <QSet>

#include "ui/look.h"

namespace lockscope::ui {

namespace {

const QSet<QString>& keywords() {
    static const QSet<QString> words{
        QStringLiteral("and"),    QStringLiteral("break"),  QStringLiteral("do"),
        QStringLiteral("else"),   QStringLiteral("elseif"), QStringLiteral("end"),
        QStringLiteral("false"),  QStringLiteral("for"),    QStringLiteral("function"),
        QStringLiteral("if"),     QStringLiteral("in"),     QStringLiteral("local"),
        QStringLiteral("nil"),    QStringLiteral("not"),    QStringLiteral("or"),
        QStringLiteral("repeat"), QStringLiteral("return"), QStringLiteral("then"),
        QStringLiteral("true"),   QStringLiteral("until"),  QStringLiteral("while")};
    return words;
}

const QSet<QString>& spoken() {
    static const QSet<QString> words{
        QStringLiteral("redis"),  QStringLiteral("call"),      QStringLiteral("pcall"),
        QStringLiteral("node"),   QStringLiteral("enter"),     QStringLiteral("leave"),
        QStringLiteral("work"),   QStringLiteral("compute"),   QStringLiteral("sleep"),
        QStringLiteral("every"),  QStringLiteral("spawn"),     QStringLiteral("thread"),
        QStringLiteral("cancel"), QStringLiteral("wait"),      QStringLiteral("storage"),
        QStringLiteral("write"),  QStringLiteral("read"),      QStringLiteral("uuid"),
        QStringLiteral("random"), QStringLiteral("now"),       QStringLiteral("wall"),
        QStringLiteral("log"),    QStringLiteral("subscribe"), QStringLiteral("receive"),
        QStringLiteral("close")};
    return words;
}

bool wordStart(QChar c) {
    return c.isLetter() || c == QLatin1Char('_');
}
bool wordPart(QChar c) {
    return c.isLetterOrNumber() || c == QLatin1Char('_');
}

enum State { Plain = 0, LongComment = 1, LongString = 2 };

} // namespace

LuaHighlighter::LuaHighlighter(const Look& look, QTextDocument* document)
    : QSyntaxHighlighter(document), m_look(look) {
    connect(&look, &Look::changed, this, &QSyntaxHighlighter::rehighlight);
}

void LuaHighlighter::highlightBlock(const QString& text) {
    QTextCharFormat dim, bold;
    dim.setForeground(m_look.color(Role::DimText));
    bold.setFontWeight(QFont::DemiBold);

    const auto length = static_cast<int>(text.size());
    int i = 0;
    int state = std::max(0, previousBlockState());
    const auto closeLong = [&](int from) {
        const qsizetype end = text.indexOf(QLatin1String("]]"), from);
        const int until = end < 0 ? length : static_cast<int>(end) + 2;
        if (state == LongComment) setFormat(i, until - i, dim);
        if (end >= 0) state = Plain;
        i = until;
    };
    if (state != Plain) closeLong(0);
    while (i < length) {
        const QChar c = text[i];
        if (text.mid(i, 4) == QLatin1String("--[[")) {
            state = LongComment;
            closeLong(i + 4);
        } else if (text.mid(i, 2) == QLatin1String("--")) {
            setFormat(i, length - i, dim);
            break;
        } else if (text.mid(i, 2) == QLatin1String("[[")) {
            state = LongString;
            closeLong(i + 2);
        } else if (c == QLatin1Char('"') || c == QLatin1Char('\'')) {
            for (++i; i < length && text[i] != c; ++i)
                if (text[i] == QLatin1Char('\\')) ++i;
            ++i;
        } else if (wordStart(c)) {
            const int from = i;
            while (i < length && wordPart(text[i]))
                ++i;
            const QString word = text.mid(from, i - from);
            if (keywords().contains(word))
                setFormat(from, i - from, dim);
            else if (spoken().contains(word))
                setFormat(from, i - from, bold);
        } else {
            ++i;
        }
    }
    setCurrentBlockState(state);
}

} // namespace lockscope::ui
