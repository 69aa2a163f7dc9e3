// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/search/odds.h"
#include "ui/bridge/latest_job.h"
#include "ui/bridge/setup.h"

namespace lockscope {
struct Knob;
}

namespace lockscope::ui {

class LessonModel;

/// The odds of the lesson that is open, with its knobs and programs as they stand, found out away from the
/// window's thread, with few runs first. The value at which the knob itself stands is one of the points. What
/// was found is kept for as long as nothing but that knob is turned, except a point that has not all its runs
/// and that nobody asks for any more.
class OddsSearch : public QObject {
    Q_OBJECT
public:
    explicit OddsSearch(LessonModel& lesson, QObject* parent = nullptr);

    /// Whether the lesson has odds at all.
    bool possible() const;
    void setWanted(bool wanted);

    /// By rising value, as far as they are known.
    const std::map<Duration, OddsPoint>& points() const { return m_points; }
    /// Whether every point has all its runs.
    bool complete() const { return m_complete; }
    /// What is wrong with the programs, if that is why there are no points.
    QString problem() const { return m_problem; }

    QString knobLabel() const;
    Duration value() const; ///< of the knob
    /// Turns the knob, to a whole second in its range.
    void setValue(Duration value);
    const OddsPoint* here() const; ///< at that value; null if it is not known yet

signals:
    void changed();

private:
    const Knob* knob() const;
    void follow();
    void search();
    void take(const Odds& odds, const std::vector<Duration>& values);

    LessonModel& m_lesson;
    bool m_wanted = false;
    std::string m_hash;           ///< of the lesson the points are about …
    std::optional<Setup> m_about; ///< … and with what, whatever the knob's own value
    std::map<Duration, OddsPoint> m_points;
    std::vector<Duration> m_asked; ///< is being searched for
    bool m_complete = false;
    QString m_problem;
    LatestJob m_worker{this};
};

} // namespace lockscope::ui
