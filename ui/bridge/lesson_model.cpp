// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/bridge/lesson_model.h"

#include <QFileInfo>

#include <algorithm>

#include "core/base/assert.h"
#include "ui/bridge/text.h"

namespace lockscope::ui {

namespace {

constexpr int kLifted = -2;
/// What the eye needs to see the veil go before the playhead starts to move.
constexpr Duration kVeilLifts = millis(400);

bool same(const std::vector<KnobSetting>& a, const std::vector<KnobSetting>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const KnobSetting& x, const KnobSetting& y) {
        return x.name == y.name && x.value == y.value;
    });
}

QString shellWord(const QString& word) {
    const auto plain = [](QChar c) {
        return c.isLetterOrNumber() || QStringLiteral("-_./=:,+@%").contains(c);
    };
    if (!word.isEmpty() && std::all_of(word.begin(), word.end(), plain)) return word;
    return QLatin1Char('\'') + QString(word).replace(QLatin1Char('\''), QLatin1String("'\\''")) +
           QLatin1Char('\'');
}

} // namespace

LessonModel::LessonModel(RunModel& run, QObject* parent) : QObject(parent), m_run(run) {
    connect(&m_watcher, &LessonWatcher::changed, this, &LessonModel::reload);
}

void LessonModel::open(const QString& path, int step) {
    m_path = path;
    m_watcher.watch(path); // before reading: what changes from here on is told
    auto read = readLesson(path.toStdString());
    if (!read) {
        setError(read.error());
        return;
    }
    m_answers.clear();
    m_ownRun.reset();
    adopt(std::move(read).value(), step);
}

void LessonModel::open(Lesson lesson, int step) {
    m_path = QString::fromStdString(lesson.file);
    m_watcher.watch(m_path);
    m_answers.clear();
    m_ownRun.reset();
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
    if (!sameLesson) {
        m_answers.clear();
        m_ownRun.reset();
        adopt(std::move(fresh), 0);
        return;
    }
    keepOwnRun();
    // An answer stands for as long as its question does.
    std::erase_if(m_answers, [&](const auto& entry) {
        const auto step = static_cast<std::size_t>(entry.first);
        if (step >= fresh.steps.size()) return true;
        const auto &now = fresh.steps[step].predictions, &was = m_lesson->steps[step].predictions;
        return now.empty() || was.empty() || now.front().question != was.front().question ||
               entry.second >= static_cast<int>(now.front().options.size());
    });
    const Instant playhead = m_run.playhead();
    m_lesson = std::move(fresh);
    if (m_ownRun && (m_ownRun->step >= stepCount() ||
                     !makeScenario(*m_lesson, m_ownRun->knobs, m_ownRun->interventions, m_lesson->base.seed)))
        m_ownRun.reset();
    m_step = std::clamp(m_step, 0, std::max(0, stepCount() - 1));
    writeStepInto(m_knobs, m_interventions); // nobody sees this lesson with the other one's knobs
    setError({});
    emit lessonChanged();
    enterStep(playhead);
}

void LessonModel::adopt(Lesson lesson, int step) {
    m_lesson = std::move(lesson);
    m_step = std::clamp(step, 0, std::max(0, stepCount() - 1));
    writeStepInto(m_knobs, m_interventions);
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
    if (!m_lesson || step == m_step) return;
    keepOwnRun();
    m_step = step;
    enterStep();
}

void LessonModel::writeStepInto(std::vector<KnobSetting>& knobs,
                                std::vector<Intervention>& interventions) const {
    knobs.clear();
    for (const Knob& knob : m_lesson->knobs)
        knobs.push_back({knob.name, knob.initial});
    interventions.clear();
    const Step* step = currentStep();
    if (step == nullptr) return;
    for (const KnobSetting& setting : step->knobs)
        for (KnobSetting& knob : knobs)
            if (knob.name == setting.name) knob.value = setting.value;
    interventions = step->interventions;
}

