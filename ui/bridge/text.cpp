// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/bridge/text.h"

#include <QCoreApplication>
#include <QTextBoundaryFinder>

namespace lockscope::ui {

QString forPeople(Duration d) {
    const auto whole = std::chrono::duration_cast<std::chrono::seconds>(d).count();
    if (whole < 120) return shortSeconds(d);
    if (whole < 7200)
        return QCoreApplication::translate("lockscope", "%1 min %2 s").arg(whole / 60).arg(whole % 60);
    return QCoreApplication::translate("lockscope", "%1 h %2 min").arg(whole / 3600).arg(whole / 60 % 60);
}

QString breakable(const QString& text) {
    constexpr int kLongestRun = 12;
    QString out;
    int run = 0;
    for (const QChar c : text) {
        out += c;
        const bool joint = c == QLatin1Char('-') || c == QLatin1Char(':');
        if (joint || ++run >= kLongestRun) out += QChar(0x200B);
        if (joint || c.isSpace() || run >= kLongestRun) run = 0;
    }
    return out;
}

QString menuText(QString text) {
    return text.replace(QLatin1Char('&'), QLatin1String("&&"));
}

QString fittingLine(const QString& text, std::size_t bytes) {
    const QString line = text.simplified();
    QTextBoundaryFinder finder(QTextBoundaryFinder::Grapheme, line);
    std::size_t size = 0;
    for (qsizetype from = 0, to = finder.toNextBoundary(); to >= 0; to = finder.toNextBoundary()) {
        size += static_cast<std::size_t>(line.mid(from, to - from).toUtf8().size());
        if (size > bytes) return line.left(from).trimmed();
        from = to;
    }
    return line;
}

Result<Duration> readDuration(const QString& typed) {
    QString text = typed;
    text.remove(QChar::Space).remove(QChar(0x00A0)).replace(QLatin1Char(','), QLatin1Char('.'));
    bool bare = false;
    text.toDouble(&bare);
    if (bare) text += QLatin1Char('s');
    return parseDuration(text.toStdString());
}

} // namespace lockscope::ui
