// The lattice of the M² scorer, step by step. Which of several equally good edit sequences is reported depends on the
// order of its arcs and on arcs that occur twice, so both are kept as they are.
#include <algorithm>
#include <bit>
#include <limits>

#include "max_match/max_match.hpp"

namespace gecval {

void ArcSearch::build(const EditGrid& grid, Sentence source, Sentence hypothesis, int max_unchanged, RowZero row_zero) {
    unmatched_known_ = false;
    add_vertices(grid, row_zero);
    words_ = (cells_.size() + 63) / 64;
    predecessors_.assign(cells_.size() * words_, 0);
    arc_between_.resize(cells_.size() * cells_.size());
    arcs_.clear();
    listed_.clear();
    add_moves(grid, source, hypothesis);
    add_transitive_arcs(max_unchanged);
    remove_noop_arcs();
    weigh_unmatched();
}

void ArcSearch::add_vertices(const EditGrid& grid, RowZero row_zero) {
    cells_.clear();
    row_start_.clear();
    index_.resize(grid.size());
    for (int i = 0; i < grid.rows(); ++i) {
        row_start_.push_back(static_cast<int>(cells_.size()));
        const auto [first, last] = grid.band(i);
        for (int j = first; j <= last; ++j) {
            if (!grid.reachable({i, j})) continue;
            index_[grid.at({i, j})] = static_cast<int>(cells_.size());
            cells_.push_back({i, j});
        }
    }
    row_start_.push_back(static_cast<int>(cells_.size()));
    row_zero_ = row_zero == RowZero::version_3_2 ? row_start_[1] : 0;
}

void ArcSearch::add_moves(const EditGrid& grid, Sentence source, Sentence hypothesis) {
    size_ = 0;
    first_move_.clear();
    for (int from = 0; from < static_cast<int>(cells_.size()); ++from) {
        first_move_.push_back(arcs_.size());
        const Cell cell = cells_[static_cast<std::size_t>(from)];
        for (const Move move : {insertion, deletion, diagonal}) {
            const int copies = grid.graphs_with(cell, move);
            if (copies == 0) continue;
            const bool noop = move == diagonal &&
                              source[static_cast<std::size_t>(cell.i)] == hypothesis[static_cast<std::size_t>(cell.j)];
            connect({from, index_[grid.at(after(cell, move))], 1, noop, static_cast<std::uint16_t>(copies),
                     move == insertion});
            size_ += static_cast<std::size_t>(copies);
        }
    }
    first_move_.push_back(arcs_.size());
}

void ArcSearch::connect(Arc arc) {
    predecessors_[static_cast<std::size_t>(arc.to) * words_ + static_cast<std::size_t>(arc.from / 64)] |=
        std::uint64_t{1} << (arc.from % 64);
    arc_between_[at(arc.from, arc.to)] = static_cast<std::uint32_t>(arcs_.size());
    arcs_.push_back(arc);
}

void ArcSearch::add_transitive_arcs(int max_unchanged) {
    // Every arc leads to a later vertex. So when the turn of a vertex comes, single moves alone leave it.
    for (std::size_t via = 0; via + 1 < cells_.size(); ++via) {
        for (std::size_t w = 0; w < words_; ++w) {
            for (std::uint64_t bits = predecessors_[via * words_ + w]; bits; bits &= bits - 1) {
                const int from = static_cast<int>(w * 64) + std::countr_zero(bits);
                const Arc arc = arcs_[arc_between_[at(from, static_cast<int>(via))]];
                for (std::size_t m = first_move_[via]; m < first_move_[via + 1]; ++m) {
                    if (arc.unchanged + arcs_[m].unchanged <= max_unchanged) join(arc, arcs_[m]);
                }
            }
        }
    }
}

void ArcSearch::join(Arc arc, Arc move) {
    arc.to = move.to;
    arc.steps = static_cast<std::uint16_t>(arc.steps + 1);
    arc.unchanged = static_cast<std::uint16_t>(arc.unchanged + move.unchanged);
    arc.copies = 1;
    if (!linked(arc.from, arc.to)) {
        listed_.push_back(static_cast<std::uint32_t>(arcs_.size()));
        connect(arc);
        return;
    }
    const std::uint32_t known = arc_between_[at(arc.from, arc.to)];
    if (arc.steps >= arcs_[known].steps) return;
    listed_.push_back(known);
    arc.copies = static_cast<std::uint16_t>(arcs_[known].copies + 1);
    arcs_[known] = arc;
}

void ArcSearch::remove_noop_arcs() {
    // The scorer removes those of several words from the list it is walking over, so it never looks at the arc after
    // a removed one.
    bool skip = false;
    for (const std::uint32_t a : listed_) {
        const bool remove = !skip && arcs_[a].is_noop();
        if (remove) arcs_[a].steps = Arc::kRemoved;
        skip = remove;
    }
    std::erase_if(listed_, [&](std::uint32_t a) { return arcs_[a].is_removed(); });
    size_ += listed_.size();
}

// The search of the M² scorer through its lattice. Sums of floating-point numbers decide between equally good edit
// sequences, and so does the order in which arcs are looked at: both are kept as they are.

namespace {

constexpr double kEpsilon = 0.001;  // ζ of the paper: prefer fewer edits, everything else being equal

}  // namespace

void ArcSearch::weigh_unmatched() {
    // An arc listed twice pays ζ twice.
    unmatched_weights_.clear();
    for (const Arc& arc : arcs_) {
        double weight = arc.steps;
        for (int copy = 0; copy < arc.copies && !arc.is_noop(); ++copy) weight += kEpsilon;
        unmatched_weights_.push_back(weight);
    }
}

ProposedEdit ArcSearch::edit(const Arc& arc) const {
    const Cell from = cells_[static_cast<std::size_t>(arc.from)], to = cells_[static_cast<std::size_t>(arc.to)];
    const bool misplaced_start = arc.from < row_zero_ && arc.inserts_first;
    const bool misplaced_end = arc.to < row_zero_;
    return {from.i, to.i, from.j, to.j, misplaced_start ? from.j : from.i, misplaced_end ? to.j - 1 : to.i};
}

/// Visit every arc whose edit has this place, by the order of its vertices.
template <class Visit>
void ArcSearch::for_each_arc(int start, int end, Visit visit) const {
    const int last_row = static_cast<int>(row_start_.size()) - 2;
    if (start < 0 || end < 0 || start > last_row || end > last_row) return;
    const auto for_each_vertex = [&](int row, auto visit_vertex) {
        // Any vertex of row 0 may be misplaced.
        if (row > 0) {
            for (int vertex = 0; vertex < row_zero_; ++vertex) visit_vertex(vertex);
        }
        const auto r = static_cast<std::size_t>(row);
        for (int vertex = row_start_[r]; vertex < row_start_[r + 1]; ++vertex) visit_vertex(vertex);
    };
    for_each_vertex(start, [&](int from) {
        for_each_vertex(end, [&](int to) {
            if (!linked(from, to)) return;
            const std::size_t a = arc_between_[at(from, to)];
            if (arcs_[a].is_removed()) return;
            const ProposedEdit proposed = edit(arcs_[a]);
            if (proposed.start == start && proposed.end == end) visit(a, proposed);
        });
    });
}

bool ArcSearch::weigh_matches(std::span<const GoldEdit> golds, Sentence hypothesis, bool any_correction) {
    bool any = false;
    for (auto gold = golds.begin(); gold != golds.end(); ++gold) {
        if (!any) weights_ = unmatched_weights_;
        if (gold->start == gold->end) {
            // The first one stands for all at its place.
            const auto same_place = [&](const GoldEdit& g) { return g.start == gold->start && g.end == gold->end; };
            if (std::any_of(golds.begin(), gold, same_place)) continue;
            any |= weigh_insertions(gold->start, golds, hypothesis, any_correction);
            continue;
        }
        for_each_arc(gold->start, gold->end, [&](std::size_t a, const ProposedEdit& proposed) {
            // A word that is kept has the span of a gold edit too, but changes nothing.
            if (any_correction && arcs_[a].is_noop()) return;
            if (!matches(*gold, proposed, hypothesis, any_correction)) return;
            weights_[a] = -static_cast<double>(size_);
            any = true;
        });
    }
    return any;
}

bool ArcSearch::weigh_insertions(int place, std::span<const GoldEdit> golds, Sentence hypothesis, bool any_correction) {
    // Consecutive insertions at one place use up its gold insertions in order: a walk from both ends inwards.
    golds_here_.clear();
    for (const GoldEdit& gold : golds) {
        if (gold.start == place && gold.end == place) golds_here_.push_back(&gold);
    }
    insertions_.clear();
    for_each_arc(place, place, [&](std::size_t a, const ProposedEdit&) {
        insertions_.insert(insertions_.end(), arcs_[a].copies, a);
        weights_[a] = arcs_[a].steps;
    });
    const auto arc = [&](int k) { return arcs_[insertions_[static_cast<std::size_t>(k)]]; };
    const auto weight = [&](int k) -> double& { return weights_[insertions_[static_cast<std::size_t>(k)]]; };
    const int count = static_cast<int>(insertions_.size());

    int left = 0, right = count - 1, current = left;
    int first_gold = 0, last_gold = static_cast<int>(golds_here_.size()) - 1;
    bool any = false;
    while (left <= right) {
        const bool at_left = current == left;
        int hit = -1;
        for (int step = 0; step <= last_gold - first_gold && hit < 0; ++step) {
            const int g = at_left ? first_gold + step : last_gold - step;
            const GoldEdit& gold = *golds_here_[static_cast<std::size_t>(g)];
            if (matches(gold, edit(arc(current)), hypothesis, any_correction)) hit = g;
        }
        any |= hit >= 0;
        if (hit < 0) {
            weight(current) += kEpsilon;
            current = at_left ? (++left, right) : (--right, left);
        } else if (at_left) {
            weight(current) = -static_cast<double>(size_);
            first_gold = hit + 1;
            for (++left; left < count && arc(left).from != arc(current).to; ++left) weight(left) += kEpsilon;
            current = left;
        } else {
            weight(current) = -static_cast<double>(size_);
            last_gold = hit - 1;
            for (--right; right >= 0 && arc(right).to != arc(current).from; --right) weight(right) += kEpsilon;
            current = right;
        }
    }
    return any;
}

const std::vector<ProposedEdit>& ArcSearch::best(std::span<const GoldEdit> golds, Sentence hypothesis,
                                                 bool any_correction) {
    if (weigh_matches(golds, hypothesis, any_correction)) {
        find_best(weights_, best_);
        return best_;
    }
    // Annotators whose edits match nowhere all see the same path.
    if (!unmatched_known_) find_best(unmatched_weights_, unmatched_best_);
    unmatched_known_ = true;
    return unmatched_best_;
}

void ArcSearch::find_best(const Weights& weights, std::vector<ProposedEdit>& edits) {
    distance_.assign(cells_.size(), std::numeric_limits<double>::infinity());
    previous_.assign(cells_.size(), nullptr);
    distance_[0] = 0;
    const auto relax = [&](std::size_t a) {
        const Arc& arc = arcs_[a];
        const double through = distance_[static_cast<std::size_t>(arc.from)] + weights[a];
        if (through >= distance_[static_cast<std::size_t>(arc.to)]) return false;
        distance_[static_cast<std::size_t>(arc.to)] = through;
        previous_[static_cast<std::size_t>(arc.to)] = &arc;
        return true;
    };
    // Bellman-Ford in list order: pass after pass over the moves, then over the transitive arcs. A pass finds anew what
    // single moves change, as a vertex's come after those that lead to it. So the next one need not look at those that
    // leave vertices before the first that a transitive arc has changed.
    for (std::size_t changed = 0; changed < cells_.size();) {
        for (std::size_t a = first_move_[changed]; a < first_move_.back(); ++a) relax(a);
        changed = cells_.size();
        for (const std::uint32_t a : listed_) {
            if (relax(a)) changed = std::min(changed, static_cast<std::size_t>(arcs_[a].to));
        }
    }
    edits.clear();
    for (const Arc* arc = previous_.back(); arc; arc = previous_[static_cast<std::size_t>(arc->from)]) {
        if (!arc->is_noop()) edits.push_back(edit(*arc));
    }
    std::reverse(edits.begin(), edits.end());
}

}  // namespace gecval
