// SPDX-FileCopyrightText: The Lockscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include <fmt/format.h>

#include "core/trace/phrases.h"
#include "core/trace/text_export.h"

namespace lockscope {

const TextSigns& signsFor(bool unicode) {
    static const TextSigns kDrawn{"▐", "▌", "█", "▓", "╱", "┄", "·", "‖", "✗", "╌", "├",
                                  "┤", "─", "╌", "∙", "?", "━", "░", "┈", "◷", "✗", "↓",
                                  "»", "↯", "○", "⊘", "◆", "─", "─", "┬", "×"};
    static const TextSigns kTyped{"[", "]", "=", "%", "/", "~", ".", "|", "x", "-", "|",
                                  "|", "-", ":", ".", "?", "=", "-", ".", "T", "X", "E",
                                  ">", "F", "o", "0", "*", "-", "-", "+", "x"};
    return unicode ? kDrawn : kTyped;
}

namespace {

/// The letter that tells an actor from the others where its name does not fit: the C of "Server C".
std::string_view badgeOf(std::string_view name) {
    const std::size_t blank = name.find_last_of(' ');
    return headOf(blank == std::string_view::npos ? name : name.substr(blank + 1), 1);
}

class Timeline {
public:
    Timeline(const Trace& trace, const Analysis& analysis, const Lanes& lanes,
             const TextExportOptions& options)
        : m_trace(trace), m_analysis(analysis), m_lanes(lanes), m_signs(signsFor(options.unicode)) {
        m_caption = 10; // "  Redis says" and the like are cut in only by very narrow pages
        for (const TraceActor& a : trace.actors)
            m_caption = std::max(m_caption, columnsOf(a.name) + 5);
        for (const TraceLockKey& k : trace.lockKeys)
            m_caption = std::max(m_caption, columnsOf(trace.text(k.name)));
        m_caption = std::min(std::max(m_caption, 16), std::max(16, options.width / 3));
        m_columns = std::max(20, options.width - m_caption - 1);
    }

    std::vector<std::string> draw(const std::vector<Violation>& violations) {
        ruler();
        interventions();
        // The lock stands between the first actor and the others, as in the window.
        for (std::size_t a = 0; a < m_lanes.actors.size(); ++a) {
            actor(m_lanes.actors[a]);
            if (a == 0) keys();
        }
        if (m_lanes.actors.empty()) keys();
        resource();
        broken(violations);
        return std::move(m_lines);
    }

private:
    TextRow blank() const { return TextRow(m_columns, m_trace.reached); }

    void add(std::string_view caption, const TextRow& row) {
        std::string line(headOf(caption, m_caption));
        line.append(static_cast<std::size_t>(m_caption - std::min(m_caption, columnsOf(line)) + 1), ' ');
        line += row.text();
        line.erase(line.find_last_not_of(' ') + 1);
        m_lines.push_back(line);
    }

    void ruler() {
        // The finest of 1, 2, 5, 10, 20, 50 … that leaves eight columns to a label.
        std::int64_t step = 1000; // one millisecond
        for (int i = 0; step * m_columns < micros(m_trace.reached) * 8; ++i)
            step = step * (i % 3 == 1 ? 5 : 4) / 2;
        TextRow labels = blank();
        TextRow line = blank();
        line.fill(0, m_columns, m_signs.rule);
        for (std::int64_t t = 0; t <= micros(m_trace.reached); t += step) {
            const int column = line.columnOf(instantAt(Duration{t}));
            line.put(column, m_signs.tick);
            const std::string label = formatDuration(Duration{t});
            labels.write(column, m_columns, label, columnsOf(label));
        }
        add("", labels);
        add("", line);
    }

    void interventions() {
        // As many rows as it takes for no flag to lie on another.
        struct Row {
            TextRow text;
            std::vector<std::pair<int, int>> taken;
        };
        std::vector<Row> rows;
        for (std::size_t i = 0; i < m_trace.interventions.size(); ++i) {
            const TraceIntervention& did = m_trace.interventions[i];
            if (!did.applied || did.at > m_trace.reached) continue;
            const std::string flag = fmt::format("{}:{}", i + 1, did.kind);
            const int from = blank().columnOf(did.at);
            const int to = from + columnsOf(flag) + 1;
            auto row = std::find_if(rows.begin(), rows.end(), [&](const Row& each) {
                return std::all_of(each.taken.begin(), each.taken.end(),
                                   [&](const std::pair<int, int>& other) {
                                       return other.second <= from || other.first >= to;
                                   });
            });
            if (row == rows.end()) row = rows.insert(row, {blank(), {}});
            row->text.write(from, m_columns, flag);
            row->taken.emplace_back(from, to);
        }
        for (const Row& row : rows)
            add(&row == &rows.front() ? translated("intervention") : "", row.text);
    }

