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
    using Counts = EditCounts;
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

/// True and false positives and false negatives, of a sentence or summed.
struct MatchCounts {
    double tp = 0, fp = 0, fn = 0;

    MatchCounts operator+(const MatchCounts& other) const { return {tp + other.tp, fp + other.fp, fn + other.fn}; }
};

/// ERRANT: higher F to four decimals, then more true positives, fewer false positives, fewer false negatives.
struct ErrantPreference {
    using Counts = MatchCounts;
    double beta;

    bool operator()(const MatchCounts& a, const MatchCounts& b) const {
        const double f_a = ten_thousandths(f(a)), f_b = ten_thousandths(f(b));
        if (f_a != f_b) return f_a > f_b;
        if (a.tp != b.tp) return a.tp > b.tp;
        if (a.fp != b.fp) return a.fp < b.fp;
        return a.fn < b.fn;
    }

private:
    double f(const MatchCounts& c) const {
        const double precision = c.fp == 0 ? 1.0 : c.tp / (c.tp + c.fp);
        const double recall = c.fn == 0 ? 1.0 : c.tp / (c.tp + c.fn);
        const double squared = beta * beta;
        return precision + recall == 0 ? 0.0 : (1 + squared) * precision * recall / (squared * precision + recall);
    }

    /// As Python rounds: by the exact value, not by that of the rounded product, and halves to even.
    static double ten_thousandths(double value) {
        const double product = value * 1e4, below = std::floor(product);
        if (product - below != 0.5) return std::round(product);
        const double error = std::fma(value, 1e4, -product);
        const bool up = error != 0 ? error > 0 : std::fmod(below, 2) != 0;
        return up ? below + 1 : below;
    }
};

/// The row chosen for sentence i (an index into its slots) after `totals`.
template <class Preference, class Counts = typename Preference::Counts>
std::size_t preferred_row(std::size_t begin, std::size_t end, const Counts* rows, const Counts& totals,
                          const Preference& prefers) {
    std::size_t best = begin;
    Counts best_totals = totals + rows[begin];
    for (std::size_t r = begin + 1; r < end; ++r) {
        const Counts candidate = totals + rows[r];
        if (prefers(candidate, best_totals)) {
            best = r;
            best_totals = candidate;
        }
    }
    return best;
}

}  // namespace gecval
