// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/redis/reply.h"
#include "core/trace/trace.h"

namespace lockscope {

/// Bytes of any kind as a trace shows them: what does not print as `\n`, `\xff`; UTF-8 stays; what is longer
/// than `most` bytes is cut between characters and gets an `…`.
void appendShown(std::string_view bytes, std::size_t most, std::string& out);
/// The same as an argument that one types: in double quotes if it is empty or has spaces or quotes in it.
void appendTyped(std::string_view bytes, std::size_t most, std::string& out);

/// The first of them, as a string of a trace.
StringId internShown(Trace& trace, std::string_view bytes, std::size_t most);

/// What RequestExecuted and ReplyReceived say about a reply in b: bit 0 an error, bit 1 nil, false or 0.
std::int64_t replyFlags(const redis::Reply& reply);

} // namespace lockscope
