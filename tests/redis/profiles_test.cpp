// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "core/redis/command_table.h"
#include "core/redis/conditional.h"
#include "tests/redis/stories.h"

using namespace lockscope::redis;

namespace {

StoreOptions serverOf(Profile profile) {
    StoreOptions options;
    options.profile = profile;
    return options;
}

/// The names of commands that one profile has and another has not.
std::string added(Profile to, Profile from) {
    std::string names;
    for (const Command& command : commandTable())
        if (isIn(command, to) && !isIn(command, from))
            names.append(names.empty() ? "" : " ").append(command.name);
    return names;
}

bool says(StorePlayer& player, std::string_view line, std::string_view part) {
    return player.reply(line).find(part) != std::string::npos;
}

} // namespace

/// One store, five servers: what each knows, and what it says of itself. All but 7.0 after their
/// documentation.
class ProfilesTest : public QObject {
    Q_OBJECT

private slots:
    void aProfileIsReadByItsName() {
        QVERIFY(parseProfile("7.0").value() == Profile::Redis70);
        QVERIFY(parseProfile("Valkey-9.0").value() == Profile::Valkey90);
        QCOMPARE(
            parseProfile("6.2").error().message,
            std::string("'6.2' is no profile of a server; allowed: 7.0, 7.2, 8.4, valkey-8.1, valkey-9.0"));
        QCOMPARE(titleOf(Profile::Redis70), std::string("Redis 7.0"));
        QCOMPARE(titleOf(Profile::Valkey90), std::string("Valkey 9.0 (from documentation)"));
    }

    void eachHasItsCommands() {
        QCOMPARE(added(Profile::Redis72, Profile::Redis70), std::string("client|no-touch client|setinfo"));
        QCOMPARE(added(Profile::Redis84, Profile::Redis72), std::string("delex digest"));
        QCOMPARE(added(Profile::Valkey81, Profile::Redis72), std::string(""));
        QCOMPARE(added(Profile::Valkey90, Profile::Valkey81), std::string("delifeq"));
        for (const Profile profile : kProfiles)
            QVERIFY(added(Profile::Redis70, profile).empty()); // nothing was taken away
    }

    void eachSaysWhatItIs() {
        const std::vector<std::tuple<Profile, std::string, std::string>> kSaid = {
            {Profile::Redis70, "redis_version:7.0.15",
             "\"server\" => \"redis\" 2# \"version\" => \"7.0.15\""},
            {Profile::Redis84, "redis_version:8.4.0", "\"redis\" 2# \"version\" => \"8.4.0\""},
            {Profile::Valkey81, "server_name:valkey  valkey_version:8.1.0",
             "\"valkey\" 2# \"version\" => \"8.1.0\""},
            {Profile::Valkey90, "redis_version:7.2.4", "\"valkey\" 2# \"version\" => \"9.0.0\""}};
        for (const auto& [profile, info, hello] : kSaid) {
            StorePlayer player(serverOf(profile));
            QVERIFY2(says(player, "INFO server", info), player.reply("INFO server").c_str());
            QVERIFY2(says(player, "HELLO", hello), player.reply("HELLO").c_str());
        }
        StorePlayer valkey(serverOf(Profile::Valkey90));
        QCOMPARE(valkey.reply(
                     "EVAL \"return {server.SERVER_VERSION, redis.REDIS_VERSION, server.call('PING')}\" 0"),
                 std::string("[1) \"9.0.0\" 2) \"7.2.4\" 3) PONG]"));
        StorePlayer redis(serverOf(Profile::Redis84));
        QVERIFY(says(redis, "EVAL \"return server\" 0", "nonexistent global variable 'server'"));
    }

    /// A store that is used again as another server forgets what its scripts saw.
    void aStoreCanBecomeAnotherServer() {
        StorePlayer player(serverOf(Profile::Valkey81));
        QCOMPARE(player.reply("EVAL \"return redis.SERVER_NAME\" 0"), std::string("\"valkey\""));
        player.startOver(serverOf(Profile::Redis70));
        QCOMPARE(player.reply("EVAL \"return redis.SERVER_NAME\" 0"), std::string("(nil)"));
        QVERIFY(says(player, "DELIFEQ lock A", "ERR unknown command 'DELIFEQ'"));
    }

