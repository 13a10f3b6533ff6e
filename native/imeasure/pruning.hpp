// Detours: how much dearer a pairwise alignment with a candidate reference gets by passing some position at some place
// of the reference. From there it follows which cells no three-way alignment passes. The names are those of
// docs/metrics/imeasure-exactness.md, which proves what is claimed here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "imeasure/alignment_hot_loop.hpp"
#include "imeasure/candidates.hpp"

namespace gecval::imeasure {

// Nodes are the places before each slot of the lattice, and its end. There are places within strings, too.
using Node = std::size_t;

// The places of a lattice, and its strings, by number.
class Places {
public:
    explicit Places(const Lattice& lattice);

    std::size_t size() const { return size_; }
    std::size_t strings() const { return first_inside_.size(); }
    std::size_t at(Node node) const { return nodes_[node].place; }
    std::size_t string(Node node, std::size_t string) const { return nodes_[node].first_string + string; }
    // After some of a string's tokens; 0 < read < tokens.
    std::size_t inside(Node node, std::size_t string, std::size_t read) const {
        return first_inside_[this->string(node, string)] + read - 1;
    }

private:
    struct AtNode {
        std::size_t place, first_string;
    };
    std::vector<AtNode> nodes_;
    std::vector<std::size_t> first_inside_;  // by string
    std::size_t size_ = 0;
};

// The detours of one sentence, the source or the hypothesis. Its landmarks are a position for each node, and never turn
// back. The way along them is what a detour is compared with, so it may also be cheaper.
class Detours {
public:
    Detours(Sentence sentence, std::span<const int> landmarks, const Lattice& lattice, const Places& places);

    using Costs = std::span<const std::int16_t>;

    // By position: at least what the best alignment with any reference that passes there costs more.
    Costs at(std::size_t place) const { return {costs_.data() + place * width_, width_}; }
    Cost passage(std::size_t string) const { return passages_[string]; }  // from landmark to landmark

private:
    std::span<std::int16_t> at(std::size_t place) { return {costs_.data() + place * width_, width_}; }
    void look_back(Node node, const std::vector<std::vector<Token>>& strings, const Places& places);
    void look_forward(Node node, const std::vector<std::vector<Token>>& strings, const Places& places);

    Sentence sentence_;
    std::size_t width_;
    std::vector<std::int16_t> costs_;
    std::vector<Cost> passages_;
    std::vector<std::int16_t> before_;      // from the start to the node that is looked forward from
    std::vector<std::int16_t> now_, next_;  // memory
};

// Excess costs: at least what cells cost more than a node's landmark, from there to the end of whatever reference, on
// the cells that an alignment may pass. The names are those of docs/metrics/imeasure-exactness.md, which proves what is
// claimed here.

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
