// M² (Dahlmeier & Ng 2012): of all edit sequences that turn the source into the hypothesis, find the one that
// overlaps most with a gold annotation, and count
//     correct = |e ∩ g|,  proposed = |e|,  gold = |g|.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "max_match/edit_grid.hpp"
#include "text/tokens.hpp"

namespace gecval {

/// What makes a proposed edit valid (§4): it overlaps a gold edit, has its span, or has its span and correction.
enum class Level { detection, recognition, correction };

struct GoldEdit {
    int start, end;
    bool optional;
    std::span<const Sentence> alternatives;
};

/// source[i0:i1] becomes hypothesis[j0:j1]. It matches gold edits at start:end, which are i0:i1 but for an error that
/// version 3.2 of the scorer makes in row 0 of the lattice.
struct ProposedEdit {
    int i0, i1, j0, j1;
    int start = i0, end = i1;
    bool matched = false;  // widest_match says for which edits it has used up a gold edit
};

/// Where an insertion before the first word stands: at 0, or, in version 3.2, behind as many words as were inserted
/// before it. An edit of several steps has the start of its first step and the end of its last.
enum class RowZero { head, version_3_2 };

struct Counts {
    double correct, proposed, gold;
};

/// What of two spans of text counts as equal when whitespace and casing are ignored; empty where they are not.
using FoldedTokens = std::vector<std::string>;

struct MaxMatchOptions {
    Lattice lattice = Lattice::tool;  // the paper's is always searched by widest_match
    int max_unchanged = 2;
    Level level = Level::correction;
    bool bonus = false;                    // count a missed optional gold edit as made
    const FoldedTokens* folded = nullptr;  // drop edits that only change whitespace or casing
    std::size_t max_vertices = 2048;       // a larger lattice of the tool goes to widest_match
    RowZero row_zero = RowZero::head;      // of the scorer's search; widest_match has that of head
};

/// Whether the edit has the span (and, at level correction, a correction) of the gold edit.
bool matches(const GoldEdit& gold, const ProposedEdit& edit, Sentence hypothesis, bool any_correction);

/// The search the scorer does, with its arcs listed one by one: exact to the last tie, cubic in the lattice.
class ArcSearch {
public:
    void build(const EditGrid& grid, Sentence source, Sentence hypothesis, int max_unchanged, RowZero row_zero);
    const std::vector<ProposedEdit>& best(std::span<const GoldEdit> golds, Sentence hypothesis, bool any_correction);

private:
    /// Between two vertices there is one arc at most, though the scorer may list it several times.
    struct Arc {
        int from, to;
        std::uint16_t steps;      // atomic moves on the shortest path found
        std::uint16_t unchanged;  // unchanged words on that path
        std::uint16_t copies;     // in the scorer's list
        bool inserts_first;       // whether that path starts with an insertion

        static constexpr std::uint16_t kRemoved = std::numeric_limits<std::uint16_t>::max();

        bool is_noop() const { return unchanged == steps; }
        bool is_removed() const { return steps == kRemoved; }
    };
    using Weights = std::vector<double>;  // by arc

    void add_vertices(const EditGrid& grid, RowZero row_zero);
    void add_moves(const EditGrid& grid, Sentence source, Sentence hypothesis);
    void add_transitive_arcs(int max_unchanged);
    void connect(Arc arc);
    void join(Arc arc, Arc move);
    void remove_noop_arcs();
    void weigh_unmatched();
    bool weigh_matches(std::span<const GoldEdit> golds, Sentence hypothesis, bool any_correction);
    bool weigh_insertions(int place, std::span<const GoldEdit> golds, Sentence hypothesis, bool any_correction);
    void find_best(const Weights& weights, std::vector<ProposedEdit>& edits);

    std::size_t at(int from, int to) const {
        return static_cast<std::size_t>(to) * cells_.size() + static_cast<std::size_t>(from);
    }
    bool linked(int from, int to) const {
        const auto word = static_cast<std::size_t>(to) * words_ + static_cast<std::size_t>(from / 64);
        return predecessors_[word] >> (from % 64) & 1;
    }
    ProposedEdit edit(const Arc& arc) const;
    template <class Visit>
    void for_each_arc(int start, int end, Visit visit) const;

    std::vector<Cell> cells_;                  // vertices, sorted: an arc leads from one to a later one
    std::vector<int> row_start_;               // the first vertex of each row, and the number of all
    int row_zero_ = 0;                         // how many vertices row 0 has, in version 3.2
    std::vector<int> index_;                   // grid cell → vertex
    std::vector<Arc> arcs_;                    // single moves first, by the vertex that they leave
    std::vector<std::size_t> first_move_;      // of each vertex
    std::vector<std::uint32_t> listed_;        // the transitive arcs in the scorer's order
    std::size_t size_ = 0;                     // |E|, the number of all arcs that the scorer lists
    std::vector<std::uint64_t> predecessors_;  // bit sets, one row a vertex
    std::size_t words_ = 0;                    // of one such row
    std::vector<std::uint32_t> arc_between_;   // where the bit is set: the arc between two vertices
    Weights unmatched_weights_, weights_;
    std::vector<double> distance_;
    std::vector<const Arc*> previous_;
    std::vector<std::size_t> insertions_;      // scratch of weigh_insertions
    std::vector<const GoldEdit*> golds_here_;  // as well
    std::vector<ProposedEdit> unmatched_best_, best_;
    bool unmatched_known_ = false;
};

/// The optimum as the paper defines it (most matches, then least cost, then fewest edits) without listing arcs: time
/// and memory grow with the grid, so two unrelated sentences of 500 tokens take milliseconds.
std::vector<ProposedEdit> widest_match(const EditGrid& grid, Sentence source, Sentence hypothesis,
                                       std::span<const GoldEdit> golds, int max_unchanged, bool any_correction);

/// One thread's working memory for scoring sentence after sentence.
class MaxMatch {
public:
    explicit MaxMatch(MaxMatchOptions options) : options_(options) {}

    /// Prepare one source and hypothesis; then ask about each annotator. The spans must outlive the calls.
    void read(Sentence source, Sentence hypothesis);
    const std::vector<ProposedEdit>& edits(std::span<const GoldEdit> golds);
    Counts count(std::span<const ProposedEdit> edits, std::span<const GoldEdit> golds) const;

    /// Whether the last sentence's lattice of the tool was too large for the arc-by-arc search.
    bool too_large() const { return too_large_; }

private:
    bool changes_only_form(const ProposedEdit& edit) const;

    MaxMatchOptions options_;
    Sentence source_, hypothesis_;
    EditGrid grid_;
    ArcSearch arcs_;
    std::vector<ProposedEdit> edits_;
    bool identical_ = false, too_large_ = false;
};

}  // namespace gecval
