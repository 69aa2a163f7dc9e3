// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Bytes of a client: however they are cut into pieces, the same commands come out, and no more memory is held
// than came.
#include <string>
#include <string_view>
#include <vector>

#include "core/redis/resp.h"
#include "tests/fuzz/must.h"

using namespace lockscope;
using namespace lockscope::redis;

namespace {

/// Appends what can be understood now; false after an error.
bool takeCommands(RequestParser& parser, std::string& out) {
    while (true) {
        switch (parser.next()) {
        case RequestParser::Outcome::NeedMore:
            return true;
        case RequestParser::Outcome::Error:
            out.append("!").append(parser.error());
            must(parser.error().find('\n') == std::string::npos, "an error is one line");
            must(parser.next() == RequestParser::Outcome::Error, "after an error there is nothing else");
            return false;
        case RequestParser::Outcome::Command:
            must(!parser.arguments().empty(), "a command has a name");
            for (const std::string_view argument : parser.arguments())
                out.append("[").append(argument).append("]");
            out += '\n';
        }
    }
}

std::string inPieces(std::string_view bytes, std::size_t piece, RequestLimits limits) {
    RequestParser parser(limits);
    std::string out;
    std::size_t fed = 0;
    while (fed < bytes.size()) {
        const std::size_t size = std::min(piece, bytes.size() - fed);
        parser.feed(bytes.substr(fed, size));
        fed += size;
        const bool goesOn = takeCommands(parser, out);
        must(parser.held() <= fed, "only bytes that came are held");
        if (!goesOn) break;
        piece = piece * 3 % 17 + 1;
    }
    return out;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
    if (size < 2) return 0;
    const std::string_view bytes(reinterpret_cast<const char*>(data) + 2, size - 2);
    RequestLimits limits;
    if ((data[0] & 1) != 0) limits = RequestLimits::beforeAuthentication();
    if ((data[0] & 2) != 0) limits.lineBytes = 64;
    const std::string whole = inPieces(bytes, bytes.size() + 1, limits);
    must(inPieces(bytes, 1 + data[1] % 16, limits) == whole, "pieces make no difference");
    std::vector<std::string> words;
    splitArguments(bytes, words);
    return 0;
}
