// M² for lattices whose arcs cannot be listed. A dynamic programme over the grid finds the path that the paper defines:
//
//     most matched edits, then least cost of the rest (a unit per token moved over), then fewest edits.
//
// Between two cells it needs only the atomic moves: an unmatched edit is a run of moves with at most u unchanged words,
// so "inside an edit with k unchanged words so far" is a state, and merging moves is free. Matched edits are the only
// arcs laid out, and there are few: one for each place of the hypothesis where a gold correction stands.
#include <algorithm>
#include <limits>
#include <stdexcept>

#include "max_match/max_match.hpp"

namespace gecval {

namespace {

/// Compares as (−matches, steps, edits); packed so that adding costs is one addition.
using Cost = std::int64_t;
constexpr Cost kEdit = 1;
constexpr Cost kStep = Cost{1} << 24;
constexpr Cost kMatch = -(Cost{1} << 48);
constexpr Cost kUnreached = std::numeric_limits<Cost>::max();
using State = std::uint32_t;  // half the memory of a pointer; more states than it can number would take 50 GB

class WideSearch {
public:
    WideSearch(const EditGrid& grid, Sentence source, Sentence hypothesis, std::span<const GoldEdit> golds,
               int max_unchanged, bool any_correction)
        : grid_(grid), source_(source), hypothesis_(hypothesis), max_unchanged_(max_unchanged),
          any_correction_(any_correction), modes_(static_cast<std::size_t>(max_unchanged) + 2),
          golds_at_(static_cast<std::size_t>(grid.rows())) {
        for (const auto& gold : golds) golds_at_[static_cast<std::size_t>(gold.start)].push_back(&gold);
        row_start_.push_back(0);
        for (int i = 0; i < grid.rows(); ++i) {
            reached_.push_back(reached_in(i));
            row_start_.push_back(row_start_.back() + static_cast<std::size_t>(layers(i)) * reached_.back().width());
        }
        if (row_start_.back() > std::numeric_limits<State>::max() / modes_) {
            throw std::length_error("a sentence of " + std::to_string(source.size()) + " words and its output of " +
                                    std::to_string(hypothesis.size()) + " have too little in common to be aligned");
        }
        cost_.assign(row_start_.back() * modes_, kUnreached);
        previous_.resize(cost_.size());
    }

    std::vector<ProposedEdit> run() {
        cost_[state({0, 0}, 0, kClosed)] = 0;
        for (int i = 0; i < grid_.rows(); ++i) {
            const Columns reached = reached_[static_cast<std::size_t>(i)];
            for (int j = reached.first; j <= reached.last; ++j) {
                if (!grid_.reachable({i, j})) continue;
                for (int layer = 0; layer < layers(i); ++layer) leave({i, j}, layer);
            }
        }
        return backtrack();
    }

private:
    // Mode 0: between edits. Mode 1 + k: inside an edit that holds k unchanged words.
    static constexpr int kClosed = 0;

    using Columns = EditGrid::Columns;

    /// The part of a row that paths pass.
    Columns reached_in(int row) const {
        Columns reached = grid_.band(row);
        while (!grid_.reachable({row, reached.first})) ++reached.first;  // every path passes every row
        while (!grid_.reachable({row, reached.last})) --reached.last;
        return reached;
    }

    /// Gold insertions at one place are used up in order, each once: a row has a layer for each number used.
    int layers(int row) const {
        const auto& golds = golds_at_[static_cast<std::size_t>(row)];
        return 1 +
               static_cast<int>(std::count_if(golds.begin(), golds.end(), [](auto* g) { return g->start == g->end; }));
    }
    std::size_t state(Cell cell, int layer, int mode) const {
        const auto row = static_cast<std::size_t>(cell.i);
        const Columns reached = reached_[row];
        const std::size_t slot = row_start_[row] + static_cast<std::size_t>(layer) * reached.width() +
                                 static_cast<std::size_t>(cell.j - reached.first);
        return slot * modes_ + static_cast<std::size_t>(mode);
    }
    void relax(std::size_t from, std::size_t to, Cost step) {
        if (cost_[from] == kUnreached || cost_[from] + step >= cost_[to]) return;
        cost_[to] = cost_[from] + step;
        previous_[to] = static_cast<State>(from);
    }
    bool same_token(Cell cell) const {
        return source_[static_cast<std::size_t>(cell.i)] == hypothesis_[static_cast<std::size_t>(cell.j)];
    }

    void leave(Cell cell, int layer) {
        const std::size_t closed = state(cell, layer, kClosed);
        for (int mode = 1; mode < static_cast<int>(modes_); ++mode) relax(state(cell, layer, mode), closed, 0);
        for (const Move move : {insertion, deletion, diagonal}) {
            if (!grid_.graphs_with(cell, move)) continue;
            const Cell to = after(cell, move);
            const int to_layer = move == insertion ? layer : 0;
            if (move == diagonal && same_token(cell)) {
                relax(closed, state(to, to_layer, kClosed), kStep);
                for (int k = 0; k < max_unchanged_; ++k) {
                    relax(state(cell, layer, 1 + k), state(to, to_layer, 2 + k), kStep);
                }
            } else {
                relax(closed, state(to, to_layer, 1), kStep + kEdit);
                for (int k = 0; k <= max_unchanged_; ++k) {
                    relax(state(cell, layer, 1 + k), state(to, to_layer, 1 + k), kStep);
                }
            }
        }
        if (cost_[closed] != kUnreached) match(cell, layer, closed);
    }