    void whatItHasNotIsUnknown() {
        StorePlayer player;
        QCOMPARE(
            player.reply("DELEX lock IFEQ A"),
            std::string("(error) ERR unknown command 'DELEX', with args beginning with: 'lock' 'IFEQ' 'A' "));
        QCOMPARE(player.reply("SET lock B IFEQ A"), std::string("(error) ERR syntax error"));
        QCOMPARE(player.reply("CLIENT NO-TOUCH on"),
                 std::string("(error) ERR unknown subcommand 'NO-TOUCH'. Try CLIENT HELP."));
        QCOMPARE(player.reply("COMMAND INFO delex"), std::string("[1) (nil)]"));
        QVERIFY(says(player, "EVAL \"return redis.call('DELEX', KEYS[1])\" 1 lock",
                     "Unknown Redis command called from script"));
        StorePlayer valkey(serverOf(Profile::Valkey90));
        QVERIFY(says(valkey, "DELEX lock IFEQ A", "ERR unknown command 'DELEX'"));
        QCOMPARE(valkey.reply("SET lock B IFNE A"), std::string("(error) ERR syntax error"));
        StorePlayer older(serverOf(Profile::Valkey81));
        QVERIFY(says(older, "DELIFEQ lock A", "ERR unknown command 'DELIFEQ'"));
    }

