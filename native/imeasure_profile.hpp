// Alignment profiles: what a prefix of a reference means for every way to go on. The names are those of
// docs/metrics/imeasure-exactness.md, which proves what is claimed here.
#pragma once

#include <map>
#include <vector>

#include "imeasure_align.hpp"
#include "imeasure_lattice.hpp"

namespace gecval::imeasure {

// Nodes are the places before each slot of the lattice, and its end.
using Node = std::size_t;

struct Landmark {
    int i = 0, j = 0;
};

// At least what cells cost more than a node's landmark, from there to the end of whatever reference.
class Excess {
public:
    using Table = std::vector<std::int16_t>;

    Excess(Sentence source, Sentence hypothesis, const Lattice& lattice);

    Landmark landmark(Node node) const { return nodes_[node].landmark; }
    const Table& at(Node node) const { return nodes_[node].table; }
    // Within a string of the slot after a node: from there on, compared with the next node's landmark; 0 < read <
    // tokens.
    const Table& inside(Node node, std::size_t string, std::size_t read) const {
        return nodes_[node].strings[string].inside[read - 1];
    }
    // The least cost from the node's landmark over a string to the next one's.
    Cost passage(Node node, std::size_t string) const { return nodes_[node].strings[string].passage; }

    Cost look(const Table& table, int i, int j) const {
        const Row& row = rows_[static_cast<std::size_t>(i)];
        return j < row.low || j > row.high ? unreachable : table[row.cell(j)];
    }

private:
    // The cells of a table in source position i: columns low to high, and one outside at each end.
    struct Row {
        int low, high;
        std::size_t at;  // of column low
        std::size_t size() const { return static_cast<std::size_t>(high - low) + 1; }
        std::size_t cell(int j) const { return at + static_cast<std::size_t>(j - low); }  // low - 1 <= j <= high + 1
    };
    struct String {
        std::vector<Table> inside;
        Cost passage = 0;
    };
    struct AtNode {
        Landmark landmark;
        Table table;
        std::vector<String> strings;
    };

    void place_landmarks();
    void set_band(Cost distance);
    void set_last();
    void set_before(Node node);
    void step_back(Token reference, const Table& after, Table& before) const;

    Sentence source_, hypothesis_;
    const Lattice& lattice_;
    std::vector<Row> rows_;
    std::size_t size_ = 0;  // of a table
    std::vector<AtNode> nodes_;
};

// The profiles of all candidate references aligned with one source and one hypothesis, found on demand.
class Profiles {
public:
    struct Move {
        std::size_t profile;  // at the next node
        ColumnCounts counts;  // what the counts of every way to go on grow by
    };

    Profiles(Sentence source, Sentence hypothesis, const Lattice& lattice);

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
    Excess excess_;
    Layer before_, now_;
    std::vector<std::map<Cells, std::size_t>> found_;  // by node
    std::vector<Known> known_;
    std::int64_t cells_ = 0;
};

}  // namespace gecval::imeasure
