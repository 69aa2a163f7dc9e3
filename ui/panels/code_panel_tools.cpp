// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What can be done with the program of the tab: edit it, see what was changed, read it in another language.
#include <QComboBox>
#include <QStackedWidget>
#include <QToolButton>

#include <algorithm>

#include "ui/bridge/lesson_model.h"
#include "ui/bridge/program_edit.h"
#include "ui/bridge/run_model.h"
#include "ui/bridge/text.h"
#include "ui/panels/code_panel.h"
#include "ui/panels/code_view.h"
#include "ui/panels/wrap_label.h"

namespace lockscope::ui {

/// What the run is stopped by, or the text cannot be run for; and the line.
QString CodePanel::trouble(int& line) const {
    const Tab* here = tab();
    if (here == nullptr || !m_shown) return {};
    if (const auto problem = m_programs.problem(here->program->name)) {
        line = problem->line;
        return line > 0
                   ? tr("Line %1: %2. The last run that worked is shown.").arg(line).arg(problem->message)
                   : tr("%1. The last run that worked is shown.").arg(problem->message);
    }
    if (m_programs.pending(here->program->name)) return {};
    for (const Event& event : m_shown->trace->events) {
        if (event.kind != EventKind::ProgramFailed || event.at > m_run.veil()) continue;
        if (std::find(here->actors.begin(), here->actors.end(), event.actor) == here->actors.end()) continue;
        line = event.line;
        return tr("%1 stops at %2: %3")
            .arg(qstr(m_shown->trace->actors[static_cast<std::size_t>(event.actor)].name),
                 shortSeconds(event.at), qstr(m_shown->trace->text(event.text)));
    }
    return {};
}

void CodePanel::refreshTools() {
    int line = 0;
    const QString wrong = trouble(line);
    m_view->setWrongLine(line);
    m_problem->setText(wrong);
    m_problem->setVisible(!wrong.isEmpty());
    m_editButton->setEnabled(canEdit());
    m_editButton->setChecked(editing());
    m_changesButton->setVisible(edited() || showsChanges());
    m_resetButton->setVisible(edited());
    m_languages->setVisible(hasLanguages() && !editing() && !showsChanges());
    emit stateChanged();
}

bool CodePanel::canEdit() const {
    return tab() != nullptr && m_programs.possible();
}

bool CodePanel::editing() const {
    return m_view->editing();
}

void CodePanel::setEditing(bool on) {
    on = on && canEdit();
    if (on) m_changesButton->setChecked(false);
    const bool had = m_view->hasFocus() || m_told->hasFocus() || m_editButton->hasFocus();
    m_view->setEditing(on);
    showText();
    if (on) {
        m_view->setFocus(Qt::OtherFocusReason);
        m_view->ensureCursorVisible();
    } else if (had) {
        m_editButton->setFocus(Qt::OtherFocusReason);
    }
}

bool CodePanel::edited() const {
    const Tab* here = tab();
    return here != nullptr && m_programs.edited(here->program->name);
}

void CodePanel::reset() {
    if (const Tab* here = tab()) m_programs.reset(here->program->name);
}

bool CodePanel::showsChanges() const {
    return m_changesButton->isChecked();
}

void CodePanel::setShowsChanges(bool on) {
    m_changesButton->setChecked(on);
    if (on) m_view->setEditing(false);
    showText();
}

const Translation* CodePanel::translation() const {
    const Tab* here = tab();
    const Lesson* lesson = m_lesson.lesson();
    if (here == nullptr || lesson == nullptr) return nullptr;
    // Of the lesson's own text: of another one nobody has said what it would be.
    if (programNamed(*lesson, here->program->name) != here->program) return nullptr;
    if (m_programs.pending(here->program->name)) return nullptr;
    for (const Translation& each : lesson->translations)
        if (each.program == here->program->name && qstr(each.language) == m_language) return &each;
    return nullptr;
}

bool CodePanel::hasLanguages() const {
    const Tab* here = tab();
    const Lesson* lesson = m_lesson.lesson();
    return here != nullptr && lesson != nullptr &&
           programNamed(*lesson, here->program->name) == here->program &&
           std::any_of(lesson->translations.begin(), lesson->translations.end(),
                       [&](const Translation& each) { return each.program == here->program->name; });
}

void CodePanel::fillLanguages() {
    if (!hasLanguages()) return;
    const QSignalBlocker quiet(m_languages);
    m_languages->clear();
    m_languages->addItem(tr("Lua, as it runs"), QStringLiteral("lua"));
    for (const Language& language : languages())
        for (const Translation& each : m_lesson.lesson()->translations)
            if (each.language == language.id && each.program == tab()->program->name)
                m_languages->addItem(tr("%1 (%2)").arg(qstr(language.name), qstr(language.client)),
                                     qstr(language.id));
    m_languages->setCurrentIndex(std::max(0, m_languages->findData(m_language)));
}

void CodePanel::setLanguage(const QString& id) {
    if (id == m_language) return;
    m_language = id;
    showText();
    emit languageChanged();
}

void CodePanel::nextLanguage() {
    if (!hasLanguages()) return;
    fillLanguages();
    const int next = (m_languages->currentIndex() + 1) % m_languages->count();
    setLanguage(m_languages->itemData(next).toString());
}

} // namespace lockscope::ui
