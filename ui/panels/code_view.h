// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPlainTextEdit>

#include <map>
#include <vector>

namespace lockscope::ui {

class CodeHighlighter;
class Look;

/// A program, and in the margin the badges of the actors that stand at a line. Lines are counted as in the
/// lesson's file, which is how events and messages count them. It can be read, or edited.
class CodeView : public QPlainTextEdit {
    Q_OBJECT
public:
    CodeView(Look& look, QWidget* parent = nullptr);

    /// `what` names the text: another state of the same one is put in so that the editor's own undo leads
    /// back.
    void setSource(const QString& source, int firstLine, const QString& what = {});
    /// As CodeHighlighter has it.
    void setLanguage(const QString& id);
    void setEditing(bool on);
    bool editing() const { return !isReadOnly(); }
    /// The line that is wrong; 0 for none.
    void setWrongLine(int line);
    int wrongLine() const { return m_wrongLine; }
    QString lineText(int line) const;
    /// Line → actors that stand there; and the line of the selection, 0 for none.
    void setMarks(std::map<int, std::vector<int>> actors, int selectedLine);
    const std::map<int, std::vector<int>>& actorLines() const { return m_actors; }
    int selectedLine() const { return m_selectedLine; }
    void showLine(int line);

signals:
    void typed(const QString& text); ///< by hand
    void done();                     ///< Escape, while it is edited

protected:
    void keyPressEvent(QKeyEvent* event) override;
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
    int m_wrongLine = 0;
    int m_firstLine = 1;
    QString m_what;
    bool m_filling = false; ///< the text is put in, not typed
    CodeHighlighter* m_highlighter = nullptr;
};

} // namespace lockscope::ui
