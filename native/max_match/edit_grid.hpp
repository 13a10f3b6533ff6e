// The Levenshtein grid of M² (Dahlmeier & Ng 2012, §2.1): all shortest edit paths from source to hypothesis.
//
// The paper has one graph, where a substitution costs 1. The scorer merges it with one where a substitution costs 2 (so
// that a deletion followed by an insertion is a path too). A cell holds the moves that leave it on some shortest path,
// per graph.
//
// Only a band of the grid is filled (Ukkonen 1985). A path through diagonal k = j - i inserts or deletes |k| words to
// get there and |k - (m - n)| words to get to the last cell. So where that is more than the distance, no shortest path
// passes. All of them, tied ones too, lie inside.
#pragma once

#include <cstdint>
#include <vector>

#include "text/tokens.hpp"

namespace gecval {

/// Which graphs the lattice has: that of the paper, or both that the released tool merges.
enum class Lattice { paper, tool };

/// In the order in which the scorer sorts the arcs that leave a cell.
enum Move : int { insertion = 0, deletion = 1, diagonal = 2 };

struct Cell {
    int i, j;  // tokens of the source and of the hypothesis read so far
    bool operator==(const Cell&) const = default;
};

inline Cell after(Cell cell, Move move) { return {cell.i + (move != insertion), cell.j + (move != deletion)}; }

class EditGrid {
public:
    /// The columns of a row that lie in the band.
    struct Columns {
        int first, last;
        std::size_t width() const { return static_cast<std::size_t>(last - first + 1); }
    };

    void build(Sentence source, Sentence hypothesis, Lattice lattice);

    int rows() const { return static_cast<int>(bands_.size()); }
    int columns() const { return columns_; }
    std::size_t vertices() const { return vertices_; }
    Columns band(int row) const { return bands_[static_cast<std::size_t>(row)].columns; }

    bool reachable(Cell cell) const { return moves(cell) != 0; }
    /// In how many of the two graphs this move lies on a shortest path: 0, 1 or 2.
    int graphs_with(Cell cell, Move move) const {
        const int kept = moves(cell);
        return (kept >> move & 1) + (kept >> (move + 3) & 1);
    }
    /// The place of a cell of the band in arrays of size() cells.
    std::size_t at(Cell cell) const {
        return bands_[static_cast<std::size_t>(cell.i)].column_0 + static_cast<std::size_t>(cell.j);
    }
    std::size_t size() const { return size_; }

private:
    struct Band {
        Columns columns;
        std::size_t column_0;  // where the row's column 0 is, or would be
    };
    struct Costs {
        std::int32_t one, two;  // from the first cell, where a substitution costs one and where it costs two
    };

    void lay_band(int most);
    void fill_costs(Sentence source, Sentence hypothesis);
    void keep_moves(Sentence source, Sentence hypothesis, Lattice lattice);
    int moves(Cell cell) const {
        const Columns in = band(cell.i);
        return cell.j < in.first || cell.j > in.last ? 0 : moves_[at(cell)];
    }

    int columns_ = 0;
    std::size_t size_ = 0, vertices_ = 0;
    std::vector<Band> bands_;          // one a row
    std::vector<std::uint8_t> moves_;  // bits 0-2: graph 0, bits 3-5: graph 1, bits 6 and 7: reachable in graph 0, 1
    std::vector<Costs> costs_;         // at least size() of them
};

}  // namespace gecval
