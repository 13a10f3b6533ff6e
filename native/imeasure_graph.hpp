// The graph whose paths are the candidate references of a sentence and whose edges add up to their counts.
#pragma once

#include <optional>

#include "imeasure_align.hpp"
#include "imeasure_choice.hpp"
#include "imeasure_detours.hpp"
#include "imeasure_lattice.hpp"
#include "imeasure_profile.hpp"

namespace gecval::imeasure {

// The candidate references of a source, and what follows from them for every hypothesis.
class Candidates {
public:
    Candidates(Sentence source, Lattice lattice) : source_(source), lattice_(std::move(lattice)) {}
    Candidates(const Candidates&) = delete;  // what is shared refers to the lattice

    struct Shared {
        Shared(Sentence source, const Lattice& lattice);
        Shared(const Shared&) = delete;  // the baseline refers to the others
        Places places;
        Detours of_source;
        Profiles baseline;  // of an empty hypothesis
    };
    Shared& shared();  // made once somebody asks: it takes memory

    Sentence source() const { return source_; }
    const Lattice& lattice() const { return lattice_; }

private:
    Sentence source_;
    Lattice lattice_;
    std::optional<Shared> shared_;
};

// Nothing if it takes more than `steps` (see Budget).
std::optional<CountGraph> make_graph(Candidates& candidates, Sentence hypothesis, std::int64_t steps);

Counts with_baseline(const ColumnCounts& system, const Pairwise& baseline);

// An unchanged hypothesis is aligned with the reference as a pair: it is the baseline.
ColumnCounts unchanged(const Pairwise& baseline);

// Against the source as reference, source and hypothesis are aligned as a pair.
ColumnCounts against_source(const Pairwise& changes);

}  // namespace gecval::imeasure
