// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTimer>

#include <functional>
#include <vector>

#include "ui/timeline/scene.h"

namespace lockscope::ui {

struct PaintFrame;

/// What moves for a moment when play passes it: a violation's diamond grows, a message travels its arrow.
/// Nobody makes one with reduced motion.
class Passing {
public:
    using Clock = std::function<qint64()>; ///< milliseconds
    explicit Passing(std::function<void()> repaint, Clock clock = steadyClock());
    static Clock steadyClock();

    /// The playhead went from one instant to a later one.
    void pass(const Scene& scene, Instant from, Instant to);
    /// At once: what moves belongs to a run that is shown no longer.
    void stop();
    void paint(const PaintFrame& frame);

private:
    struct Move {
        enum class What : std::uint8_t { Violation, Request, Reply };
        What what = What::Violation;
        int index = 0; ///< into Run::violations, or a RequestIndex
        int band = 0;  ///< of the lane it belongs to
        qint64 began = 0;
    };
    static int lengthOf(Move::What what);
    void passMessages(const Scene& scene, Instant from, Instant to);
    void paintViolation(const PaintFrame& frame, const Move& move, double part) const;
    void paintMessage(const PaintFrame& frame, const Move& move, double part) const;

    std::function<void()> m_repaint;
    std::vector<Move> m_moves;
    Clock m_clock;
    QTimer m_frames;
};

} // namespace lockscope::ui
