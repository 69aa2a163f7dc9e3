// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

#include "ui/bridge/challenge_check.h"

class QLabel;
class QProgressBar;
class QPushButton;
class QVBoxLayout;

namespace lockscope::ui {

class FlowLayout;
class Look;
class ProseView;
class WrapLabel;

/// The step's challenge: what it asks, the check of the programs as they are, what came of it, and help in a
/// ladder whose last rung is a solution.
class ChallengeCard : public QFrame {
    Q_OBJECT
public:
    ChallengeCard(ChallengeCheck& check, Look& look, QWidget* parent = nullptr);

    /// As a click on the button: begins the check, or stops it.
    void check();
    void help();

signals:
    void said(const QString& line); ///< something that can be undone was done, or could not be
    void grown();                   ///< there is more to see at its end

private:
    void build();
    QString terms() const;
    QString status() const;
    void refresh();
    void applyLook();

    ChallengeCheck& m_check;
    Look& m_look;
    QLabel* m_caption = nullptr;
    WrapLabel* m_terms = nullptr;
    FlowLayout* m_row = nullptr;
    QPushButton* m_go = nullptr;
    QPushButton* m_show = nullptr;
    QPushButton* m_help = nullptr;
    QProgressBar* m_progress = nullptr;
    WrapLabel* m_status = nullptr;
    ProseView* m_hints = nullptr;
    ChallengeCheck::State m_told = ChallengeCheck::State::Idle;
};

} // namespace lockscope::ui
