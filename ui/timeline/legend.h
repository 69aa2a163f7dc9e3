// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

#include <memory>

#include "ui/timeline/legend_sample.h"
#include "ui/timeline/timeline_style.h"

class QScrollBar;

namespace lockscope::ui {

class PreparedDifference;
class PreparedRun;

/// Every mark of the timeline with its name, drawn by the same painters. A card over the timeline that
/// scrolls if it has to; Escape, L or a click closes it.
class TimelineLegend : public QFrame {
    Q_OBJECT
public:
    explicit TimelineLegend(const Look& look, QWidget* parent = nullptr);
    ~TimelineLegend() override;

    QSize sizeHint() const override;
    /// The entries are laid out in as many columns as `room` takes.
    QSize sizeFor(const QSize& room) const;

signals:
    void closeWanted();

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    int columnsIn(int width) const;
    int rowsIn(int width) const;
    int headHeight() const;
    void placeScroll();
    int rowHeight() const;
    int columnWidth() const;
    void paintEntry(QPainter& painter, const LegendEntry& entry, const QRectF& swatch) const;

    const Look& m_look;
    LegendSample m_sample;
    std::unique_ptr<PreparedRun> m_data;
    std::unique_ptr<PreparedDifference> m_ghost; ///< all of the sample
    TimelineStyle m_style;
    QScrollBar* m_scroll = nullptr;
};

} // namespace lockscope::ui
