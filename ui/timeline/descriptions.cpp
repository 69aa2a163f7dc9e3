// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/descriptions.h"

#include <QCoreApplication>

#include "core/trace/wording.h"
#include "ui/bridge/fault_words.h"
#include "ui/bridge/text.h"
#include "ui/timeline/time_text.h"

namespace lockscope::ui {

namespace {

class Describer {
    Q_DECLARE_TR_FUNCTIONS(Timeline)

public:
    explicit Describer(const Scene& scene) : m_scene(scene), m_trace(scene.trace()) {}

    QString actor(ActorIndex index) const {
        return index < 0 ? tr("Somebody outside")
                         : qstr(m_trace.actors[static_cast<std::size_t>(index)].name);
    }
    QString text(StringId id) const { return qstr(m_trace.text(id)); }

    /// "from 0.2 s to 20.2 s (20 s)"; the end stays untold while it is veiled, or has not come yet.
    QString stretch(Instant from, Instant until) const {
        if (until == kNever || until >= m_trace.horizon) return tr("from %1 on").arg(instantText(from));
        if (!m_scene.mayTell(until)) return tr("from %1 on").arg(instantText(from));
        return tr("from %1 to %2 (%3)")
            .arg(instantText(from), instantText(until), durationText(until - from));
    }

    QString does(const ActorLane& lane, const ActorTracks& tracks, const DoesSpan& span, Instant at) const {
        const QString who = actor(lane.actor);
        const QString when = stretch(span.from, span.until);
        const QString label = span.label == StringId::Empty ? QString() : tr(" “%1”").arg(text(span.label));
        QString sentence;
        switch (span.kind) {
        case DoesKind::Work:
            sentence = tr("%1 works%2 %3.").arg(who, label, when);
            break;
        case DoesKind::Compute:
            sentence = tr("%1 computes%2 %3. Nothing else of its event loop can run.").arg(who, label, when);
            break;
        case DoesKind::CannotRun:
            sentence = tr("%1 has something to run but cannot, %2: its event loop computes.").arg(who, when);
            break;
        case DoesKind::Waiting:
            sentence = tr("%1 waits for the lock %2.").arg(who, when) + refusals(tracks, span);
            break;
        case DoesKind::Paused:
            sentence = tr("%1 is paused %2. It runs nothing; its timers will be late.").arg(who, when);
            break;
        case DoesKind::Dead:
            sentence = tr("%1 is dead %2.").arg(who, when);
            break;
        case DoesKind::Finished:
            sentence = tr("%1 is through with its program %2.").arg(who, when);
            break;
        }
        const bool works = span.kind == DoesKind::Work || span.kind == DoesKind::Compute;
        const auto row =
            static_cast<std::size_t>(std::clamp(span.row, 0, static_cast<int>(tracks.hatches.size()) - 1));
        if (works && tracks.hatches[row].covering(at) < tracks.hatches[row].size())
            sentence += tr("\nHatched: it works without the lock.");
        return sentence;
    }

    QString refusals(const ActorTracks& tracks, const DoesSpan& span) const {
        const Instant end = std::min(span.until, m_scene.veil);
        const std::size_t begin = tracks.refused.firstFrom(0, span.from);
        const std::size_t count = tracks.refused.firstFrom(begin, end) - begin;
        return count == 0 ? QString() : tr(" Refused %n time(s).", nullptr, static_cast<int>(count));
    }

    QString thinks(const ActorLane& lane, const ThinksSpan& span) const {
        const QString who = actor(lane.actor);
        if (span.unknown)
            return tr("%1 does not know whether its request was executed, %2.")
                .arg(who, stretch(span.from, span.until));
        const Claim& claim = m_scene.data.analysis().claims[static_cast<std::size_t>(span.claim)];
        QString sentence = tr("%1 takes itself for the holder of %2 %3.")
                               .arg(who, text(claim.key), stretch(claim.from, claim.until));
        if (claim.deadline != kNever)
            sentence += tr("\nIts own deadline is at %1.").arg(instantText(claim.deadline));
        if (span.dormant)
            sentence += tr("\nHere it is frozen and past its own deadline.");
        else if (span.frozen)
            sentence += tr("\nHere it is frozen, and thinks so without thinking.");
        return sentence;
    }

