// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>

/// The built program from outside: what it prints, where, and with which exit code. No display is there.
class CommandLine : public QObject {
    Q_OBJECT
private slots:
    void init();
    void lessonsAreListed();
    void expiryAsJson();
    void staleDelAsJson();
    void aKillIsNoViolation();
    void everyInterventionFlagTakesEffect();
    void knobsAndSeedTakeEffect();
    void sameCommandSameBytes();
    void textShowsLanesViolationsAndOutcome();
    void whatCameOfInterventionsIsTold();
    void aFileIsWrittenWholeOrNotAtAll();
    void failOnViolation();
    void checkProvesLessons();
    void aFalseExpectationIsFound();
    void aBrokenLessonOnTheShelf();
    void aLessonByItsPath();
    void aNewLessonPassesAndIsNeverOverwritten();
    void aSavedRunIsRunAgain();
    void nothingIsSaidOfARunThatStopsEarly();
    void aSweepSaysWhatAPauseAdds();
    void aSearchFindsThePauseThatBreaksIt();
    void aLongerLeaseOverlapsLessAndBlocksLonger();
    void wrongUsage_data();
    void wrongUsage();
    void helpAndVersion();
    void theWindowNeedsADisplay();

private:
    struct Outcome {
        int code = -1;
        QByteArray out;
        QByteArray err;
    };
    Outcome run(const QStringList& arguments, const QProcessEnvironment& environment = bare()) const {
        QProcess process;
        process.setProcessEnvironment(environment);
        process.setWorkingDirectory(m_folder->path());
        process.start(LOCKSCOPE_PROGRAM, arguments);
        if (!process.waitForFinished(300'000)) qFatal("the program does not end");
        if (process.exitStatus() != QProcess::NormalExit) return {-1, {}, process.readAllStandardError()};
        return {process.exitCode(), process.readAllStandardOutput(), process.readAllStandardError()};
    }
    QJsonObject json(const QStringList& arguments) const { return json("run", arguments); }
    QJsonObject json(const QString& command, const QStringList& arguments) const {
        const Outcome outcome = run(QStringList{command, "--format", "json"} + arguments);
        if (outcome.code != 0) qFatal("%s", outcome.err.constData());
        QJsonParseError problem{};
        const QJsonObject object = QJsonDocument::fromJson(outcome.out, &problem).object();
        if (problem.error != QJsonParseError::NoError) qFatal("%s", qPrintable(problem.errorString()));
        return object;
    }
    /// "belief-overlap Server A, Server B 31.0"
    static QStringList violations(const QJsonObject& run) {
        QStringList out;
        for (const QJsonValue violation : run["violations"].toArray()) {
            QStringList actors;
            for (const QJsonValue actor : violation["actors"].toArray())
                actors << actor.toString();
            out << QString("%1 %2 %3")
                       .arg(violation["invariant"].toString(), actors.join(", "))
                       .arg(violation["at_us"].toDouble() / 1e6, 0, 'f', 1);
        }
        return out;
    }
    static bool happens(const QJsonObject& run, const QString& kind) {
        for (const QJsonValue event : run["events"].toArray())
            if (event["kind"].toString() == kind) return true;
        return false;
    }
    /// Neither a display nor a platform that needs none.
    static QProcessEnvironment bare() {
        QProcessEnvironment out = QProcessEnvironment::systemEnvironment();
        for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM", "LOCKSCOPE_LESSONS"})
            out.remove(name);
        return out;
    }
    QString path(const QString& name) const { return m_folder->filePath(name); }
    void write(const QString& name, const QByteArray& text) const {
        QFile file(path(name));
        if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size()) qFatal("cannot write");
    }
    static QByteArray read(const QString& file) {
        QFile in(file);
        return in.open(QIODevice::ReadOnly) ? in.readAll() : QByteArray();
    }

    std::unique_ptr<QTemporaryDir> m_folder;
};

void CommandLine::init() {
    m_folder = std::make_unique<QTemporaryDir>();
}

void CommandLine::lessonsAreListed() {
    const Outcome outcome = run({"lessons"});
    QCOMPARE(outcome.code, 0);
    QCOMPARE(outcome.err, QByteArray());
    QVERIFY(outcome.out.contains("\nstale-del") &&
            outcome.out.contains("The old process deletes the new lock\n"));
    QVERIFY(outcome.out.startsWith("expiry ") || outcome.out.contains("\nexpiry "));
}

void CommandLine::expiryAsJson() {
    const QJsonObject run = json({"expiry"});
    QCOMPARE(violations(run),
             (QStringList{"unprotected-work Server A 30.2", "belief-overlap Server A, Server B 31.0"}));
    QCOMPARE(run["schema"].toInt(), 1);
    QCOMPARE(run["lesson"].toString(), "expiry");
    QCOMPARE(run["knobs"].toObject()["work"].toString(), "1m");
    QCOMPARE(run["counts"].toObject()["belief-overlap"].toInt(), 1);
    QCOMPARE(run["counts"].toObject()["foreign-delete"].toInt(-1), 0);
    QVERIFY(run["keys"].toObject().contains("lock:report"));
    QVERIFY(run["events"].toArray().size() > 100);
}

void CommandLine::staleDelAsJson() {
    const QStringList found = violations(json({"stale-del"}));
    for (const char* wanted :
         {"unprotected-work Server A 30.2", "belief-overlap Server A, Server B 31.0",
          "foreign-delete Server A, Server B 45.2", "belief-overlap Server B, Server C 46.0",
          "foreign-delete Server B, Server C 51.0"})
        QVERIFY2(found.contains(wanted), qPrintable(found.join("; ")));
}

void CommandLine::aKillIsNoViolation() {
    for (const char* lesson : {"expiry", "stale-del"}) {
        const QJsonObject run = json({lesson, "--kill", "Server A@10s"});
        QCOMPARE(violations(run), QStringList());
        double entered = 0;
        for (const QJsonValue event : run["events"].toArray())
            if (event["kind"].toString() == "entered" && event["actor"].toString() == "Server B" &&
                entered == 0)
                entered = event["at_us"].toDouble();
        QCOMPARE(entered, 31'002'000.0);
    }
}

void CommandLine::everyInterventionFlagTakesEffect() {
    QVERIFY(happens(json({"expiry", "--pause", "Server A@10s+5s"}), "process-paused"));
    QVERIFY(happens(json({"expiry", "--kill", "Server A@10s"}), "process-killed"));
    QVERIFY(happens(json({"expiry", "--drop-reply", "Server A@0.1s"}), "reply-lost"));
    QVERIFY(happens(json({"expiry", "--do", "lost-request Server B@3s"}), "request-lost"));
    const QJsonObject restarted = json({"expiry", "--restart", "Server A@10s", "--restart=Server B@5s"});
    int starts = 0;
    for (const QJsonValue event : restarted["events"].toArray())
        starts += event["kind"].toString() == "process-started";
    QCOMPARE(starts, 4);
    QCOMPARE(restarted["interventions"].toArray().size(), 2);
    // The order of flags does not matter.
    QCOMPARE(json({"expiry", "--kill", "Server A@10s", "--pause", "Server B@5s+1s"}),
             json({"expiry", "--pause", "Server B@5s+1s", "--do", "kill Server A@10s"}));
}

void CommandLine::knobsAndSeedTakeEffect() {
    QCOMPARE(violations(json({"expiry", "--set", "work=20s"})), QStringList());
    QCOMPARE(
        violations(json({"expiry", "--set", "work=20s", "--set=ttl=10s", "--set", "work_other=5s"})).size(),
        2);
    const QJsonObject mended = json({"stale-del", "--set", "release=compare-and-delete"});
    QCOMPARE(mended["counts"].toObject()["foreign-delete"].toInt(), 0);
    const QJsonObject seeded = json({"expiry", "--seed", "18446744073709551615"});
    QVERIFY(seeded != json({"expiry"}));
    QCOMPARE(violations(seeded), violations(json({"expiry"})));
}

void CommandLine::sameCommandSameBytes() {
    for (const char* format : {"json", "text"})
        for (const char* lesson : {"expiry", "stale-del"}) {
            const QStringList arguments{"run", lesson, "--format", format, "--pause", "Server A@10s+15s"};
            const Outcome first = run(arguments);
            QVERIFY(first.out.size() > 500);
            QCOMPARE(run(arguments).out, first.out);
        }
}

/// What a command was answered, and what came too late to do anything.
void CommandLine::whatCameOfInterventionsIsTold() {
    const QByteArray text =
        run({"run", "expiry", "--do", "admin Redis@5s NOSUCH x", "--do", "admin Redis@6s DEL lock:nothing",
             "--kill", "Server A@7s", "--kill", "Server A@8s"})
            .out;
    QVERIFY2(
        text.contains("5.0 s  Intervention 1: admin runs NOSUCH x \xE2\x86\x92 (error) ERR unknown command"),
        text);
    QVERIFY2(text.contains("6.0 s  Intervention 2: admin runs DEL lock:nothing \xE2\x86\x92 (integer) 0"),
             text);
    QVERIFY2(text.contains("8.0 s  Intervention 4: kill, on Server A (it had no effect)"), text);
    QVERIFY(!text.contains("Intervention 3"));
}

void CommandLine::textShowsLanesViolationsAndOutcome() {
    const Outcome outcome = run({"run", "expiry"});
    QCOMPARE(outcome.code, 0);
    QCOMPARE(outcome.err, QByteArray());
    for (const char* wanted : {"Server A", "Server B", "Report made 2× (wanted 1)"})
        QVERIFY2(outcome.out.contains(wanted), wanted);
}

void CommandLine::aFileIsWrittenWholeOrNotAtAll() {
    const Outcome outcome = run({"run", "expiry", "--format", "json", "-o", "out.json"});
    QCOMPARE(outcome.code, 0);
    QCOMPARE(outcome.out, QByteArray());
    QCOMPARE(read(path("out.json")), run({"run", "expiry", "--format", "json"}).out);
    QCOMPARE(QDir(m_folder->path()).entryList(QDir::Files | QDir::Hidden), QStringList{"out.json"});

    // A run that cannot be made leaves an old file alone, and makes no new one.
    write("old.json", "old");
    QCOMPARE(run({"run", "expiry", "--set", "ttl=1h", "-o", "old.json"}).code, 2);
    QCOMPARE(read(path("old.json")), QByteArray("old"));
    QCOMPARE(run({"run", "expiry", "--set", "ttl=1h", "-o", "new.json"}).code, 2);
    QVERIFY(!QFile::exists(path("new.json")));

    // It replaces the file behind a link and keeps who may read it.
    QVERIFY(QFile::setPermissions(path("old.json"), QFile::ReadOwner | QFile::WriteOwner));
    QVERIFY(QFile::link(path("old.json"), path("link.json")));
    QCOMPARE(run({"run", "expiry", "-o", "link.json"}).code, 0);
    QVERIFY(QFileInfo(path("link.json")).isSymLink());
    QVERIFY(read(path("old.json")).size() > 100);
    QCOMPARE(QFile::permissions(path("old.json")) & (QFile::ReadGroup | QFile::ReadOther),
             QFile::Permissions());

    QCOMPARE(run({"run", "expiry", "-o", "/dev/null"}).code, 0);
    const Outcome nowhere = run({"run", "expiry", "-o", "no/such/folder.json"});
    QCOMPARE(nowhere.code, 1);
    QCOMPARE(nowhere.err,
             QByteArray("lockscope: cannot write 'no/such/folder.json': No such file or directory\n"));
    QCOMPARE(run({"run", "expiry", "-o", "."}).code, 1);
}

void CommandLine::failOnViolation() {
    QCOMPARE(run({"run", "expiry"}).code, 0);
    QCOMPARE(run({"run", "expiry", "--fail-on-violation"}).code, 1);
    QCOMPARE(run({"run", "expiry", "--fail-on-violation", "--set", "work=20s"}).code, 0);
}

void CommandLine::checkProvesLessons() {
    const Outcome outcome = run({"check", "expiry", "stale-del"});
    QCOMPARE(outcome.out.count('\n'), 1);
    QVERIFY2(outcome.out.startsWith("2 lessons, ") && outcome.out.endsWith(": all hold\n"),
             outcome.out.constData());
    QCOMPARE(outcome.code, 0);
    QCOMPARE(outcome.err, QByteArray());
}

void CommandLine::aFalseExpectationIsFound() {
    QByteArray lesson = read(LOCKSCOPE_SOURCE_DIR "/lessons/expiry.md");
    const QByteArray truth = "- owner @ 30.5s: nobody";
    const auto at = lesson.indexOf(truth);
    QVERIFY(at > 0);
    const auto line = lesson.left(at).count('\n') + 1;
    write("mine.md", lesson.replace(truth, "- owner @ 30.5s: Server A"));
    const Outcome outcome = run({"check", "mine.md"});
    QCOMPARE(outcome.code, 1);
    QCOMPARE(outcome.err, QByteArray());
    const QList<QByteArray> lines = outcome.out.split('\n');
    QCOMPARE(QString::fromUtf8(lines.value(0)), QString("mine.md:%1: step \"The work takes longer than the "
                                                        "lease\": expected owner @ 30.5s: Server A, found "
                                                        "nobody")
                                                    .arg(line));
    QVERIFY(lines.value(1).endsWith(": 1 failed"));
}

void CommandLine::aBrokenLessonOnTheShelf() {
    write("good.md", read(LOCKSCOPE_SOURCE_DIR "/lessons/expiry.md"));
    write("broken.md", "---\nid: broken\n---\n");
    QProcessEnvironment environment = bare();
    environment.insert("LOCKSCOPE_LESSONS", m_folder->path());
    const Outcome list = run({"lessons"}, environment);
    QCOMPARE(list.code, 1);
    QVERIFY(list.out.startsWith("expiry"));
    QCOMPARE(list.err, QByteArray("lockscope: broken.md:2: the key 'title' is missing\n"));
    const Outcome check = run({"check"}, environment);
    QCOMPARE(check.code, 1);
    QVERIFY(check.out.startsWith("broken.md:2: the key 'title' is missing\n"));
    // The others go on working, also under an id that is not the file's name.
    QCOMPARE(run({"run", "expiry"}, environment).code, 0);
    QVERIFY(QFile::remove(path("broken.md")));
    const Outcome whole = run({"check"}, environment);
    QCOMPARE(whole.code, 0);
    QVERIFY2(whole.out.startsWith("1 lesson, ") && whole.out.endsWith(": all hold\n"), whole.out.constData());
    environment.insert("LOCKSCOPE_LESSONS", path("nowhere"));
    QCOMPARE(run({"lessons"}, environment).code, 2);
}

void CommandLine::aLessonByItsPath() {
    write("expiry", read(LOCKSCOPE_SOURCE_DIR "/lessons/stale-del.md"));
    QVERIFY(run({"run", "./expiry", "--format", "json"}).out.contains("stale-del"));
    QVERIFY(!run({"run", "expiry", "--format", "json"}).out.contains("stale-del"));
}

void CommandLine::aNewLessonPassesAndIsNeverOverwritten() {
    const Outcome made = run({"new", "my-lesson"});
    QCOMPARE(made.code, 0);
    QCOMPARE(made.out, QByteArray("my-lesson.md\n"));
    const QByteArray text = read(path("my-lesson.md"));
    QVERIFY(text.contains("id: my-lesson\n"));
    const Outcome checked = run({"check", "my-lesson.md"});
    QCOMPARE(checked.code, 0);
    QVERIFY2(checked.out.endsWith("all hold\n"), checked.out.constData());

    write("my-lesson.md", text + "\nMine.\n");
    const Outcome again = run({"new", "./my-lesson.md"});
    QCOMPARE(again.code, 1);
    QCOMPARE(again.err, QByteArray("lockscope new: ./my-lesson.md is there already, and stays as it is\n"));
    QVERIFY(read(path("my-lesson.md")).endsWith("\nMine.\n"));

    for (const char* wrong : {"My Lesson", "lesson.txt", "x/", ".md", "a/B.md"})
        QCOMPARE(run({"new", wrong}).code, 2);
    QCOMPARE(run({"new", "missing/my-lesson.md"}).code, 1);
}

void CommandLine::aSavedRunIsRunAgain() {
    write("a.lockrun", R"({"file": "lockscope-run", "format": 1, "lesson": "expiry", "lesson_file": "",
        "lesson_hash": "", "current": {"name": "", "step": 0, "seed": "9", "knobs": ["work=20s"],
        "interventions": ["pause Server A@10s+15s"]}, "kept": [], "notes": []})");
    const QStringList flags{"--set", "work=20s", "--pause", "Server A@10s+15s", "--seed", "9"};
    const Outcome saved = run({"run", "a.lockrun"});
    QCOMPARE(saved.code, 0);
    QCOMPARE(saved.out, run(QStringList{"run", "expiry"} + flags).out);
    // Flags change that run.
    const Outcome longer = run({"run", "a.lockrun", "--set", "work=30s"});
    QCOMPARE(longer.out,
             run({"run", "expiry", "--set", "work=30s", "--pause", "Server A@10s+15s", "--seed", "9"}).out);

