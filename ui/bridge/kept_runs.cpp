// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/bridge/kept_runs.h"

#include <algorithm>

#include "core/base/assert.h"
#include "core/lesson/run_file.h"
#include "core/lesson/run_name.h"
#include "core/world/simulator.h"
#include "ui/bridge/lesson_model.h"
#include "ui/bridge/text.h"

namespace lockscope::ui {

namespace {
constexpr std::size_t kRoomForNumber = 16; ///< bytes of the " (2)" of a name that was taken
} // namespace

KeptRuns::KeptRuns(LessonModel& lesson, QObject* parent) : QObject(parent), m_lesson(lesson) {
    connect(&lesson, &LessonModel::lessonChanged, this, [this] {
        // The same values may make other runs now; and those of a lesson that is left are not kept for it.
        for (auto& [id, list] : m_lists)
            std::fill(list.made.begin(), list.made.end(), nullptr);
        emit changed();
    });
}

const KeptRuns::List& KeptRuns::theirs() const {
    static const List none;
    if (m_lesson.lesson() == nullptr) return none;
    const auto found = m_lists.find(m_lesson.lesson()->id);
    return found == m_lists.end() ? none : found->second;
}

const std::vector<SavedRun>& KeptRuns::list() const {
    return theirs().saved;
}

KeptRuns::List& KeptRuns::mine() {
    LOCKSCOPE_ASSERT(m_lesson.lesson() != nullptr);
    return m_lists[m_lesson.lesson()->id];
}

std::vector<std::string> KeptRuns::names(int except) const {
    std::vector<std::string> names;
    for (int i = 0; i < count(); ++i)
        if (i != except) names.push_back(list()[static_cast<std::size_t>(i)].name);
    return names;
}

QString KeptRuns::name(int index) const {
    LOCKSCOPE_ASSERT(index >= 0 && index < count());
    return qstr(list()[static_cast<std::size_t>(index)].name);
}

QString KeptRuns::possibleName(const QString& wanted) {
    return fittingLine(wanted, kLongestNote);
}

std::string KeptRuns::freeName(const std::string& wanted) const {
    std::vector<std::string> taken = names();
    const std::string name = possibleName(qstr(wanted)).toStdString();
    if (std::find(taken.begin(), taken.end(), name) == taken.end()) return name;
    taken.push_back(fittingLine(qstr(name), kLongestNote - kRoomForNumber).toStdString());
    return uniqueName(taken.back(), taken); // with a number, as it has just been taken
}

void KeptRuns::setList(std::vector<SavedRun> runs) {
    if (m_lesson.lesson() == nullptr) return;
    List& list = mine();
    list = {};
    for (SavedRun& run : runs) {
        if (run.name.empty()) run.name = suggestedName(*m_lesson.lesson(), run);
        run.name = freeName(run.name);
        list.saved.push_back(std::move(run));
        list.made.emplace_back();
    }
    emit changed();
}

bool KeptRuns::canKeep() const {
    return m_lesson.lesson() != nullptr && m_lesson.hasRun();
}

QString KeptRuns::suggestion() const {
    if (!canKeep()) return {};
    const Lesson& lesson = *m_lesson.lesson();
    return qstr(freeName(suggestedName(lesson, saveRun(lesson, m_lesson.settled(), {}))));
}

QString KeptRuns::keep(const QString& name) {
    LOCKSCOPE_ASSERT(canKeep());
    const QString wanted = name.simplified().isEmpty() ? suggestion() : name;
    return insert(count(), saveRun(*m_lesson.lesson(), m_lesson.settled(), wanted.toStdString()));
}

QString KeptRuns::rename(int index, const QString& name) {
    LOCKSCOPE_ASSERT(index >= 0 && index < count());
    const QString wanted = possibleName(name);
    if (wanted.isEmpty()) return tr("A kept run needs a name.");
    const std::vector<std::string> others = names(index);
    if (std::find(others.begin(), others.end(), wanted.toStdString()) != others.end())
        return tr("Another kept run is called “%1”.").arg(wanted);
    if (const Result<void> fits = checkKept(wanted.toStdString(), others.size()); !fits)
        return qstr(fits.error().message);
    mine().saved[static_cast<std::size_t>(index)].name = wanted.toStdString();
    emit changed();
    return {};
}

SavedRun KeptRuns::remove(int index) {
    LOCKSCOPE_ASSERT(index >= 0 && index < count());
    List& list = mine();
    const auto at = list.saved.begin() + index;
    SavedRun removed = std::move(*at);
    list.saved.erase(at);
    list.made.erase(list.made.begin() + index);
    emit changed();
    return removed;
}

QString KeptRuns::insert(int index, SavedRun run) {
    if (m_lesson.lesson() == nullptr) return {};
    run.name = freeName(run.name);
    List& list = mine();
    if (const Result<void> fits = checkKept(run.name, list.saved.size()); !fits)
        return qstr(fits.error().message);
    index = std::clamp(index, 0, count());
    list.saved.insert(list.saved.begin() + index, std::move(run));
    list.made.insert(list.made.begin() + index, nullptr);
    emit changed();
    return {};
}

QString KeptRuns::restore(int index) {
    LOCKSCOPE_ASSERT(index >= 0 && index < count());
    const Result<SettledRun> settled = settle(*m_lesson.lesson(), list()[static_cast<std::size_t>(index)]);
    if (!settled) return qstr(settled.error().message);
    return m_lesson.takeOver(*settled, tr("restore “%1”").arg(name(index)));
}

Result<std::shared_ptr<const Run>> KeptRuns::run(int index) const {
    LOCKSCOPE_ASSERT(index >= 0 && index < count());
    std::shared_ptr<const Run>& made = theirs().made[static_cast<std::size_t>(index)];
    if (made != nullptr) return made;
    const SavedRun& kept = list()[static_cast<std::size_t>(index)];
    const Result<SettledRun> settled = settle(*m_lesson.lesson(), kept);
    if (!settled) return settled.error();
    const Result<Scenario> scenario = makeScenario(*m_lesson.lesson(), *settled);
    if (!scenario) return scenario.error();
    if (const Result<void> valid = validate(*scenario); !valid) return valid.error();
    auto trace = std::make_shared<Trace>();
    Simulator().run(*scenario, *trace);
    made = makeRun(std::move(trace));
    return made;
}

} // namespace lockscope::ui
