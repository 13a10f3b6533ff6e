// The graph whose paths are the candidate references of a sentence and whose edges add up to their counts.
#pragma once

#include <optional>

#include "imeasure_align.hpp"
#include "imeasure_choice.hpp"
#include "imeasure_lattice.hpp"

namespace gecval::imeasure {

// Nothing if it takes more than `steps` (see Budget).
std::optional<CountGraph> make_graph(Sentence source, Sentence hypothesis, const Lattice& lattice, std::int64_t steps);

Counts with_baseline(const ColumnCounts& system, const Pairwise& baseline);

// An unchanged hypothesis is aligned with the reference as a pair: it is the baseline.
ColumnCounts unchanged(const Pairwise& baseline);

// Against the source as reference, source and hypothesis are aligned as a pair.
ColumnCounts against_source(const Pairwise& changes);

}  // namespace gecval::imeasure
