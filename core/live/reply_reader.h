// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "core/redis/reply.h"

struct redisReader;
struct redisReadTask;

namespace lockscope::live {

/// What a server may answer at once, so that a broken or hostile one cannot fill the memory.
struct ReplyLimits {
    std::size_t bytes = 64 * 1024 * 1024; ///< of one reply while it arrives
    std::size_t items = 1024 * 1024;      ///< in all arrays of one reply together
};

/// Cuts the bytes of a RESP2 server into replies. hiredis parses; the replies are built as our own.
class ReplyReader {
public:
    explicit ReplyReader(ReplyLimits limits = {});
    ~ReplyReader();
    ReplyReader(const ReplyReader&) = delete;
    ReplyReader& operator=(const ReplyReader&) = delete;

    enum class Outcome { Reply, NeedMore, Broken };
    void feed(std::string_view bytes);
    /// After Broken the stream is of no use any more; error() says why.
    Outcome next(redis::Reply& into);
    const std::string& error() const { return m_error; }

private:
    struct Building;

    ReplyLimits m_limits;
    std::unique_ptr<Building> m_building;
    std::unique_ptr<redisReader, void (*)(redisReader*)> m_reader;
    std::string m_error;
};

} // namespace lockscope::live