    QString owner(const KeyLane& lane, const OwnerSpan& span) const {
        const QString key = text(lane.key);
        const QString when = stretch(span.from, span.until);
        if (span.grant == kNone)
            return span.lingering ? tr("Nobody owns %1 %2. The dead key still lies in memory.").arg(key, when)
                                  : tr("Nobody owns %1 %2.").arg(key, when);
        const Analysis& analysis = m_scene.data.analysis();
        const Grant& grant = analysis.grants[static_cast<std::size_t>(span.grant)];
        QString sentence =
            lane.node == kMajority ? tr("Most nodes say: %1 owns %2 %3.") : tr("Redis says: %1 owns %2 %3.");
        if (!analysis.decides(grant)) sentence = tr("This node says: %1 has %2 %3. That is one vote.");
        sentence = sentence.arg(actor(grant.actor), key, when);
        if (span.others > 0) sentence += QLatin1Char('\n') + alsoOwn(grant, span);
        if (grant.fence >= 0) sentence += tr("\nFence %1.").arg(grant.fence);
        if (span.nobodyHome)
            sentence += tr("\nNobody home: the owner is dead, or does not know that it owns.");
        if (span.end != EndReason::None && m_scene.mayTell(span.until))
            sentence += tr("\nIt ended: %1.").arg(qstr(wordFor(span.end)));
        return sentence;
    }

    /// Who holds a semaphore at the same time.
    QString alsoOwn(const Grant& shown, const OwnerSpan& span) const {
        QStringList names;
        for (const int other : m_scene.data.analysis().beside(shown, span.from))
            names += actor(m_scene.data.analysis().grants[static_cast<std::size_t>(other)].actor);
        return tr("At the same time: %1.").arg(names.join(QStringLiteral(", ")));
    }

    QString outage(const OutageSpan& span) const {
        return tr("Redis cannot answer %1: %2.\nUntil it does, nobody can know who owns the lock.")
            .arg(stretch(span.from, span.until), text(span.why));
    }

    QString request(RequestIndex index) const {
        const TraceRequest& request = m_trace.requests[static_cast<std::size_t>(index)];
        const RequestTimes& times = m_scene.data.analysis().requests[static_cast<std::size_t>(index)];
        const auto told = [&](Instant at) { return at != kNever && m_scene.mayTell(at); };
        QStringList lines{tr("%1 sends %2").arg(actor(request.actor), text(request.text))};
        lines += tr("sent at %1").arg(instantText(times.sent));
        if (told(times.requestLost))
            lines += tr("lost on its way at %1: it never arrives").arg(instantText(times.requestLost));
        if (told(times.executed)) lines += tr("executed at %1").arg(instantText(times.executed));
        if (told(times.replyLost)) lines += tr("its reply was lost at %1").arg(instantText(times.replyLost));
        if (told(times.gaveUp))
            lines += tr("%1 gave up at %2: it cannot know what happened")
                         .arg(actor(request.actor), instantText(times.gaveUp));
        if (told(times.replied)) {
            const QString reply = text(times.reply);
            lines += times.refusal ? tr("refused at %1: %2").arg(instantText(times.replied), reply)
                                   : tr("reply at %1: %2").arg(instantText(times.replied), reply);
        }
        return lines.join(QLatin1Char('\n'));
    }

    QString violation(const Hit& hit) const {
        const Violation& violation = m_scene.data.run().violations[static_cast<std::size_t>(hit.index)];
        const QString title = qstr(titleOf(violation.invariant));
        // The sentence tells how long it lasts.
        QString sentence =
            m_scene.mayTell(violation.until)
                ? title + QLatin1Char('\n') + qstr(sentenceFor(m_trace, m_scene.data.analysis(), violation))
                : tr("%1, from %2 on").arg(title, instantText(violation.at));
        if (hit.count > 1)
            sentence += tr("\nThe worst of %n here; zoom in to tell them apart.", nullptr, hit.count);
        return sentence;
    }