    QCOMPARE(saved.err, QByteArray());
    write("d.lockrun", read(path("a.lockrun")).replace("\"lesson_hash\": \"\"", "\"lesson_hash\": \"1\""));
    const Outcome other = run({"run", "d.lockrun"});
    QCOMPARE(other.out, saved.out);
    QVERIFY(other.err.startsWith("lockscope: d.lockrun: the lesson has changed since"));

    write("b.lockrun", read(path("a.lockrun")).replace("Server A", "Server Z"));
    const Outcome refused = run({"run", "b.lockrun"});
    QCOMPARE(refused.code, 2);
    QCOMPARE(refused.err,
             QByteArray("lockscope run: b.lockrun: lesson expiry has no actor 'Server Z'; allowed: "
                        "Server A, Server B\n"));
    QCOMPARE(run({"run", "gone.lockrun"}).err,
             QByteArray("lockscope run: gone.lockrun: there is no such file\n"));
    QCOMPARE(run({"open", "gone.lockrun"}).code, 2);
    write("c.lockrun", "not this");
    const Outcome damaged = run({"open", "c.lockrun"});
    QCOMPARE(damaged.code, 2);
    QVERIFY(damaged.err.startsWith("lockscope open: c.lockrun: this is not a Lockscope run"));
    QCOMPARE(damaged.err.count('\n'), 1);
}

