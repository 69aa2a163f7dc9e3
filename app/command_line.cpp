// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/command_line.h"

#include <cstdio>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/commands/commands.h"
#include "app/console.h"

namespace lockscope::app {

namespace {

/// An option that may be given again and again and takes one value each time.
void addRepeated(CLI::App& command, const std::string& name, std::vector<std::string>& into,
                 const std::string& value, const std::string& help) {
    command.add_option(name, into, help)->allow_extra_args(false)->type_name(value);
}

/// The kinds of interventions, as --do takes them: "pause, kill, …".
std::string kindNames() {
    std::string names;
    for (const InterventionKindInfo& info : interventionKinds())
        names += (names.empty() ? "" : ", ") + std::string(info.id);
    return names;
}

/// The options that decide a run: the lesson, which is given back, its knobs, the interventions and the seed.
CLI::Option* addScenarioOptions(CLI::App& command, ScenarioOptions& into) {
    CLI::Option* lesson = command.add_option("LESSON", into.lesson, "Id or file")->required();
    addRepeated(command, "--set", into.knobs, "KNOB=VALUE", "Set a knob, for example ttl=20s");
    addRepeated(command, "--do", into.interventions, "'KIND ACTOR@T[+D]'",
                "Interfere, for example 'pause Server A@10s+20s'; KIND is one of " + kindNames());
    for (const InterventionShorthand& shorthand : interventionShorthands())
        if (shorthand.kind != InterventionKind::Pause || command.get_name() != "sweep")
            addRepeated(command, std::string(shorthand.option), into.shorthands[shorthand.kind],
                        std::string(shorthand.form), std::string(shorthand.help));
    command.add_option("--seed", into.seed, "Seed of everything random; default: the lesson's")
        ->type_name("N");
    return lesson;
}

/// What may stand on the command line of `command`: its subcommands, or its options.
std::string allowedIn(const CLI::App& command) {
    std::string out;
    const auto add = [&](const std::string& name) { out += (out.empty() ? "" : ", ") + name; };
    for (const CLI::App* sub : command.get_subcommands({}))
        add(sub->get_name());
    if (!out.empty()) return out;
    for (const CLI::Option* option : command.get_options())
        add(option->get_positional() ? option->get_name(true) : option->get_name());
    return out;
}

/// One line on standard error that says what is wrong and what would be right.
int complainAbout(const CLI::App& program, const CLI::ParseError& error) {
    const std::vector<const CLI::App*> chosen = program.get_subcommands({});
    const CLI::App* command = &program;
    for (const CLI::App* sub : chosen)
        if (sub->parsed()) command = sub;
    const std::string who =
        command == &program ? "lockscope" : fmt::format("lockscope {}", command->get_name());
    if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::ExtrasError)) {
        const std::vector<std::string> extras = program.remaining(true);
        return complain(fmt::format("{}: '{}' is not known here; allowed: {}", who,
                                    extras.empty() ? "" : extras.front(), allowedIn(*command)));
    }
    return complain(fmt::format("{}: {}; allowed: {}", who, error.what(), allowedIn(*command)));
}

} // namespace

