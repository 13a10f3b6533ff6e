// Three-way sum-of-pairs alignment, one reference token at a time.
//
// Pair costs: equal 0, different 3, token against gap 2, gap against gap 0. A column's cost is the sum of its three
// pairs. F(i, j, k) is the least cost of aligning the first i source, j hypothesis and k reference tokens; a Layer
// holds F(., ., k) with the counts on the path the backtrace takes from each cell. The backtrace prefers, in this
// order, (s h r) (s h -) (s - r) (- h r) (s - -) (- h -) (- - r), so that path is itself found going forward.
#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <limits>
#include <vector>

#include "imeasure.hpp"

namespace gecval::imeasure {

using Cost = std::int32_t;
inline constexpr Cost unreachable = std::numeric_limits<Cost>::max() / 4;
inline constexpr Cost two_gaps =
    4;  // what every column with a gap pays for it: one token against two gaps, or two against one

inline Cost pair_cost(Token a, Token b) { return a == b ? 0 : 3; }

// Counts of alignment columns, correction aspect.
struct ColumnCounts {
    std::int16_t tp = 0, tn = 0, fp = 0, fn = 0, fpn = 0;
    friend auto operator<=>(const ColumnCounts&, const ColumnCounts&) = default;
};

inline ColumnCounts operator+(ColumnCounts a, ColumnCounts b) {
    auto add = [](int x, int y) { return static_cast<std::int16_t>(x + y); };
    return {add(a.tp, b.tp), add(a.tn, b.tn), add(a.fp, b.fp), add(a.fn, b.fn), add(a.fpn, b.fpn)};
}
inline ColumnCounts operator-(ColumnCounts a, ColumnCounts b) {
    auto subtract = [](int x, int y) { return static_cast<std::int16_t>(x - y); };
    return {subtract(a.tp, b.tp), subtract(a.tn, b.tn), subtract(a.fp, b.fp), subtract(a.fn, b.fn),
            subtract(a.fpn, b.fpn)};
}

namespace column {
inline constexpr ColumnCounts tp{1, 0, 0, 0, 0}, tn{0, 1, 0, 0, 0}, fp{0, 0, 1, 0, 0}, fn{0, 0, 0, 1, 0};
inline constexpr ColumnCounts fpn{0, 0, 1, 1, 1};  // the hypothesis changes what must change, but to something else
}  // namespace column

struct Path {
    Cost cost = unreachable;
    ColumnCounts counts;
};

// F(., ., k) on the cells that may still matter: row i holds those in row(i). Everything else is unreachable.
class Layer {
public:
    void resize(std::size_t source, std::size_t hypothesis);
    void clear();

    Path& at(int i, int j) { return paths_[index(i, j)]; }
    const Path& at(int i, int j) const { return paths_[index(i, j)]; }  // i, j >= -1: a border of unreachable cells

    // The columns of a row in use: low <= j < high.
    struct Row {
        int low = 0, high = -1;
        bool empty() const { return low > high; }
    };
    Row& row(int i) { return rows_[static_cast<std::size_t>(i)]; }
    const Row& row(int i) const { return rows_[static_cast<std::size_t>(i)]; }

    void widen(int i, int j) {
        Row& columns = row(i);
        if (columns.empty()) columns = {j, j};
        columns.low = std::min(columns.low, j);
        columns.high = std::max(columns.high, j + 1);
        first = std::min(first, i);
        last = std::max(last, i);
    }

    int first = 0, last = -1;  // rows in use

private:
    std::size_t index(int i, int j) const {
        return static_cast<std::size_t>(i + 1) * width_ + static_cast<std::size_t>(j + 1);
    }
    std::size_t width_ = 0;
    std::vector<Row> rows_;
    std::vector<Path> paths_;
};

// Computes the layer after one more reference token, or (reference == nullptr) closes `now`, which holds its first
// cells, under columns without reference. A cell is dropped when its cost plus bound.rest(i, j) exceeds `limit`, and
// where it is not in bound.columns(i).
template <class Bound>
void advance(Sentence source, Sentence hypothesis, const Token* reference, const Layer& before, Layer& now,
             const Bound& bound, Cost limit);

struct Columns {
    int low, high;
};

struct Aligned {
    Cost cost = 0;
    ColumnCounts counts;
};

// Reusable memory for alignments with one source and one hypothesis.
class Aligner {
public:
    Aligner(Sentence source, Sentence hypothesis);
    Aligned operator()(Sentence reference);

private:
    Sentence source_, hypothesis_;
    std::vector<Cost> source_hypothesis_, source_reference_, hypothesis_reference_;
    Layer before_, now_;
};

// Least cost of aligning what is left of a and b from each (i, j), row by row.
void pairwise_rest(Sentence a, Sentence b, std::vector<Cost>& rest);

// What a pairwise alignment counts: columns with equal tokens, and the others.
struct Pairwise {
    std::int32_t equal = 0, different = 0;
};
Pairwise pairwise(Sentence a, Sentence b);
Pairwise as_pairwise(const ColumnCounts& counts);

}  // namespace gecval::imeasure

#include "imeasure_advance.hpp"
