// The running choice of annotator: sentence after sentence, take the annotator who helps the totals so far most.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "tokens.hpp"

namespace gecval {

/// Correct, proposed and gold edits, of a sentence or summed.
struct EditCounts {
    double correct = 0, proposed = 0, gold = 0;

    EditCounts operator+(const EditCounts& other) const {
        return {correct + other.correct, proposed + other.proposed, gold + other.gold};
    }
};

/// M²: higher F, then more correct edits, then fewer proposed and gold ones.
struct M2Preference {
    double beta;

    bool operator()(const EditCounts& a, const EditCounts& b) const {
        const double f_a = f(a), f_b = f(b);
        if (f_a != f_b) return f_a > f_b;
        if (a.correct != b.correct) return a.correct > b.correct;
        return a.proposed + beta * beta * a.gold < b.proposed + beta * beta * b.gold;
    }

private:
    double f(const EditCounts& c) const {
        const double below = beta * beta * c.gold + c.proposed;
        return below == 0 ? (c.correct == 0 ? 1.0 : 0.0) : (1 + beta * beta) * c.correct / below;
    }
};

/// The row chosen for sentence i (an index into its slots) after `totals`.
template <class Preference>
std::size_t preferred_row(std::size_t begin, std::size_t end, const EditCounts* rows, const EditCounts& totals,
                          const Preference& prefers) {
    std::size_t best = begin;
    EditCounts best_totals = totals + rows[begin];
    for (std::size_t r = begin + 1; r < end; ++r) {
        const EditCounts candidate = totals + rows[r];
        if (prefers(candidate, best_totals)) {
            best = r;
            best_totals = candidate;
        }
    }
    return best;
}

}  // namespace gecval
