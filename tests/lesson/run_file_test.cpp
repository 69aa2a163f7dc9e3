// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Run files: what is written is read back, and whatever else is in one ends in one line.
#include <QtTest>

#include "core/base/random.h"
#include "core/base/whole_file.h"
#include "core/lesson/run_file.h"
#include "core/lesson/run_name.h"
#include "tests/lesson/sample_lesson.h"

using namespace lockscope;

namespace {

Lesson sample() {
    return parseLesson(kSample, "sample.md").value();
}

RunFile aRunFile() {
    RunFile file;
    file.lesson = "sample";
    file.lessonFile = "lessons/sample.md";
    file.lessonHash = sample().contentHash;
    file.current = {
        "", 1, 18'446'744'073'709'551'615u, {{"ttl", "20s"}, {"release", "compare-and-delete"}}, {}};
    for (const InterventionKindInfo& info : interventionKinds()) {
        Intervention one;
        one.kind = info.kind;
        one.actor = info.target == InterventionTarget::Server ? serverName(0) : "Server A";
        one.at = instantAt(millis(1'500));
        if (info.hasLength()) one.length = Duration{2'000'001};
        if (info.length == LengthRule::Signed) one.length = -one.length;
        if (info.kind == InterventionKind::Admin) one.command = "SET \"lock:job\" 'a @ b + c' PX 30";
        if (info.kind == InterventionKind::Load) one.command = "200 x 100 ttl 1h";
        file.current.interventions.push_back(one);
    }
    Intervention typed{InterventionKind::Admin, "Redis", instantAt(seconds(2))};
    typed.command = "DEL lock:job";
    typed.by = kYouName;
    file.current.interventions.push_back(typed);
    using Kind = VisitorAct::Kind;
    file.current.visits = std::make_shared<const Visits>(
        Visits{{Kind::Came, 0, instantAt(seconds(2)), 0, "127.0.0.1:50000", {}, {}},
               {Kind::Sent, 0, instantAt(seconds(2)), 0, {}, {"SET", "lock:job", "\"é\" \n\xff"}, "OK"},
               {Kind::Sent, 0, instantAt(Duration{2'000'001}), 0, {}, {"BLPOP", "queue", "0"}, {}},
               {Kind::Left, 0, instantAt(seconds(3)), 0, {}, {}, {}}});
    file.own = SavedRun{"", 0, 7, {}, {}};
    file.kept = {{"Pause \"A\" · 20 s\n", 0, 7, {{"ttl", "3s"}}, {}}, {"", 3, 8, {}, {}}};
    file.notes = {{0, instantAt(seconds(1)), instantAt(seconds(1)), "Здесь B takes over 🔒"},
                  {1, Instant{}, instantAt(seconds(20)), ""}};
    file.origin = "a place/x.lockrun";
    return file;
}

std::string changed(std::string_view from, std::string_view to) {
    std::string text = formatRunFile(aRunFile());
    const std::size_t at = text.find(from);
    if (at == std::string::npos) qFatal("not in the file: %s", std::string(from).c_str());
    return text.replace(at, from.size(), to);
}

} // namespace

class RunFileTest : public QObject {
    Q_OBJECT
private slots:
    void whatIsWrittenIsRead();
    void whatCouldNotBeReadIsNotWritten();
    void fieldsOfLaterVersionsArePassedOver();
    void whatIsWrongIsSaid_data();
    void whatIsWrongIsSaid();
    void theLessonHasTheLastWord();
    void aStepThatIsGoneIsTheLastOne();
    void anEditedProgramIsPartOfTheRun();
    void aProgramThatCannotRunIsRefused();
    void hostileFilesEndSoon_data();
    void hostileFilesEndSoon();
    void cutAnywhereItIsRefused();
    void changedAnywhereItStillAnswers();
    void theHashFollowsTheText();
};

void RunFileTest::whatIsWrittenIsRead() {
    const RunFile file = aRunFile();
    QVERIFY(file.current.interventions.size() >= 7);
    const Result<RunFile> read = parseRunFile(formatRunFile(file), "x.lockrun");
    QVERIFY2(read.ok(), read ? "" : read.error().text().c_str());
    QVERIFY(*read == file);
    QCOMPARE(formatRunFile(*read), formatRunFile(file));

    QTemporaryDir folder;
    const std::string path = folder.filePath("x.lockrun").toStdString();
    QVERIFY(writeWholeFile(path, formatRunFile(file)).ok());
    QVERIFY(*readRunFile(path) == file);
    QCOMPARE(readRunFile(path + "x").error().text(), path + "x: there is no such file");

    RunFile plain;
    plain.lesson = "sample";
    QVERIFY(*parseRunFile(formatRunFile(plain), "x") == plain);
}

void RunFileTest::whatCouldNotBeReadIsNotWritten() {
    QTemporaryDir folder;
    const std::string path = folder.filePath("x.lockrun").toStdString();
    RunFile file = aRunFile();
    const std::string longest(kLongestNote, 'n');
    file.kept.assign(kMostInRunFile - 1, file.own.value());
    QVERIFY(checkKept(longest, file.kept.size()).ok());
    file.kept.push_back({longest, 0, 1, {}, {}});
    QVERIFY(writeRunFile(file, path).ok());
    QVERIFY(*readRunFile(path) == file);

    RunFile named = file;
    named.kept.back().name += 'n';
    QCOMPARE(checkKept(named.kept.back().name, 0).error().message,
             std::string("a name may have 2000 bytes at most"));
    QVERIFY(writeRunFile(named, path).error().message.find("'kept[999].name' may have 2000 bytes at most") !=
            std::string::npos);
    RunFile crowded = file;
    QCOMPARE(checkKept("one more", crowded.kept.size()).error().message,
             std::string("1000 runs are kept already, and more than that cannot be"));
    crowded.kept.push_back(file.own.value());
    QVERIFY(!writeRunFile(crowded, path).ok());
    QVERIFY(*readRunFile(path) == file); // as it was
}

void RunFileTest::fieldsOfLaterVersionsArePassedOver() {
    const Result<RunFile> read = parseRunFile(changed("\"notes\"", "\"mood\": {\"a\": [1]}, \"notes\""), "x");
    QVERIFY(read.ok());
    QVERIFY(*read == aRunFile());
}

void RunFileTest::whatIsWrongIsSaid_data() {
    QTest::addColumn<std::string>("text");
    QTest::addColumn<std::string>("message");
    const auto row = [](const char* name, std::string text, const char* message) {
        QTest::newRow(name) << std::move(text) << "x.lockrun: " + std::string(message);
    };
    const auto damaged = [&](const char* name, std::string_view from, std::string_view to,
                             const char* message) {
        row(name, changed(from, to), (std::string("this run is damaged: ") + message).c_str());
    };
    const char* const noJson = "this is not a Lockscope run, or a damaged one: it is no valid JSON";
    const char* const foreign = "this is not a Lockscope run";
    row("empty", "", noJson);
    row("text", "A shopping list", noJson);
    row("not UTF-8", changed("sample", "s\xE9mple"), noJson);
    row("a list", "[]", foreign);
    row("a number", "7", foreign);
    row("another's JSON", "{\"name\": \"package\", \"version\": 1}", foreign);
    row("another's mark", changed("lockscope-run", "lockscope-lesson"), foreign);
    row("a mark that is no text", changed("\"lockscope-run\"", "{}"), foreign);
    row("newer", changed("\"format\": 1", "\"format\": 3"),
        "this run was saved by a newer Lockscope (format 3); this one reads formats up to 2");
    damaged("format zero", "\"format\": 1", "\"format\": 0",
            "'format' must be a whole number from 1 to 1000000");
    damaged("format as text", "\"format\": 1", "\"format\": \"1\"",
            "'format' must be a whole number from 1 to 1000000");
    damaged("format 1.5", "\"format\": 1", "\"format\": 1.5",
            "'format' must be a whole number from 1 to 1000000");
    damaged("a visitor's command that is none", R"("sent": "BLPOP queue 0")", R"("sent": 7)",
            "'current.visits[2].sent' must be a command");
    damaged("a quote that is left open", R"("sent": "BLPOP queue 0")", R"("sent": "BLPOP 'queue 0")",
            "'current.visits[2].sent': a quote is not closed, or does not end its word");
    damaged("no visitor", R"("visitor": 0)", R"("visitor": -1)",
            "'current.visits[0].visitor' must be a whole number from 0 to 10000");
    damaged("no lesson", "\"lesson\"", "\"lession\"", "'lesson' is missing");
    damaged("lesson no text", "\"lesson\": \"sample\"", "\"lesson\": 7", "'lesson' must be a text");
    damaged("long lesson", "\"lesson\": \"sample\"", "\"lesson\": \"" + std::string(2001, 'x') + "\"",
            "'lesson' may have 2000 bytes at most");
    damaged("no hash", "\"lesson_hash\"", "\"hash\"", "'lesson_hash' is missing");
    damaged("no run", "\"current\"", "\"currant\"", "'current' is missing");
    damaged("run no object", "\"own\": {", "\"own\": 7, \"other\": {", "'own' must be an object");
    damaged("step below", "\"step\": 1", "\"step\": -1",
            "'current.step' must be a whole number from 0 to 10000");
    damaged("step beyond", "\"step\": 1", "\"step\": 18446744073709551615",
            "'current.step' must be a whole number from 0 to 10000");
    damaged("seed no number", "18446744073709551615", "12x", "'current.seed' must be a whole number as text");
    damaged("seed too large", "18446744073709551615", "18446744073709551616",
            "'current.seed' must be a whole number as text");
    damaged("seed empty", "18446744073709551615", "", "'current.seed' must be a whole number as text");
    damaged("knob without value", "\"ttl=20s\"", "\"ttl\"", "'current.knobs[0]' must be KNOB=VALUE");
    damaged("knob no text", "\"ttl=20s\"", "{}", "'current.knobs[0]' must be KNOB=VALUE");
    damaged("knobs no list", "\"knobs\": [", "\"knobs\": {}, \"x\": [", "'current.knobs' must be a list");
    damaged("intervention no text", "\"kill Server A@1.5s\"", "7",
            "'current.interventions[1]' must be a text");
    damaged(
        "intervention of no kind", "kill Server A@1.5s", "frob Server A@1.5s",
        "'current.interventions[1]': 'frob' is no kind of intervention; allowed are pause, kill, restart,");
    damaged("somebody who pauses", "\"kill Server A@1.5s\"",
            "{\"do\": \"kill Server A@1.5s\", \"by\": \"You\"}",
            "'current.interventions[1].by': only a command has somebody who runs it");
    damaged("intervention by a number", "\"by\": \"You\"", "\"by\": 1",
            "'current.interventions[18].by' must be a text");
    damaged("kept no object", "\"kept\": [", "\"kept\": [[],", "'kept[0]' must be an object");
    damaged("notes no list", "\"notes\": [", "\"notes\": 1, \"x\": [", "'notes' must be a list");
    damaged("note backwards", "\"from_us\": 1000000,", "\"from_us\": 1000001,",
            "'notes[0].until_us' must be a whole number from 1000001 to");
    damaged("note too late", "\"until_us\": 20000000", "\"until_us\": 99999999999999999",
            "'notes[1].until_us' must be a whole number from 0 to");
    damaged("note without text", "\"text\"", "\"txt\"", "'notes[0].text' is missing");
    std::string many;
    for (int i = 0; i < 1'001; ++i)
        many += "0,";
    damaged("too many", "\"kept\": [", "\"kept\": [" + many, "'kept' may have 1000 entries at most");
    row("too large", std::string((8u << 20) + 1, ' '),
        "a run file may have 8388608 bytes at most, this one has more");
}

void RunFileTest::whatIsWrongIsSaid() {
    QFETCH(std::string, text);
    QFETCH(std::string, message);
    const Result<RunFile> read = parseRunFile(text, "x.lockrun");
    QVERIFY(!read.ok());
    const std::string said = read.error().text();
    QVERIFY2(said.starts_with(message), said.c_str());
    QCOMPARE(said.find('\n'), std::string::npos);
}

void RunFileTest::theLessonHasTheLastWord() {
    const Lesson lesson = sample();
    const SavedRun run{"", 1, 9, {{"ttl", "20s"}}, {*parseIntervention("kill Server A@2s")}};
    const Result<SettledRun> settled = settle(lesson, run);
    QVERIFY(settled.ok());
    QCOMPARE(settled->knobs.size(), lesson.knobs.size());
    QVERIFY(settled->knobs.front().value == KnobValue{seconds(20)});
    QVERIFY(saveRun(lesson, *settled, "") == run);

    const auto refusal = [&](SavedRun other) {
        const Result<SettledRun> result = settle(lesson, other);
        return QString::fromStdString(result ? "it was taken" : result.error().message);
    };
    SavedRun other = run;
    other.knobs.push_back({"colour", "red"});
    QCOMPARE(refusal(other),
             QStringLiteral("lesson sample has no knob 'colour'; allowed: ttl, trip, tries, release, check"));
    other = run;
    other.visits = std::make_shared<const Visits>(Visits{{VisitorAct::Kind::Left}});
    QCOMPARE(refusal(other), QStringLiteral("visitor 0 acts without being there"));
    other.visits =
        std::make_shared<const Visits>(Visits{{VisitorAct::Kind::Came, 0, {}, 0, "me\n\x1b[31m", {}, {}}});
    QCOMPARE(refusal(other), QStringLiteral("visitor 0 comes from what is no address"));
    other = run;
    other.knobs[0].value = "2h";
    QCOMPARE(refusal(other), QStringLiteral("knob ttl: '2h' is not allowed; allowed: 1s to 30s"));
    other.knobs[0].value = "soon";
    QVERIFY(refusal(other).startsWith(QStringLiteral("knob ttl: 'soon' is not a duration")));
    other = run;
    other.interventions[0].actor = "Server Z";
    QCOMPARE(refusal(other),
             QStringLiteral("lesson sample has no actor 'Server Z'; allowed: Server A, Server B"));
    other = run;
    other.interventions[0].at = instantAt(seconds(21));
    QVERIFY(refusal(other).contains(QStringLiteral("lies after the end of the run")));
}

void RunFileTest::aStepThatIsGoneIsTheLastOne() {
    const Lesson lesson = sample();
    SavedRun edited{"", 99, 1, {}, {}};
    edited.programs.push_back({"server", "log('mine')"});
    const Result<SettledRun> settled = settle(lesson, edited);
    QVERIFY(!settled.ok());
    QCOMPARE(
        QString::fromStdString(settled.error().message),
        QStringLiteral("its programs belong to step 100, and the lesson has %1").arg(lesson.steps.size()));
    QCOMPARE(settle(lesson, SavedRun{"", 7, 1, {}, {}})->step, static_cast<int>(lesson.steps.size()) - 1);
}

void RunFileTest::anEditedProgramIsPartOfTheRun() {
    const Lesson lesson = sample();
    SavedRun run{"", 0, 9, {}, {}, nullptr, {{"worker", "log(\"hello\")\n"}}};
    const Result<SettledRun> settled = settle(lesson, run);
    QVERIFY(settled.ok());
    const Result<Scenario> scenario = makeScenario(lesson, settled->knobs, {}, 9, settled->programs);
    QVERIFY(scenario.ok());
    for (const ActorSpec& actor : scenario->actors)
        QCOMPARE(actor.program->source, std::string("log(\"hello\")\n"));
    // Marks and messages keep the places of the lesson file, and do not claim to be about it.
    QCOMPARE(scenario->actors[0].program->firstLine, lesson.programs[0]->firstLine);
    QVERIFY(scenario->actors[0].program->file.empty());
    QVERIFY(saveRun(lesson, *settled, "") == run);

    RunFile file = aRunFile();
    file.kept[0].programs = run.programs;
    const std::string text = formatRunFile(file);
    QVERIFY(text.find("\"format\": 2") != std::string::npos); // an older one would show another run
    const Result<RunFile> read = parseRunFile(text, "x.lockrun");
    QVERIFY(read.ok());
    QVERIFY(*read == file);

    // The lesson's own text is no edit.
    run.programs[0].source = lesson.programs[0]->source;
    QVERIFY(settle(lesson, run)->programs.empty());
}

void RunFileTest::aProgramThatCannotRunIsRefused() {
    const Lesson lesson = sample();
    const auto refusal = [&](ProgramText program) {
        const Result<SettledRun> result =
            settle(lesson, SavedRun{"", 0, 1, {}, {}, nullptr, {std::move(program)}});
        return QString::fromStdString(result ? "it was taken" : result.error().message);
    };
    QCOMPARE(refusal({"nobody", "log(1)"}),
             QStringLiteral("lesson sample has no program 'nobody'; allowed: worker"));
    QVERIFY2(refusal({"worker", "log(\n"}).contains(QStringLiteral("unexpected symbol")),
             qPrintable(refusal({"worker", "log(\n"})));
    RunFile file = aRunFile();
    file.current.programs = {{"worker", std::string(kLongestProgram + 1, ' ')}};
    const Result<RunFile> read = parseRunFile(formatRunFile(file), "x.lockrun");
    QVERIFY(!read.ok());
    QCOMPARE(read.error().message, std::string("this run is damaged: 'current.programs[0].source' may have "
                                               "65536 bytes at most"));
}

void RunFileTest::hostileFilesEndSoon_data() {
    QTest::addColumn<std::string>("text");
    const auto repeated = [](std::string_view piece, std::size_t bytes) {
        std::string out;
        while (out.size() + piece.size() < bytes)
            out += piece;
        return out;
    };
    constexpr std::size_t kMost = 8u << 20;
    std::string keys = "{";
    for (int i = 0; keys.size() + 20 < kMost; ++i)
        keys += "\"" + std::to_string(i) + "\":0,";
    QTest::newRow("deep lists") << repeated("[", kMost);
    QTest::newRow("deep objects") << repeated("{\"a\":", kMost);
    QTest::newRow("many keys") << keys + "\"a\":0}";
    QTest::newRow("many lists") << "[" + repeated("[],", kMost) + "[]]";
    QTest::newRow("a long number") << repeated("9", kMost);
    QTest::newRow("a long text") << "\"" + repeated("\\u0041", kMost - 2) + "\"";
    QTest::newRow("an open text") << "\"" + repeated("\\", kMost - 2);
    QTest::newRow("zeros") << std::string(kMost, '\0');
}

void RunFileTest::hostileFilesEndSoon() {
    QFETCH(std::string, text);
    const Result<RunFile> read = parseRunFile(text, "x.lockrun");
    QVERIFY(!read.ok());
    QVERIFY(read.error().text().size() < 700);
}

void RunFileTest::cutAnywhereItIsRefused() {
    const std::string whole = formatRunFile(aRunFile());
    for (std::size_t length = 0; length + 2 < whole.size(); ++length)
        QVERIFY(!parseRunFile(std::string_view(whole).substr(0, length), "x").ok());
}

/// Bytes changed, dropped, doubled and moved, at random but the same each time.
void RunFileTest::changedAnywhereItStillAnswers() {
    const int rounds = !qEnvironmentVariableIsEmpty("LOCKSCOPE_LONG") ? 500'000 : 20'000;
    const Lesson lesson = sample();
    const std::string whole = formatRunFile(aRunFile());
    Random random(11);
    int read = 0;
    for (int round = 0; round < rounds; ++round) {
        std::string text = whole;
        for (std::uint64_t change = 0; change <= random.below(3); ++change) {
            const std::size_t at = random.below(text.size());
            const std::size_t length = std::min<std::size_t>(1 + random.below(24), text.size() - at);
            switch (random.below(5)) {
            case 0:
                text[at] = static_cast<char>(random.below(256));
                break;
            case 1:
                text[at] = "{}[]\",:0123456789.-+eE@s\\u"[random.below(26)];
                break;
            case 2:
                text.erase(at, length);
                break;
            case 3:
                text.insert(random.below(text.size()), text.substr(at, length));
                break;
            case 4:
                text.replace(at, length, "99999999999999999999");
                break;
            }
            if (text.empty()) text = " ";
        }
        const Result<RunFile> file = parseRunFile(text, "x.lockrun");
        if (!file) {
            QVERIFY2(file.error().text().find('\n') == std::string::npos, file.error().text().c_str());
            continue;
        }
        ++read;
        // What can be read can be written and tried on the lesson.
        QVERIFY(*parseRunFile(formatRunFile(*file), "x") == *file);
        const Result<SettledRun> settled = settle(lesson, file->current);
        if (settled) QVERIFY(settled->step < static_cast<int>(lesson.steps.size()));
    }
    QVERIFY(read > rounds / 100); // some changes do no harm; else the loop proved nothing
}

void RunFileTest::theHashFollowsTheText() {
    QCOMPARE(sample().contentHash, sample().contentHash);
    QCOMPARE(sample().contentHash.size(), std::size_t{40});
    const Lesson other =
        parseLesson(sampleWith("Prose of the first.", "Prose of the First."), "sample.md").value();
    QVERIFY(other.contentHash != sample().contentHash);
}

QTEST_GUILESS_MAIN(RunFileTest)
#include "run_file_test.moc"