void CommandLine::nothingIsSaidOfARunThatStopsEarly() {
    QByteArray endless = read(LOCKSCOPE_SOURCE_DIR "/lessons/expiry.md");
    endless.replace("```lua server-a\n", "```lua server-a\nwhile true do end\n");
    write("endless.md", endless);
    for (const QStringList& command :
         {QStringList{"explore", "endless.md"},
          QStringList{"sweep", "endless.md", "--actor", "Server A", "--pause", "1s"}}) {
        const Outcome refused = run(command);
        QCOMPARE(refused.code, 2);
        QVERIFY2(refused.err.contains("the run stops early: "), refused.err.constData());
        QCOMPARE(refused.err.count('\n'), 1);
        QVERIFY(refused.out.isEmpty());
    }
}

void CommandLine::aSweepSaysWhatAPauseAdds() {
    const QJsonObject swept = json("sweep", {"stale-del", "--set", "work=20s", "--actor", "Server A",
                                             "--pause", "20s", "--points", "50"});
    QCOMPARE(swept["actor"].toString(), QString("Server A"));
    QCOMPARE(swept["pause_us"].toInteger(), 20'000'000);
    int inWork = 0;
    for (const QJsonValue point : swept["points"].toArray()) {
        const double at = point["at_us"].toDouble() / 1e6;
        const bool adds = point["adds"].toArray().contains("foreign-delete");
        if (at > 0.21 && at < 20.19) QVERIFY2(adds, qPrintable(QString::number(at)));
        if (at > 20.3 || at < 0.1) QVERIFY2(!adds, qPrintable(QString::number(at)));
        inWork += at > 0.21 && at < 20.19 ? 1 : 0;
    }
    QVERIFY(inWork >= 10);
    QVERIFY(swept["simulations"].toInteger() >= swept["points"].toArray().size());
}

