// Word alignment of a source sentence and a correction of it.
#pragma once

#include <vector>

#include "tokens.hpp"

namespace gecval {

/// Which source words a correction changes or deletes: a Levenshtein alignment with unit costs, of several equally short
/// ones that which keeps words in place as late in the sentence as possible (substitute, then delete, then insert).
class ChangedWords {
public:
    std::vector<bool> operator()(Sentence source, Sentence corrected);

private:
    std::vector<int> cost_;
};

}  // namespace gecval
