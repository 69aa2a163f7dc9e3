// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/lock_details.h"

#include <QCoreApplication>
#include <QGridLayout>
#include <QLabel>

#include <algorithm>

#include "core/world/simulator.h"
#include "ui/bridge/key_probe.h"
#include "ui/bridge/run_model.h"
#include "ui/bridge/text.h"
#include "ui/look.h"
#include "ui/panels/wrap_label.h"

namespace lockscope::ui {

namespace {

constexpr qint64 kLongestSeen = qint64{400} * 24 * 3600 * 1000; // ms; as long as a run can be

struct DetailWords {
    Q_DECLARE_TR_FUNCTIONS(lockscope::ui::LockDetails)
};

QString tokenText(TokenForm form) {
    switch (form) {
    case TokenForm::Uuid:
        return DetailWords::tr("a token: a UUID");
    case TokenForm::Hex:
        return DetailWords::tr("a token: random digits, as redis-py and node-redlock make them");
    case TokenForm::Base64:
        return DetailWords::tr("a token: random bytes in base64, as redsync and Symfony make them");
    case TokenForm::Process:
        return DetailWords::tr(
            "a token that names a process: two of its threads, and two of its lives, are one to the lock");
    case TokenForm::Number:
        return DetailWords::tr("a token: a number");
    case TokenForm::Free:
        break;
    }
    return DetailWords::tr("a token");
}

/// "thread 42 of 8f1c…" of Redisson's uuid:threadId.
QString holderText(const LockHolder& holder) {
    const std::size_t colon = holder.name.rfind(':');
    const bool ofThread = colon != std::string::npos &&
                          tokenFormOf(std::string_view(holder.name).substr(0, colon)) == TokenForm::Uuid;
    return ofThread ? DetailWords::tr("thread %1 of %2")
                          .arg(qstr(std::string_view(holder.name).substr(colon + 1)),
                               qstr(holder.name.substr(0, 8)) + QChar(0x2026))
                    : qstr(holder.name);
}

/// A score that is a Unix time in milliseconds within the run, as an instant of it.
QString scoreText(const QString& who, const std::string& score, const Trace& trace) {
    bool whole = false;
    const qint64 millisOf = qstr(score).toLongLong(&whole) - kEpochMicros / 1000;
    const bool inRun =
        whole && trace.world == WorldKind::Simulated && millisOf >= 0 && millisOf < kLongestSeen;
    if (!inRun) return DetailWords::tr("%1: score %2").arg(who, qstr(score));
    return DetailWords::tr("%1: %2, score %3").arg(who, forPeople(millis(millisOf)), qstr(score));
}

QString holdersText(const LockView& view, const Trace& trace) {
    QStringList lines;
    for (const LockHolder& holder : view.holders) {
        const QString who = holderText(holder);
        switch (view.shape) {
        case LockShape::Counted:
        case LockShape::ReadWrite:
            lines << DetailWords::tr("%1: taken %2 times").arg(who, qstr(holder.value));
            break;
        case LockShape::Dated:
            lines << DetailWords::tr("%1: since %2").arg(who, qstr(holder.value));
            break;
        case LockShape::Semaphore:
        case LockShape::Symfony:
            lines << scoreText(who, holder.value, trace);
            break;
        default:
            lines << (holder.value.empty() ? who : QStringLiteral("%1: %2").arg(who, qstr(holder.value)));
        }
    }
    if (view.cut) lines << QString(QChar(0x2026));
    return lines.join(QLatin1Char('\n'));
}

QString kinText(const KinKey& kin, const std::optional<KeyFacts>& facts, Instant at) {
    const QString name = qstr(kin.name);
    if (kin.kind == KinKey::Kind::Channel) {
        if (!facts) return DetailWords::tr("channel %1").arg(name);
        const auto found = facts->subscribers.find(kin.name);
        const auto count = found == facts->subscribers.end() ? 0 : static_cast<int>(found->second);
        return DetailWords::tr("channel %1: %2 listening").arg(name).arg(count);
    }
    if (!kin.exists) return DetailWords::tr("%1: not there now").arg(name);
    QString value = qstr(kin.value);
    if (kin.kind == KinKey::Kind::Queue) {
        const LockView view = lockView(kin.type, kin.value);
        QStringList names;
        for (const LockHolder& holder : view.holders)
            names << qstr(holder.name);
        value = names.join(QStringLiteral(", "));
    }
    const QString lease = kin.deadline == kNever
                              ? DetailWords::tr("PTTL −1")
                              : DetailWords::tr("%1 left").arg(forPeople(kin.deadline - at));
    switch (kin.kind) {
    case KinKey::Kind::Queue:
        return DetailWords::tr("queue %1: %2 (%3)").arg(name, value, lease);
    case KinKey::Kind::Fence:
        return DetailWords::tr("fence %1 = %2 (%3)").arg(name, value, lease);
    default:
        return DetailWords::tr("%1, a %2: %3 (%4)").arg(name, qstr(kin.type), value, lease);
    }
}

} // namespace

QString shapeText(const LockView& view) {
    switch (view.shape) {
    case LockShape::Token:
        return tokenText(view.form);
    case LockShape::Counted:
        return DetailWords::tr(
            "a re-entrant lock: a hash of holder → how often it has taken it, as Redisson's");
    case LockShape::ReadWrite:
        return view.writing ? DetailWords::tr("a read-write lock, held by a writer: a hash as Redisson's")
                            : DetailWords::tr("a read-write lock, held by readers: a hash as Redisson's");
    case LockShape::Dated:
        return DetailWords::tr("a hash of holder → when, as sidekiq's :LOCKED");
    case LockShape::Semaphore:
        return DetailWords::tr("a semaphore: a sorted set, each member a holder, its score an instant");
    case LockShape::Symfony:
        return DetailWords::tr("a read-write lock, held by a writer: a sorted set as Symfony's");
    case LockShape::Members:
        return DetailWords::tr("a set, each member a holder");
    case LockShape::Queue:
        return DetailWords::tr("a list: whoever stands at its head");
    case LockShape::Other:
        break;
    }
    return DetailWords::tr("nothing that looks like a lock of a known library");
}

LockDetails::LockDetails(RunModel& run, Look& look, QWidget* parent)
    : QWidget(parent), m_run(run), m_look(look), m_probe(new KeyProbe(this)) {
    setObjectName(QStringLiteral("lockDetails"));
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setColumnStretch(1, 1);
    m_shape = addRow(grid, tr("is"), "keyShape");
    m_holders = addRow(grid, tr("holders"), "keyHolders");
    m_kin = addRow(grid, tr("with it"), "keyKin");
    m_memory = addRow(grid, tr("memory"), "keyMemory");
    m_memory->setToolTip(tr("What a redis-server would use for it, by a model of its memory: the entry in "
                            "the table of keys, the name and "
                            "the value, each rounded up to a size that the allocator hands out, and another "
                            "entry for a deadline. "
                            "MEMORY USAGE leaves the deadline's entry out.\n"
                            "Idle is how long no command has used it: what an eviction by LRU goes by. "
                            "Asking for PTTL does not count, "
                            "GET and a refused SET NX do."));
    m_server = addRow(grid, tr("server"), "keyServer");
    connect(m_probe, &KeyProbe::found, this, &LockDetails::showMemory);
    connect(&look, &Look::changed, this, &LockDetails::applyLook);
    applyLook();
}

WrapLabel* LockDetails::addRow(QGridLayout* grid, const QString& caption, const char* name) {
    auto* label = new QLabel(caption, this);
    label->setProperty("dim", true);
    label->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    m_captions.append(label);
    auto* value = new WrapLabel(this);
    value->setObjectName(QString::fromLatin1(name));
    value->setAccessibleName(caption);
    value->setTextFormat(Qt::PlainText);
    value->setTextInteractionFlags(Qt::TextSelectableByMouse);
    value->setProperty("caption", QVariant::fromValue<QObject*>(label));
    const int row = grid->rowCount();
    grid->addWidget(label, row, 0);
    grid->addWidget(value, row, 1);
    return value;
}

void LockDetails::setCaptionWidth(int width) {
    static_cast<QGridLayout*>(layout())->setColumnMinimumWidth(0, width);
}

void LockDetails::setRow(WrapLabel* value, const QString& text) {
    value->setText(text);
    value->setVisible(!text.isEmpty());
    static_cast<QWidget*>(value->property("caption").value<QObject*>())->setVisible(!text.isEmpty());
}

void LockDetails::show(StringId key, const KeyState& state) {
    const Trace& trace = *m_run.run()->trace;
    m_at = m_run.playhead();
    const bool there = state.exists || state.inMemory;
    const LockView view = there ? lockView(trace.text(state.type), trace.text(state.value)) : LockView{};
    setRow(m_shape, there ? shapeText(view) : QString());
    setRow(m_holders, there && view.shape != LockShape::Token ? holdersText(view, trace) : QString());
    m_shownKin = kinOf(trace, key, m_at);
    // A run that is served has visitors that no one can ask with.
    const bool askable = m_run.world() == WorldKind::Simulated && m_run.pastEditable();
    if (!there || !askable) setRow(m_memory, {});
    if (askable && isVisible()) {
        std::vector<std::string> channels;
        for (const KinKey& kin : m_shownKin)
            if (kin.kind == KinKey::Kind::Channel) channels.push_back(kin.name);
        m_probe->ask(m_run.scenario(), std::string(trace.text(key)), channels, m_at);
    } else {
        m_probe->forget();
    }
    setRow(m_server, qstr(trace.server));
    showMemory();
}

void LockDetails::showMemory() {
    const std::optional<KeyFacts>& facts = m_probe->facts();
    QStringList kin;
    for (const KinKey& each : m_shownKin)
        kin << kinText(each, facts, m_at);
    setRow(m_kin, kin.join(QLatin1Char('\n')));
    if (!facts) return; // what stood there stays until it is known
    if (!facts->bytes) return setRow(m_memory, {});
    const QString bytes = tr("%L1 bytes").arg(static_cast<qlonglong>(*facts->bytes));
    setRow(m_memory,
           facts->idleSeconds ? tr("%1, idle for %2 s").arg(bytes).arg(*facts->idleSeconds) : bytes);
}

void LockDetails::applyLook() {
    auto* grid = static_cast<QGridLayout*>(layout());
    grid->setHorizontalSpacing(m_look.px(10));
    grid->setVerticalSpacing(m_look.px(6));
    for (QLabel* label : std::as_const(m_captions))
        label->setFont(m_look.font(TextRole::Caption));
    for (WrapLabel* value : {m_shape, m_holders, m_kin, m_memory, m_server})
        value->setFont(m_look.font(TextRole::Caption));
}

} // namespace lockscope::ui
