#include "edit_grid.hpp"

#include <algorithm>

namespace gecval {

void EditGrid::build(Sentence source, Sentence hypothesis) {
    rows_ = static_cast<int>(source.size()) + 1;
    columns_ = static_cast<int>(hypothesis.size()) + 1;
    moves_.assign(static_cast<std::size_t>(rows_) * static_cast<std::size_t>(columns_), 0);
    cost_.resize(moves_.size());
    add_graph(source, hypothesis, 1, 0);
    add_graph(source, hypothesis, 2, 1);
    vertices_ = static_cast<std::size_t>(std::count_if(moves_.begin(), moves_.end(), [](auto m) { return m != 0; }));
}

void EditGrid::add_graph(Sentence source, Sentence hypothesis, int substitution_cost, int graph) {
    const std::size_t width = static_cast<std::size_t>(columns_);
    for (int j = 0; j < columns_; ++j) cost_[static_cast<std::size_t>(j)] = j;
    for (int i = 1; i < rows_; ++i) {
        std::int32_t* here = cost_.data() + static_cast<std::size_t>(i) * width;
        const std::int32_t* above = here - width;
        const Token token = source[static_cast<std::size_t>(i - 1)];
        here[0] = i;
        for (int j = 1; j < columns_; ++j) {
            const int step = token == hypothesis[static_cast<std::size_t>(j - 1)] ? 0 : substitution_cost;
            here[j] = std::min(above[j - 1] + step, std::min(above[j], here[j - 1]) + 1);
        }
    }

    // Backwards from the end, keep every move that explains the cost of the cell it enters.
    const auto reachable_bit = static_cast<std::uint8_t>(1 << (6 + graph));
    moves_.back() |= reachable_bit;
    for (int i = rows_ - 1; i >= 0; --i) {
        for (int j = columns_ - 1; j >= 0; --j) {
            const std::size_t here = at({i, j});
            if (!(moves_[here] & reachable_bit)) continue;
            auto keep = [&](std::size_t from, Move move, int step) {
                if (cost_[from] + step == cost_[here]) {
                    moves_[from] |= static_cast<std::uint8_t>(reachable_bit | 1 << (move + 3 * graph));
                }
            };
            if (j > 0) keep(here - 1, insertion, 1);
            if (i > 0) keep(here - width, deletion, 1);
            if (i > 0 && j > 0) {
                const bool same =
                    source[static_cast<std::size_t>(i - 1)] == hypothesis[static_cast<std::size_t>(j - 1)];
                keep(here - width - 1, diagonal, same ? 0 : substitution_cost);
            }
        }
    }
}

}  // namespace gecval
