// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Run files come from strangers. Size and nesting are bounded before the JSON parser sees anything, every
// field is checked for its kind and range, and the first thing that is wrong becomes the one line that is
// said. Fields that are not known are passed over: a later version may add some without a new format.
#include "core/lesson/run_file.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/whole_file.h"
#include "core/lesson/fields.h"

namespace lockscope {

namespace {

// Read into a sorted map: the ordered one takes time quadratic in the keys of an object.
using Json = nlohmann::json;
using OrderedJson = nlohmann::ordered_json;

constexpr std::string_view kMark = "lockscope-run";
constexpr std::int64_t kMostSteps = 10'000;
constexpr std::int64_t kMostNodesInFile = 1'000; // what the lesson has is checked with it
/// µs; as long as a run can be.
constexpr std::int64_t kLatest = std::int64_t{400} * 24 * 3600 * 1'000'000;

/// Reads fields and remembers the first thing that was wrong, with the way to it. After that it goes on with
/// default values.
class Reader {
public:
    bool ok() const { return m_problem.empty(); }
    const std::string& problem() const { return m_problem; }
    void fail(std::string problem) {
        if (ok()) m_problem = std::move(problem);
    }

    const Json* field(const Json& in, const char* name, const std::string& where) {
        const auto found = in.find(name);
        if (found != in.end()) return &*found;
        fail(fmt::format("'{}{}' is missing", where, name));
        return nullptr;
    }
    std::string text(const Json& in, const char* name, const std::string& where,
                     std::size_t longest = kLongestNote) {
        const Json* value = field(in, name, where);
        if (value == nullptr) return {};
        if (!value->is_string()) {
            fail(fmt::format("'{}{}' must be a text", where, name));
            return {};
        }
        const auto& text = value->get_ref<const std::string&>();
        if (text.size() > longest)
            fail(fmt::format("'{}{}' may have {} bytes at most", where, name, longest));
        return text;
    }
    std::int64_t whole(const Json& in, const char* name, const std::string& where, std::int64_t least,
                       std::int64_t most) {
        const Json* value = field(in, name, where);
        if (value == nullptr) return least;
        if (value->is_number_integer()) {
            const bool beyond =
                value->is_number_unsigned() && value->get<std::uint64_t>() > static_cast<std::uint64_t>(most);
            const auto number = value->get<std::int64_t>();
            if (!beyond && number >= least && number <= most) return number;
        }
        fail(fmt::format("'{}{}' must be a whole number from {} to {}", where, name, least, most));
        return least;
    }
    bool isObject(const Json& value, const std::string& where) {
        if (!value.is_object()) fail(fmt::format("'{}' must be an object", where));
        return value.is_object();
    }
    /// Calls `each` with every entry of a list and the way to it, until something is wrong.
    template <typename Each>
    void list(const Json& in, const char* name, const std::string& where, Each each,
              std::size_t most = kMostInRunFile) {
        const Json* value = field(in, name, where);
        if (value == nullptr) return;
        if (!value->is_array()) return fail(fmt::format("'{}{}' must be a list", where, name));
        if (value->size() > most)
            return fail(fmt::format("'{}{}' may have {} entries at most", where, name, most));
        for (std::size_t i = 0; i < value->size() && ok(); ++i)
            each((*value)[i], fmt::format("{}{}[{}]", where, name, i));
    }

private:
    std::string m_problem;
};

/// `SET lock A NX`: a command, as in interventions.
void readSent(Reader& read, const Json& in, const std::string& where, VisitorAct& act) {
    const Json* sent = read.field(in, "sent", where);
    if (sent == nullptr) return;
    if (!sent->is_string() || sent->get_ref<const std::string&>().size() > kMostVisitBytes)
        return read.fail(fmt::format("'{}sent' must be a command", where));
    Result<std::vector<std::string>> words = splitCommand(sent->get_ref<const std::string&>());
    if (!words) return read.fail(fmt::format("'{}sent': {}", where, words.error().message));
    act.words = std::move(*words);
    if (in.contains("answer")) act.answer = read.text(in, "answer", where);
}

VisitorAct readAct(Reader& read, const Json& in, const std::string& place) {
    VisitorAct act;
    if (!read.isObject(in, place)) return act;
    const std::string where = place + ".";
    act.at = instantAt(Duration{read.whole(in, "at_us", where, 0, kLatest)});
    act.visitor = static_cast<int>(read.whole(in, "visitor", where, 0, kMostVisits));
    if (in.contains("came_from")) {
        act.kind = VisitorAct::Kind::Came;
        act.address = read.text(in, "came_from", where);
        act.node = static_cast<int>(read.whole(in, "node", where, 0, kMostNodesInFile));
    } else if (in.contains("left")) {
        act.kind = VisitorAct::Kind::Left;
    } else {
        readSent(read, in, where, act);
    }
    return act;
}

OrderedJson written(const VisitorAct& act) {
    OrderedJson out{{"at_us", micros(act.at)}, {"visitor", act.visitor}};
    switch (act.kind) {
    case VisitorAct::Kind::Came:
        out["came_from"] = act.address;
        out["node"] = act.node;
        break;
    case VisitorAct::Kind::Left:
        out["left"] = true;
        break;
    case VisitorAct::Kind::Sent:
        out["sent"] = commandLineOf(act.words);
        if (!act.answer.empty()) out["answer"] = act.answer;
        break;
    }
    return out;
}

/// A text, as after --do; or, if it says who runs the command, an object.
void readIntervention(Reader& read, const Json& in, const std::string& where,
                      std::vector<Intervention>& into) {
    const bool named = in.is_object();
    if (!named && !in.is_string()) return read.fail(fmt::format("'{}' must be a text", where));
    const std::string text = named ? read.text(in, "do", where + ".") : in.get<std::string>();
    std::string by = named ? read.text(in, "by", where + ".") : std::string();
    if (!read.ok()) return;
    Result<Intervention> one = parseIntervention(text);
    if (!one) return read.fail(fmt::format("'{}': {}", where, one.error().message));
    if (named && one->kind != InterventionKind::Admin)
        return read.fail(fmt::format("'{}.by': only a command has somebody who runs it", where));
    one->by = std::move(by);
    into.push_back(std::move(*one));
}

OrderedJson written(const Intervention& one) {
    if (one.by.empty()) return formatIntervention(one);
    return {{"do", formatIntervention(one)}, {"by", one.by}};
}

SavedRun readRun(Reader& read, const Json& in, const std::string& place) {
    SavedRun run;
    if (!read.isObject(in, place)) return run;
    const std::string where = place + ".";
    run.name = read.text(in, "name", where);
    run.step = static_cast<int>(read.whole(in, "step", where, 0, kMostSteps));
    // JSON numbers above 2^53 do not survive every reader, so a seed is a text.
    const std::string seed = read.text(in, "seed", where);
    const auto [stop, trouble] = std::from_chars(seed.data(), seed.data() + seed.size(), run.seed);
    if (trouble != std::errc{} || stop != seed.data() + seed.size())
        read.fail(fmt::format("'{}seed' must be a whole number as text", where));
    read.list(in, "knobs", where, [&](const Json& entry, const std::string& at) {
        const std::string text = entry.is_string() ? entry.get<std::string>() : std::string();
        const std::size_t equals = text.find('=');
        if (equals == std::string::npos) return read.fail(fmt::format("'{}' must be KNOB=VALUE", at));
        run.knobs.push_back({text.substr(0, equals), text.substr(equals + 1)});
    });
    read.list(in, "interventions", where, [&](const Json& entry, const std::string& at) {
        readIntervention(read, entry, at, run.interventions);
    });
    if (in.contains("visits")) {
        Visits visits;
        read.list(
            in, "visits", where,
            [&](const Json& entry, const std::string& at) { visits.push_back(readAct(read, entry, at)); },
            kMostVisits);
        if (!visits.empty()) run.visits = std::make_shared<const Visits>(std::move(visits));
    }
    if (!in.contains("programs")) return run;
    read.list(in, "programs", where, [&](const Json& entry, const std::string& at) {
        if (!read.isObject(entry, at)) return;
        run.programs.push_back(
            {read.text(entry, "name", at + "."), read.text(entry, "source", at + ".", kLongestProgram)});
    });
    return run;
}

Note readNote(Reader& read, const Json& in, const std::string& place) {
    Note note;
    if (!read.isObject(in, place)) return note;
    const std::string where = place + ".";
    note.step = static_cast<int>(read.whole(in, "step", where, 0, kMostSteps));
    note.from = instantAt(Duration{read.whole(in, "from_us", where, 0, kLatest)});
    note.until = instantAt(Duration{read.whole(in, "until_us", where, micros(note.from), kLatest)});
    note.text = read.text(in, "text", where);
    return note;
}

OrderedJson written(const SavedRun& run) {
    OrderedJson out;
    out["name"] = run.name;
    out["step"] = run.step;
    out["seed"] = fmt::format("{}", run.seed);
    out["knobs"] = OrderedJson::array();
    for (const TraceKnob& knob : run.knobs)
        out["knobs"].push_back(knob.name + "=" + knob.value);
    out["interventions"] = OrderedJson::array();
    for (const Intervention& one : run.interventions)
        out["interventions"].push_back(written(one));
    if (run.visits != nullptr)
        for (const VisitorAct& act : *run.visits)
            out["visits"].push_back(written(act));
    for (const ProgramText& program : run.programs)
        out["programs"].push_back({{"name", program.name}, {"source", program.source}});
    return out;
}

/// Any run of the file with a program of its own.
bool hasPrograms(const RunFile& file) {
    return !file.current.programs.empty() || (file.own && !file.own->programs.empty()) ||
           std::any_of(file.kept.begin(), file.kept.end(),
                       [](const SavedRun& run) { return !run.programs.empty(); });
}

/// The parser recurses with the nesting, so depth is bounded before it starts.
bool nestedTooDeep(std::string_view text) {
    constexpr int kMostDepth = 16;
    int depth = 0;
    bool quoted = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (quoted && c == '\\')
            ++i;
        else if (c == '"')
            quoted = !quoted;
        else if (!quoted && (c == '[' || c == '{') && ++depth > kMostDepth)
            return true;
        else if (!quoted && (c == ']' || c == '}'))
            --depth;
    }
    return false;
}

} // namespace

