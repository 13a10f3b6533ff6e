// Alignment profiles: what a prefix of a reference means for every way to go on. The names are those of
// docs/metrics/imeasure-exactness.md, which proves what is claimed here.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "imeasure/alignment_hot_loop.hpp"
#include "imeasure/candidates.hpp"
#include "imeasure/choice.hpp"
#include "imeasure/pruning.hpp"

namespace gecval::imeasure {

// The profiles of all candidate references aligned with one source and one hypothesis, found on demand.
class Profiles {
public:
    struct Move {
        std::size_t profile;  // at the next node
        ColumnCounts counts;  // what the counts of every way to go on grow by
    };

    Profiles(Sentence source, Sentence hypothesis, const Lattice& lattice, const Places& places,
             const Detours& of_source);

    std::size_t start();
    const std::vector<Move>& moves(std::size_t profile);  // one for each string of the slot after the profile's node
    ColumnCounts finish(std::size_t profile) const;       // of a profile at the last node: what is still to be added
    std::int64_t cells() const { return cells_; }         // looked at so far

private:
    struct Cell {
        std::int16_t i, j;
        Cost cost;            // relative to the profile's first cell
        ColumnCounts counts;  // likewise
        friend auto operator<=>(const Cell&, const Cell&) = default;
    };
    using Cells = std::vector<Cell>;
    struct Known {
        Node node = 0;
        const Cells* cells = nullptr;
        std::vector<Move> moves;
    };

    void read(Node node, std::size_t string, const Cells& cells);
    Move settle(Node node);

    Sentence source_, hypothesis_;
    const Lattice& lattice_;
    const Places& places_;
    Excess excess_;
    Layer before_, now_;
    std::vector<std::map<Cells, std::size_t>> found_;  // by node
    std::vector<Known> known_;
    std::int64_t cells_ = 0;
};

// The graph whose paths are the candidate references of a sentence and whose edges add up to their counts.

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
