// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string_view>

/// The handlers that the command table names. Each finds its arguments counted (arity) and answers in
/// call.reply. At the end what handlers of several files share.
namespace lockscope::redis {

struct Call;

namespace commands {

// string_commands.cpp
void append(Call& call);
void get(Call& call);
void getDel(Call& call);
void getRange(Call& call);
void getSet(Call& call);
void memoryUsage(Call& call);
void mGet(Call& call);
void mSet(Call& call);
void mSetNx(Call& call);
void setRange(Call& call);
void strLen(Call& call);

// set_command.cpp: those that share SET's options
void getEx(Call& call);
void pSetEx(Call& call);
void set(Call& call);
void setEx(Call& call);
void setNx(Call& call);

// conditional_commands.cpp
void delEx(Call& call);
void delIfEq(Call& call);
void digest(Call& call);

// counter_commands.cpp
void decr(Call& call);
void decrBy(Call& call);
void incr(Call& call);
void incrBy(Call& call);
void incrByFloat(Call& call);

// expiry_commands.cpp
void expire(Call& call);
void expireAt(Call& call);
void expireTime(Call& call);
void pExpire(Call& call);
void pExpireAt(Call& call);
void pExpireTime(Call& call);
void pTtl(Call& call);
void persist(Call& call);
void ttl(Call& call);

// generic_commands.cpp
void del(Call& call);
void exists(Call& call);
void rename(Call& call);
void renameNx(Call& call);
void touch(Call& call);
void type(Call& call);
void unlink(Call& call);

// hash_commands.cpp
void hDel(Call& call);
void hExists(Call& call);
void hGet(Call& call);
void hGetAll(Call& call);
void hIncrBy(Call& call);
void hIncrByFloat(Call& call);
void hKeys(Call& call);
void hLen(Call& call);
void hMGet(Call& call);
void hRandField(Call& call);
void hSet(Call& call);
void hSetNx(Call& call);
void hStrLen(Call& call);
void hVals(Call& call);

// list_commands.cpp
void lIndex(Call& call);
void lInsert(Call& call);
void lLen(Call& call);
void lMove(Call& call);
void lPop(Call& call);
void lPush(Call& call);
void lPushX(Call& call);
void lRange(Call& call);
void lRem(Call& call);
void lSet(Call& call);
void lTrim(Call& call);
void rPop(Call& call);
void rPopLPush(Call& call);
void rPush(Call& call);
void rPushX(Call& call);

// unordered_set_commands.cpp
void sAdd(Call& call);
void sCard(Call& call);
void sIsMember(Call& call);
void sMIsMember(Call& call);
void sMembers(Call& call);
void sMove(Call& call);
void sPop(Call& call);
void sRandMember(Call& call);
void sRem(Call& call);

// sorted_set_commands.cpp
void zAdd(Call& call);
void zCard(Call& call);
void zIncrBy(Call& call);
void zMScore(Call& call);
void zPopMax(Call& call);
void zPopMin(Call& call);
void zRank(Call& call);
void zRem(Call& call);
void zRevRank(Call& call);
void zScore(Call& call);

// sorted_set_range_commands.cpp
void zCount(Call& call);
void zLexCount(Call& call);
void zRange(Call& call);
void zRangeByLex(Call& call);
void zRangeByScore(Call& call);
void zRemRangeByLex(Call& call);
void zRemRangeByRank(Call& call);
void zRemRangeByScore(Call& call);
void zRevRange(Call& call);
void zRevRangeByLex(Call& call);
void zRevRangeByScore(Call& call);

// object_commands.cpp
void memoryDoctor(Call& call);
void memoryMallocStats(Call& call);
void memoryPurge(Call& call);
void objectEncoding(Call& call);
void objectFreq(Call& call);
void objectIdleTime(Call& call);
void objectRefCount(Call& call);

// connection_commands.cpp
void aclList(Call& call);
void aclUsers(Call& call);
void aclWhoAmI(Call& call);
void auth(Call& call);
void hello(Call& call);
void quit(Call& call);
void reset(Call& call);

// client_commands.cpp
void clientGetName(Call& call);
void clientId(Call& call);
void clientInfo(Call& call);
void clientKill(Call& call);
void clientList(Call& call);
void clientNoEvict(Call& call);
void clientNoTouch(Call& call);
void clientPause(Call& call);
void clientReply(Call& call);
void clientSetInfo(Call& call);
void clientSetName(Call& call);
void clientUnblock(Call& call);
void clientUnpause(Call& call);

// debug_commands.cpp, help_commands.cpp
void debug(Call& call);
void help(Call& call);

// command_commands.cpp
void aclCat(Call& call);
void command(Call& call);
void commandCount(Call& call);
void commandDocs(Call& call);
void commandInfo(Call& call);
void commandList(Call& call);

// config_commands.cpp
void configGet(Call& call);
void configResetStat(Call& call);
void configRewrite(Call& call);
void configSet(Call& call);

// info_commands.cpp
void cluster(Call& call);
void info(Call& call);
void latencyDoctor(Call& call);
void latencyGraph(Call& call);
void latencyHistogram(Call& call);
void latencyHistory(Call& call);
void latencyLatest(Call& call);
void latencyReset(Call& call);
void moduleList(Call& call);
void monitor(Call& call);
void role(Call& call);
void slowLogGet(Call& call);
void slowLogLen(Call& call);
void slowLogReset(Call& call);

// transaction_commands.cpp
void discard(Call& call);
void exec(Call& call);
void multi(Call& call);
void unwatch(Call& call);
void watch(Call& call);

// pubsub_commands.cpp
void pSubscribe(Call& call);
void pUnsubscribe(Call& call);
void pubSubChannels(Call& call);
void pubSubNumPat(Call& call);
void pubSubNumSub(Call& call);
void publish(Call& call);
void subscribe(Call& call);
void unsubscribe(Call& call);

// blocking_commands.cpp
void blMove(Call& call);
void blPop(Call& call);
void brPop(Call& call);
void brPopLPush(Call& call);
void bzPopMax(Call& call);
void bzPopMin(Call& call);
void wait(Call& call);

// walking_commands.cpp
void hScan(Call& call);
void keys(Call& call);
void randomKey(Call& call);
void sScan(Call& call);
void scan(Call& call);
void zScan(Call& call);

// server_commands.cpp
void dbSize(Call& call);
void echo(Call& call);
void flushAll(Call& call);
void save(Call& call);
void bgSave(Call& call);
void lastSave(Call& call);
void flushDb(Call& call);
void ping(Call& call);
void shutdown(Call& call);
void select(Call& call);
void time(Call& call);

// script_commands.cpp
void eval(Call& call);
void evalReadOnly(Call& call);
void evalSha(Call& call);
void evalShaReadOnly(Call& call);
void functionFlush(Call& call);
void functionList(Call& call);
void functionStats(Call& call);
void scriptExists(Call& call);
void scriptFlush(Call& call);
void scriptKill(Call& call);
void scriptLoad(Call& call);

/// Names the client; false, and the reply is the error, if the name cannot be.
bool setClientName(Call& call, std::string_view name);
/// Whether the arguments from `index` on are nothing, or SYNC or ASYNC: it makes no difference to what
/// anybody sees.
bool isFlushMode(const Call& call, std::size_t index);

} // namespace commands
} // namespace lockscope::redis
