// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QObject>
#include <QString>
#include <QStringList>

#include <memory>
#include <string_view>

#include "core/trace/trace.h"
#include "core/world/scenario.h"

namespace lockscope::ui {

/// Which Redis a live run takes, as the user says it.
struct LiveChoice {
    enum class Kind { Embedded, Private, Url };
    Kind kind = Kind::Private;
    // Of a URL. The password lives here and nowhere else: it is never saved, shown or logged.
    QString url;
    QString user;
    QString password;
    QString caFile;
    QString serverName;
};

/// Something that is known of a key, with where it came from and how old it is.
struct KnownFact {
    QString name;
    QString value;
    QString source;  ///< in a word: reply, notification, poll, computed
    Duration age{0}; ///< since it was last seen to be so
};

/// Whoever really runs lessons, as the window sees it. The window knows no process and no socket; `app`
/// implements this over `core/live`. One run at a time. All signals come from the event loop.
class LiveHost : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    /// Empty if it could be run there; otherwise one line that says why not. Nothing is started or asked.
    virtual QString whyNot(const Scenario& scenario, const LiveChoice& where, bool shipped) const = 0;
    /// Empty if it is on its way: begun() or failed() follows. Otherwise one line that says why it cannot be
    /// run there; then nothing has changed. `shipped`: the lesson comes with Lockscope.
    virtual QString start(const Scenario& scenario, const LiveChoice& where, bool shipped) = 0;
    /// Ends the run now; finished() follows.
    virtual void stop() = 0;
    virtual QString intervene(const Intervention& intervention) = 0;
    /// What is still to come does not.
    virtual QString takeBack(const Intervention& planned) = 0;
    /// Ends a pause of that actor.
    virtual void resume(std::string_view actor) = 0;

    virtual bool isAlive(std::string_view actor) const = 0;
    virtual bool isPaused(std::string_view actor) const = 0;
    /// The run's own time.
    virtual Instant now() const = 0;
    /// What is known by now; null before begun().
    virtual std::shared_ptr<const Trace> trace() = 0;
    /// With the interventions as they really were.
    virtual const Scenario& scenario() const = 0;
    /// What the server answered otherwise than a Redis should, a line each.
    virtual QStringList doubts() const = 0;

    /// Looks what is there; tested() follows.
    virtual void test(const LiveChoice& where) = 0;

    // A key of somebody's server, watched without writing anything. One at a time, beside any run.

    /// Empty if it is on its way; otherwise one line that says why not. observed() follows.
    virtual QString observe(const LiveChoice& where, const QString& key) = 0;
    virtual void stopObserving() = 0;
    /// What has been seen so far; null if nothing is watched.
    virtual std::shared_ptr<const Trace> observedTrace() const = 0;
    virtual QList<KnownFact> observedFacts() const = 0;

signals:
    void begun();
    void finished();
    void failed(const QString& why);
    /// What was found, or at which stage it failed, in a sentence.
    void tested(bool usable, const QString& sentence);
    /// Something new is known of the key, or of the way to it; in a line.
    void observed(const QString& line);
    /// It cannot be watched, and will not be tried again.
    void observingFailed(const QString& why);
};

} // namespace lockscope::ui