void LessonModel::enterStep(std::optional<Instant> playhead) {
    m_run.pause();
    writeStepInto(m_knobs, m_interventions);
    drawVeil(); // before the run is there, so that nobody sees behind it
    if (const QString problem = restart(As::Own); !problem.isEmpty())
        setError(Error{problem.toStdString(), m_lesson->file, 0});
    const Step* step = currentStep();
    Instant to = playhead.value_or(Instant{});
    if (!playhead && step != nullptr && step->runUntil != kNever) to = step->runUntil;
    m_run.setPlayhead(to);
    emit knobsChanged();
    emit interventionsChanged();
    emit questionChanged();
    emit stepChanged();
}

bool LessonModel::changedFromStep() const {
    if (!m_lesson) return false;
    std::vector<KnobSetting> knobs;
    std::vector<Intervention> interventions;
    writeStepInto(knobs, interventions);
    return !same(knobs, m_knobs) || interventions != m_interventions;
}

void LessonModel::keepOwnRun() {
    if (changedFromStep()) m_ownRun = OwnRun{m_step, m_knobs, m_interventions, m_run.playhead()};
}

void LessonModel::resetStep() {
    if (!m_lesson) return;
    keepOwnRun();
    enterStep();
}

void LessonModel::restoreOwnRun() {
    if (!m_ownRun) return;
    const OwnRun own = *std::exchange(m_ownRun, std::nullopt);
    m_run.pause();
    m_step = own.step;
    m_knobs = own.knobs;
    m_interventions = own.interventions;
    drawVeil();
    if (const QString problem = restart(As::Own); !problem.isEmpty())
        setError(Error{problem.toStdString(), m_lesson->file, 0});
    m_run.setPlayhead(own.playhead);
    emit knobsChanged();
    emit interventionsChanged();
    emit questionChanged();
    emit stepChanged();
}

bool LessonModel::shows(Panel panel) const {
    const Step* step = currentStep();
    return step != nullptr && std::find(step->show.begin(), step->show.end(), panel) != step->show.end();
}

const Prediction* LessonModel::question() const {
    const Step* step = currentStep();
    return step != nullptr && !step->predictions.empty() ? &step->predictions.front() : nullptr;
}

const Prediction* LessonModel::openQuestion() const {
    return m_answers.contains(m_step) ? nullptr : question();
}

int LessonModel::answer() const {
    const auto given = m_answers.find(m_step);
    return given == m_answers.end() || given->second == kLifted ? -1 : given->second;
}

void LessonModel::drawVeil() {
    const Prediction* open = openQuestion();
    m_run.setVeil(open != nullptr ? open->gate : kNever);
}

void LessonModel::answerQuestion(int option) {
    const Prediction* open = openQuestion();
    if (open == nullptr) return;
    LOCKSCOPE_ASSERT(option >= 0 && option < static_cast<int>(open->options.size()));
    m_answers[m_step] = option;
    reveal();
}

void LessonModel::liftVeil() {
    if (openQuestion() == nullptr) return;
    m_answers[m_step] = kLifted;
    reveal();
}

/// The veil goes, then the playhead runs to the first thing that breaks behind it, or to the end.
void LessonModel::reveal() {
    const Instant gate = question()->gate;
    m_run.setVeil(kNever);
    emit questionChanged();
    if (!m_run.run()) return;
    Instant to = m_run.end();
    for (const Violation& violation : m_run.run()->violations) {
        if (violation.at < gate) continue;
        to = std::min(to, violation.at);
        break;
    }
    m_run.setPlayhead(gate);
    m_run.playTo(to, kVeilLifts);
}

KnobValue LessonModel::knobValue(const std::string& name) const {
    for (const KnobSetting& knob : m_knobs)
        if (knob.name == name) return knob.value;
    LOCKSCOPE_ASSERT(false && "a knob that the lesson has");
    return {};
}

QString LessonModel::setKnob(const std::string& name, const KnobValue& value) {
    LOCKSCOPE_ASSERT(m_lesson.has_value());
    const auto knob =
        std::find_if(m_knobs.begin(), m_knobs.end(), [&](const auto& k) { return k.name == name; });
    LOCKSCOPE_ASSERT(knob != m_knobs.end());
    if (knob->value == value) return {};
    const KnobValue before = std::exchange(knob->value, value);
    if (QString problem = restart(As::Variation); !problem.isEmpty()) {
        knob->value = before;
        return problem;
    }
    emit knobsChanged();
    return {};
}

