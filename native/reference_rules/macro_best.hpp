// ERRANT's macro average: F of each error type, and their mean. Sentence after sentence, the annotator counts who gives
// the best mean with the totals so far; ties: more true positives, fewer false positives, fewer false negatives.
#pragma once

#include <array>
#include <cmath>
#include <vector>

#include "reference_rules/best_by_running_total.hpp"

namespace gecval {

/// Totals of all types so far. A row has tp, fp and fn of each type. The F of a type and the mean have four decimals.
class MacroTotals {
public:
    MacroTotals(std::size_t types, double beta) : beta_(beta), totals_(3 * types), f_(types) {}

    std::span<const double> totals() const { return totals_; }

    /// The row that is chosen of begin .. end.
    std::size_t preferred(const double* rows, std::size_t begin, std::size_t end) const {
        std::size_t best = begin;
        std::array<double, 4> highest = merit(rows + begin * totals_.size());
        for (std::size_t r = begin + 1; r < end; ++r) {
            const std::array<double, 4> candidate = merit(rows + r * totals_.size());
            if (candidate > highest) best = r, highest = candidate;
        }
        return best;
    }

    void add(const double* row) {
        for (std::size_t t = 0; t < f_.size(); ++t) {
            if (empty(row + 3 * t)) continue;
            seen_ += empty(&totals_[3 * t]);
            for (std::size_t k = 3 * t; k < 3 * t + 3; ++k) totals_[k] += row[k];
            sum_ -= f_[t];
            f_[t] = f(&totals_[3 * t]);
            sum_ += f_[t];
        }
    }

private:
    static bool empty(const double* counts) { return counts[0] == 0 && counts[1] == 0 && counts[2] == 0; }
    double f(const double* counts) const { return ten_thousandths(f_score(counts[0], counts[1], counts[2], beta_)); }

    /// The mean with this row, and what breaks ties.
    std::array<double, 4> merit(const double* row) const {
        double sum = sum_, seen = seen_, tp = 0, fp = 0, fn = 0;
        for (std::size_t t = 0; t < f_.size(); ++t) {
            const double *more = row + 3 * t, *so_far = &totals_[3 * t];
            if (empty(more)) continue;
            tp += more[0], fp += more[1], fn += more[2];
            seen += empty(so_far);
            const double together[] = {so_far[0] + more[0], so_far[1] + more[1], so_far[2] + more[2]};
            sum += f(together) - f_[t];
        }
        return {seen == 0 ? 1e4 : std::nearbyint(sum / seen), tp, -fp, -fn};
    }

    double beta_;
    std::vector<double> totals_, f_;  // f_ in ten thousandths, 0 for a type not seen yet
    double sum_ = 0, seen_ = 0;
};

}  // namespace gecval
