// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/live/live_session.h"

namespace lockscope::ui {

Result<void> LiveSession::start(const Scenario&) {
    advance();
    if (m_trace == nullptr) return Error{"the run has not begun"};
    return {};
}

Result<void> LiveSession::intervene(const Intervention& intervention) {
    if (const QString why = m_host.intervene(intervention); !why.isEmpty()) return Error{why.toStdString()};
    advance();
    return {};
}

Result<void> ObserveSession::start(const Scenario&) {
    m_trace = m_host.observedTrace();
    if (m_trace == nullptr) return Error{"no key is observed"};
    return {};
}

Result<void> ObserveSession::intervene(const Intervention&) {
    return Error{"a key that is observed is not changed"};
}

/// What was seen stays when nobody watches any more.
void ObserveSession::advance() {
    if (auto trace = m_host.observedTrace()) m_trace = std::move(trace);
}

} // namespace lockscope::ui
