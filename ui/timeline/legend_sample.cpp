// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/legend_sample.h"

#include <QCoreApplication>

namespace lockscope::ui {

namespace {

class SampleMaker {
    Q_DECLARE_TR_FUNCTIONS(TimelineLegend)

public:
    LegendSample make() {
        m_trace->horizon = m_trace->reached = at(10);
        m_trace->actors.push_back({"", false}); // its badge says who it is
        m_trace->actors.push_back({"second", false});
        m_trace->processes.push_back({0, 1});
        m_trace->tasks.push_back({});
        m_key = m_trace->strings.intern("lock");
        m_run->analysis.claims.push_back(claim(at(1), at(9)));
        addDoes();
        addThinks();
        addRequests();
        addOwners();
        addResource();
        addViolation();
        addFaults();
        addViews();
        addStrip();
        m_run->trace = m_trace;
        m_sample.run = m_run;
        return std::move(m_sample);
    }

private:
    static Instant at(double s) { return instantAt(Duration{static_cast<std::int64_t>(s * 1e6)}); }

    Claim claim(Instant from, Instant until) const {
        Claim claim;
        claim.key = m_key;
        claim.actor = 0;
        claim.from = from;
        claim.until = until;
        return claim;
    }

    ActorLane& lane(LegendEntry::Family family, const QString& title, const QString& text) {
        m_sample.entries.push_back({family, static_cast<int>(m_run->lanes.actors.size()), title, text});
        m_run->lanes.actors.emplace_back().actor = 0;
        return m_run->lanes.actors.back();
    }
    KeyLane& key(LegendEntry::Family family, const QString& title, const QString& text) {
        m_sample.entries.push_back({family, static_cast<int>(m_run->lanes.keys.size()), title, text});
        m_run->lanes.keys.emplace_back().key = m_key;
        m_run->lanes.keys.back().node = 0;
        return m_run->lanes.keys.back();
    }
    static DoesSpan does(DoesKind kind, double from = 0.5, double until = 9.5) {
        DoesSpan span;
        span.kind = kind;
        span.from = at(from);
        span.until = at(until);
        span.begins = span.finishes = false; // the legend tells no lengths
        return span;
    }

    void addDoes() {
        using Family = LegendEntry::Family;
        lane(Family::Does, tr("works"), tr("makes progress")).does.push_back(does(DoesKind::Work));
        lane(Family::Does, tr("computes"), tr("makes progress; its event loop stands still"))
            .does.push_back(does(DoesKind::Compute));
        lane(Family::Does, tr("cannot run"), tr("has something to run, but its loop computes"))
            .does.push_back(does(DoesKind::CannotRun));
        lane(Family::Does, tr("waits"), tr("wants the lock; refused asks fold to a number"));
        m_run->lanes.actors.back().does.push_back(does(DoesKind::Waiting));
        m_run->lanes.actors.back().refusals.push_back({at(1), at(9), 30, kNone});
        ActorLane& paused = lane(Family::Does, tr("paused"), tr("frozen: runs nothing, timers fire late"));
        paused.does = {does(DoesKind::Work, 0.5, 3), does(DoesKind::Paused, 3, 7),
                       does(DoesKind::Work, 7, 9.5)};
        ActorLane& dead = lane(Family::Does, tr("dead"), tr("killed, until it is started again"));
        dead.does = {does(DoesKind::Work, 0.5, 4), does(DoesKind::Dead, 4, 9.5)};
        ActorLane& hatch =
            lane(Family::Does, tr("works without the lock"), tr("it is not the owner any more"));
        hatch.does = {does(DoesKind::Work)};
        hatch.does.front().label = m_trace->strings.intern(" ");
        hatch.hatches.push_back({at(4), at(9.5), 0, kNone});
    }

    void addThinks() {
        using Family = LegendEntry::Family;
        const auto thinks = [](bool frozen, bool dormant) {
            ThinksSpan span;
            span.claim = 0;
            span.from = at(1);
            span.until = at(9);
            span.frozen = frozen;
            span.dormant = dormant;
            return span;
        };
        lane(Family::Thinks, tr("thinks"), tr("takes itself for the holder"))
            .thinks.push_back(thinks(false, false));
        lane(Family::Thinks, tr("thinks, frozen"), tr("the thought of a paused process"))
            .thinks.push_back(thinks(true, false));
        lane(Family::Thinks, tr("past its own deadline"), tr("frozen, and it will find out"))
            .thinks.push_back(thinks(true, true));
        ThinksSpan unknown = thinks(false, false);
        unknown.claim = kNone;
        unknown.unknown = true;
        lane(Family::Thinks, tr("unknown"), tr("cannot tell whether its request was executed"))
            .thinks.push_back(unknown);
    }

    RequestIndex request(RequestTimes times) {
        TraceRequest request;
        request.actor = 0;
        request.key = m_key;
        m_trace->requests.push_back(request);
        m_run->analysis.requests.push_back(times);
        return static_cast<RequestIndex>(m_trace->requests.size()) - 1;
    }

