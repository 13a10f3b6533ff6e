// The search of the M² scorer, step by step: which of several equally good edit sequences is reported depends on the
// order of its arcs, on arcs that occur twice and on sums of floating-point numbers, so all of these are kept as they
// are.
#include <algorithm>
#include <bit>
#include <limits>

#include "max_match.hpp"

namespace gecval {

namespace {

constexpr double kEpsilon = 0.001;  // ζ of the paper: prefer fewer edits, everything else being equal
constexpr std::uint16_t kAbsent = std::numeric_limits<std::uint16_t>::max();

template <class Visit>
void for_each_bit(std::span<const std::uint64_t> words, Visit visit) {
    for (std::size_t w = 0; w < words.size(); ++w) {
        for (std::uint64_t bits = words[w]; bits; bits &= bits - 1) {
            visit(static_cast<int>(w * 64) + std::countr_zero(bits));
        }
    }
}

}  // namespace

void ArcSearch::build(const EditGrid& grid, Sentence source, Sentence hypothesis, int max_unchanged, RowZero row_zero) {
    unmatched_known_ = false;
    cells_.clear();
    index_.resize(static_cast<std::size_t>(grid.rows()) * static_cast<std::size_t>(grid.columns()));
    for (int i = 0; i < grid.rows(); ++i) {
        for (int j = 0; j < grid.columns(); ++j) {
            if (!grid.reachable({i, j})) continue;
            index_[grid.at({i, j})] = static_cast<int>(cells_.size());
            cells_.push_back({i, j});
        }
    }
    arcs_.clear();
    length_.assign(cells_.size() * cells_.size(), kAbsent);
    unchanged_.resize(length_.size());
    row_zero_ = 0;
    if (row_zero == RowZero::version_3_2) {
        row_zero_ =
            static_cast<int>(std::count_if(cells_.begin(), cells_.end(), [](Cell cell) { return cell.i == 0; }));
    }
    inserts_first_.assign(static_cast<std::size_t>(row_zero_) * cells_.size(), false);
    add_moves(grid, source, hypothesis);
    add_transitive_arcs(max_unchanged);
    remove_noop_arcs();
    weigh_unmatched();
}

void ArcSearch::add_moves(const EditGrid& grid, Sentence source, Sentence hypothesis) {
    for (int from = 0; from < static_cast<int>(cells_.size()); ++from) {
        const Cell cell = cells_[static_cast<std::size_t>(from)];
        for (const Move move : {insertion, deletion, diagonal}) {
            const int copies = grid.graphs_with(cell, move);
            if (copies == 0) continue;
            const int to = index_[grid.at(after(cell, move))];
            const bool noop = move == diagonal &&
                              source[static_cast<std::size_t>(cell.i)] == hypothesis[static_cast<std::size_t>(cell.j)];
            arcs_.insert(arcs_.end(), static_cast<std::size_t>(copies), Arc{from, to});
            length_[at(from, to)] = 1;
            unchanged_[at(from, to)] = noop;
            if (from < row_zero_) inserts_first_[at(from, to)] = move == insertion;
        }
    }
}

void ArcSearch::add_transitive_arcs(int max_unchanged) {
    const std::size_t words = (cells_.size() + 63) / 64;
    successors_.assign(cells_.size() * words, 0);
    predecessors_.assign(cells_.size() * words, 0);
    const auto row = [&](std::vector<std::uint64_t>& bits, int vertex) {
        return std::span(bits).subspan(static_cast<std::size_t>(vertex) * words, words);
    };
    const auto connect = [&](int from, int to) {
        row(successors_, from)[static_cast<std::size_t>(to / 64)] |= std::uint64_t{1} << (to % 64);
        row(predecessors_, to)[static_cast<std::size_t>(from / 64)] |= std::uint64_t{1} << (from % 64);
    };
    for (const Arc arc : arcs_) connect(arc.from, arc.to);

    for (int via = 0; via < static_cast<int>(cells_.size()); ++via) {
        for_each_bit(row(predecessors_, via), [&](int from) {
            const bool from_row_zero = from < row_zero_;
            const int length_in = length_[at(from, via)];
            const int unchanged_in = unchanged_[at(from, via)];
            for_each_bit(row(successors_, via), [&](int to) {
                const int length = length_in + length_[at(via, to)];
                if (length >= length_[at(from, to)]) return;
                const int unchanged = unchanged_in + unchanged_[at(via, to)];
                if (unchanged > max_unchanged) return;
                arcs_.push_back({from, to});
                length_[at(from, to)] = static_cast<std::uint16_t>(length);
                unchanged_[at(from, to)] = static_cast<std::uint16_t>(unchanged);
                if (from_row_zero) inserts_first_[at(from, to)] = inserts_first_[at(from, via)];
                connect(from, to);
            });
        });
    }
}

void ArcSearch::remove_noop_arcs() {
    // The scorer removes arcs from the list it is walking over, so it never looks at the one after a removed arc.
    bool skip = false;
    for (const Arc arc : arcs_) {
        const bool remove = !skip && is_noop(arc.from, arc.to) && length_[at(arc.from, arc.to)] > 1;
        if (remove) length_[at(arc.from, arc.to)] = kAbsent;
        skip = remove;
    }
    std::erase_if(arcs_, [&](Arc arc) { return length_[at(arc.from, arc.to)] == kAbsent; });
}

void ArcSearch::weigh_unmatched() {
    // An arc listed twice pays ζ twice.
    pair_weight_.resize(length_.size());
    for (const Arc arc : arcs_) pair_weight_[at(arc.from, arc.to)] = length_[at(arc.from, arc.to)];
    for (const Arc arc : arcs_) {
        if (!is_noop(arc.from, arc.to)) pair_weight_[at(arc.from, arc.to)] += kEpsilon;
    }
    unmatched_weight_.clear();
    for (const Arc arc : arcs_) unmatched_weight_.push_back(pair_weight_[at(arc.from, arc.to)]);
}

ProposedEdit ArcSearch::edit(Arc arc) const {
    const Cell from = cells_[static_cast<std::size_t>(arc.from)], to = cells_[static_cast<std::size_t>(arc.to)];
    const bool misplaced = to.i == 0 && row_zero_ > 0;
    return {from.i, to.i, from.j, to.j, start_of(arc), misplaced ? to.j - 1 : to.i};
}

bool ArcSearch::weigh_matches(std::span<const GoldEdit> golds, Sentence hypothesis, bool any_correction) {
    std::vector<std::vector<const GoldEdit*>> golds_at(static_cast<std::size_t>(cells_.back().i) + 1);
    for (const auto& gold : golds) golds_at[static_cast<std::size_t>(gold.start)].push_back(&gold);

    weight_ = unmatched_weight_;
    bool any = false;
    std::vector<int> insertion_places;
    for (std::size_t a = 0; a < arcs_.size(); ++a) {
        const auto start = static_cast<std::size_t>(start_of(arcs_[a]));
        if (start >= golds_at.size() || golds_at[start].empty()) continue;  // a misplaced one may start behind the end
        // A word that is kept has the span of a gold edit too, but changes nothing.
        if (any_correction && is_noop(arcs_[a].from, arcs_[a].to)) continue;
        const ProposedEdit proposed = edit(arcs_[a]);
        for (const GoldEdit* gold : golds_at[start]) {
            if (!matches(*gold, proposed, hypothesis, any_correction)) continue;
            any = true;
            if (proposed.start == proposed.end) {
                insertion_places.push_back(proposed.start);
            } else {
                weight_[a] = -static_cast<double>(arcs_.size());
            }
        }
    }
    std::sort(insertion_places.begin(), insertion_places.end());
    insertion_places.erase(std::unique(insertion_places.begin(), insertion_places.end()), insertion_places.end());
    for (const int place : insertion_places) {
        auto& here = golds_at[static_cast<std::size_t>(place)];
        std::erase_if(here, [](const GoldEdit* gold) { return gold->start != gold->end; });
        weigh_insertions(place, here, hypothesis, any_correction);
    }
    return any;
}

void ArcSearch::weigh_insertions(int place, std::span<const GoldEdit* const> golds, Sentence hypothesis,
                                 bool any_correction) {
    // Consecutive insertions at one place use up its gold insertions in order: a walk from both ends inwards.
    std::vector<std::size_t> listed;
    for (std::size_t a = 0; a < arcs_.size(); ++a) {
        const ProposedEdit proposed = edit(arcs_[a]);
        if (proposed.start == place && proposed.end == place) listed.push_back(a);
    }
    std::stable_sort(listed.begin(), listed.end(), [&](std::size_t a, std::size_t b) {
        return std::pair(arcs_[a].from, arcs_[a].to) < std::pair(arcs_[b].from, arcs_[b].to);
    });
    const auto arc = [&](int k) { return arcs_[listed[static_cast<std::size_t>(k)]]; };
    const auto weight = [&](int k) -> double& { return pair_weight_[at(arc(k).from, arc(k).to)]; };
    const int count = static_cast<int>(listed.size());
    for (int k = 0; k < count; ++k) weight(k) = length_[at(arc(k).from, arc(k).to)];

    int left = 0, right = count - 1, current = left;
    int first_gold = 0, last_gold = static_cast<int>(golds.size()) - 1;
    while (left <= right) {
        const bool at_left = current == left;
        int hit = -1;
        for (int step = 0; step <= last_gold - first_gold && hit < 0; ++step) {
            const int g = at_left ? first_gold + step : last_gold - step;
            if (matches(*golds[static_cast<std::size_t>(g)], edit(arc(current)), hypothesis, any_correction)) hit = g;
        }
        if (hit < 0) {
            weight(current) += kEpsilon;
            current = at_left ? (++left, right) : (--right, left);
        } else if (at_left) {
            weight(current) = -static_cast<double>(arcs_.size());
            first_gold = hit + 1;
            for (++left; left < count && arc(left).from != arc(current).to; ++left) weight(left) += kEpsilon;
            current = left;
        } else {
            weight(current) = -static_cast<double>(arcs_.size());
            last_gold = hit - 1;
            for (--right; right >= 0 && arc(right).to != arc(current).from; --right) weight(right) += kEpsilon;
            current = right;
        }
    }
    for (int k = 0; k < count; ++k) weight_[listed[static_cast<std::size_t>(k)]] = weight(k);
}

std::vector<ProposedEdit> ArcSearch::best(std::span<const GoldEdit> golds, Sentence hypothesis, bool any_correction) {
    if (weigh_matches(golds, hypothesis, any_correction)) {
        shortest_path();
        return backtrack();
    }
    // Annotators whose edits match nowhere all see the same path.
    if (!unmatched_known_) {
        shortest_path();
        unmatched_best_ = backtrack();
        unmatched_known_ = true;
    }
    return unmatched_best_;
}

void ArcSearch::shortest_path() {
    // Bellman-Ford in list order; a pass without change would repeat itself, so it may stop there.
    distance_.assign(cells_.size(), std::numeric_limits<double>::infinity());
    previous_.assign(cells_.size(), -1);
    distance_[0] = 0;
    for (bool changed = true; changed;) {
        changed = false;
        for (std::size_t a = 0; a < arcs_.size(); ++a) {
            const auto from = static_cast<std::size_t>(arcs_[a].from), to = static_cast<std::size_t>(arcs_[a].to);
            const double through = distance_[from] + weight_[a];
            if (through < distance_[to]) {
                distance_[to] = through;
                previous_[to] = arcs_[a].from;
                changed = true;
            }
        }
    }
}

std::vector<ProposedEdit> ArcSearch::backtrack() const {
    std::vector<ProposedEdit> edits;
    for (int to = static_cast<int>(cells_.size()) - 1; previous_[static_cast<std::size_t>(to)] >= 0;) {
        const int from = previous_[static_cast<std::size_t>(to)];
        if (!is_noop(from, to)) edits.push_back(edit({from, to}));
        to = from;
    }
    std::reverse(edits.begin(), edits.end());
    return edits;
}

}  // namespace gecval
