// N-gram counts of the sentences that one score compares: source, hypothesis, references.
//
// N-grams get small integers by pairing: the n-gram at i is the pair (id of the (n−1)-gram at i, token at i + n − 1),
// looked up in a table. So two n-grams have one id if and only if they are equal: no hashing by value, no collisions.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "text/tokens.hpp"

namespace gecval {

class NgramCounter {
public:
    /// Start a new group of sentences. Their order numbers them.
    void read(std::span<const Sentence> sentences);

    /// Go on to the next order n (the first call gives unigrams): afterwards count(s, g) is how often sentence s holds
    /// n-gram g, for g in [0, types()).
    void next_order();

    std::size_t types() const { return types_; }
    std::int32_t count(std::size_t sentence, std::size_t ngram) const { return counts_[sentence * types_ + ngram]; }
    std::span<const std::int32_t> counts(std::size_t sentence) const {
        return {counts_.data() + sentence * types_, types_};
    }

private:
    struct Entry {
        std::uint64_t key;
        std::int32_t id;
        std::uint32_t round;  // entries of earlier orders and groups count as empty
    };

    std::int32_t id_of(std::uint64_t key);

    std::vector<Sentence> sentences_;
    std::vector<std::int32_t> prefix_;  // id of the (n−1)-gram at each position, sentence after sentence
    std::vector<Entry> table_;
    std::vector<std::int32_t> counts_;
    std::uint32_t round_ = 0;
    std::size_t types_ = 0;
    std::size_t order_ = 0;
};

/// For each order n = 1 … orders: how many n-grams a sentence of this length holds.
inline double ngrams_in(std::size_t length, std::size_t n) {
    return length + 1 > n ? static_cast<double>(length + 1 - n) : 0.0;
}

// Each writes the statistics of one sentence; see the Python modules of the same names for the formulas.

/// GLEU against one reference: hypothesis length, reference length, then numerator and denominator per order.
enum class GleuForm { tool, paper };
void gleu_statistics(NgramCounter& counter, Sentence source, Sentence hypothesis, std::span<const Sentence> references,
                     std::size_t orders, GleuForm form, double* rows);

/// BLEU against all references: hypothesis length, closest and shortest reference length, then matches and n-grams per
/// order. (The shortest does not add up: it bounds the orders that a sentence score uses.)
void bleu_statistics(NgramCounter& counter, Sentence hypothesis, std::span<const Sentence> references,
                     std::size_t orders, double* row);

/// SARI, as sentence components (keep, delete, add, 1) or as kSariCounts counts per order that add up over sentences.
/// Against all references together, or a row for each alone.
enum class SariForm { tool, corpus };
inline constexpr std::size_t kSariCounts = 9;
void sari_statistics(NgramCounter& counter, Sentence source, Sentence hypothesis, std::span<const Sentence> references,
                     std::size_t orders, SariForm form, bool pooled, double* rows);

/// GREEN against one reference: n-grams treated rightly, too much and too little, per order.
inline constexpr std::size_t kGreenCounts = 3;
void green_statistics(NgramCounter& counter, Sentence source, Sentence hypothesis, std::span<const Sentence> references,
                      std::size_t orders, double* rows);

}  // namespace gecval
