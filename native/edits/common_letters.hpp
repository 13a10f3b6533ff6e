// How many letters two words have in common, in the same order.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "text/tokens.hpp"

namespace gecval {

/// The longest common subsequence of a word and others, 64 letters at a time (Hyyrö 2004). Letters are code points.
class CommonLetters {
public:
    /// The word that the next ones are compared with.
    void take(Sentence word);

    /// Letters of the longest common subsequence.
    std::size_t with(Sentence other);

private:
    using Bits = std::uint64_t;
    static constexpr std::size_t kBits = 64, kSlots = 2 * kBits;

    void load(Sentence part);
    std::size_t slot(Token letter) const;
    std::size_t with_long_word(Sentence other);

    Sentence word_;
    // Where each letter of a part of the word stands, by open addressing: half of the slots stay free.
    std::array<Token, kSlots> letters_{};
    std::array<Bits, kSlots> places_{};
    std::vector<Bits> carries_;  // what a part hands on to the next one, for each letter of the other word
};

}  // namespace gecval