    void actor(const ActorLane& lane) {
        const std::string& name = m_trace.actors[static_cast<std::size_t>(lane.actor)].name;
        std::vector<TextRow> does(static_cast<std::size_t>(lane.doesRows), blank());
        for (const DoesSpan& span : lane.does)
            drawDoes(lane, does[static_cast<std::size_t>(span.row)], span);
        for (const HatchSpan& hatch : lane.hatches) {
            TextRow& row = does[static_cast<std::size_t>(hatch.row)];
            const int from = row.columnOf(hatch.from);
            row.fill(from, std::max(from + 1, row.columnOf(hatch.until)), m_signs.hatch);
        }
        for (const DoesSpan& span : lane.does)
            labelDoes(does[static_cast<std::size_t>(span.row)], span);
        for (std::size_t r = 0; r < does.size(); ++r)
            add(r == 0 ? name + " " + translated("does") : "", does[r]);

        std::vector<TextRow> thinks(static_cast<std::size_t>(lane.thinksRows), blank());
        for (const ThinksSpan& span : lane.thinks)
            drawThinks(thinks[static_cast<std::size_t>(span.row)], span);
        const std::string caption(static_cast<std::size_t>(columnsOf(name) + 1), ' ');
        for (std::size_t r = 0; r < thinks.size(); ++r)
            add(r == 0 ? caption.substr(0, static_cast<std::size_t>(std::max(0, m_caption - 6))) +
                             translated("thinks")
                       : "",
                thinks[r]);
    }

    void drawDoes(const ActorLane& lane, TextRow& row, const DoesSpan& span) {
        const int from = row.columnOf(span.from);
        const int until = std::max(from + 1, row.columnOf(span.until));
        switch (span.kind) {
        case DoesKind::Work:
            row.fill(from, until, m_signs.work);
            break;
        case DoesKind::Compute:
            row.fill(from, until, m_signs.compute);
            break;
        case DoesKind::CannotRun:
            row.fill(from, until, m_signs.cannotRun);
            break;
        case DoesKind::Waiting:
            row.fill(from, until, m_signs.waiting);
            drawRefusals(lane, row, span);
            break;
        case DoesKind::Paused:
            break; // the gap itself; its edges and word come with the labels
        case DoesKind::Dead:
            row.fill(from, until, m_signs.deadLine);
            row.put(from, m_signs.dead);
            break;
        case DoesKind::Finished:
            break;
        }
    }

    void drawRefusals(const ActorLane& lane, TextRow& row, const DoesSpan& wait) {
        const auto& runs = lane.refusals;
        auto run = std::lower_bound(runs.begin(), runs.end(), wait.from,
                                    [](const RefusalRun& r, Instant t) { return r.first < t; });
        for (; run != runs.end() && run->first <= wait.until; ++run)
            if (run->task == wait.task)
                row.write(row.columnOf(wait.from) + 1, row.columnOf(wait.until),
                          fmt::format(" {}{} {} ", m_signs.times, run->count, translated("refused")), 4);
    }

    void labelDoes(TextRow& row, const DoesSpan& span) {
        const int from = row.columnOf(span.from);
        const int until = std::max(from + 1, row.columnOf(span.until));
        if (span.kind == DoesKind::Work || span.kind == DoesKind::Compute) {
            if (until - from < 3) return;
            if (span.begins) row.put(from, m_signs.workBegin);
            if (span.finishes) row.put(until - 1, m_signs.workEnd);
            const std::string_view label = m_trace.text(span.label);
            if (!label.empty() && span.begins && until - from >= std::min(columnsOf(label), 4) + 4)
                row.write(from + 1, until - 1, fmt::format(" {} ", headOf(label, until - from - 4)), 3);
        } else if (span.kind == DoesKind::Paused) {
            if (until - from < 2) return row.put(from, m_signs.paused);
            row.put(from, m_signs.paused);
            row.put(until - 1, m_signs.paused);
            const std::string word = say("paused {0}", sayLength(span.until - span.from));
            row.write(from + 2, until - 1, word, columnsOf(word));
        } else if (span.kind == DoesKind::Dead && until - from > 8) {
            row.write(from + 2, until, translated("dead") + " ");
        }
    }

