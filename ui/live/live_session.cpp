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

} // namespace lockscope::ui
