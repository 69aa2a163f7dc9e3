// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QTimer>

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/world/scenario.h"
#include "ui/bridge/latest_job.h"

namespace lockscope::ui {

/// What a server knows of a key that no event tells.
struct KeyFacts {
    std::optional<std::int64_t> bytes;       ///< MEMORY USAGE; nothing if the key is not there
    std::optional<std::int64_t> idleSeconds; ///< OBJECT IDLETIME; nothing under a policy by frequency
    std::map<std::string, std::int64_t> subscribers;

    bool operator==(const KeyFacts&) const = default;
};

/// Asks for such facts as one would with redis-cli: the run is simulated once more up to the instant, and
/// there somebody asks, so that the run that is shown knows nothing of it. Away from the window's thread.
class KeyProbe : public QObject {
    Q_OBJECT
public:
    explicit KeyProbe(QObject* parent = nullptr);

    /// The answer comes with found(), unless something else is asked before. Asked for the same again it does
    /// nothing.
    void ask(const Scenario& scenario, const std::string& key, const std::vector<std::string>& channels,
             Instant at);
    void forget();
    /// Of what was asked last; nothing while it is under way.
    const std::optional<KeyFacts>& facts() const { return m_facts; }

    /// The same at once.
    static KeyFacts look(const Scenario& scenario, const std::string& key,
                         const std::vector<std::string>& channels, Instant at);

signals:
    void found();

private:
    void begin();

    struct Question {
        Scenario scenario;
        std::string key;
        std::vector<std::string> channels;
        Instant at{};
    };
    std::optional<Question> m_question;
    std::optional<KeyFacts> m_facts;
    QTimer m_rest; ///< the playhead moves on while somebody scrubs
    LatestJob m_job{this};
};

/// A text as redis-cli reads it as one argument.
std::string quotedForRedis(std::string_view text);

} // namespace lockscope::ui
