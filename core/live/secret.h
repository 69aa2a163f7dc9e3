// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

#include <utility>

namespace lockscope::live {

/// A password. It has no way into a stream, a debug line or a comparison by accident; whoever needs the text
/// says so.
class Secret {
public:
    Secret() = default;
    explicit Secret(QByteArray text) : m_text(std::move(text)) {}

    bool isEmpty() const { return m_text.isEmpty(); }
    const QByteArray& reveal() const { return m_text; }
    /// Takes the same time wherever the texts differ.
    bool matches(const QByteArray& guess) const {
        unsigned difference = static_cast<unsigned>(m_text.size() ^ guess.size());
        for (qsizetype i = 0; i < guess.size(); ++i) {
            const char own = m_text.isEmpty() ? '\0' : m_text.at(i % m_text.size());
            difference |= static_cast<unsigned char>(own ^ guess.at(i));
        }
        return difference == 0;
    }

private:
    QByteArray m_text;
};

} // namespace lockscope::live
