// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/divergence.h"

#include "core/trace/phrases.h"
#include "core/trace/wording.h"

namespace lockscope {

std::string sentenceFor(const TraceDivergence& first, int answers) {
    std::string text = say("At {0} {1} really got {2} to {3}; in this run it is {4}.", sayTime(first.at),
                           first.client, first.then, first.command, first.now);
    if (answers > 1) text += " " + say("{0} answers differ.", sayNumber(static_cast<std::uint64_t>(answers)));
    return text + " " +
           translated("What the client would have done then nobody knows: it goes on as it did.");
}

void writeDivergence(JsonWriter& json, const Trace& trace) {
    if (!trace.diverged) return;
    const TraceDivergence& first = *trace.diverged;
    json.key("diverged");
    json.beginObject();
    json.member("answers", trace.divergences);
    json.member("at_us", first.at);
    json.member("client", std::string_view(first.client));
    json.member("command", std::string_view(first.command));
    json.member("then", std::string_view(first.then));
    json.member("now", std::string_view(first.now));
    json.endObject();
}

} // namespace lockscope
