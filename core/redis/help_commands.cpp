// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include <fmt/format.h>

#include "core/redis/call.h"
#include "core/redis/commands.h"
#include "core/redis/numbers.h"

// CLIENT HELP and its kin: what redis-server 7.0.15 says of each subcommand, of those that this server has.

namespace lockscope::redis::commands {

namespace {

struct Help {
    std::string_view container;
    /// A line that begins without a blank names a subcommand, and those under it say what it does.
    std::string_view text;
};

constexpr Help kHelp[] = {
    {"acl", R"(CAT [<category>]
    List all commands that belong to <category>, or all command categories
    when no category is specified.
LIST
    Show users details in config file format.
USERS
    List all the registered usernames.
WHOAMI
    Return the current connection username.)"},
    {"client", R"(GETNAME
    Return the name of the current connection.
ID
    Return the ID of the current connection.
INFO
    Return information about the current client connection.
KILL <ip:port>
    Kill connection made from <ip:port>.
KILL <option> <value> [<option> <value> [...]]
    Kill connections. Options are:
    * ADDR (<ip:port>|<unixsocket>:0)
      Kill connections made from the specified address
    * LADDR (<ip:port>|<unixsocket>:0)
      Kill connections made to specified local address
    * TYPE (NORMAL|MASTER|REPLICA|PUBSUB)
      Kill connections by type.
    * USER <username>
      Kill connections authenticated by <username>.
    * SKIPME (YES|NO)
      Skip killing current connection (default: yes).
LIST [options ...]
    Return information about client connections. Options:
    * TYPE (NORMAL|MASTER|REPLICA|PUBSUB)
      Return clients of specified type.
UNPAUSE
    Stop the current client pause, resuming traffic.
PAUSE <timeout> [WRITE|ALL]
    Suspend all, or just write, clients for <timeout> milliseconds.
REPLY (ON|OFF|SKIP)
    Control the replies sent to the current connection.
SETNAME <name>
    Assign the name <name> to the current connection.
UNBLOCK <clientid> [TIMEOUT|ERROR]
    Unblock the specified blocked client.
NO-EVICT (ON|OFF)
    Protect current client connection from eviction.
SETINFO <option> <value>
    Set client meta attr. Options are:
    * LIB-NAME: the client lib name.
    * LIB-VER: the client lib version.
NO-TOUCH (ON|OFF)
    Will not touch LRU/LFU stats when this mode is on.)"},
    {"command", R"((no subcommand)
    Return details about all Redis commands.
COUNT
    Return the total number of commands in this Redis server.
LIST
    Return a list of all commands in this Redis server.
INFO [<command-name> ...]
    Return details about multiple Redis commands.
    If no command names are given, documentation details for all
    commands are returned.
DOCS [<command-name> ...]
    Return documentation details about multiple Redis commands.
    If no command names are given, documentation details for all
    commands are returned.)"},
    {"config", R"(GET <pattern>
    Return parameters matching the glob-like <pattern> and their values.
SET <directive> <value>
    Set the configuration <directive> to <value>.
RESETSTAT
    Reset statistics reported by the INFO command.
REWRITE
    Rewrite the configuration file.)"},
    {"function", R"(LIST [LIBRARYNAME PATTERN] [WITHCODE]
    Return general information on all the libraries:
    * Library name
    * The engine used to run the Library
    * Library description
    * Functions list
    * Library code (if WITHCODE is given)
    It also possible to get only function that matches a pattern using LIBRARYNAME argument.
STATS
    Return information about the current function running:
    * Function name
    * Command used to run the function
    * Duration in MS that the function is running
    If no function is running, return nil
    In addition, returns a list of available engines.
FLUSH [ASYNC|SYNC]
    Delete all the libraries.
    When called without the optional mode argument, the behavior is determined by the
    lazyfree-lazy-user-flush configuration directive. Valid modes are:
    * ASYNC: Asynchronously flush the libraries.
    * SYNC: Synchronously flush the libraries.)"},
    {"latency", R"(DOCTOR
    Return a human readable latency analysis report.
GRAPH <event>
    Return an ASCII latency graph for the <event> class.
HISTORY <event>
    Return time-latency samples for the <event> class.
LATEST
    Return the latest latency samples for all events.
RESET [<event> ...]
    Reset latency data of one or more <event> classes.
    (default: reset all data for all event classes)
HISTOGRAM [COMMAND ...]
    Return a cumulative distribution of latencies in the format of a histogram for the specified command names.
    If no commands are specified then all histograms are replied.)"},
    {"memory", R"(DOCTOR
    Return memory problems reports.
MALLOC-STATS
    Return internal statistics report from the memory allocator.
PURGE
    Attempt to purge dirty pages for reclamation by the allocator.
USAGE <key> [SAMPLES <count>]
    Return memory in bytes used by <key> and its value. Nested values are
    sampled up to <count> times (default: 5, 0 means sample all).)"},
    {"module", R"(LIST
    Return a list of loaded modules.)"},
    {"object", R"(ENCODING <key>
    Return the kind of internal representation used in order to store the value
    associated with a <key>.
FREQ <key>
    Return the access frequency index of the <key>. The returned integer is
    proportional to the logarithm of the recent access frequency of the key.
IDLETIME <key>
    Return the idle time of the <key>, that is the approximated number of
    seconds elapsed since the last access to the key.
REFCOUNT <key>
    Return the number of references of the value associated with the specified
    <key>.)"},
    {"pubsub", R"(CHANNELS [<pattern>]
    Return the currently active channels matching a <pattern> (default: '*').
NUMPAT
    Return number of subscriptions to patterns.
NUMSUB [<channel> ...]
    Return the number of subscribers for the specified channels, excluding
    pattern subscriptions(default: no channels).)"},
    {"script", R"(EXISTS <sha1> [<sha1> ...]
    Return information about the existence of the scripts in the script cache.
FLUSH [ASYNC|SYNC]
    Flush the Lua scripts cache. Very dangerous on replicas.
    When called without the optional mode argument, the behavior is determined by the
    lazyfree-lazy-user-flush configuration directive. Valid modes are:
    * ASYNC: Asynchronously flush the scripts cache.
    * SYNC: Synchronously flush the scripts cache.
KILL
    Kill the currently executing Lua script.
LOAD <script>
    Load a script into the scripts cache without executing it.)"},
    {"slowlog", R"(GET [<count>]
    Return top <count> entries from the slowlog (default: 10, -1 mean all).
    Entries are made of:
    id, timestamp, time in microseconds, arguments array, client IP and port,
    client name
LEN
    Return the length of the slowlog.
RESET
    Reset the slowlog.)"},
};

} // namespace

void help(Call& call) {
    const std::string_view name = call.command.name;
    const std::string_view container = name.substr(0, name.find('|'));
    std::vector<Reply>& lines = call.reply.become(Reply::Type::Array).items;
    lines.emplace_back().becomeStatus(
        fmt::format("{} <subcommand> [<arg> [value] [opt] ...]. Subcommands are:", raised(call.arg(0))));
    bool has = true; // of the subcommand at hand
    for (const Help& help : kHelp) {
        if (help.container != container) continue;
        for (std::size_t at = 0; at < help.text.size();) {
            const std::size_t end = std::min(help.text.find('\n', at), help.text.size());
            const std::string_view line = help.text.substr(at, end - at);
            at = end + 1;
            if (line[0] != ' ' && line[0] != '(') {
                const std::string_view word = line.substr(0, line.find(' '));
                const Command* const sub = findCommand(fmt::format("{}|{}", container, word));
                has = sub && isIn(*sub, call.profile());
            }
            if (has) lines.emplace_back().becomeStatus(line);
        }
    }
    lines.emplace_back().becomeStatus("HELP");
    lines.emplace_back().becomeStatus("    Prints this help.");
}

} // namespace lockscope::redis::commands
