// The Levenshtein grid of M² (Dahlmeier & Ng 2012, §2.1): all shortest edit paths from source to hypothesis.
//
// The scorer merges two graphs, one where a substitution costs 1 and one where it costs 2 (so that a deletion
// followed by an insertion is a path too). A cell holds the moves that leave it on some shortest path, per graph.
#pragma once

#include <cstdint>
#include <vector>

#include "tokens.hpp"

namespace gecval {

/// In the order in which the scorer sorts the arcs that leave a cell.
enum Move : int { insertion = 0, deletion = 1, diagonal = 2 };

struct Cell {
    int i, j;  // tokens of the source and of the hypothesis read so far
    bool operator==(const Cell&) const = default;
};

inline Cell after(Cell cell, Move move) { return {cell.i + (move != insertion), cell.j + (move != deletion)}; }

class EditGrid {
public:
    void build(Sentence source, Sentence hypothesis);

    int rows() const { return rows_; }
    int columns() const { return columns_; }
    std::size_t vertices() const { return vertices_; }

    bool reachable(Cell cell) const { return moves_[at(cell)] != 0; }
    /// In how many of the two graphs this move lies on a shortest path: 0, 1 or 2.
    int graphs_with(Cell cell, Move move) const {
        const int moves = moves_[at(cell)];
        return (moves >> move & 1) + (moves >> (move + 3) & 1);
    }
    std::size_t at(Cell cell) const {
        return static_cast<std::size_t>(cell.i) * static_cast<std::size_t>(columns_) + static_cast<std::size_t>(cell.j);
    }

private:
    void add_graph(Sentence source, Sentence hypothesis, int substitution_cost, int graph);

    int rows_ = 0, columns_ = 0;
    std::size_t vertices_ = 0;
    std::vector<std::uint8_t> moves_;  // bits 0-2: graph 0, bits 3-5: graph 1, bits 6 and 7: reachable in graph 0, 1
    std::vector<std::int32_t> cost_;
};

}  // namespace gecval
