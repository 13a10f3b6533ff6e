// Excess costs: at least what cells cost more than a node's landmark, from there to the end of whatever reference, on
// the cells that an alignment may pass. The names are those of docs/metrics/imeasure-exactness.md, which proves what is
// claimed here.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "imeasure_align.hpp"
#include "imeasure_detours.hpp"
#include "imeasure_lattice.hpp"

namespace gecval::imeasure {

struct Landmark {
    int i = 0, j = 0;
};

class Excess {
public:
    Excess(Sentence source, Sentence hypothesis, const Lattice& lattice, const Places& places,
           const Detours& of_source);

    Landmark landmark(Node node) const { return landmarks_[node]; }
    // The least cost from a node's landmark over a string to the next one's.
    Cost passage(std::size_t string) const { return passages_[string]; }

    // Within a string: from there on, compared with the next node's landmark.
    Cost look(std::size_t place, int i, int j) const {
        const Row* row = row_of(place, i);
        if (!row || j < row->low || j > row->high) return unreachable;
        const std::int16_t cell = cells_[row->cell(j)];
        return cell == none ? unreachable : cell;
    }

    // The same for the cells of one place, as advance() asks for them.
    struct AtPlace {
        const Excess& excess;
        std::size_t place;

        Columns columns(int i) const {
            const Row* row = excess.row_of(place, i);
            return row ? Columns{row->low, row->high} : Columns{0, -1};
        }
        Cost rest(int i, int j) const { return excess.look(place, i, j); }
    };

private:
    static constexpr std::int16_t none = std::numeric_limits<std::int16_t>::max();  // no way leads on from there

    struct Row {
        int low, high;   // its columns; none if low > high
        std::size_t at;  // of column low
        std::size_t cell(int j) const { return at + static_cast<std::size_t>(j - low); }
    };
    struct Region {  // the cells of a place
        int first, last;
        std::size_t row;  // of source position first
    };

    const Row* row_of(std::size_t place, int i) const {
        const Region& region = regions_[place];
        return i < region.first || i > region.last ? nullptr
                                                   : &rows_[region.row + static_cast<std::size_t>(i - region.first)];
    }
    void place_landmarks(const Lattice& lattice, const std::vector<Cost>& rest);
    Cost measure_passages(const Lattice& lattice, const std::vector<Cost>& rest, const Detours& of_source,
                          const Detours& of_hypothesis);
    struct PairDetours {
        std::vector<Cost> costs;     // by cell, row by row
        std::vector<Columns> bands;  // by row: no best three-way alignment passes elsewhere
    };
    PairDetours detours_of_pair(std::vector<Cost> rest) const;
    void add_region(Detours::Costs of_source, Detours::Costs of_hypothesis, const PairDetours& of_pair, Cost slack);
    void set_before(Node node, const std::vector<std::vector<Token>>& strings);
    void step_back(const Token* reference, std::size_t after, std::size_t before);
    void gather(std::size_t place, int i, const Row& columns, std::vector<std::int16_t>& row) const;

    Sentence source_, hypothesis_;
    const Places& places_;
    std::vector<Landmark> landmarks_;  // by node
    std::vector<Cost> passages_;       // by string
    std::vector<Region> regions_;      // by place
    std::vector<Row> rows_;
    std::vector<std::int16_t> cells_;
    std::vector<std::int16_t> same_, next_, below_;  // memory of step_back
};

}  // namespace gecval::imeasure
