// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/conformance/sequence.h"

#include <algorithm>
#include <cctype>
#include <string_view>

#include "core/redis/command_table.h"
#include "core/redis/reply.h"
#include "core/redis/sha1.h"

namespace lockscope::redis {

namespace {

using Words = std::vector<std::string>;

// $k a key, $v a value, $m a member, $score and $lex an end of a range, $n a whole number, $f a fraction, $ms
// and $s a length of time, $@ms and $@s an instant, $p a pattern, $script a script, $c the number of keys
// that follow. A word in <> is replaced by options.
const Words kCommands = {
    "SET $k $v <set>",
    "SET $k $v <set>",
    "SET $k $v NX PX $ms",
    "SET $k $v NX PX $ms",
    "SET $k $v PX $ms",
    "SET $k $v PXAT $@ms",
    "SET $k $v XX KEEPTTL",
    "SET $k $v NX GET",
    "SETNX $k $v",
    "SETEX $k $s $v",
    "PSETEX $k $ms $v",
    "GET $k",
    "GET $k",
    "GETDEL $k",
    "GETEX $k <getex>",
    "GETSET $k $v",
    "GETRANGE $k $n $n",
    "SUBSTR $k $n $n",
    "SETRANGE $k $n $v",
    "MGET $k $k $k",
    "MSET $k $v $k $v",
    "MSETNX $k $v $k $v",
    "DEL $k",
    "DEL $k $k",
    "UNLINK $k $k",
    "EXISTS $k $k",
    "TYPE $k",
    "EXPIRE $k $s <expire>",
    "PEXPIRE $k $ms <expire>",
    "PEXPIRE $k $ms",
    "EXPIREAT $k $@s <expire>",
    "PEXPIREAT $k $@ms <expire>",
    "TTL $k",
    "PTTL $k",
    "EXPIRETIME $k",
    "PEXPIRETIME $k",
    "PERSIST $k",
    "INCR $k",
    "DECR $k",
    "INCRBY $k $n",
    "DECRBY $k $n",
    "INCRBYFLOAT $k $f",
    "APPEND $k $v",
    "STRLEN $k",
    "RENAME $k $k",
    "RENAMENX $k $k",
    "TOUCH $k $k",
    "RANDOMKEY",
    "TIME",
    "PING",
    "PING $v",
    "ECHO $v",
    "DBSIZE",
    "KEYS $p",
    "SCAN 0 MATCH $p COUNT 1000",
    "SCAN 0 COUNT 1000 TYPE $type",
    "SCAN 0 COUNT 1000",
    "SCAN $cursor COUNT $n",
    "FLUSHALL",
    "FLUSHDB <flush>",
    "SELECT $db",
    "EVAL $script 2 $k $k $v $ms",
    "EVAL $script 2 $k $k $v $ms",
    "EVAL_RO $script 2 $k $k $v $ms",
    "EVAL $script $n $k",
    "EVALSHA $sha 2 $k $k $v $ms",
    "EVALSHA_RO $sha 1 $k $v",
    "SCRIPT LOAD $script",
    "SCRIPT EXISTS $sha $sha",
    "SCRIPT FLUSH <flush>",
    "SCRIPT KILL",
    "SCRIPT $v",
    "OBJECT ENCODING $k",
    "MEMORY USAGE nokey",
    "MEMORY USAGE $k SAMPLES -1",
    "MEMORY PURGE",
    "MEMORY $v",
    "OBJECT REFCOUNT $k",
    "OBJECT FREQ $k",
    "OBJECT IDLETIME nokey",
    "OBJECT $v",
    "HSET $k $m $v",
    "HSET $k $m $n $m $v",
    "HMSET $k $m $v $m $v",
    "HSETNX $k $m $v",
    "HGET $k $m",
    "HMGET $k $m $m",
    "HDEL $k $m",
    "HDEL $k $m $m $m",
    "HLEN $k",
    "HSTRLEN $k $m",
    "HEXISTS $k $m",
    "HKEYS $k",
    "HVALS $k",
    "HGETALL $k",
    "HINCRBY $k $m $n",
    "HINCRBYFLOAT $k $m $f",
    "HRANDFIELD $k",
    "HRANDFIELD $k $n WITHVALUES",
    "HSCAN $k 0 COUNT 1000",
    "HSCAN $k $cursor MATCH $p",
    "SADD $k $m",
    "SADD $k $n $n",
    "SADD $k $n $m $m",
    "SREM $k $m",
    "SREM $k $n $m",
    "SCARD $k",
    "SISMEMBER $k $m",
    "SMISMEMBER $k $m $n",
    "SMEMBERS $k",
    "SMOVE $k $k $m",
    "SPOP $k",
    "SPOP $k $n",
    "SRANDMEMBER $k",
    "SRANDMEMBER $k $n",
    "SSCAN $k 0 COUNT 1000",
    "SSCAN $k 0 MATCH $p COUNT 1000",
    "LPUSH $k $v",
    "LPUSH $k $m $m",
    "RPUSH $k $v $m",
    "LPUSHX $k $v",
    "RPUSHX $k $v",
    "LPOP $k",
    "LPOP $k $n",
    "RPOP $k",
    "RPOP $k $n",
    "LLEN $k",
    "LINDEX $k $n",
    "LRANGE $k $n $n",
    "LRANGE $k 0 -1",
    "LREM $k $n $m",
    "LSET $k $n $v",
    "LTRIM $k $n $n",
    "LINSERT $k BEFORE $m $v",
    "LINSERT $k after $m $v",
    "LMOVE $k $k LEFT RIGHT",
    "LMOVE $k $k RIGHT LEFT",
    "LMOVE $k $k RIGHT $v",
    "RPOPLPUSH $k $k",
    "ZADD $k $f $m",
    "ZADD $k $f $m $n $m",
    "ZADD $k <zadd> $f $m",
    "ZADD $k <zadd> $f $m $n $m",
    "ZINCRBY $k $f $m",
    "ZREM $k $m",
    "ZREM $k $m $m",
    "ZCARD $k",
    "ZSCORE $k $m",
    "ZMSCORE $k $m $m",
    "ZCOUNT $k $score $score",
    "ZLEXCOUNT $k $lex $lex",
    "ZRANK $k $m",
    "ZREVRANK $k $m",
    "ZRANGE $k $n $n <zrange>",
    "ZRANGE $k 0 -1 WITHSCORES",
    "ZRANGE $k $n $n LIMIT $n -1",
    "ZRANGE $k $score $score BYSCORE <zrange>",
    "ZRANGE $k $lex $lex BYLEX <zrange>",
    "ZREVRANGE $k $n $n <zrangeby>",
    "ZRANGEBYSCORE $k $score $score <zrangeby>",
    "ZREVRANGEBYSCORE $k $score $score <zrangeby>",
    "ZRANGEBYLEX $k $lex $lex <zrangeby>",
    "ZREVRANGEBYLEX $k $lex $lex <zrangeby>",
    "ZREMRANGEBYSCORE $k $score $score",
    "ZREMRANGEBYRANK $k $n $n",
    "ZREMRANGEBYLEX $k $lex $lex",
    "ZPOPMIN $k",
    "ZPOPMIN $k $n",
    "ZPOPMAX $k $n",
    "ZSCAN $k 0 COUNT 1000",
    "ZSCAN $k $cursor MATCH $p COUNT $n",
    "MULTI",
    "MULTI",
    "MULTI",
    "EXEC",
    "DISCARD",
    "WATCH $k",
    "WATCH $k $k",
    "WATCH $k",
    "UNWATCH",
    "PUBLISH $news $v",
    "SUBSCRIBE $channel",
    "SUBSCRIBE $channel $channel",
    "UNSUBSCRIBE $channel",
    "PSUBSCRIBE $pattern",
    "PUNSUBSCRIBE $pattern",
    "PUBSUB CHANNELS",
    "PUBSUB CHANNELS $pattern",
    "PUBSUB NUMSUB $channel $channel",
    "PUBSUB NUMPAT",
    "PUBSUB $v",
    "BLPOP $k $timeout",
    "BLPOP $k $k $timeout",
    "BRPOP $k $timeout",
    "BLMOVE $k $k LEFT RIGHT $timeout",
    "BLMOVE $k $k RIGHT $v $timeout",
    "BRPOPLPUSH $k $k $timeout",
    "BZPOPMIN $k $timeout",
    "BZPOPMAX $k $k $timeout",
    "WAIT $n $ms",
    "HELLO 3",
    "HELLO 3",
    "HELLO 2",
    "HELLO $n",
    "HELLO 3 AUTH default $v SETNAME $v",
    "HELLO 2 AUTH $v $v",
    "RESET",
    "AUTH $v",
    "AUTH default $v",
    "AUTH $v $v",
    "CLIENT SETNAME $v",
    "CLIENT GETNAME",
    "CLIENT REPLY ON",
    "CLIENT REPLY OFF",
    "CLIENT REPLY SKIP",
    "CLIENT NO-EVICT ON",
    "CLIENT NO-EVICT $v",
    "CLIENT PAUSE nope WRITE", // never for so long as the clock stands: that would be for ever
    "CLIENT PAUSE -1 FOO BAR",
    "CLIENT UNPAUSE",
    "CLIENT UNBLOCK 999999 <unblock>",
    "CLIENT UNBLOCK nobody",
    "CLIENT KILL 1.2.3.4:5",
    "CLIENT KILL ID 999999 TYPE $v",
    "CLIENT $v",
    "ACL WHOAMI",
    "ACL LIST",
    "ACL USERS",
    "ACL CAT $v",
    "ACL $v",
    "CONFIG GET hz",
    "CONFIG GET notify-*",
    "CONFIG SET hz $n",
    "CONFIG SET hz 10 hz 10",
    "CONFIG SET hz 10 HZ 12",
    "CONFIG SET HZ $v",
    "CONFIG SET hz $v nosuch 1 databases 3",
    "CONFIG SET Databases 3 nosuch 1",
    "CONFIG SET hz $n notify-keyspace-events Q",
    "CONFIG SET $v $v",
    "CONFIG SET notify-keyspace-events KEAq",
    "CONFIG RESETSTAT",
    "CONFIG REWRITE",
    "CONFIG $v",
    "COMMAND LIST $v",
    "COMMAND DOCS nosuch",
    "COMMAND INFO nosuch",
    "COMMAND $v",
    "FUNCTION LIST",
    "FUNCTION LIST LIBRARYNAME $v",
    "FUNCTION FLUSH <flush>",
    "FUNCTION STATS",
    "FUNCTION $v",
    "INFO nosuch",
    "ROLE",
    "CLUSTER INFO",
    "CLUSTER NODES",
    "CLUSTER SLOTS",
    "CLUSTER SHARDS",
    "CLUSTER MYID",
    "CLUSTER KEYSLOT $k",
    "CLUSTER COUNTKEYSINSLOT $n",
    "CLUSTER GETKEYSINSLOT $n $n",
    "CLUSTER REPLICAS $k",
    "CLUSTER $v",
    "ASKING",
    "READONLY",
    "READWRITE",
    "MODULE LIST",
    "MODULE $v",
    "LATENCY LATEST",
    "LATENCY RESET",
    "LATENCY HISTORY $k",
    "LATENCY GRAPH $k",
    "LATENCY DOCTOR",
    "LATENCY $v",
    "SLOWLOG LEN",
    "SLOWLOG GET $n",
    "SLOWLOG RESET",
    "SLOWLOG $v",
    "NOSUCH $k $v",
};

// Each type has keys that are most often its own, so that commands mostly meet what they are for.
const Words kAllKeys = {"a", "b", "lock", "lock:1", "", "hash", "list", "queue", "set", "zset", "semaphore"};
const Words kStringKeys = {"a", "b", "lock", "lock:1"};
const Words kHashKeys = {"hash", "lock:hash"};
const Words kListKeys = {"list", "queue"};
const Words kSetKeys = {"set", "lockers"};
const Words kSortedSetKeys = {"zset", "semaphore"};

const Words& keysFor(Group group) {
    switch (group) {
    case Group::Hash:
        return kHashKeys;
    case Group::List:
        return kListKeys;
    case Group::Set:
        return kSetKeys;
    case Group::SortedSet:
        return kSortedSetKeys;
    case Group::String:
        return kStringKeys;
    default:
        return kAllKeys;
    }
}

const Words kValues = {"A",
                       "B",
                       "token",
                       "",
                       "0",
                       "1",
                       "-1",
                       "41",
                       "9223372036854775807",
                       "-9223372036854775808",
                       "3.5",
                       "-0",
                       "007",
                       " 5",
                       "5 ",
                       "+5",
                       "1e3",
                       "0x10",
                       "inf",
                       "nan",
                       "hello world",
                       "*",
                       std::string("\0\xff", 2),
                       "two\nlines"};
// Names of elements: few, so that they meet; the last is too long for a flat collection.
const Words kMembers = {"m", "n", "o", "1", "2", "-7", "", "token", std::string(65, 'x')};
const Words kChannels = {"news", "lock-free", "__keyevent@0__:set", "__keyspace@0__:lock",
                         "__keyevent@0__:del"};
const Words kChannelPatterns = {"news*", "[^l]*", "__keyspace@0__:*", "__keyevent@*__:expired", "l?ck-*"};
const Words kTimeouts = {"0.5",   "1",    "0.05", "0.0004",          "0", "-1", "abc",
                         "1e300", "0x10", "2",    "9223372036854775"};
const Words kScores = {"0",    "1e-400", "-1e400", "1", "(1", "2",  "(2.5", "-inf",
                       "+inf", "(-1",    "-1",     "",  "(",  " 1", "x",    "nan"};
const Words kNames = {"-", "+", "[m", "(m", "[n", "(o", "[", "[1", "m", "(token"};
const Words kNumbers = {"0",
                        "1",
                        "2",
                        "5",
                        "-1",
                        "-2",
                        "-100",
                        "100",
                        "10000",
                        "9223372036854775807",
                        "-9223372036854775808",
                        "9223372036854775808",
                        "1.5",
                        "abc",
                        "",
                        " 1",
                        "01",
                        "-0"};
const Words kFractions = {"0.1",
                          "1",
                          "-1.5",
                          "3.0e3",
                          "1e-5",
                          "0",
                          "-0",
                          "+2",
                          "0x1p4",
                          "inf",
                          "-inf",
                          "nan",
                          "1e400",
                          "abc",
                          "",
                          " 1",
                          "1 ",
                          "123456789012345678",
                          "0.00000000000000001",
                          "1e17"};
const Words kPatterns = {"*",   "lock*", "?", "[ab]", "[^a]", "lock:[0-9]", "l?ck",
                         "\\a", "*k*",   "",  "a*b",  "[a-",  "[z-a]",      "**"};
const Words kTypes = {"string", "STRING", "list", "set", "zset", "hash", "nosuch"};
const Words kCursors = {"0", "abc", "", " 0", "1x", "99999999999999999999"};
const Words kDatabaseIndexes = {"0", "0", "1", "2", "15", "16", "-1", "x", "99999999999"};
const Words kOtherShas = {"E0E1F9FABFC9D4800C877A703B823AC0578FF8DB", "short",
                          "0000000000000000000000000000000000000000"};
const Words kScripts = {
    "return 1",
    "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) else return 0 end",
    "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('PEXPIRE', KEYS[1], ARGV[2]) else "
    "return 0 end",
    "return redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2])",
    "local f = redis.call('INCR', KEYS[2]) return {f, redis.call('SET', KEYS[1], f, 'NX', 'PX', 100)}",
    "redis.call('SET', KEYS[1], 'before the error') error('boom')",
    "redis.call('SET', KEYS[1], ARGV[1], 'PXAT', 1) return {redis.call('GET', KEYS[1]), redis.call('EXISTS', "
    "KEYS[1])}",
    "return {redis.call('GET', KEYS[1]), redis.call('PTTL', KEYS[1]), redis.call('TYPE', KEYS[2])}",
    "return redis.pcall('INCR', KEYS[1])",
    "return redis.call('INCRBY', KEYS[1], 1.5)",
    "local r = redis.pcall('GETEX', KEYS[1], 'PX', ARGV[2]) if type(r) == 'table' then return r.err end "
    "return r",
    "redis.call('SELECT', 1) return redis.call('SET', KEYS[1], ARGV[1])",
    "return redis.call('RENAME', KEYS[1], KEYS[2])",
    "return {KEYS, ARGV, #KEYS, #ARGV}",
    "return redis.call('MGET', KEYS[1], KEYS[2])",
    "return redis.call('FLUSHALL')",
    "#!lua flags=no-writes\nreturn redis.call('GET', KEYS[1])",
    "#!lua flags=no-writes\nreturn redis.call('SET', KEYS[1], 'x')",
    "#!lua\nreturn redis.call('SET', KEYS[1], ARGV[1], 'GET')",
    "return redis.call('TIME')",
    "redis.setresp(3) return {redis.call('GET', KEYS[1]) == nil, 7}",
    "if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 1 or redis.call('EXISTS', KEYS[1]) == 0 then "
    "redis.call('HINCRBY', KEYS[1], ARGV[1], 1) redis.call('PEXPIRE', KEYS[1], 300) return nil end "
    "return redis.call('PTTL', KEYS[1])",
    "redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', 2) if redis.call('ZCARD', KEYS[1]) < 2 then "
    "return redis.call('ZADD', KEYS[1], 3, ARGV[1]) end return redis.call('ZRANGE', KEYS[1], 0, -1, "
    "'WITHSCORES')",
    "redis.call('RPUSH', KEYS[1], ARGV[1]) return {redis.call('LRANGE', KEYS[1], 0, -1), redis.call('TYPE', "
    "KEYS[1])}",
    "return redis.call('HMGET', KEYS[1], ARGV[1], '1')",
    "return redis.call('ZSCORE', KEYS[1], ARGV[1])",
    "syntax error",
};

struct OptionSet {
    std::string_view name;
    Words words;
    std::size_t most;
};
const std::vector<OptionSet> kOptions = {
    {"<set>",
     {"NX", "XX", "GET", "KEEPTTL", "EX $s", "PX $ms", "EXAT $@s", "PXAT $@ms", "nx", "px $ms", "PX", "FOO",
      "PERSIST"},
     3},
    {"<getex>", {"PERSIST", "EX $s", "PX $ms", "EXAT $@s", "PXAT $@ms", "KEEPTTL", "PX"}, 2},
    {"<expire>", {"NX", "XX", "GT", "LT", "gt", "FOO"}, 2},
    {"<zadd>", {"NX", "XX", "GT", "LT", "CH", "INCR", "nx", "ch"}, 3},
    {"<zrange>", {"REV", "WITHSCORES", "LIMIT $n $n", "LIMIT 0 2", "BYSCORE", "rev", "FOO"}, 2},
    {"<zrangeby>", {"WITHSCORES", "LIMIT $n $n", "LIMIT 1 2", "REV", "limit 0 -1", "LIMIT 1 -1"}, 2},
    {"<unblock>", {"TIMEOUT", "ERROR", "FOO"}, 1},
    {"<flush>", {"SYNC", "ASYNC", "FOO"}, 1},
};

Words split(std::string_view text) {
    Words words;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(' '), text.size());
        words.emplace_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return words;
}

std::string instant(std::int64_t base, std::string_view offset) {
    return std::to_string(base + std::stoll(std::string(offset)));
}

std::string quoted(const std::string& word) {
    const bool plain = !word.empty() && std::ranges::all_of(word, [](unsigned char c) {
        return std::isalnum(c) != 0 ||
               std::string_view("._:@+-*").find(static_cast<char>(c)) != std::string_view::npos;
    });
    return plain ? word : display(Reply::bulk(word), word.size());
}

} // namespace

