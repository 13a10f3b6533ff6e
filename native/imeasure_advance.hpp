// The recursion of imeasure_align.hpp.
#pragma once

#include <algorithm>

#include "imeasure_align.hpp"

namespace gecval::imeasure {

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
