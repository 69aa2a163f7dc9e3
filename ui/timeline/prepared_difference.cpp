// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/prepared_difference.h"

#include "core/trace/difference.h"

namespace lockscope::ui {

namespace {

std::vector<SpanTrack> tracksOf(const std::vector<ApartSpan>& pieces) {
    std::vector<SpanTrack> tracks;
    for (const ApartSpan& piece : pieces) {
        const auto row = static_cast<std::size_t>(piece.row);
        if (tracks.size() <= row) tracks.resize(row + 1);
        tracks[row].add(piece.from, piece.until, piece.source);
    }
    for (SpanTrack& track : tracks)
        track.finish();
    return tracks;
}

} // namespace

PreparedDifference::PreparedDifference(std::shared_ptr<const Run> run, const Run& other, const Run& shownOn,
                                       Duration least)
    : m_run(std::move(run)) {
    LanesApart apart = lanesApart(toldRun(*m_run), toldRun(other));
    const auto longEnough = [least](std::vector<ApartSpan>& pieces) {
        std::erase_if(pieces, [least](const ApartSpan& piece) { return piece.until - piece.from <= least; });
    };
    for (ActorApart& actor : apart.actors) {
        longEnough(actor.does);
        longEnough(actor.thinks);
    }
    for (std::vector<ApartSpan>& key : apart.keys)
        longEnough(key);
    const auto& actors = m_run->lanes.actors;
    const auto actorName = [](const Run& of, const ActorLane& lane) {
        return std::string_view(of.trace->actors[static_cast<std::size_t>(lane.actor)].name);
    };
    for (const ActorLane& shown : shownOn.lanes.actors) {
        Actor& made = m_actors.emplace_back();
        for (std::size_t i = 0; i < actors.size(); ++i) {
            if (actorName(*m_run, actors[i]) != actorName(shownOn, shown)) continue;
            made = {&actors[i], tracksOf(apart.actors[i].does), tracksOf(apart.actors[i].thinks)};
            break;
        }
    }
    const auto& keys = m_run->lanes.keys;
    for (const KeyLane& shown : shownOn.lanes.keys) {
        Key& made = m_keys.emplace_back();
        for (std::size_t i = 0; i < keys.size(); ++i) {
            if (keys[i].node != shown.node ||
                m_run->trace->text(keys[i].key) != shownOn.trace->text(shown.key))
                continue;
            made.lane = &keys[i];
            for (const ApartSpan& piece : apart.keys[i])
                made.owners.add(piece.from, piece.until, piece.source);
            break;
        }
        made.owners.finish();
    }
}

} // namespace lockscope::ui