std::vector<std::string> resolved(const Step& step) {
    Words args = step.args;
    for (std::string& arg : args) {
        if (arg.starts_with("@s")) arg = instant(kSequenceStart / 1'000'000, arg.substr(2));
        if (arg.starts_with("@+") || arg.starts_with("@-"))
            arg = instant(kSequenceStart / 1000, arg.substr(1));
    }
    return args;
}

std::string asRedisCliLines(const Sequence& sequence) {
    std::string lines;
    std::int64_t at = 0;
    for (const Step& step : sequence) {
        if (step.atMicros != at)
            lines += "# the clock moves on to +" + std::to_string(step.atMicros) + " us\n";
        at = step.atMicros;
        if (step.connection != 0) lines += "(connection " + std::to_string(step.connection) + ") ";
        for (const std::string& word : resolved(step))
            lines += quoted(word) + ' ';
        lines.back() = '\n';
    }
    return lines;
}

Sequence SequenceGenerator::next(std::size_t steps) {
    m_now = 0;
    m_deadlines.clear();
    m_inTransaction.fill(false);
    m_silent = false;
    Sequence sequence;
    while (sequence.size() < steps) {
        wait();
        sequence.push_back(step());
    }
    return sequence;
}

void SequenceGenerator::wait() {
    if (!oneIn(4)) return;
    if (!m_deadlines.empty() && !oneIn(3)) {
        // Just before, at, or just after a deadline, somewhere within the millisecond.
        const std::int64_t near = m_deadlines[m_random.below(m_deadlines.size())] - 1 +
                                  static_cast<std::int64_t>(m_random.below(3));
        m_now = std::max(m_now, near * 1000 + static_cast<std::int64_t>(m_random.below(1000)));
    } else {
        m_now += static_cast<std::int64_t>(m_random.below(2'000'000));
    }
}

