// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/option_button.h"

#include <QPainter>
#include <QStyle>
#include <QStyleOption>

#include "ui/look.h"

namespace lockscope::ui {

OptionButton::OptionButton(Look& look, QChar letter, const QString& text, QWidget* parent)
    : QAbstractButton(parent), m_look(look), m_letter(letter) {
    setText(text);
    setCheckable(true);
    setAutoExclusive(true);
    setFocusPolicy(Qt::TabFocus);
    setCursor(Qt::PointingHandCursor);
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Minimum);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    setAccessibleName(tr("Answer %1: %2").arg(letter).arg(text));
    connect(&look, &Look::changed, this, &QWidget::updateGeometry);
}

void OptionButton::setVerdict(Verdict verdict, bool given) {
    m_verdict = verdict;
    QStringList remarks;
    if (given) remarks << tr("your answer");
    if (verdict == Verdict::Right) remarks << tr("what happens");
    m_remark = remarks.join(QStringLiteral(" · "));
    setAccessibleDescription(m_remark);
    updateGeometry();
    update();
}

QRect OptionButton::textRect(int width) const {
    const int pad = m_look.px(8), ring = m_look.px(22);
    return {pad + ring + pad, pad, std::max(1, width - 3 * pad - ring), 1 << 20};
}

int OptionButton::textHeight(int width) const {
    const QFontMetrics metrics(m_look.font(TextRole::Lane));
    return metrics.boundingRect(textRect(width), Qt::TextWordWrap, text()).height();
}

int OptionButton::heightForWidth(int width) const {
    int height = std::max(textHeight(width), m_look.px(22)) + 2 * m_look.px(8);
    if (!m_remark.isEmpty()) height += QFontMetrics(m_look.font(TextRole::Smallest)).height() + m_look.px(2);
    return height;
}

QSize OptionButton::sizeHint() const {
    const int width = m_look.px(240);
    return {width, heightForWidth(width)};
}

QSize OptionButton::minimumSizeHint() const {
    return {m_look.px(120), heightForWidth(std::max(width(), m_look.px(120)))};
}

void OptionButton::resizeEvent(QResizeEvent* event) {
    QAbstractButton::resizeEvent(event);
    updateGeometry();
}

void OptionButton::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const double line = m_look.px(isChecked() || m_verdict == Verdict::Right ? 2 : 1);
    const QRectF box = QRectF(rect()).adjusted(line / 2, line / 2, -line / 2, -line / 2);
    const QColor text = m_look.color(Role::Text), dim = m_look.color(Role::DimText);
    const bool stressed = isChecked() || m_verdict == Verdict::Right;
    painter.setPen(QPen(stressed                      ? text
                        : underMouse() && isEnabled() ? dim
                                                      : m_look.color(Role::Hairline),
                        line));
    painter.setBrush(m_look.color(isChecked() ? Role::Lane : Role::Window));
    painter.drawRoundedRect(box, m_look.px(4), m_look.px(4));

    const int pad = m_look.px(8), side = m_look.px(22);
    const QRectF ring = QRectF(pad, pad, side, side).adjusted(1, 1, -1, -1);
    painter.setPen(QPen(stressed ? text : dim, m_look.px(1.5)));
    painter.setBrush(isChecked() ? text : QColor(Qt::transparent));
    painter.drawEllipse(ring);
    QFont letter = m_look.font(TextRole::Caption);
    letter.setWeight(QFont::DemiBold);
    painter.setFont(letter);
    painter.setPen(isChecked() ? m_look.color(Role::Window) : text);
    painter.drawText(ring, Qt::AlignCenter, QString(m_letter));

    QRect place = textRect(width());
    place.setHeight(textHeight(width()));
    const QFontMetrics metrics(m_look.font(TextRole::Lane));
    if (place.height() < side) place.translate(0, (side - place.height()) / 2);
    painter.setFont(m_look.font(TextRole::Lane));
    painter.setPen(m_verdict == Verdict::Wrong && !isChecked() ? dim : text);
    painter.drawText(place, Qt::TextWordWrap, this->text());
    if (!m_remark.isEmpty()) {
        QFont small = m_look.font(TextRole::Smallest);
        small.setWeight(QFont::DemiBold);
        painter.setFont(small);
        painter.setPen(stressed ? text : dim);
        const int top = std::max(place.bottom(), static_cast<int>(ring.bottom())) + m_look.px(2);
        painter.drawText(QRect(place.x(), top, place.width(), height() - top), Qt::AlignLeft | Qt::AlignTop,
                         m_remark);
    }
}

} // namespace lockscope::ui
