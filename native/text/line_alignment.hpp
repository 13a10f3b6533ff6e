// Where the lines of a text lie in another that breaks its lines elsewhere.
#pragma once

#include <cstdint>
#include <vector>

#include "text/tokens.hpp"

namespace gecval {

/// Words as integers, with kLineBreak between lines. Words of equal stem are spellings of one.
struct BrokenText {
    Sentence words, stems;
};

constexpr Token kLineBreak = -1;

/// The cheapest monotone alignment. A word in one text alone costs 4, a line break 1, a word for another 7, or 2 if
/// they have the same stem. A line break never becomes a word. Of equal costs, from the end backwards: both, the source
/// alone, the output alone. So words that are only in the output lie before a line break that is only in the source.
///
/// For each word or break of the source: how much of the output lies before its end, and whether its last is its own.
struct LinePlaces {
    std::vector<std::int32_t> places;
    std::vector<std::uint8_t> paired;
};

LinePlaces align_lines(const BrokenText& source, const BrokenText& output);

}  // namespace gecval
