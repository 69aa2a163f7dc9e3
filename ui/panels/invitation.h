// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

#include <optional>

#include "core/trace/trace.h"

class QToolButton;

namespace lockscope::ui {

class LessonModel;
class Look;
class RunModel;
class WrapLabel;

/// The one sentence of the first start: what goes on here and the first thing to do. While a question covers
/// all that one could take hold of, that is to answer it. It goes when somebody has frozen a server.
class Invitation : public QFrame {
    Q_OBJECT
public:
    Invitation(LessonModel& lesson, RunModel& run, Look& look, QWidget* parent = nullptr);

    void setWanted(bool wanted);
    bool wanted() const { return m_wanted; }

signals:
    void accepted(); ///< done or put away

private:
    std::optional<ActorIndex> worker() const;
    void notice();
    void refresh();
    void applyLook();

    LessonModel& m_lesson;
    RunModel& m_run;
    Look& m_look;
    WrapLabel* m_text = nullptr;
    QToolButton* m_close = nullptr;
    bool m_wanted = false;
};

} // namespace lockscope::ui
