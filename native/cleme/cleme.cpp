#include "cleme/cleme.hpp"

#include <algorithm>
#include <cmath>

namespace gecval {

namespace {

Token longer(const Interval& interval, Sentence text) {
    return std::max(interval.end - interval.start, static_cast<Token>(text.size()));
}

bool same(Sentence a, Sentence b) { return std::ranges::equal(a, b); }

Outcome against_one(const Chunks& chunks, std::size_t k, std::size_t reference) {
    const ChunkedText &hypothesis = chunks.target(0), &gold = chunks.target(reference);
    const bool equal = same(hypothesis.text(k), gold.text(k));
    if (hypothesis.changed(k)) return equal ? kHit : gold.changed(k) ? kWrong : kOver;
    return equal ? kKept : kMissed;
}

Outcome against_all(const Chunks& chunks, std::size_t k, std::size_t targets) {
    const ChunkedText& hypothesis = chunks.target(0);
    bool any_equal = false, any_changed = false, all_changed = true;
    for (std::size_t t = 1; t < targets; ++t) {
        any_equal = any_equal || same(hypothesis.text(k), chunks.target(t).text(k));
        any_changed = any_changed || chunks.target(t).changed(k);
        all_changed = all_changed && chunks.target(t).changed(k);
    }
    if (hypothesis.changed(k)) return any_equal ? kHit : any_changed ? kWrong : kOver;
    return all_changed ? kMissed : kKept;
}

}  // namespace

double chunk_weight(const Judged& chunk, double mean_length, const LengthWeights& weights) {
    if (chunk.outcome == kKept) return 1;
    const auto [alpha, least, most] = weights[chunk.outcome == kHit ? 0 : chunk.outcome == kMissed ? 2 : 1];
    if (least == most || std::isnan(mean_length)) return std::isnan(mean_length) ? 1 : least;
    const double shorter = mean_length - chunk.length;
    const bool rewarded_if_long = chunk.outcome == kHit || chunk.outcome == kMissed;
    return std::clamp(alpha / (1 + (alpha - 1) * std::exp(rewarded_if_long ? shorter : -shorter)), least, most);
}

void ClemeJudge::read(Sentence source, std::span<const std::span<const GoldEdit>> targets, bool independent,
                      std::span<const std::size_t> rows) {
    chunks.read(source, targets);
    for (std::size_t k = 0; k < chunks.size(); ++k) {
        for (std::size_t t = 1; t < targets.size(); ++t) {
            if (!chunks.target(t).changed(k)) continue;
            lengths += longer(chunks[k], chunks.target(t).text(k));
            ++changes;
        }
        const Token length = longer(chunks[k], chunks.target(0).text(k));
        if (independent) {
            judged.push_back({rows[0], against_all(chunks, k, targets.size()), length});
            continue;
        }
        for (std::size_t t = 1; t < targets.size(); ++t)
            judged.push_back({rows[t - 1], against_one(chunks, k, t), length});
    }
}

}  // namespace gecval
