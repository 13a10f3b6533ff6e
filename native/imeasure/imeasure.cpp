#include "imeasure/imeasure.hpp"

#include <algorithm>
#include <limits>
#include <set>
#include <stdexcept>
#include <utility>

#include "imeasure/alignment_hot_loop.hpp"
#include "imeasure/candidates.hpp"
#include "imeasure/choice.hpp"
#include "imeasure/reference_graph.hpp"

namespace gecval::imeasure {
namespace {

// Whether the tables of excess costs fit: in memory, and each cost (six at most for any column) in 16 bits.
bool affordable(Sentence source, Sentence hypothesis, const Lattice& lattice, const Budget& budget) {
    std::size_t tokens = 0, longest = source.size() + hypothesis.size();
    for (const Slot& slot : lattice) {
        std::size_t most = 0;
        for (const auto& string : slot.strings) {
            tokens += std::max<std::size_t>(1, string.size());
            most = std::max(most, string.size());
        }
        longest += most;
    }
    const std::size_t cells = (source.size() + 1) * (hypothesis.size() + 1) * tokens;
    return static_cast<std::int64_t>(cells) <= budget.cells && 6 * longest <= std::numeric_limits<std::int16_t>::max();
}

// The measure lies between these whatever the reference: a column has at least one token.
std::pair<double, double> conceivable(Sentence source, Sentence hypothesis, std::span<const Cluster> clusters,
                                      const Objective& objective, const Counts& offset) {
    switch (objective.measure) {
        case Measure::i: return {-1, 1};
        case Measure::tp:
        case Measure::tn:
        case Measure::fp:
        case Measure::fn: break;
        default: return {0, 1};
    }
    std::size_t tokens = 2 * source.size() + hypothesis.size();
    for (const Cluster& cluster : clusters)
        for (const Alternative& alternative : cluster)
            for (const Edit& edit : alternative) tokens += edit.correction.size();
    const double before = value(offset, objective);
    return {before, before + static_cast<double>(tokens)};
}

// In each cluster the first alternative whose spans are still free.
std::vector<std::size_t> first_compatible(std::span<const Cluster> clusters) {
    std::set<std::pair<std::int32_t, std::int32_t>> taken;
    std::vector<std::size_t> chosen;
    for (const Cluster& cluster : clusters) {
        const auto free = std::ranges::find_if(cluster, [&](const Alternative& alternative) {
            return std::ranges::none_of(alternative,
                                        [&](const Edit& edit) { return taken.contains({edit.start, edit.end}); });
        });
        const auto found = free == cluster.end() ? cluster.begin() : free;
        for (const Edit& edit : *found) taken.insert({edit.start, edit.end});
        chosen.push_back(static_cast<std::size_t>(found - cluster.begin()));
    }
    return chosen;
}

// A good candidate for a sentence beyond the budget: change one cluster at a time as long as that helps.
Mixed climb(Sentence source, Sentence hypothesis, std::span<const Cluster> clusters, const Objective& objective,
            const Counts& offset, const Budget& budget) {
    const std::size_t cells = (source.size() + 1) * (hypothesis.size() + 1);
    std::int64_t tries = budget.tried_cells / static_cast<std::int64_t>(cells);
    const Criteria criteria(objective);
    const auto [lower, upper] = conceivable(source, hypothesis, clusters, objective, offset);
    auto chosen = first_compatible(clusters);
    auto reference = apply(source, clusters, chosen);
    // Without a candidate to begin with the source stands in, which need not be one: it bounds nothing.
    if (!reference) return {count(source, hypothesis, source), false, lower, upper};

    Mixed best{count(source, hypothesis, *reference), false, lower, upper};
    for (bool improved = true; improved;) {
        improved = false;
        for (std::size_t c = 0; c < clusters.size(); ++c)
            for (std::size_t n = 0; n < clusters[c].size(); ++n) {
                const std::size_t before = std::exchange(chosen[c], n);
                reference = n == before || tries <= 0 ? std::nullopt : apply(source, clusters, chosen);
                tries -= reference.has_value();
                const Counts counts = reference ? count(source, hypothesis, *reference) : best.counts;
                if (criteria.better(offset + counts, offset + best.counts)) {
                    best.counts = counts;
                    improved = true;
                } else {
                    chosen[c] = before;
                }
            }
    }
    best.lower = value(offset + best.counts, objective);
    return best;
}

}  // namespace

std::vector<Counts> count_each(Sentence source, Sentence hypothesis, std::span<const std::vector<Token>> references) {
    for (const auto& reference : references)
        if (source.size() + std::max(source.size(), hypothesis.size()) + reference.size() >
            std::numeric_limits<std::int16_t>::max())
            throw std::length_error("I-measure: more than 32767 tokens to align");
    const bool same = std::ranges::equal(source, hypothesis);
    Aligner system(source, hypothesis), baseline(source, {});
    std::vector<Counts> rows;
    for (const auto& reference : references) {
        const Pairwise base = as_pairwise(baseline(reference).counts);
        if (same)
            rows.push_back(with_baseline(unchanged(base), base));
        else if (std::ranges::equal(source, reference))
            rows.push_back(with_baseline(against_source(as_pairwise(baseline(hypothesis).counts)), base));
        else
            rows.push_back(with_baseline(system(reference).counts, base));
    }
    return rows;
}

Counts count(Sentence source, Sentence hypothesis, Sentence reference) {
    const std::vector<Token> one(reference.begin(), reference.end());
    return count_each(source, hypothesis, {&one, 1}).front();
}

MixedReferences::MixedReferences(Sentence source, std::span<const Cluster> clusters, const Objective& objective,
                                 const Budget& budget)
    : source_(source), clusters_(clusters), objective_(objective), budget_(budget) {
    if (auto lattice = make_lattice(source, clusters, budget.combinations))
        candidates_ = std::make_unique<Candidates>(source, std::move(*lattice));
}

MixedReferences::~MixedReferences() = default;

Mixed MixedReferences::operator()(Sentence hypothesis, const Counts& offset) {
    const Criteria criteria(objective_);  // refuses what cannot be compared exactly
    auto proven = [&](const Counts& counts) {
        const double score = value(offset + counts, objective_);
        return Mixed{counts, true, score, score};
    };
    if (!candidates_) return climb(source_, hypothesis, clusters_, objective_, offset, budget_);
    const Lattice& lattice = candidates_->lattice();
    if (lattice.empty()) return proven(count(source_, hypothesis, {}));
    if (lattice.size() == 1) {  // also every sentence without source tokens, where a baseline may have no columns
        const auto rows = count_each(source_, hypothesis, lattice.front().strings);
        return proven(rows[choose(rows, objective_, offset)]);
    }

    auto graph = affordable(source_, hypothesis, lattice, budget_) ? make_graph(*candidates_, hypothesis, budget_.steps)
                                                                   : std::nullopt;
    if (!graph) return climb(source_, hypothesis, clusters_, objective_, offset, budget_);
    const BestPath best = best_path(std::move(*graph), criteria, offset, budget_.totals);
    Mixed result = proven(best.counts);
    if (!best.exact) {
        result.exact = false;
        result.upper = best.upper;
    }
    return result;
}

Mixed mixed(Sentence source, Sentence hypothesis, std::span<const Cluster> clusters, const Objective& objective,
            const Counts& offset, const Budget& budget) {
    return MixedReferences(source, clusters, objective, budget)(hypothesis, offset);
}

}  // namespace gecval::imeasure
