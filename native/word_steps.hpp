// Which words became which: Damerau-Levenshtein over tokens, as ERRANT aligns (Felice et al. 2016).
#pragma once

#include <vector>

#include "tokens.hpp"

namespace gecval {

/// Operation 0 match, 1 substitution, 2 insertion, 3 deletion, 2 + n a change of order of n words.
struct WordStep {
    int operation, start, end, start_corrected, end_corrected;
};

struct WordPair {
    Sentence source, corrected;       // equal numbers for equal words
    Sentence lower, lower_corrected;  // and for words equal in lower case, counted from 0
};

/// The cheapest steps: 1 for an insertion or deletion, `substitution` (row after row) for a substitution, k for a
/// change of order of k + 1 words. Equal words match; of equal costs the first of order, substitution, insertion,
/// deletion.
std::vector<WordStep> word_steps(const WordPair& pair, const double* substitution);

}  // namespace gecval
