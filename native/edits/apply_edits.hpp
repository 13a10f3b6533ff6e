// What a piece of a sentence becomes when edits are applied to it, as by apply_edits in src/gecval/corpus/edit.py.
#pragma once

#include <algorithm>
#include <vector>

#include "max_match/max_match.hpp"

namespace gecval {

/// What Python makes of text[start:end] = words, where a bound may be negative (it counts from the end) or too large.
inline void assign_slice(std::vector<Token>& text, std::int64_t start, std::int64_t end, Sentence words) {
    const auto size = static_cast<std::int64_t>(text.size());
    const auto bound = [&](std::int64_t at) { return std::clamp<std::int64_t>(at < 0 ? at + size : at, 0, size); };
    const auto at = text.begin() + bound(start);
    const auto after = text.erase(at, text.begin() + std::max(bound(start), bound(end)));
    text.insert(after, words.begin(), words.end());
}

/// The order in which edits apply: by position, and as given where positions are equal.
inline void sort_edits(std::vector<GoldEdit>& edits) {
    std::ranges::stable_sort(edits, {}, [](const GoldEdit& edit) { return std::pair(edit.start, edit.end); });
}

/// The corrected piece, which starts at token `origin` of its sentence; the edits are sorted.
inline void apply_edits(Sentence piece, std::span<const GoldEdit> edits, std::vector<Token>& corrected,
                        std::int64_t origin = 0) {
    corrected.assign(piece.begin(), piece.end());
    std::int64_t shift = -origin;
    for (const GoldEdit& edit : edits) {
        const Sentence words = edit.alternatives.front();
        assign_slice(corrected, edit.start + shift, edit.end + shift, words);
        shift += static_cast<std::int64_t>(words.size()) - (edit.end - edit.start);
    }
}

}  // namespace gecval
