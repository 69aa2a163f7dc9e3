// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTemporaryDir>
#include <QTest>

#include "core/base/random.h"
#include "core/live/sqlite_resource.h"
#include "core/world/resource.h"

using namespace lockscope;
using namespace lockscope::live;

/// The table does what the simulator's resource does.
class SqliteResourceTest : public QObject {
    Q_OBJECT

private slots:
    void bothDecideAlike_data() {
        QTest::addColumn<bool>("enforced");
        QTest::newRow("fence enforced") << true;
        QTest::newRow("fence ignored") << false;
    }
    void bothDecideAlike() {
        QFETCH(bool, enforced);
        QTemporaryDir folder;
        ResourceSpec spec;
        spec.present = true;
        spec.enforceFence = enforced;
        Resource simulated;
        simulated.reset(spec);
        auto real = SqliteResource::create(folder.filePath("resource.db").toStdString(), spec);
        QVERIFY(real.ok());
        Random random(7);
        for (int i = 0; i < 300; ++i) {
            const std::string name = random.below(2) == 0 ? "file" : "it's \"another\"";
            const std::string value = std::string("v\0x", 3) + std::to_string(i);
            const auto fence = static_cast<std::int64_t>(random.below(12)) - 1;
            const WriteAnswer wanted = simulated.write(name, value, fence);
            const WriteAnswer found = (*real)->write(name, value, fence);
            QCOMPARE(found.accepted, wanted.accepted);
            QCOMPARE(found.version, wanted.version);
            QCOMPARE(found.highestFence, wanted.highestFence);
            QCOMPARE(found.why, wanted.why);
            const StoredValue there = simulated.read(name);
            const StoredValue here = (*real)->read(name);
            QCOMPARE(here.present, there.present);
            QCOMPARE(here.version, there.version);
            QVERIFY(here.value == there.value);
        }
    }

    /// What a lane shows: the statement that ran, with the fence in its WHERE, also of a refused write.
    void theStatementIsTold() {
        QTemporaryDir folder;
        ResourceSpec spec;
        spec.present = true;
        spec.enforceFence = true;
        auto real = SqliteResource::create(folder.filePath("resource.db").toStdString(), spec);
        QVERIFY(real.ok());
        QVERIFY((*real)->write("report", "from A", 41).accepted);
        QCOMPARE(QByteArray::fromStdString((*real)->lastStatement()),
                 "UPDATE resource SET value = 'from A', version = version + 1, fence = max(fence, 41)"
                 " WHERE name = 'report' AND 41 >= (SELECT max(fence) FROM resource)");
        QVERIFY(!(*real)->write("report", "it's B", 40).accepted);
        QVERIFY((*real)->lastStatement().find("'it''s B'") != std::string::npos);
        QVERIFY((*real)->lastStatement().find("AND 40 >= (") != std::string::npos);
    }

    void aFileThatCannotBeMadeIsAnError() {
        QTemporaryDir folder;
        QVERIFY(!SqliteResource::create(folder.filePath("no/such/folder.db").toStdString(), {}).ok());
    }
};

QTEST_GUILESS_MAIN(SqliteResourceTest)
#include "sqlite_resource_test.moc"
