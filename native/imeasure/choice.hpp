// Choosing the best counts, exactly: among rows, and among all paths of a graph whose edges carry counts.
#pragma once

#include <optional>
#include <vector>

#include "imeasure/imeasure.hpp"
#include "imeasure/wide_integer.hpp"

namespace gecval::imeasure {

// A linear function of the counts.
struct Linear {
    std::int64_t tp = 0, tn = 0, fp = 0, fn = 0, fpn = 0, base_tn = 0, base_fn = 0;

    std::int64_t operator()(const Counts& c) const {
        return tp * c.tp + tn * c.tn + fp * c.fp + fn * c.fn + fpn * c.fpn + base_tn * c.base_tn + base_fn * c.base_fn;
    }
};

// A ratio of linear functions, 0 <= numerator <= denominator; 0 / 0 counts as 1.
struct Ratio {
    Linear numerator, denominator;
};

struct Fraction {
    Wide numerator = 0, denominator = 1;  // denominator > 0
    friend bool operator<(const Fraction& a, const Fraction& b) {
        return a.numerator * b.denominator < b.numerator * a.denominator;
    }
    friend bool operator==(const Fraction& a, const Fraction& b) {
        return a.numerator * b.denominator == b.numerator * a.denominator;
    }
};

// The objective in integers.
class Criteria {
public:
    explicit Criteria(const Objective& objective);

    Fraction measure(const Counts& counts, Aspect aspect) const;
    bool better(const Counts& a, const Counts& b) const;  // a chosen before b

    Aspect aspect() const { return aspect_; }
    Measure kind() const { return measure_; }
    Ratio ratio(Measure measure, Aspect aspect) const;     // of p r f acc wacc
    static Linear linear(Measure measure, Aspect aspect);  // of tp tn fp fn

private:
    Fraction improvement(const Counts& counts, Aspect aspect) const;

    Aspect aspect_;
    Measure measure_;
    std::int64_t weight_over_ = 0, weight_under_ = 1, beta_over_ = 0, beta_under_ = 1;  // both as fractions
    std::vector<Ratio> wacc_, acc_;                                                     // by aspect
};

// In order: ties on all criteria are broken by the most of each of these.
const std::vector<Linear>& tie_breaks();

struct CountGraph {
    struct Edge {
        std::int32_t from, to;
        Counts counts;
    };
    std::vector<Edge> edges;  // every edge into a vertex comes before every edge out of it; 0 is the start
    std::int32_t vertices = 1, end = 0;
};

struct BestPath {
    Counts counts;  // offset not included
    bool exact = true;
    double upper = 0;  // of the measure, where not exact
};

// The best path from start to end; `totals` limits the distinct count vectors looked at where no ratio decides.
BestPath best_path(CountGraph graph, const Criteria& criteria, const Counts& offset, std::int64_t totals);

double as_double(const Fraction& fraction);

}  // namespace gecval::imeasure
