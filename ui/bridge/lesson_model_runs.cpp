// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The run that is shown as a value, and a run as a value shown.
#include <QFileInfo>

#include "ui/bridge/lesson_model.h"
#include "ui/bridge/text.h"

namespace lockscope::ui {

bool LessonModel::onShelf() const {
    return m_lesson && !m_shelfFolder.isEmpty() &&
           QFileInfo(qstr(m_lesson->file)).absolutePath() == QFileInfo(m_shelfFolder).absoluteFilePath();
}

std::optional<SettledRun> LessonModel::ownRun() const {
    if (!m_ownRun) return std::nullopt;
    return settledFrom(m_ownRun->step, m_ownRun->setup);
}

void LessonModel::openRun(Lesson lesson, const SettledRun& opened, const std::optional<SettledRun>& own) {
    open(std::move(lesson), opened.step);
    if (own) m_ownRun = OwnRun{own->step, setupOf(*own), Instant{}};
    m_setup = setupOf(opened);
    if (const QString problem = restart(As::Own); !problem.isEmpty())
        setError(Error{problem.toStdString(), m_lesson->file, 0});
    emit knobsChanged();
    emit interventionsChanged();
    emit programsChanged();
}

} // namespace lockscope::ui
