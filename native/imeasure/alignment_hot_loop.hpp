// The hot loop of I-measure: three-way sum-of-pairs alignment, one reference token at a time. `advance` is the loop.
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

#include "imeasure/imeasure.hpp"

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

namespace column {

inline ColumnCounts all_three(Token s, Token h, Token r) {
    if (s == h) return h == r ? tn : fn;
    if (s == r) return fp;
    return h == r ? tp : fpn;
}

}  // namespace column

template <class Bound>
void advance(Sentence source, Sentence hypothesis, const Token* reference, const Layer& before, Layer& now,
             const Bound& bound, Cost limit) {
    const int rows = static_cast<int>(source.size()), columns = static_cast<int>(hypothesis.size());
    const bool closing = reference == nullptr;
    const Layer& seeds = closing ? now : before;
    const int first_row = seeds.first, last_seed = seeds.last;

    for (int i = first_row; i <= rows; ++i) {
        // The cells of this row that a column can reach, except along the row itself.
        int begin = columns + 1, end = 0;
        auto reach = [&](const Layer& layer, int row) {
            if (row < 0 || layer.row(row).empty()) return;
            begin = std::min(begin, layer.row(row).low);
            end = std::max(end, layer.row(row).high + 1);
        };
        reach(now, i - 1);
        reach(seeds, i);
        if (!closing) reach(seeds, i - 1);
        if (begin > columns) {
            if (i > last_seed + 1) break;
            continue;
        }

        const auto [low, high] = bound.columns(i);
        for (int j = std::max(begin, low); j <= high; ++j) {
            if (j >= end && now.at(i, j - 1).cost == unreachable) break;
            Path best = closing ? now.at(i, j) : Path{};
            auto offer = [&](const Path& from, Cost cost, ColumnCounts counts) {
                if (from.cost + cost < best.cost)
                    best = {from.cost + cost, from.counts + counts};  // strict: earlier offers win ties
            };
            const bool has_s = i > 0, has_h = j > 0;
            const Token s = has_s ? source[static_cast<std::size_t>(i - 1)] : 0;
            const Token h = has_h ? hypothesis[static_cast<std::size_t>(j - 1)] : 0;
            const Token r = closing ? 0 : *reference;
            if (!closing && has_s && has_h)
                offer(before.at(i - 1, j - 1), pair_cost(s, h) + pair_cost(s, r) + pair_cost(h, r),
                      column::all_three(s, h, r));
            if (has_s && has_h)
                offer(now.at(i - 1, j - 1), pair_cost(s, h) + two_gaps, s == h ? column::fn : column::fpn);
            if (!closing && has_s)
                offer(before.at(i - 1, j), pair_cost(s, r) + two_gaps, s == r ? column::fp : column::fpn);
            if (!closing && has_h)
                offer(before.at(i, j - 1), pair_cost(h, r) + two_gaps, h == r ? column::tp : column::fpn);
            if (has_s) offer(now.at(i - 1, j), two_gaps, column::tp);
            if (has_h) offer(now.at(i, j - 1), two_gaps, column::fp);
            if (!closing) offer(before.at(i, j), two_gaps, column::fn);

            if (best.cost >= unreachable || best.cost + bound.rest(i, j) > limit) {
                now.at(i, j) = Path{};
                continue;
            }
            now.at(i, j) = best;
            now.widen(i, j);
        }
    }
}

}  // namespace gecval::imeasure
