// The running choice of annotator: sentence after sentence, take the annotator who helps the totals so far most.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "text/tokens.hpp"

namespace gecval {

/// What raises the F of a preference that has an F: the more of each, the better, whatever else is summed.
using Merits = std::array<double, 3>;

/// Correct, proposed and gold edits, of a sentence or summed.
struct EditCounts {
    double correct = 0, proposed = 0, gold = 0;

    EditCounts operator+(const EditCounts& other) const {
        return {correct + other.correct, proposed + other.proposed, gold + other.gold};
    }
    bool operator==(const EditCounts&) const = default;
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
    Merits merits(const EditCounts& c) const { return {c.correct, -c.proposed, -c.gold}; }
    bool possible(const EditCounts& c) const { return c.correct <= c.proposed; }

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
    bool operator==(const MatchCounts&) const = default;
};

/// F of counts: without a false positive P = 1, without a false negative R = 1.
inline double f_score(double tp, double fp, double fn, double beta) {
    const double precision = fp == 0 ? 1.0 : tp / (tp + fp);
    const double recall = fn == 0 ? 1.0 : tp / (tp + fn);
    const double squared = beta * beta;
    return precision + recall == 0 ? 0.0 : (1 + squared) * precision * recall / (squared * precision + recall);
}

/// As Python rounds to four decimals: by the exact value, not by that of the rounded product, and halves to even.
inline double ten_thousandths(double value) {
    const double product = value * 1e4, below = std::floor(product);
    if (product - below != 0.5) return std::round(product);
    const double error = std::fma(value, 1e4, -product);
    const bool up = error != 0 ? error > 0 : std::fmod(below, 2) != 0;
    return up ? below + 1 : below;
}

/// ERRANT: higher F to four decimals, then more true positives, fewer false positives, fewer false negatives.
struct ErrantPreference {
    using Counts = MatchCounts;
    double beta;

    bool operator()(const MatchCounts& a, const MatchCounts& b) const {
        const double f_a = f(a), f_b = f(b);
        if (f_a != f_b) return f_a > f_b;
        if (a.tp != b.tp) return a.tp > b.tp;
        if (a.fp != b.fp) return a.fp < b.fp;
        return a.fn < b.fn;
    }
    Merits merits(const MatchCounts& c) const { return {c.tp, -c.fp, -c.fn}; }
    bool possible(const MatchCounts&) const { return true; }

private:
    double f(const MatchCounts& c) const { return ten_thousandths(f_score(c.tp, c.fp, c.fn, beta)); }
};

/// Weighted edits: ERRANT's order, by F as it is. Sums of weights that differ by rounding alone are equal, so the best
/// are looked for among all candidates: equal to the highest F, of these to the most true positives, and so on.
struct ExactPreference {
    using Counts = MatchCounts;
    double beta;

    /// What is compared, the most important first; higher is better.
    std::array<double, 4> merit(const MatchCounts& c) const { return {f(c), c.tp, -c.fp, -c.fn}; }

private:
    double f(const MatchCounts& c) const {
        const double precision = c.tp + c.fp == 0 ? 1.0 : c.tp / (c.tp + c.fp);
        const double recall = c.tp + c.fn == 0 ? 1.0 : c.tp / (c.tp + c.fn);
        const double squared = beta * beta, below = squared * precision + recall;
        return below == 0 ? 0.0 : (1 + squared) * precision * recall / below;
    }
};

/// What became of chunks, of a sentence or summed: see cleme.hpp.
struct ChunkCounts {
    double hit = 0, wrong = 0, over = 0, missed = 0, kept = 0;

    ChunkCounts operator+(const ChunkCounts& other) const {
        return {hit + other.hit, wrong + other.wrong, over + other.over, missed + other.missed, kept + other.kept};
    }
    bool operator==(const ChunkCounts&) const = default;
    double false_positives() const { return wrong + over; }

    /// Of counts with equal scores: more hits, fewer false positives, fewer missed, more kept. Sums of weights that
    /// differ by rounding alone are equal.
    bool wins_tie(const ChunkCounts& other) const {
        constexpr double noise = 1e-9;
        const double more[] = {hit - other.hit, other.false_positives() - false_positives(), other.missed - missed};
        for (const double difference : more) {
            if (std::abs(difference) > noise) return difference > 0;
        }
        return kept > other.kept;
    }
};

/// CLEME: higher F to four decimals.
struct ClemePreference {
    using Counts = ChunkCounts;
    double beta;

    bool operator()(const ChunkCounts& a, const ChunkCounts& b) const {
        const double f_a = f(a), f_b = f(b);
        return f_a != f_b ? f_a > f_b : a.wins_tie(b);
    }
    Merits merits(const ChunkCounts& c) const { return {c.hit, -c.false_positives(), -c.missed}; }
    bool possible(const ChunkCounts&) const { return true; }

private:
    double f(const ChunkCounts& c) const {
        return ten_thousandths(f_score(c.hit, c.false_positives(), c.missed, beta));
    }
};

/// CLEME2.0: higher a₁·hit + a₂(1 − wrong) + a₃(1 − under) + a₄(1 − over).
struct Cleme2Preference {
    using Counts = ChunkCounts;
    std::array<double, 4> factors;

    bool operator()(const ChunkCounts& a, const ChunkCounts& b) const {
        const double of_a = score(a), of_b = score(b);
        return of_a != of_b ? of_a > of_b : a.wins_tie(b);
    }

private:
    double score(const ChunkCounts& c) const {
        const double necessary = c.hit + c.wrong + c.missed, proposed = c.hit + c.wrong + c.over;
        const auto share = [](double part, double all) { return all == 0 ? 0.0 : part / all; };
        return factors[0] * share(c.hit, necessary) + factors[1] * (1 - share(c.wrong, necessary)) +
               factors[2] * (1 - share(c.missed, necessary)) + factors[3] * (1 - share(c.over, proposed));
    }
};

/// The row chosen of begin .. end after `totals`: the first of the best.
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

inline std::size_t preferred_row(std::size_t begin, std::size_t end, const MatchCounts* rows, const MatchCounts& totals,
                                 const ExactPreference& prefers) {
    if (end - begin == 1) return begin;
    constexpr double noise = 1e-12;
    const auto merit = [&](std::size_t r) { return prefers.merit(totals + rows[r]); };
    if (end - begin == 2) {  // nearly always: nothing to keep in mind
        const auto first = merit(begin), second = merit(begin + 1);
        for (std::size_t key = 0; key < first.size(); ++key) {
            const double best = std::max(first[key], second[key]) - noise;
            if (second[key] < best) return begin;
            if (first[key] < best) return begin + 1;
        }
        return begin;
    }
    std::vector<std::array<double, 4>> merits;
    std::vector<std::size_t> left;
    for (std::size_t r = begin; r < end; ++r) {
        merits.push_back(merit(r));
        left.push_back(r);
    }
    for (std::size_t key = 0; key < 4 && left.size() > 1; ++key) {
        double best = merits[left[0] - begin][key];
        for (const std::size_t r : left) best = std::max(best, merits[r - begin][key]);
        std::erase_if(left, [&](std::size_t r) { return merits[r - begin][key] < best - noise; });
    }
    return left.front();
}

}  // namespace gecval
