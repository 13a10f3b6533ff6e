// Edits between two texts in any language, without a model. src/gecval/edits/plain.py has the rules.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "edits/common_letters.hpp"
#include "edits/word_steps.hpp"
#include "text/tokens.hpp"

namespace gecval {

constexpr std::size_t kMostCells = 40'000;  // words times words that are aligned in one piece

/// What the rules ask about words, by the words' numbers.
struct PlainWords {
    Texts letters;                              // code points
    Texts bare;                                 // in lower case, without hyphens and apostrophes
    std::span<const Token> lower;               // equal numbers for words equal in lower case
    std::span<const std::uint8_t> punctuation;  // 1 where it is nothing else
};

/// Source words start:end become corrected words start_corrected:end_corrected.
struct PlainEdit {
    Token start, end, start_corrected, end_corrected;
};

class PlainEdits {
public:
    explicit PlainEdits(const PlainWords& words) : words_(words) {}

    /// Append the edits that lead from source to corrected words.
    void operator()(Sentence source, Sentence corrected, std::vector<PlainEdit>& edits);

private:
    using Run = std::span<const WordStep>;

    std::vector<WordStep> steps();
    void number_lower_case();
    void add_parts(Run run);
    void add(Run part);
    bool respaced(Run run, Run& part);
    bool recased(Run run, Run& part) const;
    bool similar(const WordStep& step) const;
    bool is_punctuation(const WordStep& step) const;

    const PlainWords& words_;
    Sentence source_, corrected_;
    Token offset_ = 0;  // words before these two, the same on both sides
    std::vector<PlainEdit>* edits_ = nullptr;

    // Scratch memory, kept from pair to pair.
    CommonLetters common_letters_;
    std::vector<double> unlike_, costs_;  // by source and corrected word
    std::vector<Token> kinds_, lower_, lower_numbers_;
    std::vector<Token> before_, after_;                      // the bare letters of a run
    std::vector<std::size_t> before_starts_, after_starts_;  // where those of each step begin
    std::vector<std::size_t> places_;                        // between its steps
};

}  // namespace gecval