QString LessonModel::restart(As as) {
    auto scenario = makeScenario(*m_lesson, m_knobs, m_interventions, m_lesson->base.seed);
    if (!scenario) return qstr(scenario.error().message);
    return as == As::Own ? m_run.start(*scenario) : m_run.vary(*scenario);
}

QString LessonModel::setInterventions(std::vector<Intervention> interventions) {
    if (!m_lesson || interventions == m_interventions) return {};
    std::swap(m_interventions, interventions);
    if (QString problem = restart(As::Variation); !problem.isEmpty()) {
        std::swap(m_interventions, interventions);
        return problem;
    }
    emit interventionsChanged();
    return {};
}

QString LessonModel::addIntervention(const Intervention& intervention) {
    if (!m_run.pastEditable()) {
        if (QString problem = m_run.intervene(intervention); !problem.isEmpty()) return problem;
        m_interventions.push_back(intervention);
        emit interventionsChanged();
        return {};
    }
    auto with = m_interventions;
    with.push_back(intervention);
    return setInterventions(std::move(with));
}

QString LessonModel::removeIntervention(int index) {
    LOCKSCOPE_ASSERT(index >= 0 && index < static_cast<int>(m_interventions.size()));
    auto without = m_interventions;
    without.erase(without.begin() + index);
    return setInterventions(std::move(without));
}

bool LessonModel::canResume(const std::string& actor, Instant at) const {
    return m_run.pastEditable() &&
           std::any_of(m_interventions.begin(), m_interventions.end(), [&](const auto& i) {
               return i.kind == InterventionKind::Pause && i.actor == actor && i.at <= at &&
                      at < i.at + i.length;
           });
}

QString LessonModel::resume(const std::string& actor, Instant at) {
    auto list = m_interventions;
    for (Intervention& i : list)
        if (i.kind == InterventionKind::Pause && i.actor == actor && i.at <= at && at < i.at + i.length)
            i.length = at - i.at;
    std::erase_if(list,
                  [](const auto& i) { return i.kind == InterventionKind::Pause && i.length.count() == 0; });
    return setInterventions(std::move(list));
}

SettledRun LessonModel::settled() const {
    LOCKSCOPE_ASSERT(m_lesson.has_value());
    return {m_step, m_lesson->base.seed, m_knobs, m_interventions};
}

QString LessonModel::takeOver(const SettledRun& run, const QString&) {
    LOCKSCOPE_ASSERT(m_lesson.has_value());
    auto knobs = std::exchange(m_knobs, run.knobs);
    auto interventions = std::exchange(m_interventions, run.interventions);
    if (QString problem = restart(As::Variation); !problem.isEmpty()) {
        m_knobs = std::move(knobs);
        m_interventions = std::move(interventions);
        return problem;
    }
    emit knobsChanged();
    emit interventionsChanged();
    return {};
}

QString LessonModel::commandLine() const {
    if (!m_lesson) return {};
    const QFileInfo file(m_path);
    const bool onShelf =
        !m_shelfFolder.isEmpty() && file.absolutePath() == QFileInfo(m_shelfFolder).absoluteFilePath();
    QString line =
        QStringLiteral("lockscope run ") + shellWord(onShelf ? qstr(m_lesson->id) : file.absoluteFilePath());
    for (const KnobSetting& setting : m_knobs) {
        const Knob* knob = m_lesson->knob(setting.name);
        if (knob != nullptr && knob->initial == setting.value) continue;
        line += QStringLiteral(" --set ") +
                shellWord(qstr(setting.name) + QLatin1Char('=') + qstr(formatKnobValue(setting.value)));
    }
    for (const Intervention& intervention : m_interventions)
        line += QStringLiteral(" --do ") + shellWord(qstr(formatIntervention(intervention)));
    return line;
}

void LessonModel::setError(std::optional<Error> error) {
    if (!error && !m_error) return;
    m_error = std::move(error);
    emit errorChanged();
}

} // namespace lockscope::ui
