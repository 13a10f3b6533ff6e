// Word alignment of a source sentence and a correction of it.
#pragma once

#include <cstdint>
#include <vector>

#include "text/tokens.hpp"

namespace gecval {

/// Which source words a correction changes or deletes: a Levenshtein alignment with unit costs, of several equally
/// short ones that which keeps words in place as late in the sentence as possible (substitute, then delete, then
/// insert).
class ChangedWords {
public:
    std::vector<bool> operator()(Sentence source, Sentence corrected);

private:
    using Bits = std::uint64_t;
    static constexpr std::size_t kBits = 64;

    /// For 64 cells of the table of distances: is D[i, j] = D[i − 1, j − 1], and is it D[i − 1, j] + 1?
    struct Cells {
        Bits as_diagonal, above_plus_one;
    };

    /// The next row of the table, for the next word of the source.
    void fill(Token word, Sentence corrected, Cells* cells);

    std::vector<Bits> rises_, falls_;  // D[i, j] − D[i, j − 1] in the last row: 1, or −1
    std::vector<Cells> cells_;
};

}  // namespace gecval