    /// Lay the arcs of gold edits that start at this cell.
    void match(Cell cell, int layer, std::size_t closed) {
        int insertions = 0;
        for (const GoldEdit* gold : golds_at_[static_cast<std::size_t>(cell.i)]) {
            const bool inserts = gold->start == gold->end;
            insertions += inserts;
            if (inserts && insertions <= layer) continue;
            lengths_.clear();
            if (any_correction_) {
                for (int length = 0; cell.j + length < grid_.columns(); ++length) lengths_.push_back(length);
            } else {
                const auto here = hypothesis_.subspan(static_cast<std::size_t>(cell.j));
                for (const Sentence words : gold->alternatives) {
                    if (words.size() <= here.size() && std::equal(words.begin(), words.end(), here.begin())) {
                        lengths_.push_back(static_cast<int>(words.size()));
                    }
                }
            }
            if (lengths_.empty()) continue;
            find_edits(cell, gold->end, cell.j + *std::max_element(lengths_.begin(), lengths_.end()));
            for (const int length : lengths_) {
                if (fewest_unchanged_[static_cast<std::size_t>(length)] > max_unchanged_) continue;
                relax(closed, state({gold->end, cell.j + length}, inserts ? insertions : 0, kClosed), kMatch);
            }
        }
    }

    /// For each column from here to `last_column`: the fewest unchanged words on a path to it in row `end_row` that
    /// changes at least one word.
    void find_edits(Cell from, int end_row, int last_column) {
        const auto width = static_cast<std::size_t>(last_column - from.j + 1);
        constexpr int none = std::numeric_limits<int>::max() / 2;
        struct Fewest {
            int untouched = none, changed = none;  // on paths that changed nothing yet, or something
        };
        std::vector<Fewest> box(static_cast<std::size_t>(end_row - from.i + 1) * width);
        const auto at = [&](Cell c) -> Fewest& {
            return box[static_cast<std::size_t>(c.i - from.i) * width + static_cast<std::size_t>(c.j - from.j)];
        };
        at(from).untouched = 0;
        for (int i = from.i; i <= end_row; ++i) {
            for (int j = from.j; j <= last_column; ++j) {
                const Cell cell{i, j};
                const Fewest here = at(cell);
                for (const Move move : {insertion, deletion, diagonal}) {
                    const Cell next = after(cell, move);
                    if (next.i > end_row || next.j > last_column || !grid_.graphs_with(cell, move)) continue;
                    Fewest& there = at(next);
                    if (move == diagonal && same_token(cell)) {
                        there.untouched = std::min(there.untouched, here.untouched + 1);
                        there.changed = std::min(there.changed, here.changed + 1);
                    } else {
                        there.changed = std::min({there.changed, here.untouched, here.changed});
                    }
                }
            }
        }
        fewest_unchanged_.clear();
        for (int j = from.j; j <= last_column; ++j) fewest_unchanged_.push_back(at({end_row, j}).changed);
    }

    Cell cell_of(std::size_t state) const {
        const std::size_t slot = state / modes_;
        const auto next = std::upper_bound(row_start_.begin(), row_start_.end(), slot);
        const auto row = static_cast<std::size_t>(next - row_start_.begin() - 1);
        const Columns reached = reached_[row];
        return {static_cast<int>(row), reached.first + static_cast<int>((slot - row_start_[row]) % reached.width())};
    }

    std::vector<ProposedEdit> backtrack() const {
        const Cell last{grid_.rows() - 1, grid_.columns() - 1};
        std::size_t here = state(last, 0, kClosed);
        for (int layer = 1; layer < layers(last.i); ++layer) {
            const std::size_t other = state(last, layer, kClosed);
            if (cost_[other] < cost_[here]) here = other;
        }
        std::vector<ProposedEdit> edits;
        const std::size_t start = state({0, 0}, 0, kClosed);
        while (here != start) {
            // One arc: from the closed state before it to this closed state.
            std::size_t before = previous_[here];
            while (before % modes_ != kClosed) before = previous_[before];
            const Cell from = cell_of(before), to = cell_of(here);
            const bool noop = to == after(from, diagonal) && same_token(from);
            const bool matched = previous_[here] == before && cost_[here] == cost_[before] + kMatch;
            if (!noop) edits.push_back({from.i, to.i, from.j, to.j, from.i, to.i, matched});
            here = before;
        }
        std::reverse(edits.begin(), edits.end());
        return edits;
    }

    const EditGrid& grid_;
    Sentence source_, hypothesis_;
    int max_unchanged_;
    bool any_correction_;
    std::size_t modes_;
    std::vector<std::vector<const GoldEdit*>> golds_at_;
    std::vector<Columns> reached_;
    std::vector<std::size_t> row_start_;
    std::vector<Cost> cost_;
    std::vector<State> previous_;
    std::vector<int> lengths_, fewest_unchanged_;  // scratch of match and find_edits
};

}  // namespace

std::vector<ProposedEdit> widest_match(const EditGrid& grid, Sentence source, Sentence hypothesis,
                                       std::span<const GoldEdit> golds, int max_unchanged, bool any_correction) {
    return WideSearch(grid, source, hypothesis, golds, max_unchanged, any_correction).run();
}

}  // namespace gecval
