// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/reveal.h"

#include <QGraphicsOpacityEffect>
#include <QVariantAnimation>
#include <QWidget>

#include "ui/look.h"

namespace lockscope::ui {

namespace {
constexpr int kMillis = 200;
constexpr auto kRunning = "revealAnimation";
} // namespace

void reveal(QWidget* row, bool shown, const Look& look) {
    if (row->isVisibleTo(row->parentWidget()) == shown) return;
    // A later wish replaces an earlier one that is still under way.
    delete row->findChild<QVariantAnimation*>(QLatin1String(kRunning), Qt::FindDirectChildrenOnly);
    row->setGraphicsEffect(nullptr);
    row->setMaximumHeight(QWIDGETSIZE_MAX);
    row->setVisible(shown);
    if (!shown || look.reducedMotion() || !row->window()->isVisible()) return;

    auto* fade = new QGraphicsOpacityEffect(row);
    row->setGraphicsEffect(fade);
    auto* animation = new QVariantAnimation(row);
    animation->setObjectName(QLatin1String(kRunning));
    animation->setDuration(kMillis);
    animation->setStartValue(0.0);
    animation->setEndValue(1.0);
    animation->setEasingCurve(QEasingCurve::InOutQuad);
    const int width = row->parentWidget()->width();
    const int full = row->hasHeightForWidth() ? row->heightForWidth(width) : row->sizeHint().height();
    row->setMaximumHeight(0);
    QObject::connect(animation, &QVariantAnimation::valueChanged, row,
                     [row, fade, full](const QVariant& share) {
                         row->setMaximumHeight(static_cast<int>(share.toDouble() * full));
                         fade->setOpacity(share.toDouble());
                     });
    QObject::connect(animation, &QVariantAnimation::finished, row, [row] {
        row->setMaximumHeight(QWIDGETSIZE_MAX);
        row->setGraphicsEffect(nullptr);
    });
    animation->start(QAbstractAnimation::DeleteWhenStopped);
}

} // namespace lockscope::ui
