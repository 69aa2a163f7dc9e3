// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/bridge/program_edit.h"

#include <QMetaObject>

#include "core/lua/sandbox.h"
#include "core/world/program_runtime.h"
#include "core/world/simulator.h"
#include "ui/bridge/lesson_model.h"
#include "ui/bridge/run_model.h"
#include "ui/bridge/text.h"

namespace lockscope::ui {

namespace {

constexpr int kTypingPauseMillis = 250; ///< after the last key

/// What is wrong with a program in a scenario: it does not compile, it is too long, or the run with it does
/// not come to its end.
std::optional<ProgramEdit::Problem> problemOf(const Program& program, Scenario scenario) {
    if (program.source.size() > kLongestProgram)
        return ProgramEdit::Problem{
            0, ProgramEdit::tr("A program may have %L1 bytes at the most.").arg(kLongestProgram)};
    lua::Sandbox box;
    if (const Result<void> compiles = checkProgram(box, program); !compiles)
        return ProgramEdit::Problem{compiles.error().line, qstr(compiles.error().message)};
    const auto shared = std::make_shared<const Program>(program);
    for (ActorSpec& actor : scenario.actors)
        if (actor.program->name == program.name) actor.program = shared;
    Trace trace;
    Simulator().run(scenario, trace);
    if (trace.failure.empty()) return std::nullopt;
    return ProgramEdit::Problem{0, qstr(trace.failure)};
}

} // namespace

ProgramEdit::ProgramEdit(LessonModel& lesson, RunModel& run, QObject* parent)
    : QObject(parent), m_lesson(lesson), m_run(run) {
    m_quiet.setSingleShot(true);
    m_quiet.setInterval(kTypingPauseMillis);
    connect(&m_quiet, &QTimer::timeout, this, &ProgramEdit::tryDrafts);
    connect(&lesson, &LessonModel::stepChanged, this, &ProgramEdit::enterStep);
    connect(&lesson, &LessonModel::programsChanged, this, &ProgramEdit::changed);
    enterStep();
}

ProgramEdit::~ProgramEdit() = default;

bool ProgramEdit::possible() const {
    return m_lesson.hasRun() && m_run.pastEditable();
}

QString ProgramEdit::text(const std::string& program) const {
    if (const auto draft = m_drafts.find(program); draft != m_drafts.end()) return draft->second.text;
    const auto shown = m_lesson.program(program);
    return shown ? qstr(shown->source) : QString();
}

std::optional<ProgramEdit::Problem> ProgramEdit::problem(const std::string& program) const {
    const auto draft = m_drafts.find(program);
    return draft == m_drafts.end() ? std::nullopt : draft->second.problem;
}

bool ProgramEdit::edited(const std::string& program) const {
    const auto written = m_lesson.programAsWritten(program);
    return written && text(program) != qstr(written->source);
}

void ProgramEdit::type(const std::string& program, const QString& text) {
    if (text == this->text(program)) return;
    const auto shown = m_lesson.program(program);
    if (!shown || !possible()) return;
    m_worker.drop(); // what is being tried is not what is wanted any more
    m_untried = true;
    if (text == qstr(shown->source))
        m_drafts.erase(program);
    else
        m_drafts[program] = {text, problem(program)}; // what was wrong stays until more is known
    m_quiet.start();
    emit changed();
}

void ProgramEdit::reset(const std::string& program) {
    const auto written = m_lesson.programAsWritten(program);
    if (!written) return;
    m_worker.drop();
    m_drafts.erase(program);
    Setup to = m_lesson.setup();
    to.programs = withText(*m_lesson.lesson(), *m_lesson.currentStep(), std::move(to.programs), program,
                           written->source);
    m_lesson.change(std::move(to), tr("reset of the program")); // not one with the edits before it
    m_untried = !m_drafts.empty();
    if (m_untried) m_quiet.start();
    emit changed();
}

std::vector<Program> ProgramEdit::drafts() const {
    std::vector<Program> programs;
    for (const auto& [name, draft] : m_drafts)
        programs.push_back({name, draft.text.toStdString(), {}, m_lesson.program(name)->firstLine});
    return programs;
}

/// On whatever thread. Fewer verdicts than programs if it was cancelled.
std::vector<ProgramEdit::Verdict> ProgramEdit::judge(const std::vector<Program>& programs,
                                                     const Scenario& scenario,
                                                     const std::atomic<bool>* cancelled) {
    std::vector<Verdict> verdicts;
    for (const Program& program : programs) {
        if (cancelled != nullptr && *cancelled) break;
        verdicts.push_back({program.name, qstr(program.source), problemOf(program, scenario)});
    }
    return verdicts;
}

void ProgramEdit::settle() {
    if (!m_untried) return;
    m_quiet.stop();
    m_worker.drop();
    if (m_drafts.empty() || !m_run.run()) return;
    take(judge(drafts(), m_run.scenario(), nullptr));
}

void ProgramEdit::tryDrafts() {
    if (m_drafts.empty() || !m_run.run()) return;
    m_worker.start(
        [this, scenario = m_run.scenario(), programs = drafts()](ProbePool&, const LatestJob::Task& task) {
            const std::vector<Verdict> verdicts = judge(programs, scenario, &task.cancelled());
            task.tell([this, verdicts] { take(verdicts); });
        });
}

void ProgramEdit::take(const std::vector<Verdict>& verdicts) {
    m_untried = false;
    for (const Verdict& verdict : verdicts) {
        const auto draft = m_drafts.find(verdict.program);
        if (draft == m_drafts.end()) continue;
        draft->second.problem = verdict.problem;
        if (verdict.problem) continue;
        m_drafts.erase(draft);
        if (const QString problem = m_lesson.setProgram(verdict.program, verdict.text.toStdString());
            !problem.isEmpty())
            m_drafts[verdict.program] = {verdict.text, Problem{0, problem}};
    }
    emit changed();
}

QString ProgramEdit::place() const {
    return m_lesson.path() + QLatin1Char('\n') + QString::number(m_lesson.step());
}

void ProgramEdit::enterStep() {
    if (const QString here = place(); here != m_place) {
        m_worker.drop();
        m_quiet.stop();
        if (!m_drafts.empty()) m_elsewhere[m_place] = std::exchange(m_drafts, {});
        m_place = here;
        m_drafts = m_elsewhere.take(here);
        std::erase_if(m_drafts, [&](const auto& each) { return m_lesson.program(each.first) == nullptr; });
        m_untried = !m_drafts.empty();
        if (m_untried) m_quiet.start();
    } else if (!m_drafts.empty()) { // the step was reset, or one's own run is back
        m_worker.drop();
        m_drafts.clear();
        m_untried = false;
    }
    emit changed();
}

} // namespace lockscope::ui