    void drawThinks(TextRow& row, const ThinksSpan& span) {
        const int from = row.columnOf(span.from);
        const int until = std::max(from + 1, row.columnOf(span.until));
        if (span.unknown) return row.fill(from, until, m_signs.unknown);
        row.fill(from, until, span.dormant ? m_signs.dormant : span.frozen ? m_signs.frozen : m_signs.thinks);
        const Claim& claim = m_analysis.claims[static_cast<std::size_t>(span.claim)];
        if (span.until == claim.until) row.put(until - 1, m_signs.thinksEnd);
        if (span.from == claim.from) row.put(from, m_signs.thinksBegin);
    }

    const char* capOf(EndReason reason) const {
        switch (reason) {
        case EndReason::LeaseEnded:
            return m_signs.leaseEnded;
        case EndReason::Deleted:
        case EndReason::DeadlineInPast:
            return m_signs.deleted;
        case EndReason::Evicted:
            return m_signs.evicted;
        case EndReason::Overwritten:
            return m_signs.overwritten;
        default:
            return m_signs.flushed;
        }
    }

    void keys() {
        for (const KeyLane& lane : m_lanes.keys) {
            TextRow row = blank();
            for (std::size_t i = 0; i < lane.owners.size(); ++i) {
                const OwnerSpan& span = lane.owners[i];
                const int from = row.columnOf(span.from);
                const int until = std::max(from + 1, row.columnOf(span.until));
                if (span.grant == kNone) {
                    if (span.lingering) row.fill(from, until, m_signs.lingering);
                    const std::string word = " " + translated("nobody") + " ";
                    row.write(from + (until - from - columnsOf(word)) / 2, until, word, columnsOf(word));
                    continue;
                }
                row.fill(from, until, span.nobodyHome ? m_signs.nobodyHome : m_signs.owned);
                const bool first = i == 0 || lane.owners[i - 1].grant != span.grant;
                if (first) {
                    row.put(from, m_signs.workBegin);
                    const Grant& g = m_analysis.grants[static_cast<std::size_t>(span.grant)];
                    const std::string name = nameOfActor(m_trace, g.actor);
                    if (until - from >= columnsOf(name) + 4) row.write(from + 1, until, " " + name + " ");
                    if (until - from > 2 && until - from < columnsOf(name) + 4)
                        row.write(from + 1, until - 1, badgeOf(name));
                }
                if (span.nobodyHome && until - from > 15)
                    row.write(until - 14, until - 1, " " + translated("nobody home") + " ");
                if (span.end != EndReason::None) row.put(until - 1, capOf(span.end));
            }
            std::string caption(m_trace.text(lane.key));
            if (lane.node > 0 || (lane.node == 0 && m_analysis.majority))
                caption += fmt::format(" @{}", lane.node + 1);
            add(caption, row);
        }
    }

    void resource() {
        if (!m_trace.hasResource) return;
        TextRow row = blank();
        for (const ResourceMark& mark : m_lanes.resource) {
            const int column = row.columnOf(mark.at);
            const Event& e = m_trace.events[mark.event];
            row.put(column, mark.accepted ? m_signs.accepted : m_signs.rejected);
            const std::string note = mark.accepted ? fmt::format("v{}", e.b) : fmt::format("{}<{}", e.a, e.b);
            if (row.isBlank(column + 1, column + 1 + columnsOf(note))) row.write(column + 1, m_columns, note);
        }
        add(translated("resource"), row);
    }

    void broken(const std::vector<Violation>& violations) {
        for (const Invariant invariant : kInvariants) {
            TextRow row = blank();
            bool any = false;
            for (const Violation& v : violations) {
                if (v.invariant != invariant) continue;
                row.fill(row.columnOf(v.at), v.until > v.at ? row.columnOf(v.until) : 0, m_signs.lasting);
                any = true;
            }
            if (!any) continue;
            for (const Violation& v : violations) // marks over lines: an instant never vanishes
                if (v.invariant == invariant) row.put(row.columnOf(v.at), m_signs.violation);
            add(nameOf(invariant), row);
        }
    }

    const Trace& m_trace;
    const Analysis& m_analysis;
    const Lanes& m_lanes;
    const TextSigns& m_signs;
    int m_caption = 16;
    int m_columns = 80;
    std::vector<std::string> m_lines;
};

} // namespace

std::vector<std::string> drawTimeline(const Trace& trace, const Analysis& analysis, const Lanes& lanes,
                                      const std::vector<Violation>& violations,
                                      const TextExportOptions& options) {
    return Timeline(trace, analysis, lanes, options).draw(violations);
}

} // namespace lockscope