void CommandLine::aSearchFindsThePauseThatBreaksIt() {
    const QJsonObject search =
        json("explore", {"toctou", "--set", "work=20s", "--invariant", "foreign-delete"});
    QCOMPARE(search["found"].toBool(), true);
    QCOMPARE(search["invariant"].toString(), QString("foreign-delete"));
    const QJsonArray faults = search["interventions"].toArray();
    QCOMPARE(faults.size(), 1);
    QCOMPARE(faults[0]["kind"].toString(), QString("pause"));
    QVERIFY(search["why"].toArray().size() >= 3);
    // What it says can be played: the same command line that the window would copy.
    QVERIFY(violations(json({"toctou", "--set", "work=20s", "--do", faults[0]["do"].toString()}))
                .filter("foreign-delete")
                .size() > 0);
}

void CommandLine::aLongerLeaseOverlapsLessAndBlocksLonger() {
    const QJsonObject odds = json("odds", {"lease", "--runs", "10"});
    QCOMPARE(odds["knob"].toString(), QString("ttl"));
    const QJsonArray points = odds["points"].toArray();
    QVERIFY(points.size() >= 10);
    const QJsonValue shortest = points.first(), longest = points.last();
    QCOMPARE(shortest["runs"].toInteger(), 10);
    QVERIFY(shortest["turns_overlapped"].toInteger() > longest["turns_overlapped"].toInteger());
    QVERIFY(shortest["recovery_mean_us"].toInteger() < longest["recovery_mean_us"].toInteger());
    QVERIFY(run({"odds", "lease", "--runs", "2", "--format", "markdown"}).out.startsWith("| Lease (TTL) |"));
}

