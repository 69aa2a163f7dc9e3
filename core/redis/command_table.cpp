// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/redis/command_table.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "core/redis/commands.h"
#include "core/redis/numbers.h"

namespace lockscope::redis {

namespace {

constexpr KeyPositions kNoKeys{};
constexpr KeyPositions kOneKey{1, 1, 1};
constexpr KeyPositions kTwoKeys{1, 2, 1};
constexpr KeyPositions kAllKeys{1, -1, 1};
constexpr KeyPositions kPairs{1, -1, 2};
constexpr KeyPositions kSecond{2, 2, 1};
constexpr KeyPositions kAllButLast{1, -2, 1};
constexpr std::uint32_t kEvalFlags = kNoScript | kStale | kSkipMonitor | kNoMandatoryKeys | kMovableKeys;

// In a namespace of its own, so that the names of groups hide no types of the same name elsewhere.
namespace rows {

using enum Group;
constexpr Effect kNone = Effect::None;
constexpr Effect kPuts = Effect::Puts;
constexpr Effect kDeletes = Effect::Deletes;

// clang-format off
constexpr Command kCommands[] = {
    {"acl", -2, 0, kNoKeys, "6.0.0", Group::Server, kNone, nullptr},
    {"acl|cat", -2, kNoScript | kLoading | kStale, kNoKeys, "6.0.0", Group::Server, kNone, commands::aclCat},
    {"acl|help", 2, kLoading | kStale, kNoKeys, "6.0.0", Group::Server, kNone, commands::help},
    {"acl|list", 2, kNoScript | kLoading | kStale | kAdmin, kNoKeys, "6.0.0", Group::Server, kNone, commands::aclList},
    {"acl|users", 2, kNoScript | kLoading | kStale | kAdmin, kNoKeys, "6.0.0", Group::Server, kNone, commands::aclUsers},
    {"acl|whoami", 2, kNoScript | kLoading | kStale, kNoKeys, "6.0.0", Group::Server, kNone, commands::aclWhoAmI},
    {"append", 3, kWrite | kDenyOom | kFast, kOneKey, "2.0.0", String, kPuts, commands::append},
    {"asking", 1, kFast, kNoKeys, "3.0.0", Cluster, kNone, commands::cluster},
    {"auth", -2, kNoScript | kLoading | kStale | kFast | kAllowBusy | kNoAuth, kNoKeys, "1.0.0", Connection, kNone, commands::auth},
    {"bgsave", -1, kNoScript | kAdmin | kNoAsyncLoading, kNoKeys, "1.0.0", Group::Server, kNone, commands::bgSave},
    {"blmove", 6, kWrite | kDenyOom | kNoScript | kBlocking, kTwoKeys, "6.2.0", Group::List, kPuts, commands::blMove},
    {"blpop", -3, kWrite | kNoScript | kBlocking, kAllButLast, "2.0.0", Group::List, kDeletes, commands::blPop},
    {"brpop", -3, kWrite | kNoScript | kBlocking, kAllButLast, "2.0.0", Group::List, kDeletes, commands::brPop},
    {"brpoplpush", 4, kWrite | kDenyOom | kNoScript | kBlocking, kTwoKeys, "2.2.0", Group::List, kPuts, commands::brPopLPush},
    {"bzpopmax", -3, kWrite | kNoScript | kFast | kBlocking, kAllButLast, "5.0.0", SortedSet, kDeletes, commands::bzPopMax},
    {"bzpopmin", -3, kWrite | kNoScript | kFast | kBlocking, kAllButLast, "5.0.0", SortedSet, kDeletes, commands::bzPopMin},
    {"client", -2, 0, kNoKeys, "2.4.0", Connection, kNone, nullptr},
    {"client|getname", 2, kNoScript | kLoading | kStale, kNoKeys, "2.6.9", Connection, kNone, commands::clientGetName},
    {"client|help", 2, kLoading | kStale, kNoKeys, "5.0.0", Connection, kNone, commands::help},
    {"client|id", 2, kNoScript | kLoading | kStale, kNoKeys, "5.0.0", Connection, kNone, commands::clientId},
    {"client|info", 2, kNoScript | kLoading | kStale, kNoKeys, "6.2.0", Connection, kNone, commands::clientInfo},
    {"client|kill", -3, kNoScript | kLoading | kStale | kAdmin, kNoKeys, "2.4.0", Connection, kNone, commands::clientKill},
    {"client|list", -2, kNoScript | kLoading | kStale | kAdmin, kNoKeys, "2.4.0", Connection, kNone, commands::clientList},
    {"client|no-evict", 3, kNoScript | kLoading | kStale | kAdmin, kNoKeys, "7.0.0", Connection, kNone, commands::clientNoEvict},
    {"client|no-touch", 3, kNoScript | kLoading | kStale, kNoKeys, "7.2.0", Connection, kNone, commands::clientNoTouch},
    {"client|pause", -3, kNoScript | kLoading | kStale | kAdmin, kNoKeys, "2.9.50", Connection, kNone, commands::clientPause},
    {"client|reply", 3, kNoScript | kLoading | kStale, kNoKeys, "3.2.0", Connection, kNone, commands::clientReply},
    {"client|setinfo", 4, kNoScript | kLoading | kStale, kNoKeys, "7.2.0", Connection, kNone, commands::clientSetInfo},
    {"client|setname", 3, kNoScript | kLoading | kStale, kNoKeys, "2.6.9", Connection, kNone, commands::clientSetName},
    {"client|unblock", -3, kNoScript | kLoading | kStale | kAdmin, kNoKeys, "5.0.0", Connection, kNone, commands::clientUnblock},
    {"client|unpause", 2, kNoScript | kLoading | kStale | kAdmin, kNoKeys, "6.2.0", Connection, kNone, commands::clientUnpause},
    {"cluster", -2, 0, kNoKeys, "3.0.0", Cluster, kNone, nullptr},
    {"cluster|countkeysinslot", 3, kStale, kNoKeys, "3.0.0", Cluster, kNone, commands::cluster},
    {"cluster|getkeysinslot", 4, kStale, kNoKeys, "3.0.0", Cluster, kNone, commands::cluster},
    {"cluster|help", 2, kLoading | kStale, kNoKeys, "5.0.0", Cluster, kNone, commands::cluster},
    {"cluster|info", 2, kStale, kNoKeys, "3.0.0", Cluster, kNone, commands::cluster},
    {"cluster|keyslot", 3, kStale, kNoKeys, "3.0.0", Cluster, kNone, commands::cluster},
    {"cluster|myid", 2, kStale, kNoKeys, "3.0.0", Cluster, kNone, commands::cluster},
    {"cluster|nodes", 2, kStale, kNoKeys, "3.0.0", Cluster, kNone, commands::cluster},
    {"cluster|replicas", 3, kStale | kAdmin, kNoKeys, "5.0.0", Cluster, kNone, commands::cluster},
    {"cluster|shards", 2, kStale, kNoKeys, "7.0.0", Cluster, kNone, commands::cluster},
    {"cluster|slots", 2, kStale, kNoKeys, "3.0.0", Cluster, kNone, commands::cluster},
    {"command", -1, kLoading | kStale, kNoKeys, "2.8.13", Group::Server, kNone, commands::command},
    {"command|count", 2, kLoading | kStale, kNoKeys, "2.8.13", Group::Server, kNone, commands::commandCount},
    {"command|docs", -2, kLoading | kStale, kNoKeys, "7.0.0", Group::Server, kNone, commands::commandDocs},
    {"command|help", 2, kLoading | kStale, kNoKeys, "5.0.0", Group::Server, kNone, commands::help},
    {"command|info", -2, kLoading | kStale, kNoKeys, "2.8.13", Group::Server, kNone, commands::commandInfo},
    {"command|list", -2, kLoading | kStale, kNoKeys, "7.0.0", Group::Server, kNone, commands::commandList},
    {"config", -2, 0, kNoKeys, "2.0.0", Group::Server, kNone, nullptr},
    {"config|get", -3, kNoScript | kLoading | kStale | kAdmin, kNoKeys, "2.0.0", Group::Server, kNone, commands::configGet},
    {"config|help", 2, kLoading | kStale, kNoKeys, "5.0.0", Group::Server, kNone, commands::help},
    {"config|resetstat", 2, kNoScript | kLoading | kStale | kAdmin, kNoKeys, "2.0.0", Group::Server, kNone, commands::configResetStat},
    {"config|rewrite", 2, kNoScript | kLoading | kStale | kAdmin, kNoKeys, "2.8.0", Group::Server, kNone, commands::configRewrite},
    {"config|set", -4, kNoScript | kLoading | kStale | kAdmin, kNoKeys, "2.0.0", Group::Server, kNone, commands::configSet},
    {"dbsize", 1, kReadOnly | kFast, kNoKeys, "1.0.0", Group::Server, kNone, commands::dbSize},
    {"debug", -2, kNoScript | kLoading | kStale | kAdmin, kNoKeys, "1.0.0", Group::Server, kNone, commands::debug},
    {"decr", 2, kWrite | kDenyOom | kFast, kOneKey, "1.0.0", String, kPuts, commands::decr},
    {"decrby", 3, kWrite | kDenyOom | kFast, kOneKey, "1.0.0", String, kPuts, commands::decrBy},
    {"del", -2, kWrite, kAllKeys, "1.0.0", Generic, kDeletes, commands::del},
    {"delex", -2, kWrite | kFast, kOneKey, "8.4.0", String, kDeletes, commands::delEx},
    {"delifeq", 3, kWrite, kOneKey, "9.0.0", String, kDeletes, commands::delIfEq, Product::Valkey},
    {"digest", 2, kReadOnly | kFast, kOneKey, "8.4.0", String, kNone, commands::digest},
    {"discard", 1, kNoScript | kLoading | kStale | kFast | kAllowBusy, kNoKeys, "2.0.0", Transactions, kNone, commands::discard},
    {"echo", 2, kLoading | kStale | kFast, kNoKeys, "1.0.0", Connection, kNone, commands::echo},
    {"eval", -3, kEvalFlags, kNoKeys, "2.6.0", Scripting, kNone, commands::eval},
    {"eval_ro", -3, kEvalFlags | kReadOnly, kNoKeys, "7.0.0", Scripting, kNone, commands::evalReadOnly},
    {"evalsha", -3, kEvalFlags, kNoKeys, "2.6.0", Scripting, kNone, commands::evalSha},
    {"evalsha_ro", -3, kEvalFlags | kReadOnly, kNoKeys, "7.0.0", Scripting, kNone, commands::evalShaReadOnly},
    {"exec", 1, kNoScript | kLoading | kStale | kSkipSlowlog, kNoKeys, "1.2.0", Transactions, kNone, commands::exec},
    {"exists", -2, kReadOnly | kFast, kAllKeys, "1.0.0", Generic, kNone, commands::exists},
    {"expire", -3, kWrite | kFast, kOneKey, "1.0.0", Generic, kNone, commands::expire},
    {"expireat", -3, kWrite | kFast, kOneKey, "1.2.0", Generic, kNone, commands::expireAt},
    {"expiretime", 2, kReadOnly | kFast, kOneKey, "7.0.0", Generic, kNone, commands::expireTime},
    {"flushall", -1, kWrite, kNoKeys, "1.0.0", Group::Server, kDeletes, commands::flushAll},
    {"flushdb", -1, kWrite, kNoKeys, "1.0.0", Group::Server, kDeletes, commands::flushDb},
    {"function", -2, 0, kNoKeys, "7.0.0", Scripting, kNone, nullptr},
    {"function|flush", -2, kWrite | kNoScript, kNoKeys, "7.0.0", Scripting, kNone, commands::functionFlush},
    {"function|help", 2, kLoading | kStale, kNoKeys, "7.0.0", Scripting, kNone, commands::help},
    {"function|list", -2, kNoScript, kNoKeys, "7.0.0", Scripting, kNone, commands::functionList},
    {"function|stats", 2, kNoScript | kAllowBusy, kNoKeys, "7.0.0", Scripting, kNone, commands::functionStats},
    {"get", 2, kReadOnly | kFast, kOneKey, "1.0.0", String, kNone, commands::get},
    {"getdel", 2, kWrite | kFast, kOneKey, "6.2.0", String, kDeletes, commands::getDel},
    {"getex", -2, kWrite | kFast, kOneKey, "6.2.0", String, kNone, commands::getEx},
    {"getrange", 4, kReadOnly, kOneKey, "2.4.0", String, kNone, commands::getRange},
    {"getset", 3, kWrite | kDenyOom | kFast, kOneKey, "1.0.0", String, kPuts, commands::getSet},
    {"hdel", -3, kWrite | kFast, kOneKey, "2.0.0", Group::Hash, kDeletes, commands::hDel},
    {"hello", -1, kNoScript | kLoading | kStale | kFast | kAllowBusy | kNoAuth, kNoKeys, "6.0.0", Connection, kNone, commands::hello},
    {"hexists", 3, kReadOnly | kFast, kOneKey, "2.0.0", Group::Hash, kNone, commands::hExists},
    {"hget", 3, kReadOnly | kFast, kOneKey, "2.0.0", Group::Hash, kNone, commands::hGet},
    {"hgetall", 2, kReadOnly, kOneKey, "2.0.0", Group::Hash, kNone, commands::hGetAll},
    {"hincrby", 4, kWrite | kDenyOom | kFast, kOneKey, "2.0.0", Group::Hash, kPuts, commands::hIncrBy},
    {"hincrbyfloat", 4, kWrite | kDenyOom | kFast, kOneKey, "2.6.0", Group::Hash, kPuts, commands::hIncrByFloat},
    {"hkeys", 2, kReadOnly, kOneKey, "2.0.0", Group::Hash, kNone, commands::hKeys},
    {"hlen", 2, kReadOnly | kFast, kOneKey, "2.0.0", Group::Hash, kNone, commands::hLen},
    {"hmget", -3, kReadOnly | kFast, kOneKey, "2.0.0", Group::Hash, kNone, commands::hMGet},
    {"hmset", -4, kWrite | kDenyOom | kFast, kOneKey, "2.0.0", Group::Hash, kPuts, commands::hSet},
    {"hrandfield", -2, kReadOnly, kOneKey, "6.2.0", Group::Hash, kNone, commands::hRandField},
    {"hscan", -3, kReadOnly, kOneKey, "2.8.0", Group::Hash, kNone, commands::hScan},
    {"hset", -4, kWrite | kDenyOom | kFast, kOneKey, "2.0.0", Group::Hash, kPuts, commands::hSet},
    {"hsetnx", 4, kWrite | kDenyOom | kFast, kOneKey, "2.0.0", Group::Hash, kPuts, commands::hSetNx},
    {"hstrlen", 3, kReadOnly | kFast, kOneKey, "3.2.0", Group::Hash, kNone, commands::hStrLen},
    {"hvals", 2, kReadOnly, kOneKey, "2.0.0", Group::Hash, kNone, commands::hVals},
    {"incr", 2, kWrite | kDenyOom | kFast, kOneKey, "1.0.0", String, kPuts, commands::incr},
    {"incrby", 3, kWrite | kDenyOom | kFast, kOneKey, "1.0.0", String, kPuts, commands::incrBy},
    {"incrbyfloat", 3, kWrite | kDenyOom | kFast, kOneKey, "2.6.0", String, kPuts, commands::incrByFloat},
    {"info", -1, kLoading | kStale, kNoKeys, "1.0.0", Group::Server, kNone, commands::info},
    {"keys", 2, kReadOnly, kNoKeys, "1.0.0", Generic, kNone, commands::keys},
    {"lastsave", 1, kLoading | kStale | kFast, kNoKeys, "1.0.0", Group::Server, kNone, commands::lastSave},
    {"latency", -2, 0, kNoKeys, "2.8.13", Group::Server, kNone, nullptr},
    {"latency|doctor", 2, kNoScript | kLoading | kStale | kAdmin, kNoKeys, "2.8.13", Group::Server, kNone, commands::latencyDoctor},
    {"latency|graph", 3, kNoScript | kLoading | kStale | kAdmin, kNoKeys, "2.8.13", Group::Server, kNone, commands::latencyGraph},
    {"latency|help", 2, kLoading | kStale, kNoKeys, "2.8.13", Group::Server, kNone, commands::help},
    {"latency|histogram", -2, kNoScript | kLoading | kStale | kAdmin, kNoKeys, "7.0.0", Group::Server, kNone, commands::latencyHistogram},
    {"latency|history", 3, kNoScript | kLoading | kStale | kAdmin, kNoKeys, "2.8.13", Group::Server, kNone, commands::latencyHistory},
    {"latency|latest", 2, kNoScript | kLoading | kStale | kAdmin, kNoKeys, "2.8.13", Group::Server, kNone, commands::latencyLatest},
    {"latency|reset", -2, kNoScript | kLoading | kStale | kAdmin, kNoKeys, "2.8.13", Group::Server, kNone, commands::latencyReset},
    {"lindex", 3, kReadOnly, kOneKey, "1.0.0", Group::List, kNone, commands::lIndex},
    {"linsert", 5, kWrite | kDenyOom, kOneKey, "2.2.0", Group::List, kPuts, commands::lInsert},
    {"llen", 2, kReadOnly | kFast, kOneKey, "1.0.0", Group::List, kNone, commands::lLen},
    {"lmove", 5, kWrite | kDenyOom, kTwoKeys, "6.2.0", Group::List, kPuts, commands::lMove},
    {"lpop", -2, kWrite | kFast, kOneKey, "1.0.0", Group::List, kDeletes, commands::lPop},
    {"lpush", -3, kWrite | kDenyOom | kFast, kOneKey, "1.0.0", Group::List, kPuts, commands::lPush},
    {"lpushx", -3, kWrite | kDenyOom | kFast, kOneKey, "2.2.0", Group::List, kPuts, commands::lPushX},
    {"lrange", 4, kReadOnly, kOneKey, "1.0.0", Group::List, kNone, commands::lRange},
    {"lrem", 4, kWrite, kOneKey, "1.0.0", Group::List, kDeletes, commands::lRem},
    {"lset", 4, kWrite | kDenyOom, kOneKey, "1.0.0", Group::List, kPuts, commands::lSet},
    {"ltrim", 4, kWrite, kOneKey, "1.0.0", Group::List, kDeletes, commands::lTrim},
    {"memory", -2, 0, kNoKeys, "4.0.0", Group::Server, kNone, nullptr},
    {"memory|doctor", 2, 0, kNoKeys, "4.0.0", Group::Server, kNone, commands::memoryDoctor},
    {"memory|help", 2, kLoading | kStale, kNoKeys, "4.0.0", Group::Server, kNone, commands::help},
    {"memory|malloc-stats", 2, 0, kNoKeys, "4.0.0", Group::Server, kNone, commands::memoryMallocStats},
    {"memory|purge", 2, 0, kNoKeys, "4.0.0", Group::Server, kNone, commands::memoryPurge},
    {"memory|usage", -3, kReadOnly, kSecond, "4.0.0", Group::Server, kNone, commands::memoryUsage},
    {"mget", -2, kReadOnly | kFast, kAllKeys, "1.0.0", String, kNone, commands::mGet},
    {"module", -2, 0, kNoKeys, "4.0.0", Group::Server, kNone, nullptr},
    {"module|help", 2, kLoading | kStale, kNoKeys, "5.0.0", Group::Server, kNone, commands::help},
    {"module|list", 2, kNoScript | kAdmin, kNoKeys, "4.0.0", Group::Server, kNone, commands::moduleList},
    {"monitor", 1, kNoScript | kLoading | kStale | kAdmin, kNoKeys, "1.0.0", Group::Server, kNone, commands::monitor},
    {"mset", -3, kWrite | kDenyOom, kPairs, "1.0.1", String, kPuts, commands::mSet},
    {"msetnx", -3, kWrite | kDenyOom, kPairs, "1.0.1", String, kPuts, commands::mSetNx},
    {"multi", 1, kNoScript | kLoading | kStale | kFast | kAllowBusy, kNoKeys, "1.2.0", Transactions, kNone, commands::multi},
    {"object", -2, 0, kNoKeys, "2.2.3", Generic, kNone, nullptr},
    {"object|encoding", 3, kReadOnly, kSecond, "2.2.3", Generic, kNone, commands::objectEncoding},
    {"object|freq", 3, kReadOnly, kSecond, "4.0.0", Generic, kNone, commands::objectFreq},
    {"object|help", 2, kLoading | kStale, kNoKeys, "6.2.0", Generic, kNone, commands::help},
    {"object|idletime", 3, kReadOnly, kSecond, "2.2.3", Generic, kNone, commands::objectIdleTime},
    {"object|refcount", 3, kReadOnly, kSecond, "2.2.3", Generic, kNone, commands::objectRefCount},
    {"persist", 2, kWrite | kFast, kOneKey, "2.2.0", Generic, kNone, commands::persist},
    {"pexpire", -3, kWrite | kFast, kOneKey, "2.6.0", Generic, kNone, commands::pExpire},
    {"pexpireat", -3, kWrite | kFast, kOneKey, "2.6.0", Generic, kNone, commands::pExpireAt},
    {"pexpiretime", 2, kReadOnly | kFast, kOneKey, "7.0.0", Generic, kNone, commands::pExpireTime},
    {"ping", -1, kFast, kNoKeys, "1.0.0", Connection, kNone, commands::ping},
    {"psetex", 4, kWrite | kDenyOom, kOneKey, "2.6.0", String, kPuts, commands::pSetEx},
    {"psubscribe", -2, kNoScript | kLoading | kStale | kPubSub, kNoKeys, "2.0.0", PubSub, kNone, commands::pSubscribe},
    {"pttl", 2, kReadOnly | kFast, kOneKey, "2.6.0", Generic, kNone, commands::pTtl},
    {"publish", 3, kLoading | kStale | kFast | kPubSub, kNoKeys, "2.0.0", PubSub, kNone, commands::publish},
    {"pubsub", -2, 0, kNoKeys, "2.8.0", PubSub, kNone, nullptr},
    {"pubsub|channels", -2, kLoading | kStale | kPubSub, kNoKeys, "2.8.0", PubSub, kNone, commands::pubSubChannels},
    {"pubsub|help", 2, kLoading | kStale, kNoKeys, "6.2.0", PubSub, kNone, commands::help},
    {"pubsub|numpat", 2, kLoading | kStale | kPubSub, kNoKeys, "2.8.0", PubSub, kNone, commands::pubSubNumPat},
    {"pubsub|numsub", -2, kLoading | kStale | kPubSub, kNoKeys, "2.8.0", PubSub, kNone, commands::pubSubNumSub},
    {"punsubscribe", -1, kNoScript | kLoading | kStale | kPubSub, kNoKeys, "2.0.0", PubSub, kNone, commands::pUnsubscribe},
    {"quit", -1, kNoScript | kLoading | kStale | kFast | kAllowBusy | kNoAuth, kNoKeys, "1.0.0", Connection, kNone, commands::quit},
    {"randomkey", 1, kReadOnly, kNoKeys, "1.0.0", Generic, kNone, commands::randomKey},
    {"readonly", 1, kLoading | kStale | kFast, kNoKeys, "3.0.0", Cluster, kNone, commands::cluster},
    {"readwrite", 1, kLoading | kStale | kFast, kNoKeys, "3.0.0", Cluster, kNone, commands::cluster},
    {"rename", 3, kWrite, kTwoKeys, "1.0.0", Generic, kPuts, commands::rename},
    {"renamenx", 3, kWrite | kFast, kTwoKeys, "1.0.0", Generic, kPuts, commands::renameNx},
    {"reset", 1, kNoScript | kLoading | kStale | kFast | kAllowBusy | kNoAuth, kNoKeys, "6.2.0", Connection, kNone, commands::reset},
    {"role", 1, kNoScript | kLoading | kStale | kFast, kNoKeys, "2.8.12", Group::Server, kNone, commands::role},
    {"rpop", -2, kWrite | kFast, kOneKey, "1.0.0", Group::List, kDeletes, commands::rPop},
    {"rpoplpush", 3, kWrite | kDenyOom, kTwoKeys, "1.2.0", Group::List, kPuts, commands::rPopLPush},
    {"rpush", -3, kWrite | kDenyOom | kFast, kOneKey, "1.0.0", Group::List, kPuts, commands::rPush},
    {"rpushx", -3, kWrite | kDenyOom | kFast, kOneKey, "2.2.0", Group::List, kPuts, commands::rPushX},
    {"sadd", -3, kWrite | kDenyOom | kFast, kOneKey, "1.0.0", Group::Set, kPuts, commands::sAdd},
    {"save", 1, kNoScript | kAdmin | kNoMulti | kNoAsyncLoading, kNoKeys, "1.0.0", Group::Server, kNone, commands::save},
    {"scan", -2, kReadOnly, kNoKeys, "2.8.0", Generic, kNone, commands::scan},
    {"scard", 2, kReadOnly | kFast, kOneKey, "1.0.0", Group::Set, kNone, commands::sCard},
    {"script", -2, 0, kNoKeys, "2.6.0", Scripting, kNone, nullptr},
    {"script|exists", -3, kNoScript, kNoKeys, "2.6.0", Scripting, kNone, commands::scriptExists},
    {"script|flush", -2, kNoScript, kNoKeys, "2.6.0", Scripting, kNone, commands::scriptFlush},
    {"script|help", 2, kLoading | kStale, kNoKeys, "5.0.0", Scripting, kNone, commands::help},
    {"script|kill", 2, kNoScript | kAllowBusy, kNoKeys, "2.6.0", Scripting, kNone, commands::scriptKill},
    {"script|load", 3, kNoScript | kStale, kNoKeys, "2.6.0", Scripting, kNone, commands::scriptLoad},
    {"select", 2, kLoading | kStale | kFast, kNoKeys, "1.0.0", Connection, kNone, commands::select},
    {"set", -3, kWrite | kDenyOom, kOneKey, "1.0.0", String, kPuts, commands::set},
    {"setex", 4, kWrite | kDenyOom, kOneKey, "2.0.0", String, kPuts, commands::setEx},
    {"setnx", 3, kWrite | kDenyOom | kFast, kOneKey, "1.0.0", String, kPuts, commands::setNx},
    {"setrange", 4, kWrite | kDenyOom, kOneKey, "2.2.0", String, kPuts, commands::setRange},
    {"shutdown", -1, kNoScript | kLoading | kStale | kAllowBusy | kAdmin | kNoMulti, kNoKeys, "1.0.0", Group::Server, kNone, commands::shutdown},
    {"sismember", 3, kReadOnly | kFast, kOneKey, "1.0.0", Group::Set, kNone, commands::sIsMember},
    {"slowlog", -2, 0, kNoKeys, "2.2.12", Group::Server, kNone, nullptr},
    {"slowlog|get", -2, kLoading | kStale | kAdmin, kNoKeys, "2.2.12", Group::Server, kNone, commands::slowLogGet},
    {"slowlog|help", 2, kLoading | kStale, kNoKeys, "6.2.0", Group::Server, kNone, commands::help},
    {"slowlog|len", 2, kLoading | kStale | kAdmin, kNoKeys, "2.2.12", Group::Server, kNone, commands::slowLogLen},
    {"slowlog|reset", 2, kLoading | kStale | kAdmin, kNoKeys, "2.2.12", Group::Server, kNone, commands::slowLogReset},
    {"smembers", 2, kReadOnly, kOneKey, "1.0.0", Group::Set, kNone, commands::sMembers},
    {"smismember", -3, kReadOnly | kFast, kOneKey, "6.2.0", Group::Set, kNone, commands::sMIsMember},
    {"smove", 4, kWrite | kFast, kTwoKeys, "1.0.0", Group::Set, kPuts, commands::sMove},
    {"spop", -2, kWrite | kFast, kOneKey, "1.0.0", Group::Set, kDeletes, commands::sPop},
    {"srandmember", -2, kReadOnly, kOneKey, "1.0.0", Group::Set, kNone, commands::sRandMember},
    {"srem", -3, kWrite | kFast, kOneKey, "1.0.0", Group::Set, kDeletes, commands::sRem},
    {"sscan", -3, kReadOnly, kOneKey, "2.8.0", Group::Set, kNone, commands::sScan},
    {"strlen", 2, kReadOnly | kFast, kOneKey, "2.2.0", String, kNone, commands::strLen},
    {"subscribe", -2, kNoScript | kLoading | kStale | kPubSub, kNoKeys, "2.0.0", PubSub, kNone, commands::subscribe},
    {"substr", 4, kReadOnly, kOneKey, "1.0.0", String, kNone, commands::getRange},
    {"time", 1, kLoading | kStale | kFast, kNoKeys, "2.6.0", Group::Server, kNone, commands::time},
    {"touch", -2, kReadOnly | kFast, kAllKeys, "3.2.1", Generic, kNone, commands::touch},
    {"ttl", 2, kReadOnly | kFast, kOneKey, "1.0.0", Generic, kNone, commands::ttl},
    {"type", 2, kReadOnly | kFast, kOneKey, "1.0.0", Generic, kNone, commands::type},
    {"unlink", -2, kWrite | kFast, kAllKeys, "4.0.0", Generic, kDeletes, commands::unlink},
    {"unsubscribe", -1, kNoScript | kLoading | kStale | kPubSub, kNoKeys, "2.0.0", PubSub, kNone, commands::unsubscribe},
    {"unwatch", 1, kNoScript | kLoading | kStale | kFast | kAllowBusy, kNoKeys, "2.2.0", Transactions, kNone, commands::unwatch},
    {"wait", 3, kNoScript, kNoKeys, "3.0.0", Generic, kNone, commands::wait},
    {"watch", -2, kNoScript | kLoading | kStale | kFast | kAllowBusy, kAllKeys, "2.2.0", Transactions, kNone, commands::watch},
    {"zadd", -4, kWrite | kDenyOom | kFast, kOneKey, "1.2.0", SortedSet, kPuts, commands::zAdd},
    {"zcard", 2, kReadOnly | kFast, kOneKey, "1.2.0", SortedSet, kNone, commands::zCard},
    {"zcount", 4, kReadOnly | kFast, kOneKey, "2.0.0", SortedSet, kNone, commands::zCount},
    {"zincrby", 4, kWrite | kDenyOom | kFast, kOneKey, "1.2.0", SortedSet, kPuts, commands::zIncrBy},
    {"zlexcount", 4, kReadOnly | kFast, kOneKey, "2.8.9", SortedSet, kNone, commands::zLexCount},
    {"zmscore", -3, kReadOnly | kFast, kOneKey, "6.2.0", SortedSet, kNone, commands::zMScore},
    {"zpopmax", -2, kWrite | kFast, kOneKey, "5.0.0", SortedSet, kDeletes, commands::zPopMax},
    {"zpopmin", -2, kWrite | kFast, kOneKey, "5.0.0", SortedSet, kDeletes, commands::zPopMin},
    {"zrange", -4, kReadOnly, kOneKey, "1.2.0", SortedSet, kNone, commands::zRange},
    {"zrangebylex", -4, kReadOnly, kOneKey, "2.8.9", SortedSet, kNone, commands::zRangeByLex},
    {"zrangebyscore", -4, kReadOnly, kOneKey, "1.0.5", SortedSet, kNone, commands::zRangeByScore},
    {"zrank", 3, kReadOnly | kFast, kOneKey, "2.0.0", SortedSet, kNone, commands::zRank},
    {"zrem", -3, kWrite | kFast, kOneKey, "1.2.0", SortedSet, kDeletes, commands::zRem},
    {"zremrangebylex", 4, kWrite, kOneKey, "2.8.9", SortedSet, kDeletes, commands::zRemRangeByLex},
    {"zremrangebyrank", 4, kWrite, kOneKey, "2.0.0", SortedSet, kDeletes, commands::zRemRangeByRank},
    {"zremrangebyscore", 4, kWrite, kOneKey, "1.2.0", SortedSet, kDeletes, commands::zRemRangeByScore},
    {"zrevrange", -4, kReadOnly, kOneKey, "1.2.0", SortedSet, kNone, commands::zRevRange},
    {"zrevrangebylex", -4, kReadOnly, kOneKey, "2.8.9", SortedSet, kNone, commands::zRevRangeByLex},
    {"zrevrangebyscore", -4, kReadOnly, kOneKey, "2.2.0", SortedSet, kNone, commands::zRevRangeByScore},
    {"zrevrank", 3, kReadOnly | kFast, kOneKey, "2.0.0", SortedSet, kNone, commands::zRevRank},
    {"zscan", -3, kReadOnly, kOneKey, "2.8.0", SortedSet, kNone, commands::zScan},
    {"zscore", 3, kReadOnly | kFast, kOneKey, "1.2.0", SortedSet, kNone, commands::zScore},
};
// clang-format on

} // namespace rows
using rows::kCommands;

// Where a name stands in the table: open addressing, worked out by the compiler.
constexpr std::size_t kSlots = 1024;
constexpr std::uint16_t kFree = 0xFFFF;
static_assert(std::size(kCommands) < kSlots / 2);

constexpr std::uint32_t nameHash(std::string_view name) {
    std::uint32_t hash = 2166136261u;
    for (const char c : name)
        hash = (hash ^ static_cast<std::uint32_t>(c | 0x20)) * 16777619u;
    return hash ^ (hash >> 15);
}

constexpr std::array<std::uint16_t, kSlots> makeIndex() {
    std::array<std::uint16_t, kSlots> index{};
    index.fill(kFree);
    for (std::size_t i = 0; i < std::size(kCommands); ++i) {
        std::size_t slot = nameHash(kCommands[i].name) % kSlots;
        while (index[slot] != kFree)
            slot = (slot + 1) % kSlots;
        index[slot] = static_cast<std::uint16_t>(i);
    }
    return index;
}
constexpr std::array<std::uint16_t, kSlots> kIndex = makeIndex();

// Which profiles know it: a bit each.
constexpr std::array<std::uint8_t, std::size(kCommands)> makeAvailability() {
    std::array<std::uint8_t, std::size(kCommands)> availability{};
    for (std::size_t i = 0; i < std::size(kCommands); ++i) {
        for (const Profile profile : kProfiles) {
            const ProfileFacts& facts = factsOf(profile);
            const bool ofValkey = kCommands[i].product == Product::Valkey;
            const bool known = Version::of(kCommands[i].since) <=
                                   Version::of(ofValkey ? facts.version : facts.redisVersion) &&
                               (!ofValkey || facts.product == Product::Valkey);
            if (known) availability[i] |= static_cast<std::uint8_t>(1u << static_cast<unsigned>(profile));
        }
    }
    return availability;
}
constexpr auto kAvailability = makeAvailability();

} // namespace

std::span<const Command> commandTable() {
    return kCommands;
}

bool isIn(const Command& command, Profile profile) {
    const auto row = static_cast<std::size_t>(&command - kCommands);
    return (kAvailability[row] >> static_cast<unsigned>(profile) & 1u) != 0;
}

bool hasSubcommands(const Command& command) {
    return command.isContainer() || command.handler == commands::command;
}

const Command* findCommand(std::string_view name) {
    for (std::size_t slot = nameHash(name) % kSlots; kIndex[slot] != kFree; slot = (slot + 1) % kSlots) {
        const Command& command = kCommands[kIndex[slot]];
        if (equalsIgnoringCase(name, command.name)) return &command;
    }
    return nullptr;
}

const Command* resolveCommand(std::span<const std::string_view> args) {
    const Command* command = findCommand(args[0]);
    if (!command || args[0].find('|') != std::string_view::npos) return nullptr;
    if (!hasSubcommands(*command) || args.size() < 2) return command;
    // The full name in a buffer: no subcommand is longer.
    std::array<char, 32> full{};
    const std::size_t length = args[0].size() + 1 + args[1].size();
    if (length > full.size()) return nullptr;
    auto end = std::ranges::copy(args[0], full.begin()).out;
    *end++ = '|';
    std::ranges::copy(args[1], end);
    return findCommand({full.data(), length});
}

} // namespace lockscope::redis
