#include "imeasure/alignment_hot_loop.hpp"

#include <algorithm>

namespace gecval::imeasure {

void Layer::resize(std::size_t source, std::size_t hypothesis) {
    width_ = hypothesis + 2;
    paths_.assign((source + 2) * width_, Path{});
    rows_.assign(source + 1, Row{});
    first = static_cast<int>(source) + 1;
    last = -1;
}

void Layer::clear() {
    for (int i = first; i <= last; ++i) {
        for (int j = row(i).low; j < row(i).high; ++j) at(i, j) = Path{};
        row(i) = {};
    }
    first = static_cast<int>(rows_.size());
    last = -1;
}

void pairwise_rest(Sentence a, Sentence b, std::vector<Cost>& rest) {
    constexpr Cost gap = 2;
    const std::size_t width = b.size() + 1;
    rest.resize((a.size() + 1) * width);
    Cost* row = rest.data() + a.size() * width;
    for (std::size_t j = 0; j < width; ++j) row[j] = gap * static_cast<Cost>(b.size() - j);
    for (std::size_t i = a.size(); i-- > 0;) {
        const Cost* next = row;
        row -= width;
        row[b.size()] = next[b.size()] + gap;
        for (std::size_t j = b.size(); j-- > 0;)
            row[j] = std::min(next[j + 1] + pair_cost(a[i], b[j]), std::min(next[j], row[j + 1]) + gap);
    }
}

namespace {

// Of the three pairs, after k reference tokens.
struct PairwiseRests {
    const Cost *source_hypothesis, *source_reference, *hypothesis_reference;
    std::size_t width_h, width_r;

    Columns columns(int) const { return {0, static_cast<int>(width_h) - 1}; }
    Cost rest(int i, int j) const {
        const auto row = static_cast<std::size_t>(i), column = static_cast<std::size_t>(j);
        return source_hypothesis[row * width_h + column] + source_reference[row * width_r] +
               hypothesis_reference[column * width_r];
    }
};

}  // namespace

Aligner::Aligner(Sentence source, Sentence hypothesis) : source_(source), hypothesis_(hypothesis) {
    pairwise_rest(source, hypothesis, source_hypothesis_);
    before_.resize(source.size(), hypothesis.size());
    now_.resize(source.size(), hypothesis.size());
}

Aligned Aligner::operator()(Sentence reference) {
    // The three pairwise rests together never exceed the three-way rest (Carrillo & Lipman 1988). Cells that cannot be
    // part of an alignment within `limit` are dropped; if none that cheap exists the limit is raised.
    pairwise_rest(source_, reference, source_reference_);
    pairwise_rest(hypothesis_, reference, hypothesis_reference_);
    const std::size_t width_h = hypothesis_.size() + 1, width_r = reference.size() + 1;
    const Cost least = source_hypothesis_[0] + source_reference_[0] + hypothesis_reference_[0];
    const int rows = static_cast<int>(source_.size()), columns = static_cast<int>(hypothesis_.size());

    for (Cost slack = 0;; slack = std::max(2, 2 * slack)) {
        const Cost limit = least + slack;
        for (std::size_t k = 0; k <= reference.size(); ++k) {
            const PairwiseRests rests{source_hypothesis_.data(), source_reference_.data() + k,
                                      hypothesis_reference_.data() + k, width_h, width_r};
            std::swap(before_, now_);
            now_.clear();
            if (k == 0) {
                now_.at(0, 0).cost = 0;
                now_.widen(0, 0);
            }
            advance(source_, hypothesis_, k == 0 ? nullptr : &reference[k - 1], before_, now_, rests, limit);
        }
        const Path end = now_.at(rows, columns);
        before_.clear();
        now_.clear();
        if (end.cost < unreachable) return {end.cost, end.counts};
    }
}

Pairwise as_pairwise(const ColumnCounts& counts) {
    // With an empty hypothesis every column has the gap's cost added once per token, so the alignment and its backtrace
    // are the pairwise ones; equal tokens count FP, two different ones FPN, a source token alone TP, the other alone
    // FN.
    return {counts.fp - counts.fpn, counts.tp + counts.fn};
}

Pairwise pairwise(Sentence a, Sentence b) { return as_pairwise(Aligner(a, {})(b).counts); }

}  // namespace gecval::imeasure