void CommandLine::wrongUsage_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("message");
    const auto row = [](const QStringList& arguments, const char* message) {
        QTest::newRow(qPrintable(arguments.join(' '))) << arguments << QString::fromUtf8(message);
    };
    row({"dance"}, "lockscope: 'dance' is not known here; allowed: open, lessons, new, run, check, sweep, "
                   "explore, odds, serve, observe");
    row({"--dance"},
        "lockscope: '--dance' is not known here; allowed: open, lessons, new, run, check, sweep, "
        "explore, odds, serve, observe");
    row({"run"}, "lockscope run: LESSON is required; allowed: ");
    row({"run", "expiry", "stale-del"}, "lockscope run: 'stale-del' is not known here; allowed: ");
    row({"run", "expiry", "--fast"},
        "lockscope run: '--fast' is not known here; allowed: --help, LESSON, --set, --do, --pause, --kill, "
        "--restart, "
        "--drop-reply, --seed, --redis, --format, --output, --fail-on-violation");
    row({"run", "expiry", "--set"}, "lockscope run: --set: 1 required KNOB=VALUE missing; allowed: ");
    row({"run", "nothing"}, "lockscope run: there is no lesson 'nothing'; allowed: ");
    row({"run", "gone.md"}, "lockscope run: there is no lesson 'gone.md'; allowed: ");
    row({"run", ""}, "lockscope run: there is no lesson ''; allowed: ");
    row({"run", "expiry", "--set", "speed=1"}, "lockscope run: --set 'speed=1': write KNOB=VALUE; knobs of "
                                               "expiry: ttl, work, work_other, poll, dead_keys");
    row({"run", "expiry", "--set", "ttl"}, "lockscope run: --set 'ttl': write KNOB=VALUE; knobs of expiry: "
                                           "ttl, work, work_other, poll, dead_keys");
    row({"run", "expiry", "--set", "ttl=1h"},
        "lockscope run: --set 'ttl=1h': knob ttl: '1h' is not allowed; allowed: 5s to 1m");
    row({"run", "expiry", "--set", "ttl=30"}, "lockscope run: --set 'ttl=30': knob ttl: '30' is not a "
                                              "duration: write 30s, 250ms, 1m30s or 1.5s; allowed: 5s to 1m");
    row({"run", "stale-del", "--set", "release=UNLINK"},
        "lockscope run: --set 'release=UNLINK': knob release: 'UNLINK' is not allowed; allowed: DEL, "
        "compare-and-delete");
    row({"run", "expiry", "--kill", "Server D@10s"},
        "lockscope run: lesson expiry has no actor 'Server D'; allowed: Server A, Server B");
    row({"run", "expiry", "--kill", "Server A@2h"},
        "lockscope run: 'kill Server A@2h' lies after the end of the run; allowed: 0s to 1m5s");
    row({"run", "expiry", "--kill", "Server A@soon"}, "lockscope run: kill 'Server A@soon': ");
    row({"run", "expiry", "--kill", "Server A"}, "lockscope run: kill 'Server A': it has no '@' between the "
                                                 "name and the time; write ACTOR@TIME, as in 'kill "
                                                 "Server A@20s'");
    row({"run", "expiry", "--pause", "Server A@10s"}, "lockscope run: pause 'Server A@10s': its length is "
                                                      "missing; write ACTOR@TIME+LENGTH, as in 'pause Server "
                                                      "A@20s+15s'");
    row({"run", "expiry", "--do", "explode Server A@10s"},
        "lockscope run: 'explode' is no kind of intervention; allowed are pause, kill, restart, "
        "lost-request, lost-reply, delay, delay-reply, partition, clock-jump, server-stall, "
        "server-clock-jump, admin, load, server-kill, server-restart, promote, link-cut, save-fails");
    row({"run", "expiry", "--seed", "-1"},
        "lockscope run: --seed '-1': allowed: whole numbers from 0 to 18446744073709551615");
    row({"run", "expiry", "--seed", "x"},
        "lockscope run: --seed 'x': allowed: whole numbers from 0 to 18446744073709551615");
    row({"run", "expiry", "--format", "xml"}, "lockscope run: --format 'xml': allowed: text, json");
    row({"run", "expiry", "--redis", "real"}, "lockscope run: --redis: 'real' is not known; allowed: "
                                              "simulated, private, embedded, or a URL such as "
                                              "redis://127.0.0.1:6379");
    row({"check", "nothing"}, "lockscope check: there is no lesson 'nothing'; allowed: ");
    row({"check", "--redis", "http://127.0.0.1"}, "lockscope check: --redis: ");
    row({"odds", "expiry"}, "lockscope odds: the lesson expiry has no odds; allowed: lease");
    row({"explore", "expiry", "--matrix"},
        "lockscope explore: --matrix: the lesson expiry has no matrix; allowed: mental-model");
    row({"odds", "lease", "--runs", "none"},
        "lockscope odds: --runs 'none': allowed: whole numbers from 1 to 100000");
    row({"odds", "lease", "--kill", "Server A@10s"},
        "lockscope odds: each run has the crash that its seed chooses; no other faults are allowed");
    row({"lessons", "all"}, "lockscope lessons: 'all' is not known here; allowed: --help");
    row({"open", "nothing"}, "lockscope open: there is no lesson 'nothing'; allowed: ");
}

