// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QIcon>
#include <QLabel>
#include <QWidget>

namespace lockscope::ui {

class Look;

/// How much of a lease is left, in its owner's colour.
class TtlBar : public QWidget {
    Q_OBJECT
public:
    TtlBar(Look& look, QWidget* parent = nullptr);

    /// `share` from 0 to 1; `actor` -1 for nobody. Whoever is outside has no colour of their own.
    void setShare(double share, int actor, bool outside = false);
    QColor fill() const;
    double share() const { return m_share; }
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    Look& m_look;
    double m_share = 0;
    int m_actor = -1;
    bool m_outside = false;
};

/// A name behind the badge of an actor.
class BadgeLabel : public QWidget {
    Q_OBJECT
public:
    BadgeLabel(Look& look, QWidget* parent = nullptr);

    void setActor(int actor, bool outside, const QString& text);
    QString text() const { return m_text; }
    int actor() const { return m_actor; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    Look& m_look;
    int m_actor = -1;
    bool m_outside = false;
    QString m_text;
};

} // namespace lockscope::ui
