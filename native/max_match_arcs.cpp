// The lattice of the M² scorer, step by step. Which of several equally good edit sequences is reported depends on the
// order of its arcs and on arcs that occur twice, so both are kept as they are.
#include <algorithm>
#include <bit>

#include "max_match.hpp"

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

}  // namespace gecval
