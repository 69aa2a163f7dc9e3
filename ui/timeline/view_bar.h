// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QLabel;
class QToolButton;

namespace lockscope::ui {

class Look;

/// The line above the ruler: what the last change did, and how the timeline is looked at. It is always there,
/// so that nothing moves under the mouse when there is something to say.
class ViewBar : public QWidget {
    Q_OBJECT
public:
    explicit ViewBar(const Look& look, QWidget* parent = nullptr);

    void setSentence(const QString& sentence);
    QString sentence() const { return m_sentence; }
    void setStepView(bool on);
    void setGhostShown(bool shown);
    /// Whether there can be one: a run whose past is fixed never had another.
    void setGhostOffered(bool offered);
    int wantedHeight() const;

signals:
    void stepViewWanted(bool on);
    void ghostWanted(bool shown);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    QToolButton* button(const char* name, const QString& text, const QString& help);
    void applyLook();
    void elide();

    const Look& m_look;
    QString m_sentence;
    QLabel* m_label = nullptr;
    QToolButton* m_ghost = nullptr;
    QToolButton* m_trueTime = nullptr;
    QToolButton* m_step = nullptr;
};

} // namespace lockscope::ui
