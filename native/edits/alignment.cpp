#include "edits/alignment.hpp"

#include <algorithm>

namespace gecval {

// The table of distances D, 64 cells at a time (Myers 1999, Hyyrö 2003): neighbours differ by at most one, so a row is
// known by where D rises and where it falls. Of each cell two bits are kept, which is all that the way back asks for.
std::vector<bool> ChangedWords::operator()(Sentence source, Sentence corrected) {
    const std::size_t width = (corrected.size() + kBits - 1) / kBits;
    rises_.assign(width, ~Bits{0});
    falls_.assign(width, 0);
    cells_.resize(source.size() * width);
    for (std::size_t i = 0; i < source.size(); ++i) fill(source[i], corrected, cells_.data() + i * width);

    std::vector<bool> changed(source.size(), false);
    for (std::size_t i = source.size(), j = corrected.size(); i > 0;) {
        bool erases = true;
        if (j > 0) {
            const Cells& cells = cells_[(i - 1) * width + (j - 1) / kBits];
            const std::size_t bit = (j - 1) % kBits;
            const bool differ = source[i - 1] != corrected[j - 1];
            if (!differ || !(cells.as_diagonal >> bit & 1)) {
                changed[--i] = differ;
                --j;
                continue;
            }
            erases = cells.above_plus_one >> bit & 1;
        }
        if (erases) {
            changed[--i] = true;
        } else {
            --j;
        }
    }
    return changed;
}

void ChangedWords::fill(Token word, Sentence corrected, Cells* cells) {
    Bits carry = 0, down = 1, up = 0;  // what the last of 64 cells hands on to the next
    for (std::size_t w = 0; w < rises_.size(); ++w) {
        const Sentence part = corrected.subspan(w * kBits, std::min(kBits, corrected.size() - w * kBits));
        Bits equal = 0;
        for (std::size_t k = 0; k < part.size(); ++k) equal |= static_cast<Bits>(part[k] == word) << k;

        const Bits rises = rises_[w], falls = falls_[w], begun = equal | falls;
        const Bits run = (begun & rises) + rises, sum = run + carry;
        carry = (run < rises) | (sum < run);
        const Bits as_diagonal = (sum ^ rises) | begun;
        const Bits above_plus_one = falls | ~(rises | as_diagonal), above_minus_one = rises & as_diagonal;
        cells[w] = {as_diagonal, above_plus_one};

        const Bits more = above_plus_one << 1 | down, less = above_minus_one << 1 | up;
        down = above_plus_one >> (kBits - 1);
        up = above_minus_one >> (kBits - 1);
        rises_[w] = less | ~(more | as_diagonal);
        falls_[w] = more & as_diagonal;
    }
}

}  // namespace gecval
