// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <qcustomplot.h>

#include <functional>

namespace lockscope::ui {

/// Draws something of the canvas' own on a layer of the plot.
class DrawnLayer : public QCPLayerable {
public:
    DrawnLayer(QCustomPlot& plot, const QString& layer, std::function<void(QPainter&)> draw)
        : QCPLayerable(&plot, layer), m_draw(std::move(draw)) {}

protected:
    void applyDefaultAntialiasingHint(QCPPainter* painter) const override { painter->setAntialiasing(false); }
    void draw(QCPPainter* painter) override { m_draw(*painter); }

private:
    std::function<void(QPainter&)> m_draw;
};

/// The plot's pixels, without transparency: put on the screen by copying rather than blending.
class OpaqueBuffer : public QCPAbstractPaintBuffer {
public:
    OpaqueBuffer(const QSize& size, double ratio) : QCPAbstractPaintBuffer(size, ratio) {
        reallocateBuffer();
    }

    QCPPainter* startPainting() override { return new QCPPainter(&m_pixels); }
    void draw(QCPPainter* painter) const override { painter->drawPixmap(0, 0, m_pixels); }
    /// The lowest layer paints every pixel anyhow.
    void clear(const QColor&) override {}

protected:
    void reallocateBuffer() override {
        setInvalidated();
        m_pixels = QPixmap(mSize * mDevicePixelRatio);
        m_pixels.setDevicePixelRatio(mDevicePixelRatio);
    }

private:
    QPixmap m_pixels;
};

/// All lanes as one plottable on the ruler's axis. There is never an item a bar.
class LanesPlottable : public QCPAbstractPlottable {
public:
    LanesPlottable(QCPAxis* time, QCPAxis* rows, std::function<void(QPainter&)> draw)
        : QCPAbstractPlottable(time, rows), m_draw(std::move(draw)) {}

    /// The canvas tests hits itself; it knows of more than distances.
    double selectTest(const QPointF&, bool, QVariant*) const override { return -1; }
    QCPRange getKeyRange(bool& found, QCP::SignDomain) const override {
        found = false;
        return {};
    }
    QCPRange getValueRange(bool& found, QCP::SignDomain, const QCPRange&) const override {
        found = false;
        return {};
    }

protected:
    void draw(QCPPainter* painter) override { m_draw(*painter); }
    void drawLegendIcon(QCPPainter*, const QRectF&) const override {}

private:
    std::function<void(QPainter&)> m_draw;
};

} // namespace lockscope::ui
