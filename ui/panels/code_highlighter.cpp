// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/code_highlighter.h"

#include <QSet>

#include <algorithm>

#include "ui/look.h"

namespace lockscope::ui {

/// What the highlighter knows of a language.
struct CodeWords {
    QString id;
    QSet<QString> keywords;
    QSet<QString> spoken; ///< words by which a program acts on the world
    QString comment;
    /// Pairs of marks between which text may go over lines; a comment, if the first begins with `comment`.
    QList<std::pair<QString, QString>> longTexts;
};

namespace {

QSet<QString> wordsIn(const char* list) {
    const QStringList words = QString::fromLatin1(list).split(QLatin1Char(' '));
    return {words.begin(), words.end()};
}

const std::vector<CodeWords>& knownLanguages() {
    static const QSet<QString> told =
        wordsIn("redis call eval get set del pexpire incr publish subscribe work compute enter leave sleep "
                "storage write read randomUUID uuid4 now monotonic setTimeout setInterval clearInterval");
    static const std::vector<CodeWords> all{
        {QStringLiteral("lua"),
         wordsIn("and break do else elseif end false for function if in local nil not or repeat return then "
                 "true until while"),
         wordsIn(
             "redis call pcall node enter leave work compute sleep every spawn thread cancel wait storage "
             "write read uuid random now wall log subscribe receive close"),
         QStringLiteral("--"),
         {{QStringLiteral("--[["), QStringLiteral("]]")}, {QStringLiteral("[["), QStringLiteral("]]")}}},
        {QStringLiteral("js"),
         wordsIn("async await break case catch class const continue do else export false finally for from "
                 "function if import in let new null of return switch this throw true try undefined while"),
         told,
         QStringLiteral("//"),
         {{QStringLiteral("`"), QStringLiteral("`")}}},
        {QStringLiteral("python"),
         wordsIn("and as async await break class continue def elif else except False finally for from global "
                 "if import in is lambda None nonlocal not or pass raise return True try while with"),
         told,
         QStringLiteral("#"),
         {{QStringLiteral("\"\"\""), QStringLiteral("\"\"\"")}}}};
    return all;
}

bool wordStart(QChar c) {
    return c.isLetter() || c == QLatin1Char('_');
}
bool wordPart(QChar c) {
    return c.isLetterOrNumber() || c == QLatin1Char('_');
}

} // namespace

CodeHighlighter::CodeHighlighter(const Look& look, QTextDocument* document)
    : QSyntaxHighlighter(document), m_look(look), m_words(&knownLanguages().front()) {
    connect(&look, &Look::changed, this, &QSyntaxHighlighter::rehighlight);
}

void CodeHighlighter::setLanguage(const QString& id) {
    static const CodeWords kNone;
    const auto& all = knownLanguages();
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const CodeWords& words) { return words.id == id; });
    const CodeWords* words = found == all.end() ? &kNone : &*found;
    if (words == std::exchange(m_words, words)) return;
    rehighlight();
}

/// A block's state is 0, or the number of the long text that is open at its end, from 1.
void CodeHighlighter::highlightBlock(const QString& text) {
    QTextCharFormat dim, bold;
    dim.setForeground(m_look.color(Role::DimText));
    bold.setFontWeight(QFont::DemiBold);

    const auto length = static_cast<int>(text.size());
    int i = 0;
    int state = std::clamp<int>(previousBlockState(), 0, static_cast<int>(m_words->longTexts.size()));
    const auto closeLong = [&](int from) {
        const auto& [opens, closes] = m_words->longTexts[state - 1];
        const qsizetype end = text.indexOf(closes, from);
        const int until = end < 0 ? length : static_cast<int>(end + closes.size());
        if (opens.startsWith(m_words->comment)) setFormat(i, until - i, dim);
        if (end >= 0) state = 0;
        i = until;
    };
    const auto opensLong = [&] {
        for (int n = 0; n < m_words->longTexts.size(); ++n) {
            const QString& opens = m_words->longTexts[n].first;
            if (text.mid(i, opens.size()) != opens) continue;
            state = n + 1;
            closeLong(i + static_cast<int>(opens.size()));
            return true;
        }
        return false;
    };
    if (state != 0) closeLong(0);
    while (i < length) {
        const QChar c = text[i];
        if (opensLong()) continue;
        if (!m_words->comment.isEmpty() && text.mid(i, m_words->comment.size()) == m_words->comment) {
            setFormat(i, length - i, dim);
            break;
        }
        if (c == QLatin1Char('"') || c == QLatin1Char('\'')) {
            for (++i; i < length && text[i] != c; ++i)
                if (text[i] == QLatin1Char('\\')) ++i;
            ++i;
        } else if (wordStart(c)) {
            const int from = i;
            while (i < length && wordPart(text[i]))
                ++i;
            const QString word = text.mid(from, i - from);
            if (m_words->keywords.contains(word))
                setFormat(from, i - from, dim);
            else if (m_words->spoken.contains(word))
                setFormat(from, i - from, bold);
        } else {
            ++i;
        }
    }
    setCurrentBlockState(state);
}

} // namespace lockscope::ui
