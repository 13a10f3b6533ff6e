#include "max_match/edit_grid.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>

namespace gecval {

namespace {

constexpr std::int32_t kOutside = std::numeric_limits<std::int32_t>::max() / 2;
constexpr int kReachable = 1 << 6;  // in graph 0; in graph 1 it is the bit after

}  // namespace

void EditGrid::build(Sentence source, Sentence hypothesis, Lattice lattice) {
    bands_.resize(source.size() + 1);
    columns_ = static_cast<int>(hypothesis.size()) + 1;
    // The distance with substitutions at two is the larger one: a band that holds its paths holds the others'. Any band
    // gives a bound of it. Most outputs of systems fit into the first one.
    for (int most = std::abs(columns_ - rows()) + 4;;) {
        lay_band(most);
        fill_costs(source, hypothesis);
        const int bound = costs_[at({rows() - 1, columns_ - 1})].two;
        if (bound <= most) break;
        most = std::min(4 * most, bound);
    }
    keep_moves(source, hypothesis, lattice);
}

void EditGrid::lay_band(int most) {
    const int last_diagonal = columns_ - rows();
    const int beyond = (most - std::abs(last_diagonal)) / 2;
    const int lowest = std::min(0, last_diagonal) - beyond, highest = std::max(0, last_diagonal) + beyond;
    size_ = 0;
    for (int i = 0; i < rows(); ++i) {
        const Columns columns{std::max(0, i + lowest), std::min(columns_ - 1, i + highest)};
        bands_[static_cast<std::size_t>(i)] = {columns, size_ - static_cast<std::size_t>(columns.first)};
        size_ += columns.width() + 1;  // one cell more, which the row below looks at
    }
    if (costs_.size() >= size_) return;
    costs_.clear();  // nothing to copy, and no more memory than needed
    costs_.resize(size_);
}

void EditGrid::fill_costs(Sentence source, Sentence hypothesis) {
    const auto row = [&](int i) { return costs_.data() + bands_[static_cast<std::size_t>(i)].column_0; };
    for (int j = 0; j <= band(0).last; ++j) row(0)[j] = {j, j};
    row(0)[band(0).last + 1] = {kOutside, kOutside};
    for (int i = 1; i < rows(); ++i) {
        const auto [first, last] = band(i);
        const Costs* above = row(i - 1);
        Costs* here = row(i);
        const Token token = source[static_cast<std::size_t>(i - 1)];
        Costs left{kOutside, kOutside};
        if (first == 0) here[0] = left = {i, i};
        for (int j = std::max(first, 1); j <= last; ++j) {
            const int differs = token != hypothesis[static_cast<std::size_t>(j - 1)];
            left.one = std::min(above[j - 1].one + differs, std::min(above[j].one, left.one) + 1);
            left.two = std::min(above[j - 1].two + 2 * differs, std::min(above[j].two, left.two) + 1);
            here[j] = left;
        }
        here[last + 1] = {kOutside, kOutside};
    }
}

void EditGrid::keep_moves(Sentence source, Sentence hypothesis, Lattice lattice) {
    // Backwards from the end, keep every move that explains the cost of the cell it enters.
    vertices_ = 0;
    moves_.assign(size_, 0);
    moves_[at({rows() - 1, columns_ - 1})] = lattice == Lattice::tool ? kReachable | kReachable << 1 : kReachable;
    for (int i = rows() - 1; i >= 0; --i) {
        const auto [first, last] = band(i);
        for (int j = last; j >= first; --j) {
            const std::size_t here = at({i, j});
            const int reached = moves_[here];
            if (reached == 0) continue;
            ++vertices_;
            const auto keep = [&](std::size_t from, Move move, int step_one, int step_two) {
                const bool one = costs_[from].one + step_one == costs_[here].one && (reached & kReachable);
                const bool two = costs_[from].two + step_two == costs_[here].two && (reached & kReachable << 1);
                moves_[from] |= static_cast<std::uint8_t>(one * (kReachable | 1 << move) |
                                                          two * (kReachable << 1 | 1 << (move + 3)));
            };
            if (j > first) keep(here - 1, insertion, 1, 1);
            if (i == 0) continue;
            const std::size_t above = at({i - 1, j});
            keep(above, deletion, 1, 1);
            if (j == 0) continue;
            const int differs = source[static_cast<std::size_t>(i - 1)] != hypothesis[static_cast<std::size_t>(j - 1)];
            keep(above - 1, diagonal, differs, 2 * differs);
        }
    }
}

}  // namespace gecval