int runCommandLine(int argc, char** argv) {
    CLI::App program{"See who owns a Redis lock, who thinks so, and who works.", "lockscope"};
    program.set_version_flag("--version", std::string("lockscope ") + LOCKSCOPE_VERSION);
    program.require_subcommand(0, 1);
    program.footer("LESSON is the id of a lesson (see 'lockscope lessons'), or the path of a lesson file or "
                   "a saved run.\n"
                   "Without a subcommand the window opens.");

    std::string toOpen;
    CLI::App* open = program.add_subcommand("open", "Open the window on a lesson");
    open->add_option("LESSON", toOpen, "Id, lesson file or saved run; left out: where you stopped last time");

    CLI::App* lessons = program.add_subcommand("lessons", "List the lessons, one a line: id, then title");

    std::string toWrite;
    CLI::App* newLesson = program.add_subcommand("new", "Write a commented lesson to start from");
    newLesson->add_option("NAME", toWrite, "Its id, or the path of a file that is not there yet")->required();

    RunOptions run;
    CLI::App* runLesson = program.add_subcommand("run", "Run a lesson and print what happened");
    addScenarioOptions(*runLesson, run.scenario);
    runLesson->add_option("--redis", run.redis, "simulated, private, embedded, or a URL")->type_name("WHICH");
    runLesson->add_option("--format", run.format, "text or json; default: text")->type_name("FORMAT");
    runLesson->add_option("-o,--output", run.output, "Write to a file instead of standard output")
        ->type_name("FILE");
    runLesson->add_flag("--fail-on-violation", run.failOnViolation, "Exit 1 if an invariant was broken");

    CheckOptions check;
    CLI::App* checkLessons = program.add_subcommand("check", "Prove every expectation of lessons");
    checkLessons->add_option("LESSON", check.lessons, "Ids or files; left out: all lessons");
    checkLessons->add_option("--redis", check.redis, "simulated, private, embedded, or a URL")
        ->type_name("WHICH");

    SweepOptions sweep;
    CLI::App* sweepLesson = program.add_subcommand(
        "sweep", "What a pause would break, for every instant at which it could begin");
    addScenarioOptions(*sweepLesson, sweep.scenario);
    sweepLesson->add_option("--actor", sweep.actor, "Who is paused")->required()->type_name("NAME");
    sweepLesson->add_option("--pause", sweep.pause, "For how long, for example 20s")
        ->required()
        ->type_name("D");
    sweepLesson->add_option("--points", sweep.points, "Points of the even grid; default: 400")
        ->type_name("N");
    sweepLesson->add_option("--format", sweep.format, "text or json; default: text")->type_name("FORMAT");

    ExploreOptions explore;
    CLI::App* exploreLesson =
        program.add_subcommand("explore", "Search for the smallest set of faults that breaks something");
    addScenarioOptions(*exploreLesson, explore.scenario);
    exploreLesson->add_option("--invariant", explore.invariant, "What is to break; left out: anything more")
        ->type_name("ID");
    exploreLesson
        ->add_option("--budget", explore.budget,
                     "Schedules at the most; default: 2000000, with --matrix 10000 a cell")
        ->type_name("N");
    exploreLesson->add_flag("--matrix", explore.matrix,
                            "The lesson's table of programs and failures: what breaks in each cell");
    exploreLesson->add_option("--format", explore.format, "text, json or markdown; default: text")
        ->type_name("FORMAT");

    OddsOptions odds;
    CLI::App* lessonOdds =
        program.add_subcommand("odds", "How often two overlap, and how long a crash blocks, over many runs");
    addScenarioOptions(*lessonOdds, odds.scenario);
    lessonOdds->add_option("--runs", odds.runs, "Runs of each value; default: 200")->type_name("N");
    lessonOdds->add_option("--format", odds.format, "text, json or markdown; default: text")
        ->type_name("FORMAT");

    ServeOptions serve;
    CLI::App* serveStore =
        program.add_subcommand("serve", "Serve the embedded store to Redis clients, or a lesson that runs");
    addScenarioOptions(*serveStore, serve.scenario)->required(false);
    serveStore
        ->add_option("--bind", serve.bind, "Address to listen on; default: 127.0.0.1, this machine alone")
        ->type_name("ADDRESS");
    serveStore
        ->add_option("--port", serve.port,
                     "Default: 6379; 0: any free one; node 2 of a lesson is at the next")
        ->type_name("PORT");
    serveStore
        ->add_option("--profile", serve.profile,
                     "Which server a store imitates: 7.0, 7.2, 8.4, valkey-8.1, valkey-9.0; default: 7.0")
        ->type_name("VERSION");
    serveStore->add_option("--maxmemory", serve.maxmemory, "Limit of a store's memory, for example 20mb")
        ->type_name("BYTES");
    serveStore->add_option("--maxmemory-policy", serve.maxmemoryPolicy, "Which keys a full store drops")
        ->type_name("POLICY");
    serveStore
        ->add_option("--enable-debug-command", serve.debugCommand,
                     "Who may use DEBUG on a store: no, local, yes; default: no")
        ->type_name("WHO");
    serveStore->add_flag(
        "--expire-at-once", serve.expiresAtOnce,
        "A teaching aid, no Redis does it: a store removes a key the moment its lease is over");
    serveStore
        ->add_option("--from", serve.from, "Of a lesson: the instant at which clients come in; default: 0s")
        ->type_name("T");
    serveStore->add_option("-o,--output", serve.output, "Of a lesson: save what happened as a run (.lockrun)")
        ->type_name("FILE");
    ObserveOptions observe;
    CLI::App* observeKey =
        program.add_subcommand("observe", "Watch a lock key of any Redis, without writing to it");
    observeKey->add_option("KEY", observe.key, "The key's name")->required();
    observeKey->add_option("--redis", observe.redis, "Its URL; default: redis://127.0.0.1:6379")
        ->type_name("URL");
    observeKey->add_option("--for", observe.length, "How long, for example 30s; left out: until Ctrl+C")
        ->type_name("D");

    try {
        program.parse(argc, argv);
    } catch (const CLI::CallForHelp&) {
        const std::vector<CLI::App*> chosen = program.get_subcommands();
        return print(chosen.empty() ? program.help() : chosen.front()->help("lockscope"));
    } catch (const CLI::CallForVersion& version) {
        return print(std::string(version.what()) + "\n");
    } catch (const CLI::ParseError& error) {
        return complainAbout(program, error);
    }
    if (lessons->parsed()) return lessonsCommand();
    if (newLesson->parsed()) return newCommand(toWrite);
    if (runLesson->parsed()) return runCommand(run);
    if (checkLessons->parsed()) return checkCommand(check);
    if (sweepLesson->parsed()) return sweepCommand(sweep);
    if (exploreLesson->parsed()) return exploreCommand(explore);
    if (lessonOdds->parsed()) return oddsCommand(odds);
    if (serveStore->parsed()) return serveCommand(serve);
    if (observeKey->parsed()) return observeCommand(observe);
    return windowCommand(toOpen, argv[0]);
}

} // namespace lockscope::app
