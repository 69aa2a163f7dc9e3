// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QFont>
#include <QObject>
#include <QPainterPath>
#include <QPalette>
#include <QString>

class QPainter;

namespace lockscope::ui {

/// What a colour stands for. No widget names a colour itself.
enum class Role {
    Window, ///< behind everything
    Text,
    DimText,
    Lane,
    Hairline,
    Focus,     ///< focus ring and selection
    Violation, ///< reserved
    OnViolation,
    Unknown, ///< reserved
    OnUnknown,
    Outside, ///< You, admin, outside clients
    OnOutside,
};

inline constexpr int kRoles = 12;

enum class TextRole { Prose, Question, Lane, Caption, Code, PlayheadTime, Smallest };

/// How the whole window looks: colours by role, type by role, one scale factor. One object, handed to every
/// view.
///
/// Invariants:
///  1. Colours are the ones that were checked for contrast and for three kinds of colour blindness; a role's
///  two
///     values (light, dark) are never mixed.
///  2. Every length and every font size a view uses comes from px() or font(), so that scale() reaches all of
///  them.
/// Sizes are device-independent pixels.
class Look : public QObject {
    Q_OBJECT
public:
    static constexpr double kLeastScale = 0.8;
    static constexpr double kMostScale = 2.5;

    explicit Look(QObject* parent = nullptr);

    bool dark() const { return m_dark; }
    void setDark(bool dark);
    /// 0.8 to 2.5; 1 is the desktop's normal size. Values outside are clamped.
    double scale() const { return m_scale; }
    void setScale(double scale);
    /// Starts as the desktop has it: on where the style says that widgets do not animate.
    bool reducedMotion() const { return m_reducedMotion; }
    void setReducedMotion(bool reduced);

    QColor color(Role role) const;
    /// The colour of the actor with this index, and what can be read on it. They repeat from the fifth on.
    QColor actor(int index) const;
    QColor onActor(int index) const;
    /// True from the fifth actor on: its colour is somebody else's too, so its bars carry a light inner line.
    static bool actorColourRepeats(int index);
    /// The badge that tells actors apart without colour: A in a circle, B in a square, C in a hexagon, D in a
    /// triangle …
    QString badgeLetter(int index) const;
    QPainterPath badgeShape(int index, const QRectF& in) const;
    /// Somebody from outside has a person instead of a letter.
    QPainterPath personShape(const QRectF& in) const;
    /// The whole badge: filled shape and letter, with a prime for every restart ("A'"). `outside`: the
    /// person. `onBar`: for a ground in the actor's colour, so with the colours swapped.
    void drawBadge(QPainter& painter, const QRectF& in, int index, bool outside = false, int primes = 0,
                   bool onBar = false) const;

    QFont font(TextRole role) const;
    /// A length in the design's pixels at 100 %, in this scale's. Never 0 for a length that is more than 0.
    int px(double atFull) const;

    /// The application-wide palette for the plain widgets.
    QPalette palette() const;

signals:
    void changed();

private:
    bool m_dark = false;
    double m_scale = 1;
    bool m_reducedMotion = false;
};

} // namespace lockscope::ui
