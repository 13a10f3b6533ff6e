// The best path of a graph of counts. A ratio of sums is maximised by Dinkelbach's method (1967) in integers: for the
// ratio p / q of some path, find the path with the most q * numerator - p * denominator; if that is 0, p / q is the
// best ratio and the paths that reach 0 are exactly those that have it. The edges of these paths are all that is kept,
// and the next criterion chooses among them.
#include <algorithm>
#include <unordered_set>

#include "imeasure_choice.hpp"

namespace gecval::imeasure {
namespace {

constexpr Wide nothing = Wide{-(std::int64_t{1} << 60)} * Wide{std::int64_t{1} << 60};  // less than any path has

struct Hash {
    std::size_t operator()(const Counts& c) const {
        std::uint64_t h = 0;
        for (std::int32_t x : {c.tp, c.tn, c.fp, c.fn, c.fpn, c.base_tn, c.base_fn})
            h = (h ^ static_cast<std::uint32_t>(x)) * 0x9E3779B97F4A7C15ull, h ^= h >> 29;
        return h;
    }
};

class Search {
public:
    Search(CountGraph graph, const Counts& offset) : graph_(std::move(graph)), offset_(offset) {}

    // Keeps the paths with the most of `most`, and returns how much that is.
    std::int64_t keep_most(const Linear& most) {
        const Wide best = maximise([&](const Counts& counts) -> Wide { return most(counts); });
        keep_best();
        return static_cast<std::int64_t>(best) + most(offset_);
    }

    // Keeps the paths with the highest ratio.
    Fraction keep_highest(const Ratio& ratio) {
        Fraction highest{1, 1};
        for (;;) {
            const auto gain = [&](const Counts& counts) {
                return highest.denominator * ratio.numerator(counts) - highest.numerator * ratio.denominator(counts);
            };
            if (maximise(gain) + gain(offset_) == 0) break;
            const Counts counts = offset_ + path().counts;
            highest = {ratio.numerator(counts), ratio.denominator(counts)};
        }
        keep_best();
        return highest;
    }

    // Some best path of the last criterion.
    BestPath path() const {
        BestPath found;
        for (std::int32_t at = graph_.end; at != 0;) {
            const CountGraph::Edge& edge = graph_.edges[static_cast<std::size_t>(by_[static_cast<std::size_t>(at)])];
            found.counts = found.counts + edge.counts;
            at = edge.from;
        }
        return found;
    }

    // The best path by comparing all distinct sums of counts; nothing if there are too many.
    std::optional<BestPath> compare_all(const Criteria& criteria, std::int64_t totals) const {
        std::vector<std::unordered_set<Counts, Hash>> sums(static_cast<std::size_t>(graph_.vertices));
        sums[0].insert(Counts{});
        for (const CountGraph::Edge& edge : graph_.edges) {
            auto& into = sums[static_cast<std::size_t>(edge.to)];
            const auto known = into.size();
            for (const Counts& counts : sums[static_cast<std::size_t>(edge.from)]) into.insert(counts + edge.counts);
            totals -= static_cast<std::int64_t>(into.size() - known);
            if (totals < 0) return std::nullopt;
        }
        const auto& ends = sums[static_cast<std::size_t>(graph_.end)];
        BestPath best;
        best.counts = *ends.begin();
        for (const Counts& counts : ends)
            if (criteria.better(offset_ + counts, offset_ + best.counts)) best.counts = counts;
        return best;
    }

    const Counts& offset() const { return offset_; }

private:
    template <class Gain>
    Wide maximise(Gain&& gain) {
        most_.assign(static_cast<std::size_t>(graph_.vertices), nothing);
        by_.assign(static_cast<std::size_t>(graph_.vertices), -1);
        gains_.resize(graph_.edges.size());
        most_[0] = 0;
        for (std::size_t e = 0; e < graph_.edges.size(); ++e) {
            const CountGraph::Edge& edge = graph_.edges[e];
            gains_[e] = gain(edge.counts);
            const auto from = static_cast<std::size_t>(edge.from), to = static_cast<std::size_t>(edge.to);
            if (most_[from] != nothing && most_[from] + gains_[e] > most_[to]) {
                most_[to] = most_[from] + gains_[e];
                by_[to] = static_cast<std::int32_t>(e);
            }
        }
        return most_[static_cast<std::size_t>(graph_.end)];
    }