Step SequenceGenerator::step() {
    Step step;
    step.atMicros = m_now;
    step.connection = oneIn(5) ? (oneIn(3) ? 2 : 1) : 0;
    Words tokens = split(pick(kCommands));
    // Who is in a transaction gets out of it after a few commands.
    bool& inTransaction = m_inTransaction[static_cast<std::size_t>(step.connection)];
    if (inTransaction && oneIn(4)) tokens = {oneIn(6) ? "DISCARD" : "EXEC"};
    if (tokens.front() == "MULTI") inTransaction = true;
    if (tokens.front() == "EXEC" || tokens.front() == "DISCARD") inTransaction = false;
    // A client that is told nothing teaches nothing.
    if (m_silent && oneIn(3)) tokens = {"CLIENT", "REPLY", "ON"};
    if (tokens.size() > 2 && tokens[1] == "REPLY") {
        step.connection = 1;
        m_silent = tokens[2] == "OFF";
    }
    // One connection listens, mostly: a listener can do nothing else.
    if (tokens.front().ends_with("SUBSCRIBE") && !oneIn(30)) step.connection = 2;
    const Command* command = findCommand(tokens.front());
    m_keys = &keysFor(command ? command->group : Group::Generic);
    for (const std::string& token : tokens) {
        if (token.starts_with('<')) {
            const auto& options = *std::ranges::find(kOptions, token, &OptionSet::name);
            addOptions(step.args, options.words, options.most);
        } else {
            step.args.push_back(word(token));
        }
    }
    if (oneIn(40)) spoil(step.args);
    if (oneIn(8))
        std::ranges::transform(step.args[0], step.args[0].begin(),
                               [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return step;
}

void SequenceGenerator::addOptions(Words& args, const Words& from, std::size_t most) {
    for (std::uint64_t left = m_random.below(most + 1); left > 0; --left)
        for (const std::string& token : split(pick(from)))
            args.push_back(word(token));
}

/// One argument too many or too few.
void SequenceGenerator::spoil(Words& args) {
    if (args.size() > 1 && oneIn(2))
        args.pop_back();
    else
        args.push_back(pick(kValues));
}

std::string SequenceGenerator::word(std::string_view token) {
    if (!token.starts_with('$')) return std::string(token);
    if (token == "$k") return pick(oneIn(6) ? kAllKeys : *m_keys);
    if (token == "$v") return pick(kValues);
    if (token == "$m") return oneIn(20) ? kMembers.back() : kMembers[m_random.below(kMembers.size() - 1)];
    if (token == "$news") return oneIn(2) ? "news" : "lock-free";
    if (token == "$channel") return pick(kChannels);
    if (token == "$pattern") return pick(kChannelPatterns);
    if (token == "$timeout") return pick(kTimeouts);
    if (token == "$score") return pick(kScores);
    if (token == "$lex") return pick(kNames);
    if (token == "$n") return pick(kNumbers);
    if (token == "$f") return pick(kFractions);
    if (token == "$p") return pick(kPatterns);
    if (token == "$type") return pick(kTypes);
    if (token == "$cursor") return pick(kCursors);
    if (token == "$db") return pick(kDatabaseIndexes);
    if (token == "$sha") return oneIn(4) ? pick(kOtherShas) : sha1Hex(pick(kScripts));
    if (token == "$script") return pick(kScripts);
    // Times. One in ten is no time at all.
    if (oneIn(10)) return pick(kNumbers);
    const bool inSeconds = token.ends_with('s') && !token.ends_with("ms");
    const std::int64_t length = inSeconds ? static_cast<std::int64_t>(m_random.below(3)) + 1
                                          : static_cast<std::int64_t>(m_random.below(600)) + 1;
    const std::int64_t nowMs = m_now / 1000;
    if (!token.starts_with("$@")) {
        m_deadlines.push_back(nowMs + length * (inSeconds ? 1000 : 1));
        return std::to_string(length);
    }
    const std::int64_t at = (inSeconds ? nowMs / 1000 : nowMs) + length - (inSeconds ? 1 : 100);
    m_deadlines.push_back(at * (inSeconds ? 1000 : 1));
    return (inSeconds ? "@s" : "@") + std::string(at < 0 ? "" : "+") + std::to_string(at);
}

} // namespace lockscope::redis
