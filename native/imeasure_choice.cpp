#include "imeasure_choice.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <tuple>

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

}  // namespace gecval::imeasure
