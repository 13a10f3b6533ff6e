#include <algorithm>
#include <cstdlib>
#include <limits>

#include "imeasure_profile.hpp"

namespace gecval::imeasure {
namespace {

constexpr std::int16_t outside = std::numeric_limits<std::int16_t>::max();  // at both ends of every row of a table

std::int16_t narrow(int value) { return static_cast<std::int16_t>(value); }

}  // namespace

Excess::Excess(Sentence source, Sentence hypothesis, const Lattice& lattice)
    : source_(source), hypothesis_(hypothesis), lattice_(lattice), nodes_(lattice.size() + 1) {
    place_landmarks();
    set_last();
    for (Node node = lattice.size(); node-- > 0;) set_before(node);
}

// A landmark lies where an optimal pairwise alignment of source and hypothesis crosses the node's source position, the
// last such place. Any choice is correct that begins at (0, 0), ends at the end and never turns back; this one prunes
// well.
void Excess::place_landmarks() {
    const std::size_t width = hypothesis_.size() + 1;
    const std::vector<Token> source(source_.rbegin(), source_.rend()),
        hypothesis(hypothesis_.rbegin(), hypothesis_.rend());
    std::vector<Cost> before, after;
    pairwise_rest(source, hypothesis, before);
    pairwise_rest(source_, hypothesis_, after);
    set_band(after[0]);
    for (Node node = 1; node < lattice_.size(); ++node) {
        const auto i = static_cast<std::size_t>(lattice_[node].start);
        std::size_t j = hypothesis_.size();
        while (after[i * width + j] + before[(source_.size() - i) * width + hypothesis_.size() - j] != after[0]) --j;
        nodes_[node].landmark = {static_cast<int>(i), static_cast<int>(j)};
    }
    nodes_.back().landmark = {static_cast<int>(source_.size()), static_cast<int>(hypothesis_.size())};
}

// No best alignment leaves this band. With d for the least pairwise cost and x for the cost of the source-hypothesis
// pair in a best three-way alignment: x + d(s, r) + d(h, r) is at most the cost of joining the pairs (s, h) and (s, r),
// so at most 2 d(s, h) + 2 d(s, r), by the triangle inequality in each column; and likewise 2 d(s, h) + 2 d(h, r).
// Hence x <= 2 d(s, h), whatever the reference. A path through (i, j) has at least |j - i| + |end - (j - i)| gaps, of
// cost 2.
void Excess::set_band(Cost distance) {
    const int rows = static_cast<int>(source_.size()), columns = static_cast<int>(hypothesis_.size());
    const int end = columns - rows, spare = (distance - std::abs(end)) / 2;
    const int least = std::min(0, end) - spare, most = std::max(0, end) + spare;
    std::size_t size = 0;
    for (int i = 0; i <= rows; ++i) {
        const int low = std::clamp(i + least, 0, columns), high = std::clamp(i + most, 0, columns);
        rows_.push_back({low, high, size + 1});
        size += static_cast<std::size_t>(high - low) + 3;
    }
    size_ = size;
}

// At the end only columns without reference are left.
void Excess::set_last() {
    Table& last = nodes_.back().table;
    last.assign(size_, outside);
    for (std::size_t i = rows_.size(); i-- > 0;) {
        const Row& row = rows_[i];
        for (int j = row.high; j >= row.low; --j) {
            const bool has_s = i + 1 < rows_.size(), has_h = j < static_cast<int>(hypothesis_.size());
            int best = has_s || has_h ? unreachable : 0;
            if (has_s) best = std::min(best, last[rows_[i + 1].cell(j)] + two_gaps);
            if (has_h) best = std::min(best, last[row.cell(j + 1)] + two_gaps);
            if (has_s && has_h)
                best = std::min(best, last[rows_[i + 1].cell(j + 1)] + two_gaps +
                                          pair_cost(source_[i], hypothesis_[static_cast<std::size_t>(j)]));
            last[row.cell(j)] = narrow(best);
        }
    }
}

// The least of column + excess over all columns that lead from a cell before the reference token to one after it.
void Excess::step_back(Token reference, const Table& after, Table& before) const {
    before.resize(after.size(), outside);
    for (std::size_t i = rows_.size(); i-- > 0;) {
        const Row& row = rows_[i];
        const auto low = static_cast<std::size_t>(row.low), cells = row.size();
        const std::size_t inner = std::min(cells, hypothesis_.size() - low);  // those with a hypothesis token
        const Token* hypothesis = hypothesis_.data() + low;
        const std::int16_t* same = after.data() + row.at;
        std::int16_t* out = before.data() + row.at;
        if (i + 1 == rows_.size()) {
            if (inner < cells) out[inner] = narrow(same[inner] + two_gaps);
            for (std::size_t x = 0; x < inner; ++x)
                out[x] = narrow(std::min<int>(same[x], same[x + 1] + pair_cost(hypothesis[x], reference)) + two_gaps);
        } else {
            const Token s = source_[i];
            const Cost sr = pair_cost(s, reference);
            const std::size_t under = rows_[i + 1].cell(row.low);
            const std::int16_t *next = after.data() + under, *below = before.data() + under;
            if (inner < cells)
                out[inner] = narrow(std::min({int{same[inner]}, next[inner] + sr, int{below[inner]}}) + two_gaps);
            for (std::size_t x = 0; x < inner; ++x) {
                const Cost sh = pair_cost(s, hypothesis[x]), hr = pair_cost(hypothesis[x], reference);
                const int with_gap =
                    std::min({int{same[x]}, next[x] + sr, int{below[x]}, same[x + 1] + hr, below[x + 1] + sh});
                out[x] = narrow(std::min(with_gap + two_gaps, next[x + 1] + sh + sr + hr));
            }
        }
        // Apart from the loop above, which the compiler can then vectorise: columns with a hypothesis token alone.
        for (std::size_t x = cells - 1; x-- > 0;) out[x] = narrow(std::min<int>(out[x], out[x + 1] + two_gaps));
    }
}

// For every string, excess at the next node plus what the way there costs more than from landmark to landmark.
void Excess::set_before(Node node) {
    AtNode& here = nodes_[node];
    const AtNode& next = nodes_[node + 1];
    const auto i = static_cast<std::size_t>(here.landmark.i), j = static_cast<std::size_t>(here.landmark.j);
    Aligner between(source_.subspan(i, static_cast<std::size_t>(next.landmark.i) - i),
                    hypothesis_.subspan(j, static_cast<std::size_t>(next.landmark.j) - j));
    Table table, stepped;
    for (const auto& reference : lattice_[node].strings) {
        String string;
        string.passage = between(reference).cost;
        table = next.table;
        for (std::size_t k = reference.size(); k-- > 0;) {
            step_back(reference[k], table, stepped);
            std::swap(table, stepped);
            if (k > 0) string.inside.push_back(table);
        }
        std::ranges::reverse(string.inside);
        for (const Row& row : rows_)
            for (std::size_t x = 0; x < row.size(); ++x) table[row.at + x] = narrow(table[row.at + x] - string.passage);
        if (here.table.empty())
            here.table = table;
        else
            for (std::size_t c = 0; c < table.size(); ++c) here.table[c] = std::min(here.table[c], table[c]);
        here.strings.push_back(std::move(string));
    }
    // A cell has no excess over itself. Knowing that keeps what is lost at one slot from adding up over all before it.
    here.table[rows_[i].cell(here.landmark.j)] = 0;
}

}  // namespace gecval::imeasure
