// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Colours that tell things apart, sizes that all scale, badges without colour.
#include <QSignalSpy>
#include <QTest>

#include <cmath>
#include <set>

#include "ui/look.h"

using namespace lockscope::ui;

namespace {

double channel(double value) {
    return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
}

double luminance(const QColor& color) {
    return 0.2126 * channel(color.redF()) + 0.7152 * channel(color.greenF()) +
           0.0722 * channel(color.blueF());
}

double contrast(const QColor& a, const QColor& b) {
    const double high = std::max(luminance(a), luminance(b));
    const double low = std::min(luminance(a), luminance(b));
    return (high + 0.05) / (low + 0.05);
}

} // namespace

class LookTest : public QObject {
    Q_OBJECT

private slots:
    void everyMarkStandsOutFromTheLane();
    void whatStandsOnAnActorsColourCanBeRead();
    void badgesTellActorsApartWithoutColour();
    void everySizeFollowsTheScale();
    void changesAreToldOnceAndOnlyIfTheyAreAny();
};

void LookTest::everyMarkStandsOutFromTheLane() {
    for (const bool dark : {false, true}) {
        Look look;
        look.setDark(dark);
        const QColor lane = look.color(Role::Lane);
        for (int i = 0; i < 4; ++i)
            QVERIFY2(contrast(look.actor(i), lane) >= 3, qPrintable(QString::number(i)));
        for (const Role role : {Role::Violation, Role::Unknown, Role::Outside, Role::Focus})
            QVERIFY(contrast(look.color(role), lane) >= 3);
        for (const Role role : {Role::Text, Role::DimText}) {
            QVERIFY(contrast(look.color(role), lane) >= 4.5);
            QVERIFY(contrast(look.color(role), look.color(Role::Window)) >= 4.5);
        }
    }
}

void LookTest::whatStandsOnAnActorsColourCanBeRead() {
    for (const bool dark : {false, true}) {
        Look look;
        look.setDark(dark);
        for (int i = 0; i < 4; ++i)
            QVERIFY2(contrast(look.onActor(i), look.actor(i)) >= 4, qPrintable(QString::number(i)));
        QVERIFY(contrast(look.color(Role::OnViolation), look.color(Role::Violation)) >= 4.5);
        QVERIFY(contrast(look.color(Role::OnUnknown), look.color(Role::Unknown)) >= 4.5);
    }
}

void LookTest::badgesTellActorsApartWithoutColour() {
    const Look look;
    std::set<QString> letters;
    for (int i = 0; i < 60; ++i)
        letters.insert(look.badgeLetter(i));
    QCOMPARE(letters.size(), std::size_t{60});
    QCOMPARE(look.badgeLetter(0), QStringLiteral("A"));
    QCOMPARE(look.badgeLetter(25), QStringLiteral("Z"));
    QCOMPARE(look.badgeLetter(26), QStringLiteral("AA"));
    const QRectF box(0, 0, 20, 20);
    for (int i = 0; i < 4; ++i)
        for (int k = i + 1; k < 4; ++k)
            QVERIFY(look.badgeShape(i, box) != look.badgeShape(k, box));
    QVERIFY(!Look::actorColourRepeats(3));
    QVERIFY(Look::actorColourRepeats(4));
}

void LookTest::everySizeFollowsTheScale() {
    Look look;
    QCOMPARE(look.px(24), 24);
    look.setScale(2);
    QCOMPARE(look.px(24), 48);
    QCOMPARE(look.font(TextRole::Lane).pixelSize(), 26);
    look.setScale(0.1); // clamped: nothing shrinks below what can be read
    QCOMPARE(look.scale(), Look::kLeastScale);
    QCOMPARE(look.px(1), 1);
    look.setScale(99);
    QCOMPARE(look.scale(), Look::kMostScale);
}

void LookTest::changesAreToldOnceAndOnlyIfTheyAreAny() {
    Look look;
    QSignalSpy changes(&look, &Look::changed);
    look.setDark(true);
    look.setDark(true);
    look.setScale(1);
    look.setScale(1.5);
    QCOMPARE(changes.count(), 2);
    QCOMPARE(look.palette().color(QPalette::Window), look.color(Role::Window));
    QVERIFY(luminance(look.palette().color(QPalette::Text)) >
            luminance(look.palette().color(QPalette::Base)));
}

QTEST_MAIN(LookTest)
#include "look_test.moc"
