// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

/// The handlers that the command table names. Each finds its arguments counted (arity) and answers in
/// call.reply.
namespace lockscope::redis {

struct Call;

namespace commands {

// string_commands.cpp
void append(Call& call);
void get(Call& call);
void getDel(Call& call);
void getRange(Call& call);
void getSet(Call& call);
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

// walking_commands.cpp
void keys(Call& call);
void randomKey(Call& call);
void scan(Call& call);

// server_commands.cpp
void dbSize(Call& call);
void echo(Call& call);
void flushAll(Call& call);
void flushDb(Call& call);
void ping(Call& call);
void select(Call& call);
void time(Call& call);

// script_commands.cpp
void eval(Call& call);
void evalReadOnly(Call& call);
void evalSha(Call& call);
void evalShaReadOnly(Call& call);
void scriptExists(Call& call);
void scriptFlush(Call& call);
void scriptKill(Call& call);
void scriptLoad(Call& call);

} // namespace commands
} // namespace lockscope::redis
