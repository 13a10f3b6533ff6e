#include "imeasure/choice.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <tuple>
#include <unordered_set>

namespace gecval::imeasure {

namespace {

constexpr std::int64_t small = 1000;

// x as a fraction of small integers.
std::pair<std::int64_t, std::int64_t> small_fraction(double x) {
    for (std::int64_t under = 1; under <= small && x >= 0 && x <= small; ++under) {
        const auto over = std::llround(x * static_cast<double>(under));
        if (over <= small && static_cast<double>(over) / static_cast<double>(under) == x) return {over, under};
    }
    throw std::invalid_argument("I-measure: weight and beta must be ratios of integers up to 1000");
}

std::size_t index(Aspect aspect) { return aspect == Aspect::detection ? 0 : 1; }

Fraction fraction(const Ratio& ratio, const Counts& counts) {
    const std::int64_t under = ratio.denominator(counts);
    return under == 0 ? Fraction{1, 1} : Fraction{ratio.numerator(counts), under};
}

// Detection counts are linear in those of correction: tp + fpn, tn, fp - fpn, fn - fpn, 0.
Linear seen_by(Aspect aspect, Linear f) {
    if (aspect == Aspect::detection) f.fpn = f.tp - f.fp - f.fn;
    return f;
}

}  // namespace

Criteria::Criteria(const Objective& objective) : aspect_(objective.aspect), measure_(objective.measure) {
    std::tie(weight_over_, weight_under_) = small_fraction(objective.weight);
    std::tie(beta_over_, beta_under_) = small_fraction(objective.beta);
    for (Aspect aspect : {Aspect::detection, Aspect::correction}) {
        wacc_.push_back(ratio(Measure::wacc, aspect));
        acc_.push_back(ratio(Measure::acc, aspect));
    }
}

Linear Criteria::linear(Measure measure, Aspect aspect) {
    switch (measure) {
        case Measure::tp: return seen_by(aspect, {.tp = 1});
        case Measure::tn: return seen_by(aspect, {.tn = 1});
        case Measure::fp: return seen_by(aspect, {.fp = 1});
        case Measure::fn: return seen_by(aspect, {.fn = 1});
        default: throw std::logic_error("not a count");
    }
}

Ratio Criteria::ratio(Measure measure, Aspect aspect) const {
    const std::int64_t w = 2 * weight_over_, one = 2 * weight_under_;
    const std::int64_t b = beta_over_ * beta_over_, u = beta_under_ * beta_under_;
    auto seen = [&](Linear over, Linear under) { return Ratio{seen_by(aspect, over), seen_by(aspect, under)}; };
    switch (measure) {
        case Measure::p: return seen({.tp = 1}, {.tp = 1, .fp = 1});
        case Measure::r: return seen({.tp = 1}, {.tp = 1, .fn = 1});
        case Measure::f: return seen({.tp = b + u}, {.tp = b + u, .fp = u, .fn = b});
        case Measure::acc: return seen({.tp = 1, .tn = 1}, {.tp = 1, .tn = 1, .fp = 1, .fn = 1, .fpn = -1});
        case Measure::wacc:
            return seen({.tp = w, .tn = one}, {.tp = w, .tn = one, .fp = w, .fn = one, .fpn = -(w + one) / 2});
        default: throw std::logic_error("not a ratio");
    }
}

Fraction Criteria::improvement(const Counts& counts, Aspect aspect) const {
    const Fraction w = fraction(wacc_[index(aspect)], counts);
    const Wide columns = counts.base_tn + counts.base_fn;
    const Fraction base = columns == 0 ? Fraction{1, 1} : Fraction{counts.base_tn, columns};
    if (w == base) return {w.numerator == w.denominator ? 1 : 0, 1};
    const Wide difference = w.numerator * base.denominator - base.numerator * w.denominator;
    if (difference > 0) return {difference, w.denominator * (base.denominator - base.numerator)};
    return {difference, w.denominator * base.numerator};
}

Fraction Criteria::measure(const Counts& counts, Aspect aspect) const {
    switch (measure_) {
        case Measure::i: return improvement(counts, aspect);
        case Measure::tp:
        case Measure::tn:
        case Measure::fp:
        case Measure::fn: return {linear(measure_, aspect)(counts), 1};
        default: return fraction(ratio(measure_, aspect), counts);
    }
}

bool Criteria::better(const Counts& a, const Counts& b) const {
    const Aspect other = aspect_ == Aspect::detection ? Aspect::correction : Aspect::detection;
    for (Aspect aspect : {aspect_, other}) {
        for (const auto& [x, y] : {std::pair{measure(a, aspect), measure(b, aspect)},
                                   std::pair{improvement(a, aspect), improvement(b, aspect)},
                                   std::pair{fraction(wacc_[index(aspect)], a), fraction(wacc_[index(aspect)], b)},
                                   std::pair{fraction(acc_[index(aspect)], a), fraction(acc_[index(aspect)], b)}}) {
            if (y < x) return true;
            if (x < y) return false;
        }
    }
    for (const Linear& most : tie_breaks())
        if (most(a) != most(b)) return most(a) > most(b);
    return false;
}

const std::vector<Linear>& tie_breaks() {
    static const std::vector<Linear> order{{.tp = 1},   {.tn = 1},      {.fp = -1},     {.fn = -1},
                                           {.fpn = -1}, {.base_tn = 1}, {.base_fn = -1}};
    return order;
}

double as_double(const Fraction& fraction) {
    return static_cast<double>(fraction.numerator) / static_cast<double>(fraction.denominator);
}

double value(const Counts& counts, const Objective& objective) {
    const Criteria criteria(objective);
    return as_double(criteria.measure(counts, objective.aspect));
}

std::size_t choose(std::span<const Counts> rows, const Objective& objective, const Counts& offset) {
    const Criteria criteria(objective);
    std::size_t best = 0;
    for (std::size_t n = 1; n < rows.size(); ++n)
        if (criteria.better(offset + rows[n], offset + rows[best])) best = n;
    return best;
}

// The best path of a graph of counts. A ratio of sums is maximised by Dinkelbach's method (1967) in integers: for the
// ratio p / q of some path, find the path with the most q * numerator - p * denominator; if that is 0, p / q is the
// best ratio and the paths that reach 0 are exactly those that have it. The edges of these paths are all that is kept,
// and the next criterion chooses among them.

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
