// Alignment profiles: what a prefix of a reference means for every way to go on. The names are those of
// docs/metrics/imeasure-exactness.md, which proves what is claimed here.
#pragma once

#include <map>
#include <vector>

#include "imeasure_align.hpp"
#include "imeasure_detours.hpp"
#include "imeasure_excess.hpp"
#include "imeasure_lattice.hpp"

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

}  // namespace gecval::imeasure
