// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPlainTextEdit>

#include <map>
#include <vector>

namespace lockscope::ui {

class Look;

/// A program as it runs, and in the margin the badges of the actors that stand at a line. Lines are counted
/// as in the lesson's file, which is how events and messages count them.
class CodeView : public QPlainTextEdit {
    Q_OBJECT
public:
    CodeView(Look& look, QWidget* parent = nullptr);

    void setSource(const QString& source, int firstLine);
    QString lineText(int line) const;
    /// Line → actors that stand there; and the line of the selection, 0 for none.
    void setMarks(std::map<int, std::vector<int>> actors, int selectedLine);
    const std::map<int, std::vector<int>>& actorLines() const { return m_actors; }
    int selectedLine() const { return m_selectedLine; }
    void showLine(int line);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    class Margin;
    void paintMargin(QPaintEvent* event);
    int lineOf(const QTextBlock& block) const;
    int numberWidth() const;
    void placeMargin();
    void applyLook();

    Look& m_look;
    Margin* m_margin = nullptr;
    std::map<int, std::vector<int>> m_actors;
    int m_selectedLine = 0;
    int m_firstLine = 1;
};

} // namespace lockscope::ui
