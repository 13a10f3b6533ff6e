#include "edits/common_letters.hpp"

#include <algorithm>
#include <bit>

namespace gecval {

void CommonLetters::take(Sentence word) {
    word_ = word;
    if (word.size() <= kBits) load(word);
}

// A bit of `unmatched` is 0 where the common subsequence of all letters so far is one longer than before this place.
std::size_t CommonLetters::with(Sentence other) {
    if (word_.size() > kBits) return with_long_word(other);
    Bits unmatched = ~Bits{0};
    for (const Token letter : other) {
        const Bits matches = unmatched & places_[slot(letter)];
        unmatched = (unmatched + matches) | (unmatched ^ matches);
    }
    return static_cast<std::size_t>(std::popcount(~unmatched));
}

/// The same, one part of the word after the other: a sum that overflows goes on in the next part.
std::size_t CommonLetters::with_long_word(Sentence other) {
    carries_.assign(other.size(), 0);
    std::size_t common = 0;
    for (std::size_t first = 0; first < word_.size(); first += kBits) {
        load(word_.subspan(first, std::min(kBits, word_.size() - first)));
        Bits unmatched = ~Bits{0};
        for (std::size_t j = 0; j < other.size(); ++j) {
            const Bits matches = unmatched & places_[slot(other[j])];
            const Bits sum = unmatched + matches, with_carry = sum + carries_[j];
            carries_[j] = (sum < unmatched) | (with_carry < sum);
            unmatched = with_carry | (unmatched ^ matches);
        }
        common += static_cast<std::size_t>(std::popcount(~unmatched));
    }
    return common;
}

void CommonLetters::load(Sentence part) {
    places_.fill(0);
    for (std::size_t k = 0; k < part.size(); ++k) {
        const std::size_t at = slot(part[k]);
        letters_[at] = part[k];
        places_[at] |= Bits{1} << k;
    }
}

std::size_t CommonLetters::slot(Token letter) const {
    std::size_t at = static_cast<std::size_t>(letter) % kSlots;
    while (places_[at] != 0 && letters_[at] != letter) at = (at + 1) % kSlots;
    return at;
}

}  // namespace gecval
