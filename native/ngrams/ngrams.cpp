#include "ngrams/ngrams.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <limits>

namespace gecval {

void NgramCounter::read(std::span<const Sentence> sentences) {
    sentences_.assign(sentences.begin(), sentences.end());
    std::size_t positions = 0;
    for (const auto& sentence : sentences) positions += sentence.size();
    prefix_.assign(positions, 0);
    if (table_.size() < 2 * positions) table_.assign(std::bit_ceil(2 * positions), {0, 0, round_});
    order_ = 0;
}

std::int32_t NgramCounter::id_of(std::uint64_t key) {
    const std::size_t mask = table_.size() - 1;
    for (std::size_t at = (key * 0x9E3779B97F4A7C15ull >> 32) & mask;; at = (at + 1) & mask) {
        Entry& entry = table_[at];
        if (entry.round != round_) {
            entry = {key, static_cast<std::int32_t>(types_++), round_};
            return entry.id;
        }
        if (entry.key == key) return entry.id;
    }
}

void NgramCounter::next_order() {
    ++order_;
    ++round_;
    types_ = 0;
    std::size_t begin = 0;
    for (const auto& sentence : sentences_) {
        for (std::size_t i = 0; i + order_ <= sentence.size(); ++i) {
            const auto prefix = static_cast<std::uint64_t>(prefix_[begin + i]);
            const auto token = static_cast<std::uint32_t>(sentence[i + order_ - 1]);
            prefix_[begin + i] = id_of(prefix << 32 | token);
        }
        begin += sentence.size();
    }
    counts_.assign(sentences_.size() * types_, 0);
    begin = 0;
    for (std::size_t s = 0; s < sentences_.size(); ++s) {
        for (std::size_t i = 0; i + order_ <= sentences_[s].size(); ++i) {
            ++counts_[s * types_ + static_cast<std::size_t>(prefix_[begin + i])];
        }
        begin += sentences_[s].size();
    }
}

void gleu_statistics(NgramCounter& counter, Sentence source, Sentence hypothesis, std::span<const Sentence> references,
                     std::size_t orders, GleuForm form, double* rows) {
    std::vector<Sentence> group{source, hypothesis};
    group.insert(group.end(), references.begin(), references.end());
    counter.read(group);
    const std::size_t columns = 2 + 2 * orders;
    for (std::size_t r = 0; r < references.size(); ++r) {
        rows[r * columns] = static_cast<double>(hypothesis.size());
        rows[r * columns + 1] = static_cast<double>(references[r].size());
    }
    for (std::size_t n = 1; n <= orders; ++n) {
        counter.next_order();
        const auto in_source = counter.counts(0), in_hypothesis = counter.counts(1);
        for (std::size_t r = 0; r < references.size(); ++r) {
            const auto in_reference = counter.counts(2 + r);
            std::int64_t rewarded = 0, penalised = 0;
            for (std::size_t g = 0; g < counter.types(); ++g) {
                const auto shared = std::min(in_hypothesis[g], in_reference[g]);
                const auto kept = std::min(in_hypothesis[g], in_source[g]);
                rewarded += shared;
                if (form == GleuForm::paper) {
                    penalised += std::max(kept - shared, 0);
                } else if (in_reference[g] == 0) {
                    penalised += kept;
                }
            }
            // Only the tool clips each sentence at 0; the paper's formula sums over the corpus first.
            const std::int64_t least = form == GleuForm::tool ? 0 : std::numeric_limits<std::int64_t>::min();
            rows[r * columns + 2 * n] = static_cast<double>(std::max(rewarded - penalised, least));
            rows[r * columns + 2 * n + 1] = ngrams_in(hypothesis.size(), n);
        }
    }
}

void bleu_statistics(NgramCounter& counter, Sentence hypothesis, std::span<const Sentence> references,
                     std::size_t orders, double* row) {
    std::vector<Sentence> group{hypothesis};
    group.insert(group.end(), references.begin(), references.end());
    counter.read(group);
    std::size_t closest = references.front().size(), shortest = closest;
    const auto distance = [&](std::size_t length) {
        return std::abs(static_cast<std::ptrdiff_t>(length) - static_cast<std::ptrdiff_t>(hypothesis.size()));
    };
    for (const auto& reference : references) {
        const std::size_t length = reference.size();
        if (std::pair(distance(length), length) < std::pair(distance(closest), closest)) closest = length;
        shortest = std::min(shortest, length);
    }
    row[0] = static_cast<double>(hypothesis.size());
    row[1] = static_cast<double>(closest);
    row[2] = static_cast<double>(shortest);
    for (std::size_t n = 1; n <= orders; ++n) {
        counter.next_order();
        std::int64_t matched = 0;
        for (std::size_t g = 0; g < counter.types(); ++g) {
            std::int32_t most = 0;
            for (std::size_t r = 0; r < references.size(); ++r) most = std::max(most, counter.count(1 + r, g));
            matched += std::min(counter.count(0, g), most);
        }
        row[2 * n + 1] = static_cast<double>(matched);
        row[2 * n + 2] = ngrams_in(hypothesis.size(), n);
    }
}

}  // namespace gecval