RunFile fileOf(const Lesson& lesson, const SettledRun& run, std::string lessonFile) {
    RunFile file;
    file.lesson = lesson.id;
    file.lessonFile = std::move(lessonFile);
    file.lessonHash = lesson.contentHash;
    file.current = saveRun(lesson, run, {});
    return file;
}

Result<RunFile> parseRunFile(std::string_view text, const std::string& path) {
    const auto refused = [&](std::string why) { return onOneLine({std::move(why), path}); };
    if (text.size() > kLargestRunFile)
        return refused(
            fmt::format("a run file may have {} bytes at most, this one has more", kLargestRunFile));
    if (nestedTooDeep(text)) return refused("this is not a Lockscope run: it is nested too deep");
    const Json json = Json::parse(text, nullptr, false);
    if (json.is_discarded())
        return refused("this is not a Lockscope run, or a damaged one: it is no valid JSON");
    const auto mark = json.is_object() ? json.find("file") : json.end();
    if (!json.is_object() || mark == json.end() || !mark->is_string() ||
        mark->get_ref<const std::string&>() != kMark)
        return refused("this is not a Lockscope run");

    Reader read;
    const std::int64_t format = read.whole(json, "format", "", 1, 1'000'000);
    if (read.ok() && format > kRunFileFormat)
        return refused(
            fmt::format("this run was saved by a newer Lockscope (format {}); this one reads formats "
                        "up to {}",
                        format, kRunFileFormat));
    RunFile file;
    file.lesson = read.text(json, "lesson", "");
    file.lessonFile = read.text(json, "lesson_file", "");
    file.lessonHash = read.text(json, "lesson_hash", "");
    if (const Json* current = read.field(json, "current", ""))
        file.current = readRun(read, *current, "current");
    if (const auto own = json.find("own"); own != json.end() && !own->is_null())
        file.own = readRun(read, *own, "own");
    read.list(json, "kept", "", [&](const Json& entry, const std::string& at) {
        file.kept.push_back(readRun(read, entry, at));
    });
    read.list(json, "notes", "", [&](const Json& entry, const std::string& at) {
        file.notes.push_back(readNote(read, entry, at));
    });
    if (json.contains("origin")) file.origin = read.text(json, "origin", "");
    if (!read.ok()) return refused("this run is damaged: " + read.problem());
    return file;
}

