// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <QCoreApplication>
#include <QProcessEnvironment>

#include <algorithm>
#include <charconv>
#include <filesystem>

#include <fmt/format.h>

#include "app/commands/commands.h"
#include "app/console.h"
#include "app/lesson_library.h"
#include "app/stop_signals.h"
#include "core/lesson/judged_run.h"
#include "core/lesson/run_file.h"
#include "core/live/served_lesson.h"
#include "core/trace/exports.h"

namespace lockscope::app {

namespace {

constexpr const char* kPasswordVariable = "LOCKSCOPE_PASSWORD";

int cannotServe(std::string_view why, int code = kWrongUsage) {
    return complain(fmt::format("lockscope serve: {}", why), code);
}

Result<live::ListenOptions> readPlaceToListen(const ServeOptions& options) {
    live::ListenOptions out;
    if (!out.address.setAddress(QString::fromStdString(options.bind)))
        return Error{
            fmt::format("--bind '{}': allowed: an IP address, as 127.0.0.1, ::1 or 0.0.0.0", options.bind)};
    const char* end = options.port.data() + options.port.size();
    const auto [stop, trouble] = std::from_chars(options.port.data(), end, out.port);
    if (trouble != std::errc{} || stop != end)
        return Error{fmt::format("--port '{}': allowed: 0 to 65535", options.port)};
    out.password = live::Secret(
        QProcessEnvironment::systemEnvironment().value(QString::fromLatin1(kPasswordVariable)).toUtf8());
    if (!out.address.isLoopback() && out.password.isEmpty())
        return Error{
            fmt::format("--bind {} lets other machines in, and that needs a password: put it into the "
                        "environment as {}",
                        options.bind, kPasswordVariable)};
    return out;
}

/// Some seconds of a script's work: one that takes longer makes a redis-server BUSY, too.
constexpr std::int64_t kServedSteps = 500'000'000;

/// What the store is to be like.
Result<redis::StoreOptions> readStore(const ServeOptions& options) {
    redis::StoreOptions out;
    out.scriptLimits.steps = kServedSteps;
    if (!options.profile.empty()) {
        const Result<redis::Profile> profile = redis::parseProfile(options.profile);
        if (!profile) return Error{"--profile " + profile.error().message};
        out.profile = *profile;
    }
    if (!options.maxmemory.empty()) {
        const std::optional<std::uint64_t> limit = redis::parseMemory(options.maxmemory);
        if (!limit)
            return Error{fmt::format("--maxmemory '{}': allowed: bytes, or as 20mb", options.maxmemory)};
        out.memory.limit = *limit;
    }
    if (!options.maxmemoryPolicy.empty()) {
        const auto policy = redis::evictionPolicyNamed(options.maxmemoryPolicy);
        if (!policy)
            return Error{fmt::format("--maxmemory-policy '{}': allowed: {}", options.maxmemoryPolicy,
                                     redis::evictionPolicyNames())};
        out.memory.policy = *policy;
    }
    if (options.debugCommand == "local")
        out.debugCommand = redis::DebugCommand::Local;
    else if (options.debugCommand == "yes")
        out.debugCommand = redis::DebugCommand::Open;
    else if (!options.debugCommand.empty() && options.debugCommand != "no")
        return Error{
            fmt::format("--enable-debug-command '{}': allowed: no, local, yes", options.debugCommand)};
    out.expiresAtOnce = options.expiresAtOnce;
    return out;
}

/// An address as it stands in an URL, with the port.
std::string urlOf(const QHostAddress& address, int port) {
    const bool six = address.protocol() == QAbstractSocket::IPv6Protocol;
    const std::string host = address.toString().toStdString();
    return fmt::format("redis://{}:{}", six ? "[" + host + "]" : host, port);
}

void tellCutOff(const QString& why) {
    complain("lockscope serve: " + why.toStdString());
}

int serveStore(const ServeOptions& options, const live::ListenOptions& place) {
    const ScenarioOptions& lesson = options.scenario;
    const bool interferes = std::any_of(lesson.shorthands.begin(), lesson.shorthands.end(),
                                        [](const auto& each) { return !each.second.empty(); });
    for (const auto& [name, given] :
         {std::pair{"--from", options.from != "0s"}, std::pair{"--output", !options.output.empty()},
          std::pair{"--seed", !lesson.seed.empty()}, std::pair{"--set", !lesson.knobs.empty()},
          std::pair{"--do", !lesson.interventions.empty() || interferes}})
        if (given) return cannotServe(fmt::format("{} is about a lesson, and none is named", name));
    const Result<redis::StoreOptions> store = readStore(options);
    if (!store) return cannotServe(store.error().message);
    live::StoreServer server(std::make_shared<live::WallClockHost>(*store));
    if (const Result<void> listening = server.listen(place); !listening)
        return cannotServe(listening.error().message + "; --port 0 takes any free one", kFailed);
    QObject::connect(&server, &live::StoreServer::clientCutOff, tellCutOff);
    server.allowShutDown();
    QObject::connect(&server, &live::StoreServer::shutDown, &QCoreApplication::quit);
    const std::string exposure = live::StoreServer::exposureOf(server.address(), server.port()).toStdString();
    const std::string aid = store->expiresAtOnce
                                ? "Teaching aid: a key leaves the moment its lease is over, which no "
                                  "Redis does.\n"
                                : "";
    if (const int printed = print(fmt::format("Serving the embedded store as {} at {}\n{}{}\n",
                                              redis::titleOf(store->profile),
                                              urlOf(server.address(), server.port()), aid, exposure));
        printed != kDone)
        return printed;
    QCoreApplication::exec();
    return kDone;
}

int saveTo(const std::string& path, RunOfLesson run, const Scenario& asItWas) {
    run.run.interventions = asItWas.interventions;
    run.run.visits = asItWas.visits;
    // By its id only a lesson of the library is found again.
    const Result<Lesson> known = findLesson(run.lesson.id);
    const bool ofLibrary = known && known->contentHash == run.lesson.contentHash;
    const std::string file = ofLibrary ? std::string() : std::filesystem::absolute(run.lesson.file).string();
    const Result<void> written = writeRunFile(fileOf(run.lesson, run.run, file), path);
    return written ? kDone : cannotServe(written.error().text(), kFailed);
}

int serveLesson(const ServeOptions& options, const live::ListenOptions& place) {
    if (!options.profile.empty())
        return cannotServe("which server it is says the lesson; --profile is for a store by itself");
    if (!options.maxmemory.empty() || !options.maxmemoryPolicy.empty())
        return cannotServe(
            "how much memory there is says the lesson; --maxmemory and --maxmemory-policy are for a "
            "store by itself");
    if (!options.debugCommand.empty() || options.expiresAtOnce)
        return cannotServe("--enable-debug-command and --expire-at-once are for a store by itself");
    const Result<Duration> from = parseDuration(options.from);
    if (!from) return cannotServe(fmt::format("--from '{}': {}", options.from, from.error().message));
    if (!options.output.empty() && !namesRunFile(options.output))
        return cannotServe(fmt::format("--output '{}': a run is saved as a .lockrun file", options.output));
    const Result<RunOfLesson> named = readRun(options.scenario);
    if (!named) return cannotServe(named.error().text());
    const Result<Scenario> scenario = makeScenario(named->lesson, named->run);
    if (!scenario) return cannotServe(scenario.error().text());
    if (instantAt(*from) >= scenario->horizon)
        return cannotServe(fmt::format("--from '{}': the lesson ends at {}", options.from,
                                       formatDuration(scenario->horizon.time_since_epoch())));

    live::ServedLesson lesson;
    if (const Result<void> started = lesson.start(*scenario, instantAt(*from), place); !started)
        return cannotServe(started.error().message, kFailed);
    QObject::connect(&lesson, &live::ServedLesson::clientCutOff, tellCutOff);
    QObject::connect(&lesson, &live::ServedLesson::recordingFull, tellCutOff);
    QObject::connect(&lesson, &live::ServedLesson::finished, &QCoreApplication::quit);
    std::string said =
        fmt::format("Serving '{}'; its time begins when the first client comes.\n", scenario->lesson);
    for (int node = 0; node < lesson.nodes(); ++node)
        said += fmt::format("{} at {}\n", serverName(node), urlOf(place.address, lesson.port(node)));
    said += lesson.exposure().toStdString() + "\n";
    if (const int printed = print(said); printed != kDone) return printed;
    QCoreApplication::exec();
    lesson.stop(); // if a signal ended it
    JudgedRun run;
    run.trace = *lesson.trace();
    judge(run);
    const int saved = options.output.empty() ? kDone : saveTo(options.output, *named, lesson.scenario());
    const int printed = print(toText(run.trace, run.analysis, run.violations, run.outcome));
    return saved != kDone ? saved : printed;
}

} // namespace

int serveCommand(const ServeOptions& options) {
    int count = 1;
    char name[] = "lockscope";
    char* arguments[] = {name, nullptr};
    QCoreApplication application(count, arguments);
    const StopSignals untilTold([] { QCoreApplication::quit(); });
    const Result<live::ListenOptions> place = readPlaceToListen(options);
    if (!place) return cannotServe(place.error().message);
    return options.scenario.lesson.empty() ? serveStore(options, *place) : serveLesson(options, *place);
}

} // namespace lockscope::app
