// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/bridge/progress.h"

#include <QCoreApplication>
#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLockFile>

#include <algorithm>
#include <array>

#include "core/base/assert.h"
#include "core/base/whole_file.h"
#include "ui/bridge/text.h"

namespace lockscope::ui {

namespace {

constexpr auto kFileMark = "lockscope-progress";
constexpr std::size_t kLargest = 4u << 20;
constexpr int kMostOptions = 26;
constexpr int kLockMillis = 200;
/// As they stand in the file, in the order of Confidence.
constexpr std::array kNames{"", "guess", "fair", "certain"};

Confidence confidenceNamed(const QString& name) {
    const auto found = std::find_if(kNames.begin(), kNames.end(),
                                    [&](const char* each) { return name == QLatin1String(each); });
    return found == kNames.end() ? Confidence::Unsaid : static_cast<Confidence>(found - kNames.begin());
}

QJsonObject written(const LessonProgress& progress) {
    QJsonObject answers;
    for (auto it = progress.answers.begin(); it != progress.answers.end(); ++it)
        answers.insert(it.key(),
                       QJsonObject{{QStringLiteral("option"), it->option},
                                   {QStringLiteral("confidence"),
                                    QLatin1String(kNames[static_cast<std::size_t>(it->confidence)])}});
    QStringList sorted(progress.passed.begin(), progress.passed.end());
    sorted.sort();
    const QJsonArray passed = QJsonArray::fromStringList(sorted);
    return {{QStringLiteral("furthest"), progress.furthest},
            {QStringLiteral("finished"), progress.finished},
            {QStringLiteral("answers"), answers},
            {QStringLiteral("passed"), passed}};
}

LessonProgress readLessonProgress(const QJsonObject& in) {
    LessonProgress progress;
    progress.furthest = std::clamp(in.value(QLatin1String("furthest")).toInt(), 0, 10'000);
    progress.finished = in.value(QLatin1String("finished")).toBool();
    const QJsonObject answers = in.value(QLatin1String("answers")).toObject();
    for (auto it = answers.begin(); it != answers.end(); ++it) {
        const QJsonObject entry = it->toObject();
        Answer answer;
        answer.option = std::clamp(entry.value(QLatin1String("option")).toInt(Answer::kLifted),
                                   Answer::kLifted, kMostOptions - 1);
        answer.confidence = confidenceNamed(entry.value(QLatin1String("confidence")).toString());
        progress.answers.insert(it.key(), answer);
    }
    for (const QJsonValue& id : in.value(QLatin1String("passed")).toArray())
        progress.passed.insert(id.toString());
    return progress;
}

} // namespace

QString wordFor(Confidence confidence) {
    switch (confidence) {
    case Confidence::Unsaid:
        break;
    case Confidence::Guess:
        return QCoreApplication::translate("lockscope", "guess");
    case Confidence::Fair:
        return QCoreApplication::translate("lockscope", "fairly sure");
    case Confidence::Certain:
        return QCoreApplication::translate("lockscope", "certain");
    }
    return {};
}

int rightOption(const Prediction& question) {
    const auto right = std::find_if(question.options.begin(), question.options.end(),
                                    [](const Prediction::Option& option) { return option.right; });
    LOCKSCOPE_ASSERT(right != question.options.end()); // reading a lesson sees to that
    return static_cast<int>(right - question.options.begin());
}

QString verdictOn(const Prediction& question, const Answer& answer) {
    const auto tr = [](const char* text) { return QCoreApplication::translate("lockscope", text); };
    const QString right = qstr(question.options[static_cast<std::size_t>(rightOption(question))].text);
    if (answer.lifted()) return tr("The veil was lifted without an answer · it was “%1”").arg(right);
    const Prediction::Option& said = question.options[static_cast<std::size_t>(answer.option)];
    QStringList parts{tr("You said “%1”").arg(qstr(said.text))};
    if (answer.confidence != Confidence::Unsaid) parts << wordFor(answer.confidence);
    parts << (said.right ? tr("and so it was") : tr("it was “%1”").arg(right));
    return parts.join(QStringLiteral(" · "));
}

bool isSurprise(const Prediction& question, const Answer& answer) {
    return !answer.lifted() && answer.confidence >= Confidence::Fair &&
           answer.option != rightOption(question);
}

namespace {

/// Of texts, in this order: another one, or another order, is another name.
QString nameMadeOf(const std::vector<std::string>& texts) {
    QCryptographicHash hash(QCryptographicHash::Sha1);
    for (const std::string& text : texts) {
        hash.addData(QByteArrayView(text.data(), static_cast<qsizetype>(text.size())));
        hash.addData(QByteArrayView("\0", 1)); // no text can end another way
    }
    return QString::fromLatin1(hash.result().toHex());
}

} // namespace

QString questionId(const Step& step) {
    std::vector<std::string> texts{step.title};
    for (const Prediction& prediction : step.predictions) {
        texts.push_back(prediction.question);
        for (const Prediction::Option& option : prediction.options)
            texts.push_back(option.text);
    }
    return nameMadeOf(texts);
}

QString challengeId(const Step& step) {
    LOCKSCOPE_ASSERT(step.challenge.has_value());
    std::vector<std::string> texts{step.title};
    for (const Invariant invariant : step.challenge->never)
        texts.emplace_back(nameOf(invariant));
    return nameMadeOf(texts);
}

void Progress::keepIn(const QString& file) {
    m_file = file;
    QDir().mkpath(QFileInfo(file).absolutePath());
    read();
    emit changed();
}

std::optional<Answer> Progress::answer(const QString& lesson, const Step& step) const {
    if (step.predictions.empty()) return std::nullopt;
    const auto known = m_lessons.constFind(lesson);
    if (known == m_lessons.constEnd()) return std::nullopt;
    const auto found = known->answers.constFind(questionId(step));
    if (found == known->answers.constEnd()) return std::nullopt;
    if (found->option >= static_cast<int>(step.predictions.front().options.size())) return std::nullopt;
    return *found;
}

void Progress::setAnswer(const QString& lesson, const Step& step, Answer answer) {
    apply([&](Lessons& all) { all[lesson].answers[questionId(step)] = answer; });
}

bool Progress::passed(const QString& lesson, const Step& step) const {
    return step.challenge && m_lessons.value(lesson).passed.contains(challengeId(step));
}

void Progress::setPassed(const QString& lesson, const Step& step) {
    if (passed(lesson, step)) return;
    apply([&](Lessons& all) { all[lesson].passed.insert(challengeId(step)); });
}

void Progress::setSeen(const QString& lesson, int step) {
    if (m_lessons.value(lesson).furthest > step) return;
    apply([&](Lessons& all) { all[lesson].furthest = std::max(all[lesson].furthest, step + 1); });
}

void Progress::setFinished(const QString& lesson) {
    if (m_lessons.value(lesson).finished) return;
    apply([&](Lessons& all) { all[lesson].finished = true; });
}

void Progress::askAgain(const QString& lesson) {
    apply([&](Lessons& all) {
        LessonProgress anew;
        anew.passed = all[lesson].passed;
        all[lesson] = anew;
    });
}

void Progress::forget(const QString& lesson) {
    apply([&](Lessons& all) { all.remove(lesson); });
}

void Progress::setEverything(const Lessons& lessons) {
    apply([&](Lessons& all) { all = lessons; });
}

/// Changes what is known, and what the file says, which another window may have changed meanwhile. If the
/// file cannot be written the change holds in this window.
template <typename Change>
void Progress::apply(Change change) {
    if (m_file.isEmpty()) {
        change(m_lessons);
    } else {
        QLockFile lock(m_file + QStringLiteral(".lock"));
        const bool alone = lock.tryLock(kLockMillis);
        if (alone) read();
        change(m_lessons);
        if (alone) write();
    }
    emit changed();
}

void Progress::read() {
    if (!QFileInfo::exists(m_file)) return;
    const Result<std::string> text = readWholeFile(m_file.toStdString(), kLargest, "this file");
    const QJsonObject top =
        text ? QJsonDocument::fromJson(QByteArray::fromStdString(*text)).object() : QJsonObject();
    if (top.value(QLatin1String("file")).toString() != QLatin1String(kFileMark)) {
        const QString aside = m_file + QStringLiteral(".damaged");
        QFile::remove(aside);
        QFile::rename(m_file, aside);
        return;
    }
    m_lessons.clear();
    const QJsonObject lessons = top.value(QLatin1String("lessons")).toObject();
    for (auto it = lessons.begin(); it != lessons.end(); ++it)
        m_lessons.insert(it.key(), readLessonProgress(it->toObject()));
}

void Progress::write() const {
    QJsonObject lessons;
    for (auto it = m_lessons.begin(); it != m_lessons.end(); ++it)
        lessons.insert(it.key(), written(*it));
    const QJsonObject top{{QStringLiteral("file"), QLatin1String(kFileMark)},
                          {QStringLiteral("format"), 1},
                          {QStringLiteral("lessons"), lessons}};
    // A failure costs no more than the memory of it, and there is nothing the user could do about it here.
    static_cast<void>(writeWholeFile(m_file.toStdString(), QJsonDocument(top).toJson().toStdString()));
}

} // namespace lockscope::ui
