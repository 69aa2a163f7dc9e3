// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include <vector>

#include "core/base/time.h"

namespace lockscope::ui {

class LaneHeader;
class TimelineCanvas;

/// The column at the left of the canvas: whose lane it is, and what its rows say. It follows the canvas' rows
/// and scrolling. A header is a widget of its own, so that it has a name, a tooltip and a place for a screen
/// reader.
class LaneHeaders : public QWidget {
    Q_OBJECT
public:
    explicit LaneHeaders(TimelineCanvas& canvas, QWidget* parent = nullptr);

    /// What the headers want, between the design's width and half as much again.
    int wantedWidth() const;
    /// What the what-if strip's captions say: "If paused 20s here".
    void setPauseLength(Duration length);
    Duration pauseLength() const { return m_pause; }
    /// What the lesson calls what the lock protects.
    void setResourceName(const QString& name);
    const QString& resourceName() const { return m_resource; }

signals:
    void clicked(int band);
    void menuWanted(int band, QPoint where);
    void pauseLengthWanted(lockscope::Duration length);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void follow();

    TimelineCanvas& m_canvas;
    Duration m_pause = seconds(20);
    QString m_resource;
    std::vector<LaneHeader*> m_headers;
};

} // namespace lockscope::ui