    QString ttl(const KeyLane& lane, const TtlSegment& segment, Instant at) const {
        const QString key = text(lane.key);
        if (segment.unlimited)
            return tr("%1 has no time limit at %2.").arg(key, instantText(at, m_scene.scale.decimals(at)));
        const Duration left = segment.left - (at - segment.from);
        return tr("%1 has %2 to live at %3.")
            .arg(key, instantText(instantAt(std::max(left, Duration{0})), 1),
                 instantText(at, m_scene.scale.decimals(at)));
    }

private:
    const Scene& m_scene;
    const Trace& m_trace;
};

} // namespace

QString describe(const Scene& scene, const Hit& hit) {
    const Describer describer(scene);
    const auto index = static_cast<std::size_t>(std::max(0, hit.index));
    const auto inBand =
        hit.band < 0
            ? std::size_t{0}
            : static_cast<std::size_t>(scene.layout.bands()[static_cast<std::size_t>(hit.band)].index);
    switch (hit.what) {
    case Hit::What::Flag:
    case Hit::What::Fault:
        return describeIntervention(scene.trace(), hit.index);
    case Hit::What::Veil:
        return Describer::tr("Covered until the question is answered.");
    case Hit::What::Violation:
        return describer.violation(hit);
    case Hit::What::Does: {
        const ActorLane& lane = scene.lanes().actors[inBand];
        return describer.does(lane, scene.data.actors()[inBand], lane.does[index], hit.at);
    }
    case Hit::What::Thinks: {
        const ActorLane& lane = scene.lanes().actors[inBand];
        return describer.thinks(lane, lane.thinks[index]);
    }
    case Hit::What::Request: {
        QString sentence = describer.request(hit.index);
        if (hit.count > 1) sentence += Describer::tr("\nand %n more here", nullptr, hit.count - 1);
        return sentence;
    }
    case Hit::What::Outage:
        return describer.outage(scene.lanes().keys[inBand].outages[index]);
    case Hit::What::Owner: {
        const KeyLane& lane = scene.lanes().keys[inBand];
        return describer.owner(lane, lane.owners[index]);
    }
    case Hit::What::KeyEvent:
        return qstr(sentenceFor(scene.trace(), scene.trace().events[index]));
    case Hit::What::Resource: {
        const ResourceMark& mark = scene.lanes().resource[index];
        QString sentence = qstr(sentenceFor(scene.trace(), scene.trace().events[mark.event]));
        if (mark.sql != StringId::Empty) sentence += QLatin1Char('\n') + describer.text(mark.sql);
        if (hit.count > 1) sentence += Describer::tr("\nand %n more here", nullptr, hit.count - 1);
        return sentence;
    }
    case Hit::What::Ttl: {
        const KeyLane& lane = scene.lanes().keys[inBand];
        return describer.ttl(lane, lane.ttl[index], hit.at);
    }
    case Hit::What::Nothing:
    case Hit::What::Ruler:
    case Hit::What::Lane:
    case Hit::What::Strip:
        break;
    }
    return {};
}

QString describeLane(const Scene& scene, int band, Instant at) {
    const Describer describer(scene);
    const Band& b = scene.layout.bands()[static_cast<std::size_t>(band)];
    const auto index = static_cast<std::size_t>(b.index);
    QStringList parts;
    switch (b.kind) {
    case BandKind::Actor: {
        const ActorLane& lane = scene.lanes().actors[index];
        const ActorTracks& tracks = scene.data.actors()[index];
        for (const SpanTrack& track : tracks.does)
            if (const std::size_t i = track.covering(at); i < track.size())
                parts += describer.does(lane, tracks, lane.does[track.source(i)], at);
        for (const SpanTrack& track : tracks.thinks)
            if (const std::size_t i = track.covering(at); i < track.size())
                parts += describer.thinks(lane, lane.thinks[track.source(i)]);
        if (parts.isEmpty()) parts += Describer::tr("%1 does nothing.").arg(describer.actor(lane.actor));
        break;
    }
    case BandKind::Key: {
        const KeyLane& lane = scene.lanes().keys[index];
        const SpanTrack& track = scene.data.keys()[index].owners;
        if (const std::size_t i = track.covering(at); i < track.size())
            parts += describer.owner(lane, lane.owners[track.source(i)]);
        break;
    }
    case BandKind::Resource:
        parts += Describer::tr("The protected resource.");
        break;
    case BandKind::Ttl: {
        const KeyLane& lane = scene.lanes().keys[index];
        const SpanTrack& track = scene.data.keys()[index].ttl;
        const std::size_t i = track.covering(at);
        parts += i < track.size() ? describer.ttl(lane, lane.ttl[track.source(i)], at)
                                  : Describer::tr("%1 does not exist.").arg(describer.text(lane.key));
        break;
    }
    }
    return parts.join(QLatin1Char(' ')).replace(QLatin1Char('\n'), QLatin1Char(' '));
}

QString describeIntervention(const Trace& trace, int index) {
    const TraceIntervention& told = trace.interventions[static_cast<std::size_t>(index)];
    return QStringLiteral("%1 · %2").arg(QString::number(index + 1), faultSentence(faultFrom(told))) +
           faultOutcome(trace, index);
}

} // namespace lockscope::ui
