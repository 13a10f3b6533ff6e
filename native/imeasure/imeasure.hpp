// I-measure (Felice & Briscoe 2015): source, hypothesis and reference are aligned three ways, every column counts as
// TP, TN, FP, FN (or FP and FN at once, FPN), and
//
//     WAcc = (w TP + TN) / (w (TP + FP) + TN + FN - (w + 1) FPN / 2)
//     I    = floor(W) if W = Wb,  (W - Wb) / (1 - Wb) if W > Wb,  W / Wb - 1 if W < Wb,
//
// where Wb is the score of the source itself against the same reference. The reference is the candidate with the best
// score; docs/metrics/imeasure-exactness.md says why `mixed` need not enumerate the candidates.
//
// No Python here. Every function is reentrant; sentences are spans of token ids, equal ids being equal tokens.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "text/tokens.hpp"

namespace gecval::imeasure {

// Counts of the correction aspect. Those of detection follow: tp + fpn, tn, fp - fpn, fn - fpn, 0.
// The baseline (the source as its own hypothesis) only ever has TN and FN, the same in both aspects.
struct Counts {
    std::int32_t tp = 0, tn = 0, fp = 0, fn = 0, fpn = 0;
    std::int32_t base_tn = 0, base_fn = 0;

    friend bool operator==(const Counts&, const Counts&) = default;
    friend Counts operator+(const Counts& a, const Counts& b) {
        return {a.tp + b.tp,   a.tn + b.tn,           a.fp + b.fp,          a.fn + b.fn,
                a.fpn + b.fpn, a.base_tn + b.base_tn, a.base_fn + b.base_fn};
    }
    friend Counts operator-(const Counts& a, const Counts& b) {
        return {a.tp - b.tp,   a.tn - b.tn,           a.fp - b.fp,          a.fn - b.fn,
                a.fpn - b.fpn, a.base_tn - b.base_tn, a.base_fn - b.base_fn};
    }
};

enum class Aspect { detection, correction };
enum class Measure { tp, tn, fp, fn, p, r, f, acc, wacc, i };

// What the chosen reference maximises. Weight and beta must be ratios of small integers (numerator and denominator up
// to 1000), because candidates are compared in exact arithmetic; anything else throws std::invalid_argument.
struct Objective {
    Aspect aspect = Aspect::correction;
    Measure measure = Measure::wacc;
    double weight = 2.0;
    double beta = 1.0;
};

// The value of the objective's measure. 0 / 0 is 1: where nothing can be wrong nothing is.
double value(const Counts& counts, const Objective& objective);

// The counts of one hypothesis against one reference, the baseline's included.
Counts count(Sentence source, Sentence hypothesis, Sentence reference);

// The counts against each of several references; shares what depends on source and hypothesis only.
std::vector<Counts> count_each(Sentence source, Sentence hypothesis, std::span<const std::vector<Token>> references);

// The index of the best row. Candidates are compared on (measure, I, WAcc, Acc) of the objective's aspect, then of the
// other; candidates equal in all eight on tp, tn, -fp, -fn, -fpn, base_tn, -base_fn, so that their order never matters.
// Every comparison is made after adding `offset`: zero counts to choose per sentence, the totals so far per corpus.
std::size_t choose(std::span<const Counts> rows, const Objective& objective, const Counts& offset = {});

struct Edit {
    std::int32_t start = 0, end = 0;  // source positions; start == end inserts
    std::vector<Token> correction;
    friend bool operator==(const Edit&, const Edit&) = default;
};
using Alternative = std::vector<Edit>;     // at most one edit for each (start, end)
using Cluster = std::vector<Alternative>;  // an empty alternative where the correction is optional

// Work that may be spent on a sentence before its result is called unproven.
struct Budget {
    std::int64_t combinations = 100'000;       // of clusters whose edits overlap: these must be enumerated
    std::int64_t cells = 100'000'000;          // (source + 1) x (hypothesis + 1) x lattice tokens; two bytes each
    std::int64_t steps = 10'000'000;           // edges between alignment profiles, and cells in these
    std::int64_t totals = 1'000'000;           // distinct count vectors, where the measure is no ratio of sums
    std::int64_t tried_cells = 1'000'000'000;  // (source + 1) x (hypothesis + 1) x candidates that are tried after that
};

struct Mixed {
    Counts counts;                // of the chosen reference
    bool exact = true;            // false: better counts may exist ...
    double lower = 0, upper = 0;  // ... with a value of the objective's measure (offset included) in these bounds
};

// The best candidate among all combinations of one alternative per cluster, for hypotheses of one source, one after the
// other: what does not depend on the hypothesis is made once. Source and clusters must outlive it.
class MixedReferences {
public:
    MixedReferences(Sentence source, std::span<const Cluster> clusters, const Objective& objective = {},
                    const Budget& budget = {});
    ~MixedReferences();

    Mixed operator()(Sentence hypothesis, const Counts& offset = {});

private:
    Sentence source_;
    std::span<const Cluster> clusters_;
    Objective objective_;
    Budget budget_;
    std::unique_ptr<class Candidates> candidates_;  // nothing if there are too many combinations
};

// For a single hypothesis.
Mixed mixed(Sentence source, Sentence hypothesis, std::span<const Cluster> clusters, const Objective& objective = {},
            const Counts& offset = {}, const Budget& budget = {});

}  // namespace gecval::imeasure