void CommandLine::wrongUsage() {
    QFETCH(QStringList, arguments);
    QFETCH(QString, message);
    if (arguments.first() == "run") arguments = QStringList{"run", "-o", "out.txt"} + arguments.mid(1);
    const Outcome outcome = run(arguments);
    QCOMPARE(outcome.code, 2);
    QCOMPARE(outcome.out, QByteArray());
    QCOMPARE(outcome.err.count('\n'), 1);
    const QString said = QString::fromUtf8(outcome.err).trimmed();
    QVERIFY2(said.startsWith(message), qPrintable(said));
    if (!message.endsWith(' ')) QCOMPARE(said, message);
    QVERIFY2(said.contains("allowed") || said.contains("write ") || said.contains("knobs of"),
             qPrintable(said));
    QVERIFY(QDir(m_folder->path()).isEmpty());
}

void CommandLine::helpAndVersion() {
    for (const QStringList& arguments :
         {QStringList{"--help"}, QStringList{"run", "--help"}, QStringList{"check", "-h"}}) {
        const Outcome outcome = run(arguments);
        QCOMPARE(outcome.code, 0);
        QVERIFY(outcome.out.size() > 100);
        QCOMPARE(outcome.err, QByteArray());
    }
    QVERIFY(run({"run", "--help"}).out.contains("--drop-reply"));
    QVERIFY(run({"--version"}).out.startsWith("lockscope "));
}

void CommandLine::theWindowNeedsADisplay() {
    const Outcome outcome = run({"open", "expiry"});
    QCOMPARE(outcome.code, 1);
    QCOMPARE(outcome.err.count('\n'), 1);
    QVERIFY(outcome.err.contains("DISPLAY"));
    QCOMPARE(run({}).code, 1);
}

QTEST_GUILESS_MAIN(CommandLine)
#include "command_line_test.moc"
