// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/json_interventions.h"

#include "core/trace/exports.h"
#include "core/trace/json_writer.h"

namespace lockscope {

namespace {

void writeLoad(JsonWriter& json, const TraceLoad& load) {
    json.key("load");
    json.beginObject();
    json.member("writes", load.writes);
    json.member("refused", load.refused);
    if (load.firstRefused > 0) json.member("first_refused", load.firstRefused);
    json.member("evicted", load.evicted);
    json.member("used_bytes", load.usedBytes);
    json.member("limit_bytes", load.limitBytes);
    json.endObject();
}

} // namespace

void writeIntervention(JsonWriter& json, const Trace& trace, std::size_t which) {
    const TraceIntervention& done = trace.interventions[which];
    json.member("kind", std::string_view(done.kind));
    if (!done.target.empty()) json.member("actor", std::string_view(done.target));
    json.member("at_us", done.at);
    if (done.length.count() != 0) json.member("length_us", done.length);
    if (!done.command.empty()) json.member("command", std::string_view(done.command));
    json.member("applied", done.applied);
    if (done.takenBack) json.member("taken_back", true);
    if (const std::string_view answer = answerTo(trace, which); !answer.empty())
        json.member("answer", answer);
    if (done.load) writeLoad(json, *done.load);
}

} // namespace lockscope
