// CLEME (Ye et al. 2023) and CLEME2.0 (2025): what becomes of each chunk that hypothesis and references share.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "cleme/chunks.hpp"

namespace gecval {

/// The columns of a row. A wrong change is necessary where the reference has a change too, else it is not.
enum Outcome : std::uint8_t { kHit, kWrong, kOver, kMissed, kKept };
inline constexpr std::size_t kClemeColumns = 5;

/// Chunk of a row, with the length that weighs it: that of the hypothesis' chunk or of its source, whichever is longer.
struct Judged {
    std::size_t row;
    Outcome outcome;
    Token length;
};

/// α / (1 + (α − 1)·exp(±(b − ℓ))), clipped; b is the mean length of the references' changed chunks.
struct LengthWeight {
    double alpha, least, most;
};
using LengthWeights = std::array<LengthWeight, 3>;  // of hits, of changes that are no hits, of missed chunks
double chunk_weight(const Judged& chunk, double mean_length, const LengthWeights& weights);

/// Looks at sentences one after the other, and remembers what it saw.
struct ClemeJudge {
    Chunks chunks;
    std::vector<Judged> judged;             // all but the kept stretches between chunks, which weigh 1
    std::int64_t lengths = 0, changes = 0;  // of the references' changed chunks

    /// The first target is the hypothesis. Each reference has a row; independent ones have the first row together.
    void read(Sentence source, std::span<const std::span<const GoldEdit>> targets, bool independent,
              std::span<const std::size_t> rows);
};

}  // namespace gecval
