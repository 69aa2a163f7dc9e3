// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/bridge/matrix_search.h"

#include <QCryptographicHash>
#include <QMetaObject>

#include <algorithm>

#include "core/base/assert.h"
#include "ui/bridge/lesson_model.h"
#include "ui/bridge/run_model.h"

namespace lockscope::ui {

MatrixSearch::MatrixSearch(LessonModel& lesson, RunModel& run, QObject* parent)
    : QObject(parent), m_lesson(lesson), m_run(run) {
    connect(&lesson, &LessonModel::lessonChanged, this, &MatrixSearch::follow);
    connect(&lesson, &LessonModel::stepChanged, this, &MatrixSearch::follow);
    connect(&lesson, &LessonModel::programsChanged, this, &MatrixSearch::follow);
}

bool MatrixSearch::possible() const {
    return m_lesson.lesson() != nullptr && !m_lesson.lesson()->matrix.empty();
}

void MatrixSearch::setWanted(bool wanted) {
    m_wanted = wanted;
    follow();
}

/// Empty if there is no table.
QByteArray MatrixSearch::about() const {
    if (!possible()) return {};
    QCryptographicHash hash(QCryptographicHash::Sha1);
    const auto add = [&](const std::string& text) {
        hash.addData(QByteArrayView(text.data(), static_cast<qsizetype>(text.size())));
        hash.addData(QByteArrayView("\0", 1));
    };
    add(m_lesson.lesson()->contentHash);
    for (const auto& program : m_lesson.setup().programs) {
        add(program->name);
        add(program->source);
    }
    return hash.result();
}

/// Another lesson, the same with another text, or another program has another table.
void MatrixSearch::follow() {
    if (const QByteArray now = about(); now != m_about) {
        m_worker.drop();
        m_searching = false;
        m_about = now;
        m_done = 0;
        m_plan = possible() ? std::make_shared<const FailurePlan>(
                                  failurePlanOf(*m_lesson.lesson(), m_lesson.setup().programs))
                            : nullptr;
        m_result = m_found.value(m_about);
        emit changed();
    }
    if (m_wanted && m_plan && !m_result && !m_searching) search();
}

void MatrixSearch::search() {
    m_searching = true;
    m_worker.start([this, plan = m_plan](ProbePool& pool, const LatestJob::Task& task) {
        const auto tell = [&](std::size_t cells) {
            task.tell([this, cells] {
                m_done = cells;
                emit changed();
            });
        };
        auto result = std::make_shared<const Matrix>(
            searchMatrix(pool, *plan, kSchedulesPerCell, &task.cancelled(), tell));
        task.tell([this, result = std::move(result)] {
            m_searching = false;
            m_result = result;
            m_found.insert(m_about, result);
            emit changed();
        });
    });
    emit changed();
}

QString MatrixSearch::play(std::size_t program, std::size_t failure, int which) {
    LOCKSCOPE_ASSERT(m_plan && m_result);
    const MatrixCell& cell = m_result->cells[program * m_plan->failures.size() + failure];
    const MatrixCell::Broken* broken = which >= 0 ? &cell.broken[static_cast<std::size_t>(which)] : nullptr;
    Setup to = m_lesson.setup();
    to.knobs = m_plan->scenario(program, failure).knobs;
    to.interventions = broken != nullptr ? broken->interventions : std::vector<Intervention>{};
    to.seed = m_plan->scenario(program, failure).seed;
    m_run.pause();
    if (QString problem = m_lesson.change(std::move(to), tr("a run of the table")); !problem.isEmpty())
        return problem;
    m_run.setPlayhead(Instant{});
    if (broken == nullptr || !m_run.run()) return {};
    const std::vector<Violation>& all = m_run.run()->violations;
    const auto first = std::find_if(all.begin(), all.end(),
                                    [&](const Violation& v) { return v.invariant == broken->invariant; });
    if (first == all.end()) return {};
    m_run.playThrough(broken->interventions, first->at);
    return {};
}

} // namespace lockscope::ui
