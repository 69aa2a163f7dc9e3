// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/live/server_keys.h"

#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "core/redis/reply.h"
#include "core/world/load.h"

namespace lockscope::live {

namespace {

/// All at one instant: the command that makes each key, its name, its deadline (-1: none), and what is in it.
constexpr std::string_view kAsk = R"(
local skip = ARGV[1]
local now = redis.call("TIME")
now = now[1] * 1000 + math.floor(now[2] / 1000)
local all = {}
for _, key in ipairs(redis.call("KEYS", "*")) do
  local kind = redis.call("TYPE", key).ok
  local left = redis.call("PTTL", key)
  local make, items
  if string.sub(key, 1, #skip) == skip or left == -2 then kind = "none" end
  if kind == "string" then make, items = "SET", {redis.call("GET", key)}
  elseif kind == "list" then make, items = "RPUSH", redis.call("LRANGE", key, 0, -1)
  elseif kind == "set" then make, items = "SADD", redis.call("SMEMBERS", key)
  elseif kind == "hash" then make, items = "HSET", redis.call("HGETALL", key)
  elseif kind == "zset" then
    make, items = "ZADD", {}
    local members = redis.call("ZRANGE", key, 0, -1, "WITHSCORES")
    for i = 1, #members, 2 do
      items[i], items[i + 1] = members[i + 1], members[i]
    end
  end
  if make then
    local exact = redis.pcall("PEXPIRETIME", key) -- since 7.0
    if type(exact) ~= "number" then exact = left < 0 and left or now + left end
    all[#all + 1] = {make, key, string.format("%.0f", exact), items}
  end
end
return all
)";

std::vector<redis::StoredCommand> commandsOf(const redis::Reply& reply) {
    std::vector<redis::StoredCommand> all;
    for (const redis::Reply& told : reply.items) {
        if (told.items.size() != 4) continue;
        const std::string& key = told.items[1].text;
        redis::StoredCommand make{0, {told.items[0].text, key}};
        for (const redis::Reply& item : told.items[3].items)
            make.words.push_back(item.text);
        all.push_back(std::move(make));
        if (const std::string& deadline = told.items[2].text; deadline != "-1")
            all.push_back({0, {"PEXPIREAT", key, deadline}});
    }
    return all;
}

} // namespace

void askForKeys(RedisConnection& connection,
                std::function<void(std::optional<std::vector<redis::StoredCommand>>)> then) {
    const std::array<std::string_view, 4> args{"EVAL", kAsk, "0", kLoadPrefix};
    connection.send(args, [then = std::move(then)](const CallResult& result) {
        if (!result.reply || result.reply->isError()) return then(std::nullopt);
        then(commandsOf(*result.reply));
    });
}

} // namespace lockscope::live