    void addRequests() {
        using Family = LegendEntry::Family;
        RequestTimes granted;
        granted.sent = at(1.5);
        granted.executed = at(4.5);
        granted.replied = at(7.5);
        lane(Family::Request, tr("request and reply"), tr("from the lane to Redis and back"))
            .requests.push_back(request(granted));
        RequestTimes refused = granted;
        refused.refusal = true;
        lane(Family::Request, tr("refused"), tr("the reply's head is open"))
            .requests.push_back(request(refused));
        RequestTimes lost = granted;
        lost.replied = kNever;
        lost.replyLost = at(6);
        lane(Family::Request, tr("lost"), tr("broken with a cross")).requests.push_back(request(lost));
        RequestTimes unknown = granted;
        unknown.replied = kNever;
        unknown.gaveUp = at(8);
        lane(Family::Request, tr("given up"), tr("the client does not know"))
            .requests.push_back(request(unknown));
    }

    void addOwners() {
        using Family = LegendEntry::Family;
        Grant grant;
        grant.key = m_key;
        grant.actor = 0;
        m_run->analysis.grants.push_back(grant);
        const auto owner = [](double from, double until, int g, EndReason end = EndReason::None) {
            OwnerSpan span;
            span.from = at(from);
            span.until = at(until);
            span.grant = g;
            span.end = end;
            return span;
        };
        key(Family::Owner, tr("Redis says: owner"), tr("whose lock it is"))
            .owners.push_back(owner(0.5, 9.5, 0));
        key(Family::Owner, tr("nobody"), tr("the lock is free")).owners.push_back(owner(0, 10, kNone));
        KeyLane& home = key(Family::Owner, tr("nobody home"), tr("the owner is dead or does not know"));
        home.owners = {owner(0.5, 9.5, 0)};
        home.owners.front().nobodyHome = true;
        key(Family::Owner, tr("cannot answer"), tr("nobody can know who owns the lock"))
            .outages.push_back({at(0.5), at(9.5), StringId::Empty});
        const std::pair<EndReason, QString> ends[] = {
            {EndReason::LeaseEnded, tr("lease ended")},
            {EndReason::Deleted, tr("deleted")},
            {EndReason::Evicted, tr("evicted to make room")},
            {EndReason::Overwritten, tr("overwritten")},
            {EndReason::Flushed, tr("flushed, or lost in a failover")}};
        for (const auto& [reason, title] : ends)
            key(Family::Owner, title, tr("why the ownership ended")).owners = {owner(0.5, 5, 0, reason),
                                                                               owner(5, 10, kNone)};
        TtlSegment tooth;
        tooth.from = at(0.5);
        tooth.until = at(9.5);
        tooth.left = seconds(9);
        tooth.grant = 0;
        key(Family::Ttl, tr("time to live"), tr("falls until the lease ends")).ttl.push_back(tooth);
    }

    void addResource() {
        using Family = LegendEntry::Family;
        Event event;
        event.at = at(2);
        event.kind = EventKind::WriteAccepted;
        event.b = 7;
        m_trace->events.push_back(event);
        event.at = at(5);
        event.kind = EventKind::WriteRejected;
        event.a = 41;
        event.b = 42;
        m_trace->events.push_back(event);
        m_run->lanes.resource = {{at(2), true, 0, 0}, {at(5), false, 0, 1}};
        m_sample.entries.push_back({Family::Resource, 0, tr("write accepted, rejected"),
                                    tr("a disc with the version; a ring with its fence < the highest")});
    }

    void addViolation() {
        Violation violation;
        violation.at = violation.until = at(5);
        violation.actors[0] = 1; // whose only lane is this one, or the mark would stand on another
        m_run->violations.push_back(violation);
        ActorLane& broken =
            lane(LegendEntry::Family::Violation, tr("an invariant breaks"), tr("here, and whom it concerns"));
        broken.actor = 1;
        broken.does.push_back(does(DoesKind::Work));
    }

    void addViews() {
        using Family = LegendEntry::Family;
        lane(Family::Ghost, tr("ghost"), tr("how it was before the last change"))
            .does.push_back(does(DoesKind::Work));
        lane(Family::Break, tr("axis cut short"), tr("step view: a long time in little room"))
            .does.push_back(does(DoesKind::Work, 0, 10));
    }

    void addStrip() {
        StripPicture& strip = m_sample.strip;
        strip.rows = {{Invariant::ForeignDelete, false},
                      {Invariant::BeliefOverlap, false},
                      {Invariant::UnprotectedWork, true}};
        strip.regions = {{{{at(1), at(3)}}, {{at(1), at(6)}}, {{at(3), at(8)}}}};
        lane(LegendEntry::Family::Strip, tr("if paused here"),
             tr("what a pause that begins there adds; a row each"));
    }

    void addFaults() {
        // A few of them, apart from one another.
        double second = 1;
        for (const InterventionKind kind : {InterventionKind::Kill, InterventionKind::LostRequest,
                                            InterventionKind::Delay, InterventionKind::ClockJump}) {
            m_trace->interventions.push_back({std::string(infoOf(kind).id), "", at(second), {}, true});
            second += 2.2;
        }
        lane(LegendEntry::Family::Fault, tr("what you did"),
             tr("a pin where it happens; drag it, or select it"))
            .does.push_back(does(DoesKind::Work));
    }

    std::shared_ptr<Trace> m_trace = std::make_shared<Trace>();
    std::shared_ptr<Run> m_run = std::make_shared<Run>();
    LegendSample m_sample;
    StringId m_key = StringId::Empty;
};

} // namespace

LegendSample makeLegendSample() {
    return SampleMaker().make();
}

} // namespace lockscope::ui