    void aLockWithoutAScript() {
        compare(R"story(
            at 0
            > SET lock A NX PX 1000
            * written lock=A until 1000
            * set lock
            * expire lock
            OK
            at 500
            > SET lock A PX 1000 IFEQ A
            * written lock=A until 1500 over a live one
            * set lock
            * expire lock
            OK
            > SET lock B PX 1000 IFEQ B
            (nil)
            > SET lock B IFEQ B GET
            "A"
            > DELEX lock IFEQ B
            (integer) 0
            > DELEX lock IFEQ A
            * removed lock=A: deleted
            * del lock
            (integer) 1
            > DELEX lock IFEQ A
            (integer) 0
            > SET lock A IFEQ A
            (nil)
        )story",
                serverOf(Profile::Redis84));
        compare(R"story(
            at 0
            > SET lock A
            * written lock=A
            * set lock
            OK
            > DELIFEQ lock B
            (integer) 0
            > DELIFEQ lock A
            * removed lock=A: deleted
            * del lock
            (integer) 1
        )story",
                serverOf(Profile::Valkey90));
    }

    void conditionsAreReadStrictly() {
        StorePlayer player(serverOf(Profile::Redis84));
        player.execute({"SET", "word", "hello"});
        player.execute({"RPUSH", "list", "a"});
        const std::vector<std::pair<std::string, std::string>> kAnswers = {
            {"SET word x NX IFEQ hello", "(error) ERR syntax error"},
            {"SET word x IFEQ hello XX", "(error) ERR syntax error"},
            {"SET word x IFEQ hello IFNE y", "(error) ERR syntax error"},
            {"SET word x IFEQ", "(error) ERR syntax error"},
            {"SET list x IFEQ a",
             "(error) WRONGTYPE Operation against a key holding the wrong kind of value"},
            {"SET list x IFNE a",
             "(error) WRONGTYPE Operation against a key holding the wrong kind of value"},
            {"SET word x IFNE hello", "(nil)"},
            {"SET fresh x IFNE hello", "OK"},
            {"DELEX word IFEQ", "(error) ERR wrong number of arguments for 'delex' command"},
            {"DELEX gone IFEQ a b", "(error) ERR wrong number of arguments for 'delex' command"},
            {"DELEX list FOO a", "(error) ERR Key should be of string type if conditions are specified"},
            {"DELEX word FOO a", "(error) ERR Invalid condition. Use IFEQ, IFNE, IFDEQ, or IFDNE"},
            {"DELEX gone IFNE a", "(integer) 0"},
            {"DELEX list", "(integer) 1"},
            {"DELEX fresh IFNE a", "(integer) 1"},
            {"DIGEST gone", "(nil)"},
            {"DELEX word IFDEQ abc", "(error) ERR digest must be exactly 16 hexadecimal characters"},
        };
        for (const auto& [command, answer] : kAnswers)
            QCOMPARE(QString::fromStdString(command + " → " + player.reply(command)),
                     QString::fromStdString(command + " → " + answer));
        const std::string digest = player.execute({"DIGEST", "word"}).text;
        QCOMPARE(digest.size(), std::size_t{16});
        QCOMPARE(player.reply("DELEX word IFDNE " + digest), std::string("(integer) 0"));
        QCOMPARE(player.reply("SET word longer IFDEQ " + digest), std::string("OK"));
        QCOMPARE(player.reply("DELEX word IFDEQ " + digest), std::string("(integer) 0"));
    }

    /// As the page of the command DIGEST has it.
    void aDigestIsXxh3() { QCOMPARE(digestOf("Hello world"), std::string("b6acb9d84a38ff74")); }

    void lookingNeedNotTouch() {
        StorePlayer player(serverOf(Profile::Redis72));
        player.execute({"SET", "lock", "A"});
        player.execute({"CLIENT", "NO-TOUCH", "on"}, 1);
        player.advance(kStoryStart + 5'000'000);
        player.execute({"GET", "lock"}, 1);
        player.execute({"EVAL", "return redis.call('GET', KEYS[1])", "1", "lock"}, 1);
        QCOMPARE(player.reply("OBJECT IDLETIME lock"), std::string("(integer) 5"));
        player.execute({"GET", "lock"});
        QCOMPARE(player.reply("OBJECT IDLETIME lock"), std::string("(integer) 0"));
        QCOMPARE(player.reply("CLIENT SETINFO LIB-NAME ioredis"), std::string("OK"));
        QVERIFY(says(player, "CLIENT INFO", "lib-name=ioredis lib-ver="));
        QCOMPARE(player.reply("CLIENT SETINFO color red"),
                 std::string("(error) ERR Unrecognized option 'color'"));
        QCOMPARE(player.reply("CLIENT SETINFO lib-ver \"5 11\""),
                 std::string("(error) ERR lib-ver cannot contain spaces, newlines or special characters."));
    }

    /// The active cycle of Redis 8 takes a key in the millisecond of its deadline, that of 7.0 after it.
    void theCycleMeetsADeadline() {
        const char* kAt = R"story(
            at 0
            > SET lock A PX 300
            * written lock=A until 300
            * set lock
            * expire lock
            OK
            at 299.999
            > EXISTS lock
            (integer) 1)story";
        compare((std::string(kAt) + R"story(
            at 300
            * lease over lock (300)
            * removed lock=A: expired
            * expired lock
            > EXISTS lock
            (integer) 0
        )story")
                    .c_str(),
                serverOf(Profile::Redis84));
        compare((std::string(kAt) + R"story(
            at 300
            > EXISTS lock
            (integer) 1
        )story")
                    .c_str(),
                serverOf(Profile::Valkey90));
        StorePlayer player(serverOf(Profile::Redis84));
        player.execute({"SET", "lock", "A", "PX", "300"});
        QCOMPARE(*player.store().nextDeadline(), kStoryStart + 300'000);
        player.execute({"PEXPIRE", "lock", "299"});
        QCOMPARE(*player.store().nextDeadline(), kStoryStart + 300'000); // no tick stands at 299
    }

    void aDeadlineInThePast() {
        StorePlayer redis(serverOf(Profile::Redis84));
        StorePlayer valkey(serverOf(Profile::Valkey81));
        for (StorePlayer* player : {&redis, &valkey}) {
            player->execute({"SET", "lock", "A"});
            player->takeNotes();
            player->execute({"PEXPIRE", "lock", "0"});
        }
        QVERIFY(redis.takeNotes().find("* del lock") != std::string::npos);
        QVERIFY(valkey.takeNotes().find("* expired lock") != std::string::npos);
    }

    /// A full 7.0 queues nothing at all, a full 8.4 what takes no memory.
    void aFullServerAndATransaction() {
        for (const Profile profile : {Profile::Redis72, Profile::Redis84}) {
            StorePlayer player(serverOf(profile));
            player.execute({"SET", "lock", "A"});
            player.execute({"CONFIG", "SET", "maxmemory", "1"});
            player.execute({"MULTI"});
            const bool older = profile == Profile::Redis72;
            QCOMPARE(player.execute({"DEL", "lock"}).isError(), older);
            QVERIFY(player.execute({"SET", "lock", "B"}).isError());
            player.execute({"DISCARD"});
        }
    }

    void whatCanGrant() {
        using Words = std::vector<std::string_view>;
        QVERIFY(canGrant(Words{"SET", "lock", "A", "NX", "PX", "100"}));
        QVERIFY(!canGrant(Words{"SET", "lock", "A", "PX", "100", "IFEQ", "A"})); // renews
        QVERIFY(canGrant(Words{"SET", "lock", "B", "IFEQ", "A"}));               // hands over
        QVERIFY(!canGrant(Words{"DELEX", "lock", "IFEQ", "A"}));
    }
};

QTEST_GUILESS_MAIN(ProfilesTest)
#include "profiles_test.moc"
