#include <algorithm>

#include "imeasure_profile.hpp"

namespace gecval::imeasure {
namespace {

std::int16_t narrow(int value) { return static_cast<std::int16_t>(value); }

}  // namespace

Excess::Excess(Sentence source, Sentence hypothesis, const Lattice& lattice)
    : source_(source), hypothesis_(hypothesis), lattice_(lattice), width_(hypothesis.size() + 1),
      nodes_(lattice.size() + 1) {
    place_landmarks();
    set_last();
    for (Node node = lattice.size(); node-- > 0;) set_before(node);
}

// A landmark lies where an optimal pairwise alignment of source and hypothesis crosses the node's source position, the
// last such place. Any choice is correct that begins at (0, 0), ends at the end and never turns back; this one prunes
// well.
void Excess::place_landmarks() {
    const std::vector<Token> source(source_.rbegin(), source_.rend()),
        hypothesis(hypothesis_.rbegin(), hypothesis_.rend());
    std::vector<Cost> before, after;
    pairwise_rest(source, hypothesis, before);
    pairwise_rest(source_, hypothesis_, after);
    for (Node node = 1; node < lattice_.size(); ++node) {
        const auto i = static_cast<std::size_t>(lattice_[node].start);
        std::size_t j = hypothesis_.size();
        while (after[i * width_ + j] + before[(source_.size() - i) * width_ + hypothesis_.size() - j] != after[0]) --j;
        nodes_[node].landmark = {static_cast<int>(i), static_cast<int>(j)};
    }
    nodes_.back().landmark = {static_cast<int>(source_.size()), static_cast<int>(hypothesis_.size())};
}

// At the end only columns without reference are left.
void Excess::set_last() {
    const std::size_t rows = source_.size(), columns = hypothesis_.size();
    Table& last = nodes_.back().table;
    last.resize((rows + 1) * width_);
    for (std::size_t i = rows + 1; i-- > 0;)
        for (std::size_t j = columns + 1; j-- > 0;) {
            int best = i == rows && j == columns ? 0 : unreachable;
            if (i < rows) best = std::min(best, last[(i + 1) * width_ + j] + two_gaps);
            if (j < columns) best = std::min(best, last[i * width_ + j + 1] + two_gaps);
            if (i < rows && j < columns)
                best =
                    std::min(best, last[(i + 1) * width_ + j + 1] + two_gaps + pair_cost(source_[i], hypothesis_[j]));
            last[i * width_ + j] = narrow(best);
        }
}

// The least of column + excess over all columns that lead from a cell before the reference token to one after it.
void Excess::step_back(Token reference, const Table& after, Table& before) const {
    const std::size_t rows = source_.size(), columns = hypothesis_.size();
    before.resize(after.size());
    for (std::size_t i = rows + 1; i-- > 0;) {
        const std::int16_t* same = after.data() + i * width_;
        std::int16_t* out = before.data() + i * width_;
        if (i == rows) {
            out[columns] = narrow(same[columns] + two_gaps);
            for (std::size_t j = 0; j < columns; ++j)
                out[j] = narrow(std::min<int>(same[j], same[j + 1] + pair_cost(hypothesis_[j], reference)) + two_gaps);
        } else {
            const Token s = source_[i];
            const Cost sr = pair_cost(s, reference);
            const std::int16_t *next = same + width_, *below = out + width_;
            out[columns] = narrow(std::min({int{same[columns]}, next[columns] + sr, int{below[columns]}}) + two_gaps);
            for (std::size_t j = 0; j < columns; ++j) {
                const Cost sh = pair_cost(s, hypothesis_[j]), hr = pair_cost(hypothesis_[j], reference);
                const int with_gap =
                    std::min({int{same[j]}, next[j] + sr, int{below[j]}, same[j + 1] + hr, below[j + 1] + sh});
                out[j] = narrow(std::min(with_gap + two_gaps, next[j + 1] + sh + sr + hr));
            }
        }
        // Apart from the loop above, which the compiler can then vectorise: columns with a hypothesis token alone.
        for (std::size_t j = columns; j-- > 0;) out[j] = std::min(out[j], narrow(out[j + 1] + two_gaps));
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
        for (std::int16_t& value : table) value = narrow(value - string.passage);
        if (here.table.empty())
            here.table = table;
        else
            for (std::size_t c = 0; c < table.size(); ++c) here.table[c] = std::min(here.table[c], table[c]);
        here.strings.push_back(std::move(string));
    }
    // A cell has no excess over itself. Knowing that keeps what is lost at one slot from adding up over all before it.
    here.table[i * width_ + j] = 0;
}

}  // namespace gecval::imeasure
