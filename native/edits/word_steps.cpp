#include "edits/word_steps.hpp"

#include <algorithm>
#include <cstdint>

namespace gecval {

namespace {

enum class Operation : std::uint8_t { match, substitute, insert, erase, reorder };

class Aligner {
public:
    Aligner(const WordPair& pair, const SubstitutionCosts& substitution)
        : pair_(pair), substitution_(substitution), rows_(pair.source.size() + 1), columns_(pair.corrected.size() + 1),
          cost_(rows_ * columns_), operation_(rows_ * columns_) {
        Token most = -1;
        for (const auto& words : {pair.lower, pair.lower_corrected}) {
            for (const Token word : words) most = std::max(most, word);
        }
        excess_.assign(static_cast<std::size_t>(most + 1), 0);
        shared_.assign(excess_.size(), 0);
        for (const Token word : pair.lower) shared_[static_cast<std::size_t>(word)] |= 1;
        for (const Token word : pair.lower_corrected) shared_[static_cast<std::size_t>(word)] |= 2;
    }

    std::vector<WordStep> run() {
        for (std::size_t j = 0; j < columns_; ++j) {
            cost_[j] = static_cast<double>(j);
            operation_[j] = Operation::insert;
        }
        for (std::size_t i = 1; i < rows_; ++i) {
            cost_[i * columns_] = static_cast<double>(i);
            operation_[i * columns_] = Operation::erase;
            for (std::size_t j = 1; j < columns_; ++j) fill(i, j);
        }
        return trace();
    }

private:
    double& cost(std::size_t i, std::size_t j) { return cost_[i * columns_ + j]; }

    void fill(std::size_t i, std::size_t j) {
        Operation& operation = operation_[i * columns_ + j];
        if (pair_.source[i - 1] == pair_.corrected[j - 1]) {
            cost(i, j) = cost(i - 1, j - 1);
            operation = Operation::match;
            return;
        }
        double best = cost(i - 1, j - 1) + substitution_(i - 1, j - 1);
        operation = Operation::substitute;
        if (cost(i, j - 1) + 1 < best) {
            best = cost(i, j - 1) + 1;
            operation = Operation::insert;
        }
        if (cost(i - 1, j) + 1 < best) {
            best = cost(i - 1, j) + 1;
            operation = Operation::erase;
        }
        if (shared_[lower(i)] == 3 && shared_[lower_corrected(j)] == 3) {
            const std::size_t words = reordered_words(i, j, best);
            // One addition, as in the original: rounding decides ties.
            const double moved = words ? cost(i - words, j - words) + static_cast<double>(words - 1) : best + 1;
            if (moved <= best) {
                best = moved;
                operation = Operation::reorder;
            }
        }
        cost(i, j) = best;
    }

    /// Over how many words a change of order that ends here goes, 0 if there is none: back along the diagonal over
    /// words that differ, until both sides hold the same ones. A word that one side lacks altogether ends the search.
    /// So does a number of words that costs more than `most`: k + 1 words cost k more than what comes before them,
    /// and that is at least how many more words one side has. Half a step is more than any error of rounding.
    std::size_t reordered_words(std::size_t i, std::size_t j, double most) {
        const double longest = most + 0.5 - static_cast<double>(std::max(i, j) - std::min(i, j));
        if (longest < 1 || std::min(i, j) < 2 || cost(i - 1, j - 1) == cost(i - 2, j - 2)) return 0;
        touched_.clear();
        std::size_t unequal = 0, found = 0;
        const auto count = [&](std::size_t word, int change) {
            touched_.push_back(word);
            unequal += excess_[word] == 0;
            excess_[word] += change;
            unequal -= excess_[word] == 0;
        };
        for (std::size_t k = 0; k < std::min(i, j) && found == 0; ++k) {
            if (static_cast<double>(k) > longest) break;
            if (k > 0 && cost(i - k, j - k) == cost(i - k - 1, j - k - 1)) break;
            if (shared_[lower(i - k)] != 3 || shared_[lower_corrected(j - k)] != 3) break;
            count(lower(i - k), 1);
            count(lower_corrected(j - k), -1);
            if (k > 0 && unequal == 0) found = k + 1;
        }
        for (const std::size_t word : touched_) excess_[word] = 0;
        return found;
    }

    std::size_t lower(std::size_t i) const { return static_cast<std::size_t>(pair_.lower[i - 1]); }
    std::size_t lower_corrected(std::size_t j) const { return static_cast<std::size_t>(pair_.lower_corrected[j - 1]); }

    std::vector<WordStep> trace() {
        std::vector<WordStep> steps;
        for (std::size_t i = rows_ - 1, j = columns_ - 1; i > 0 || j > 0;) {
            const Operation operation = operation_[i * columns_ + j];
            const std::size_t words = operation == Operation::reorder ? reordered_words(i, j, cost(i, j)) : 1;
            const std::size_t start = i - (operation == Operation::insert ? 0 : words);
            const std::size_t start_corrected = j - (operation == Operation::erase ? 0 : words);
            const int number =
                operation == Operation::reorder ? static_cast<int>(words) + 2 : static_cast<int>(operation);
            steps.push_back({number, static_cast<int>(start), static_cast<int>(i), static_cast<int>(start_corrected),
                             static_cast<int>(j)});
            i = start;
            j = start_corrected;
        }
        std::reverse(steps.begin(), steps.end());
        return steps;
    }

    const WordPair& pair_;
    SubstitutionCosts substitution_;
    std::size_t rows_, columns_;
    std::vector<double> cost_;
    std::vector<Operation> operation_;
    std::vector<int> excess_;  // by word: how many more there are on the source side
    std::vector<int> shared_;  // by word: bit 0 in the source, bit 1 in the corrected text
    std::vector<std::size_t> touched_;
};

}  // namespace

std::vector<WordStep> word_steps(const WordPair& pair, const SubstitutionCosts& substitution) {
    return Aligner(pair, substitution).run();
}

}  // namespace gecval
