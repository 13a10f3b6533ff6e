// The candidate references of a sentence as a sequence of slots: a candidate is one string from each, concatenated.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "imeasure.hpp"

namespace gecval::imeasure {

struct Slot {
    std::int32_t start = 0, end = 0;          // the source tokens it replaces
    std::vector<std::vector<Token>> strings;  // distinct
};
using Lattice = std::vector<Slot>;

// The reference for one alternative per cluster; nothing if two of its edits have the same (start, end), which rules
// the combination out. Edits are spliced in from the last to the first, as positions in the list as it is by then, so
// overlapping edits cut into one another; one that would leave nothing of the sentence is skipped.
std::optional<std::vector<Token>> apply(Sentence source, std::span<const Cluster> clusters,
                                        std::span<const std::size_t> chosen);

// Nothing if clusters with overlapping edits have more than `combinations`.
std::optional<Lattice> make_lattice(Sentence source, std::span<const Cluster> clusters, std::int64_t combinations);

}  // namespace gecval::imeasure
