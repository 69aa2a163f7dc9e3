// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

#include <utility>

#include "core/base/result.h"

namespace lockscope::live {

/// A port of the loopback address for a server that may come and go: no other Lockscope of this machine takes
/// it as long as this object lives, though nobody listens there. When its process dies it is free.
///
/// It is none of those that the system gives to outgoing connections: a client that tries again and again to
/// reach a dead server would some day be given its port, and find itself.
class LoopbackPort {
public:
    static Result<LoopbackPort> take();
    LoopbackPort() = default;
    ~LoopbackPort();
    LoopbackPort(LoopbackPort&& other) noexcept
        : m_number(std::exchange(other.m_number, quint16{0})), m_claim(std::exchange(other.m_claim, -1)) {}
    LoopbackPort& operator=(LoopbackPort&& other) noexcept {
        std::swap(m_number, other.m_number);
        std::swap(m_claim, other.m_claim);
        return *this;
    }

    /// 0: none was taken.
    quint16 number() const { return m_number; }

private:
    LoopbackPort(quint16 number, int claim) : m_number(number), m_claim(claim) {}

    quint16 m_number = 0;
    int m_claim = -1; ///< a socket whose name says that the port is taken
};

} // namespace lockscope::live
