// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/serve_host.h"

#include "core/live/served_lesson.h"

namespace lockscope::app {

namespace {

class ServeHost final : public ui::ServeHost {
public:
    ServeHost() {
        connect(&m_lesson, &live::ServedLesson::begun, this, &ServeHost::begunNow);
        connect(&m_lesson, &live::ServedLesson::guestsChanged, this, &ServeHost::guestsChanged);
        connect(&m_lesson, &live::ServedLesson::clientCutOff, this, &ServeHost::cutOff);
        connect(&m_lesson, &live::ServedLesson::recordingFull, this, &ServeHost::full);
        connect(&m_lesson, &live::ServedLesson::finished, this, &ServeHost::finished);
    }

    QString start(const Scenario& scenario, Instant from, int port) override {
        live::ListenOptions place; // loopback alone: the window asks for no password
        place.port = static_cast<std::uint16_t>(port);
        place.limits = live::ServedLesson::limits();
        return said(m_lesson.start(scenario, from, place));
    }
    void stop() override { m_lesson.stop(); }
    QString intervene(const Intervention& intervention) override {
        return said(m_lesson.intervene(intervention));
    }
    void resume(std::string_view actor) override { m_lesson.resume(actor); }
    bool serving() const override { return m_lesson.isServing(); }
    bool begun() const override { return m_lesson.hasBegun(); }
    Instant now() const override { return m_lesson.now(); }
    std::shared_ptr<const Trace> trace() override { return m_lesson.trace(); }
    Scenario scenario() const override { return m_lesson.scenario(); }
    QList<int> ports() const override {
        QList<int> out;
        for (int node = 0; node < m_lesson.nodes(); ++node)
            out += m_lesson.port(node);
        return out;
    }
    QString exposure() const override { return m_lesson.exposure(); }
    QStringList guests() const override {
        QStringList out;
        for (const live::LessonDoor::Guest& guest : m_lesson.guests())
            out += QString::fromStdString(guest.name.empty() ? guest.address : guest.name);
        return out;
    }

private:
    static QString said(const Result<void>& result) {
        return result ? QString() : QString::fromStdString(result.error().message);
    }

    live::ServedLesson m_lesson;
};

} // namespace

std::unique_ptr<ui::ServeHost> makeServeHost() {
    return std::make_unique<ServeHost>();
}

} // namespace lockscope::app
