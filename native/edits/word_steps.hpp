// Which words became which: Damerau-Levenshtein over tokens, as ERRANT aligns (Felice et al. 2016).
#pragma once

#include <cstddef>
#include <vector>

#include "text/tokens.hpp"

namespace gecval {

/// Operation 0 match, 1 substitution, 2 insertion, 3 deletion, 2 + n a change of order of n words.
struct WordStep {
    int operation, start, end, start_corrected, end_corrected;
};

struct WordPair {
    Sentence source, corrected;       // equal numbers for equal words
    Sentence lower, lower_corrected;  // and for words equal in lower case, counted from 0
};

/// What a substitution costs: by the kind of both words, since words recur. `costs` is row after row.
struct SubstitutionCosts {
    Sentence kinds, kinds_corrected;
    const double* costs;
    std::size_t columns;

    double operator()(std::size_t i, std::size_t j) const {
        return costs[static_cast<std::size_t>(kinds[i]) * columns + static_cast<std::size_t>(kinds_corrected[j])];
    }
};

/// The cheapest steps: 1 for an insertion or deletion, what `substitution` says for one, k for a change of order of
/// k + 1 words. Equal words match; of equal costs the first of order, substitution, insertion, deletion.
std::vector<WordStep> word_steps(const WordPair& pair, const SubstitutionCosts& substitution);

}  // namespace gecval
