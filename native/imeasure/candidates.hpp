// Clusters of edits that correct the same error, as I-measure groups them (Felice & Briscoe 2015). Edits of several
// annotators that overlap are alternatives, others are independent. Where not every annotator of the sentence has an
// alternative, the source may also stay as it is.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "imeasure/imeasure.hpp"
#include "max_match/max_match.hpp"

namespace gecval::imeasure {

using Annotation = std::span<const GoldEdit>;  // the edits of one annotator

// An alternative without edits stands last where the source may stay. Edits of one annotator with one span are joined.
std::vector<Cluster> cluster_edits(std::span<const Annotation> annotations);

// The candidate references of a sentence as a sequence of slots: a candidate is one string from each, concatenated.

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
