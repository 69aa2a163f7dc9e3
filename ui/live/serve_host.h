// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <QStringList>

#include <memory>
#include <string_view>

#include "core/trace/trace.h"
#include "core/world/scenario.h"

namespace lockscope::ui {

/// Whoever serves the lesson that is open to clients from outside, as the window sees it. The window knows no
/// socket; `app` implements this over `core/live`. One run at a time. All signals come from the event loop.
class ServeHost : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    /// Empty if clients can come now. Otherwise one line that says why not; then nothing is served.
    /// `port` 0: any free one.
    virtual QString start(const Scenario& scenario, Instant from, int port) = 0;
    /// Sends everybody away, and runs on without them; finished() follows.
    virtual void stop() = 0;
    virtual QString intervene(const Intervention& intervention) = 0;
    /// Ends a pause of that actor.
    virtual void resume(std::string_view actor) = 0;

    virtual bool serving() const = 0;
    /// Time stands until the first client is there.
    virtual bool begun() const = 0;
    virtual Instant now() const = 0;
    /// As far as time has come; null before start().
    virtual std::shared_ptr<const Trace> trace() = 0;
    /// With all that clients have done.
    virtual Scenario scenario() const = 0;

    /// The port of each server.
    virtual QList<int> ports() const = 0;
    /// Who can do what by them, in a sentence.
    virtual QString exposure() const = 0;
    /// Who is attached, by name or address.
    virtual QStringList guests() const = 0;

signals:
    void begunNow();
    void guestsChanged();
    void cutOff(const QString& why);
    /// The run can keep no more of what clients do.
    void full(const QString& why);
    void finished();
};

} // namespace lockscope::ui
