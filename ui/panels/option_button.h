// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractButton>

namespace lockscope::ui {

class Look;

/// One answer of a prediction: its letter in a ring, and a text that may take several lines. It is a radio
/// button to keys and to assistive technology.
class OptionButton : public QAbstractButton {
    Q_OBJECT
public:
    /// What is known about it once the question has been answered.
    enum class Verdict { None, Right, Wrong };

    OptionButton(Look& look, QChar letter, const QString& text, QWidget* parent = nullptr);

    void setVerdict(Verdict verdict, bool given);
    Verdict verdict() const { return m_verdict; }
    /// The line under the text: "your answer", "what happens".
    QString remark() const { return m_remark; }

    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    QRect textRect(int width) const;
    int textHeight(int width) const;

    Look& m_look;
    QChar m_letter;
    Verdict m_verdict = Verdict::None;
    QString m_remark;
};

} // namespace lockscope::ui
