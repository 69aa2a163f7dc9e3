// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/bridge/lesson_model.h"

#include <QFileInfo>

#include <algorithm>

#include "core/base/assert.h"
#include "ui/bridge/text.h"

namespace lockscope::ui {

namespace {

QString shellWord(const QString& word) {
    const auto plain = [](QChar c) {
        return c.isLetterOrNumber() || QStringLiteral("-_./=:,+@%").contains(c);
    };
    if (!word.isEmpty() && std::all_of(word.begin(), word.end(), plain)) return word;
    return QLatin1Char('\'') + QString(word).replace(QLatin1Char('\''), QLatin1String("'\\''")) +
           QLatin1Char('\'');
}

} // namespace

LessonModel::LessonModel(RunModel& run, QObject* parent)
    : QObject(parent), m_run(run), m_history([this](const Setup& setup) { showAgain(setup); }) {
    connect(&m_watcher, &LessonWatcher::changed, this, &LessonModel::reload);
    connect(&m_progress, &Progress::changed, this, &LessonModel::followProgress);
    connect(&m_run, &RunModel::runChanged, this, &LessonModel::followChance);
}

void LessonModel::open(const QString& path, int step) {
    m_path = path;
    m_watcher.watch(path); // before reading: what changes from here on is told
    auto read = readLesson(path.toStdString());
    if (!read) {
        setError(read.error());
        return;
    }
    adopt(std::move(read).value(), step);
}

void LessonModel::open(Lesson lesson, int step) {
    m_path = QString::fromStdString(lesson.file);
    m_watcher.watch(m_path);
    adopt(std::move(lesson), step);
}

void LessonModel::reload() {
    auto read = readLesson(m_path.toStdString());
    if (!read) {
        setError(read.error());
        return;
    }
    Lesson fresh = std::move(read).value();
    const bool sameLesson = m_lesson && m_lesson->file == fresh.file;
    if (!sameLesson) { // the file was broken when it was opened
        adopt(std::move(fresh), 0);
        return;
    }
    keepOwnRun();
    const Instant playhead = m_run.playhead();
    m_lesson = std::move(fresh);
    if (m_ownRun && (m_ownRun->step >= stepCount() || !makeScenario(*m_lesson, *ownRun()))) m_ownRun.reset();
    m_step = std::clamp(m_step, 0, std::max(0, stepCount() - 1));
    m_setup = stepSetup(); // nobody sees this lesson with the other one's knobs
    m_history.clear();
    setError({});
    emit lessonChanged();
    enterStep(playhead);
}

/// The one way in for every lesson that was not open before.
void LessonModel::adopt(Lesson lesson, int step) {
    emit aboutToLeave();
    m_ownRun.reset();
    dropTrial();
    m_history.clear();
    leaveSummary();
    m_lesson = std::move(lesson);
    m_step = std::clamp(step, 0, std::max(0, stepCount() - 1));
    m_setup = stepSetup();
    setError({});
    emit lessonChanged();
    enterStep();
}

const Step* LessonModel::currentStep() const {
    if (!m_lesson || m_step >= stepCount()) return nullptr;
    return &m_lesson->steps[static_cast<std::size_t>(m_step)];
}

void LessonModel::goTo(int step) {
    step = std::clamp(step, 0, std::max(0, stepCount() - 1));
    if (!m_lesson) return;
    leaveSummary();
    if (step == m_step) return;
    keepOwnRun();
    m_step = step;
    m_history.clear();
    enterStep();
}

Setup LessonModel::stepSetup() const {
    Setup setup({}, {}, m_lesson->base.seed, {}, nullptr);
    for (const Knob& knob : m_lesson->knobs)
        setup.knobs.push_back({knob.name, knob.initial});
    const Step* step = currentStep();
    if (step == nullptr) return setup;
    for (const KnobSetting& setting : step->knobs)
        for (KnobSetting& knob : setup.knobs)
            if (knob.name == setting.name) knob.value = setting.value;
    setup.interventions = step->interventions;
    setup.programs = step->programs;
    return setup;
}

void LessonModel::enterStep(std::optional<Instant> playhead) {
    m_run.pause();
    leaveSummary();
    dropTrial();
    m_setup = stepSetup();
    drawVeil(); // before the run is there, so that nobody sees behind it
    if (const QString problem = restart(As::Own); !problem.isEmpty())
        setError(Error{problem.toStdString(), m_lesson->file, 0});
    const Step* step = currentStep();
    Instant to = playhead.value_or(Instant{});
    if (!playhead && step != nullptr && step->runUntil != kNever) to = step->runUntil;
    m_run.setPlayhead(to);
    emit knobsChanged();
    emit interventionsChanged();
    emit programsChanged();
    emit questionChanged();
    emit stepChanged();
    m_progress.setSeen(qstr(m_lesson->id), m_step);
}

bool LessonModel::changedFromStep() const {
    return m_lesson && !(stepSetup() == m_setup);
}

void LessonModel::keepOwnRun() {
    dropTrial();
    if (changedFromStep()) m_ownRun = OwnRun{m_step, m_setup, m_run.playhead()};
}

void LessonModel::resetStep() {
    if (!m_lesson) return;
    keepOwnRun();
    Setup before = m_setup;
    enterStep();
    m_history.made(tr("reset of the step"), std::move(before), m_setup);
}

void LessonModel::restoreOwnRun() {
    if (!m_ownRun) return;
    leaveSummary();
    const OwnRun own = *std::exchange(m_ownRun, std::nullopt);
    keepOwnRun();
    m_run.pause();
    if (own.step != m_step) m_history.clear();
    const Setup before = own.step == m_step ? m_setup : own.setup;
    m_step = own.step;
    m_setup = own.setup;
    m_history.made(tr("return to my run"), before, m_setup);
    drawVeil();
    if (const QString problem = restart(As::Own); !problem.isEmpty())
        setError(Error{problem.toStdString(), m_lesson->file, 0});
    m_run.setPlayhead(own.playhead);
    emit knobsChanged();
    emit interventionsChanged();
    emit programsChanged();
    emit questionChanged();
    emit stepChanged();
}

bool LessonModel::shows(Panel panel) const {
    const Step* step = currentStep();
    return step != nullptr && std::find(step->show.begin(), step->show.end(), panel) != step->show.end();
}

QString LessonModel::commandLine(const QString& runFile) const {
    if (!m_lesson) return {};
    if (needsRunFile() && !runFile.isEmpty()) return QStringLiteral("lockscope run ") + shellWord(runFile);
    QString line =
        QStringLiteral("lockscope run ") +
        shellWord(onShelf() ? qstr(m_lesson->id) : QFileInfo(qstr(m_lesson->file)).absoluteFilePath());
    for (const KnobSetting& setting : m_setup.knobs) {
        const Knob* knob = m_lesson->knob(setting.name);
        if (knob != nullptr && knob->initial == setting.value) continue;
        line += QStringLiteral(" --set ") +
                shellWord(qstr(setting.name) + QLatin1Char('=') + qstr(formatKnobValue(setting.value)));
    }
    for (const Intervention& intervention : m_setup.interventions)
        line += QStringLiteral(" --do ") + shellWord(qstr(formatIntervention(intervention)));
    if (m_setup.seed != m_lesson->base.seed) line += QStringLiteral(" --seed %1").arg(m_setup.seed);
    if (needsRunFile()) line += tr(" # and with another program: save the run");
    return line;
}

void LessonModel::setError(std::optional<Error> error) {
    if (!error && !m_error) return;
    m_error = std::move(error);
    emit errorChanged();
}

} // namespace lockscope::ui