    // Drops the edges that are on no best path of the last maximise().
    void keep_best() {
        std::vector<bool> on_path(static_cast<std::size_t>(graph_.vertices), false);
        on_path[static_cast<std::size_t>(graph_.end)] = true;
        std::vector<CountGraph::Edge> kept;
        for (std::size_t e = graph_.edges.size(); e-- > 0;) {
            const CountGraph::Edge& edge = graph_.edges[e];
            const auto from = static_cast<std::size_t>(edge.from), to = static_cast<std::size_t>(edge.to);
            if (!on_path[to] || most_[from] == nothing || most_[from] + gains_[e] != most_[to]) continue;
            on_path[from] = true;
            kept.push_back(edge);
        }
        std::ranges::reverse(kept);
        graph_.edges = std::move(kept);
    }

    CountGraph graph_;
    Counts offset_;
    std::vector<Wide> most_, gains_;
    std::vector<std::int32_t> by_;
};

constexpr Ratio base_errors{{.base_fn = 1}, {.base_tn = 1, .base_fn = 1}};

// Where all paths have the same WAcc, I falls as the baseline's WAcc rises: strictly, except that it is always 1 at
// WAcc = 1, and at WAcc = 0 it is 0 where the baseline has 0 as well and -1 elsewhere.
void keep_most_improved(Search& search, const Fraction& wacc) {
    if (wacc.numerator == wacc.denominator) return;
    if (wacc.numerator > 0) {
        search.keep_highest(base_errors);
        return;
    }
    Search trial = search;
    if (trial.keep_most({.base_tn = -1}) == 0) search = std::move(trial);
}

void keep_lexicographic(Search& search, const Criteria& criteria) {
    const Aspect other = criteria.aspect() == Aspect::detection ? Aspect::correction : Aspect::detection;
    for (Aspect aspect : {criteria.aspect(), other}) {
        keep_most_improved(search, search.keep_highest(criteria.ratio(Measure::wacc, aspect)));
        search.keep_highest(criteria.ratio(Measure::acc, aspect));
    }
    for (const Linear& most : tie_breaks()) search.keep_most(most);
}

// The counts are only right in what I looks at: the most WAcc of any path, and the least baseline of any path.
double best_conceivable_improvement(const Search& search, const Criteria& criteria) {
    Search best = search, worst_base = search;
    const double wacc = as_double(best.keep_highest(criteria.ratio(Measure::wacc, criteria.aspect())));
    const double base = 1 - as_double(worst_base.keep_highest(base_errors));
    if (wacc > base) return (wacc - base) / (1 - base);
    return wacc == base ? (wacc == 1 ? 1 : 0) : wacc / base - 1;
}

}  // namespace

BestPath best_path(CountGraph graph, const Criteria& criteria, const Counts& offset, std::int64_t totals) {
    Search search(std::move(graph), offset);
    if (criteria.kind() == Measure::wacc) {
        keep_lexicographic(search, criteria);
        return search.path();
    }

    double upper = 0;
    switch (criteria.kind()) {
        case Measure::i: upper = best_conceivable_improvement(search, criteria); break;
        case Measure::tp:
        case Measure::tn:
        case Measure::fp:
        case Measure::fn:
            upper = static_cast<double>(search.keep_most(Criteria::linear(criteria.kind(), criteria.aspect())));
            break;
        default: upper = as_double(search.keep_highest(criteria.ratio(criteria.kind(), criteria.aspect())));
    }
    if (auto best = search.compare_all(criteria, totals)) return *best;

    keep_lexicographic(search, criteria);
    BestPath found = search.path();
    found.exact = false;
    found.upper = upper;
    return found;
}

}  // namespace gecval::imeasure