Result<RunFile> readRunFile(const std::string& path) {
    const Result<std::string> text = readWholeFile(path, kLargestRunFile, "a run file");
    if (!text) return text.error();
    return parseRunFile(*text, path);
}

Result<void> writeRunFile(const RunFile& file, const std::string& path) {
    const std::string text = formatRunFile(file);
    const Result<RunFile> readBack = parseRunFile(text, path);
    if (!readBack) return Error{"it could not be opened again: " + readBack.error().message, path};
    return writeWholeFile(path, text);
}

std::string formatRunFile(const RunFile& file) {
    OrderedJson out;
    out["file"] = kMark;
    out["format"] = hasPrograms(file) ? 2 : 1;
    out["lesson"] = file.lesson;
    out["lesson_file"] = file.lessonFile;
    out["lesson_hash"] = file.lessonHash;
    out["current"] = written(file.current);
    if (file.own) out["own"] = written(*file.own);
    out["kept"] = OrderedJson::array();
    for (const SavedRun& run : file.kept)
        out["kept"].push_back(written(run));
    out["notes"] = OrderedJson::array();
    for (const Note& note : file.notes)
        out["notes"].push_back({{"step", note.step},
                                {"from_us", micros(note.from)},
                                {"until_us", micros(note.until)},
                                {"text", note.text}});
    if (!file.origin.empty()) out["origin"] = file.origin;
    return out.dump(2, ' ', false, OrderedJson::error_handler_t::replace) + "\n";
}

} // namespace lockscope
