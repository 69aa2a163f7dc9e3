// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QFont>
#include <QObject>
#include <QPainterPath>
#include <QPalette>
#include <QString>

namespace lockscope::ui {

/// What a colour stands for. No widget names a colour itself.
enum class Role {
    Window,      ///< behind everything
    Text,
    DimText,
    Lane,
    Hairline,
    Focus,       ///< focus ring and selection
    Violation,   ///< reserved
    OnViolation,
    Unknown,     ///< reserved
    OnUnknown,
    Outside,     ///< You, admin, outside clients
    OnOutside,
};

enum class TextRole { Prose, Question, Lane, Caption, Code, PlayheadTime, Smallest };

/// How the whole window looks: colours by role, type by role, one scale factor. One object, handed to every view.
class Look : public QObject {
    Q_OBJECT
public:
    explicit Look(QObject* parent = nullptr);

    bool dark() const { return m_dark; }
    void setDark(bool dark);
    /// 0.8 to 2.5; 1 is the desktop's normal size.
    double scale() const { return m_scale; }
    void setScale(double scale);
    bool reducedMotion() const { return m_reducedMotion; }
    void setReducedMotion(bool reduced);

    QColor color(Role role) const;
    /// The colour of the actor with this index, and what can be read on it. They repeat from the fifth on.
    QColor actor(int index) const;
    QColor onActor(int index) const;
    /// The badge that tells actors apart without colour: A in a circle, B in a square, C in a hexagon, D in a triangle …
    QString badgeLetter(int index) const;
    QPainterPath badgeShape(int index, const QRectF& in) const;

    QFont font(TextRole role) const;
    /// A length in the design's pixels at 100 %, in this scale's.
    int px(double atFull) const;

    /// The application-wide palette and style sheet for the plain widgets.
    QPalette palette() const;

signals:
    void changed();

private:
    bool m_dark = false;
    double m_scale = 1;
    bool m_reducedMotion = false;
};

} // namespace lockscope::ui
