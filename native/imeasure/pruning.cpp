#include "imeasure/pruning.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace gecval::imeasure {

namespace {

constexpr Cost gap = 2;
constexpr std::int16_t unbounded = std::numeric_limits<std::int16_t>::max();

std::int16_t narrow(Cost cost) { return static_cast<std::int16_t>(cost); }

}  // namespace

Places::Places(const Lattice& lattice) {
    for (const Slot& slot : lattice) {
        nodes_.push_back({size_++, first_inside_.size()});
        for (const auto& string : slot.strings) {
            first_inside_.push_back(size_);
            size_ += string.empty() ? 0 : string.size() - 1;
        }
    }
    nodes_.push_back({size_++, first_inside_.size()});
}

Detours::Detours(Sentence sentence, std::span<const int> landmarks, const Lattice& lattice, const Places& places)
    : sentence_(sentence), width_(sentence.size() + 1), costs_(places.size() * width_), passages_(places.strings()),
      before_(width_), now_(width_), next_(width_) {
    std::vector<Cost> rest;
    for (Node node = 0; node < lattice.size(); ++node) {
        const auto start = static_cast<std::size_t>(landmarks[node]),
                   end = static_cast<std::size_t>(landmarks[node + 1]);
        for (std::size_t n = 0; n < lattice[node].strings.size(); ++n) {
            pairwise_rest(sentence.subspan(start, end - start), lattice[node].strings[n], rest);
            passages_[places.string(node, n)] = rest[0];
        }
    }
    const std::span<std::int16_t> last = at(places.at(lattice.size()));
    for (std::size_t x = 0; x < width_; ++x) {
        before_[x] = narrow(gap * static_cast<Cost>(x));
        last[x] = narrow(gap * static_cast<Cost>(width_ - 1 - x));
    }
    for (Node node = lattice.size(); node-- > 0;) look_back(node, lattice[node].strings, places);
    for (Node node = 0; node < lattice.size(); ++node) look_forward(node, lattice[node].strings, places);
    for (std::size_t x = 0; x < width_; ++x) last[x] = narrow(last[x] + before_[x]);
}

// Leaves in each place what is still to come.
void Detours::look_back(Node node, const std::vector<std::vector<Token>>& strings, const Places& places) {
    const std::span<std::int16_t> here = at(places.at(node));
    const Costs end = at(places.at(node + 1));
    std::ranges::fill(here, unbounded);
    for (std::size_t n = 0; n < strings.size(); ++n) {
        std::ranges::copy(end, now_.begin());
        for (std::size_t k = strings[n].size(); k-- > 0;) {
            const Token token = strings[n][k];
            next_.back() = narrow(now_.back() + gap);
            for (std::size_t x = width_ - 1; x-- > 0;)
                next_[x] = narrow(
                    std::min(now_[x + 1] + pair_cost(sentence_[x], token), std::min(now_[x], next_[x + 1]) + gap));
            std::swap(now_, next_);
            if (k > 0) std::ranges::copy(now_, at(places.inside(node, n, k)).begin());
        }
        const Cost passage = passages_[places.string(node, n)];
        for (std::size_t x = 0; x < width_; ++x) here[x] = std::min(here[x], narrow(now_[x] - passage));
    }
}

// Adds to each place what came before.
void Detours::look_forward(Node node, const std::vector<std::vector<Token>>& strings, const Places& places) {
    std::vector<std::int16_t> after(width_, unbounded);
    for (std::size_t n = 0; n < strings.size(); ++n) {
        const Cost passage = passages_[places.string(node, n)];
        now_ = before_;
        for (std::size_t k = 0; k < strings[n].size(); ++k) {
            if (k > 0) {
                const std::span<std::int16_t> here = at(places.inside(node, n, k));
                for (std::size_t x = 0; x < width_; ++x) here[x] = narrow(here[x] + now_[x] - passage);
            }
            const Token token = strings[n][k];
            next_[0] = narrow(now_[0] + gap);
            for (std::size_t x = 1; x < width_; ++x)
                next_[x] = narrow(
                    std::min(now_[x - 1] + pair_cost(sentence_[x - 1], token), std::min(now_[x], next_[x - 1]) + gap));
            std::swap(now_, next_);
        }
        for (std::size_t x = 0; x < width_; ++x) after[x] = std::min(after[x], narrow(now_[x] - passage));
    }
    const std::span<std::int16_t> here = at(places.at(node));
    for (std::size_t x = 0; x < width_; ++x) here[x] = narrow(here[x] + before_[x]);
    before_ = std::move(after);
}

namespace {

std::vector<int> columns(const std::vector<Landmark>& landmarks) {
    std::vector<int> of_hypothesis;
    for (const Landmark& landmark : landmarks) of_hypothesis.push_back(landmark.j);
    return of_hypothesis;
}

}  // namespace

Excess::Excess(Sentence source, Sentence hypothesis, const Lattice& lattice, const Places& places,
               const Detours& of_source)
    : source_(source), hypothesis_(hypothesis), places_(places) {
    std::vector<Cost> rest;
    pairwise_rest(source, hypothesis, rest);
    place_landmarks(lattice, rest);
    const Detours of_hypothesis(hypothesis, columns(landmarks_), lattice, places);
    const Cost slack = measure_passages(lattice, rest, of_source, of_hypothesis);
    const PairDetours of_pair = detours_of_pair(std::move(rest));
    for (std::size_t place = 0; place < places.size(); ++place)
        add_region(of_source.at(place), of_hypothesis.at(place), of_pair, slack);
    cells_.resize(rows_.empty() ? 0 : rows_.back().cell(rows_.back().high + 1), none);
    step_back(nullptr, 0, places.at(lattice.size()));
    for (Node node = lattice.size(); node-- > 0;) set_before(node, lattice[node].strings);
}

// Landmarks lie on an optimal pairwise alignment of source and hypothesis, which takes tokens of the hypothesis as
// early as it can: those beside no source token lie before a node, except that an insertion may match those at its
// position.
void Excess::place_landmarks(const Lattice& lattice, const std::vector<Cost>& rest) {
    const std::size_t width = hypothesis_.size() + 1;
    std::size_t i = 0, j = 0;
    const auto left = [&](std::size_t s, std::size_t h) { return rest[s * width + h]; };
    landmarks_.push_back({0, 0});
    for (Node node = 1; node < lattice.size(); ++node) {
        const auto start = static_cast<std::size_t>(lattice[node].start);
        const bool inserts = lattice[node].start == lattice[node].end;
        while (i < start || !inserts) {
            const bool more = j < hypothesis_.size();
            if (more && left(i, j) == left(i, j + 1) + 2) {
                ++j;
            } else if (i < start) {
                if (more && left(i, j) == left(i + 1, j + 1) + pair_cost(source_[i], hypothesis_[j])) ++j;
                ++i;
            } else {
                break;
            }
        }
        landmarks_.push_back({static_cast<int>(i), static_cast<int>(j)});
    }
    landmarks_.push_back({static_cast<int>(source_.size()), static_cast<int>(hypothesis_.size())});
}

// Returns at most what the way along the landmarks costs more than the pairwise ones together, for any reference.
Cost Excess::measure_passages(const Lattice& lattice, const std::vector<Cost>& rest, const Detours& of_source,
                              const Detours& of_hypothesis) {
    Cost slack = 0;
    const auto left = [&](const Landmark& landmark) {
        return rest[static_cast<std::size_t>(landmark.i) * (hypothesis_.size() + 1) +
                    static_cast<std::size_t>(landmark.j)];
    };
    for (Node node = 0; node < lattice.size(); ++node) {
        const auto [i, j] = landmarks_[node];
        const auto [i_end, j_end] = landmarks_[node + 1];
        const Sentence source = source_.subspan(static_cast<std::size_t>(i), static_cast<std::size_t>(i_end - i));
        const Sentence hypothesis =
            hypothesis_.subspan(static_cast<std::size_t>(j), static_cast<std::size_t>(j_end - j));
        Cost most = 0;
        for (const auto& reference : lattice[node].strings) {
            const Cost pairs = left(landmarks_[node]) - left(landmarks_[node + 1]) +
                               of_source.passage(passages_.size()) + of_hypothesis.passage(passages_.size());
            // Where a side is empty, or two are equal, joining the pairs costs nothing.
            const bool joined = source.empty() || hypothesis.empty() || reference.empty() ||
                                std::ranges::equal(source, hypothesis) || std::ranges::equal(source, reference) ||
                                std::ranges::equal(hypothesis, reference);
            passages_.push_back(joined ? pairs : Aligner(source, hypothesis)(reference).cost);
            most = std::max(most, passages_.back() - pairs);
        }
        slack += most;
    }
    return slack;
}

// From what is left of the pairwise cost of source and hypothesis to what a way through each cell costs more than d(s,
// h). No best three-way alignment passes where that is more than d(s, h) again.
Excess::PairDetours Excess::detours_of_pair(std::vector<Cost> rest) const {
    const std::vector<Token> source(source_.rbegin(), source_.rend());
    const std::vector<Token> hypothesis(hypothesis_.rbegin(), hypothesis_.rend());
    std::vector<Cost> before;
    pairwise_rest(source, hypothesis, before);
    const Cost distance = rest.front();
    const int width = static_cast<int>(hypothesis.size()) + 1;
    std::vector<Columns> bands;
    for (std::size_t c = 0; c < rest.size();) {
        Columns band{width, width - 1};
        for (int j = 0; j < width; ++j, ++c) {
            rest[c] += before[rest.size() - 1 - c] - distance;
            if (rest[c] > distance) {
                rest[c] = unreachable;
            } else {
                band = {std::min(band.low, j), j};
            }
        }
        bands.push_back(band);
    }
    return {std::move(rest), std::move(bands)};
}

// Cells (i, j) where the detours of all three pairs are within the slack: no best alignment leaves them.
void Excess::add_region(Detours::Costs of_source, Detours::Costs of_hypothesis, const PairDetours& of_pair,
                        Cost slack) {
    const std::size_t width = of_hypothesis.size();
    const Cost least = *std::ranges::min_element(of_hypothesis);
    const auto beyond = [&](int i) { return of_source[static_cast<std::size_t>(i)] + least > slack; };
    Region region{0, static_cast<int>(of_source.size()) - 1, rows_.size()};
    while (region.first <= region.last && beyond(region.first)) ++region.first;
    while (region.first <= region.last && beyond(region.last)) --region.last;
    for (int i = region.first; i <= region.last; ++i) {
        const auto row = static_cast<std::size_t>(i);
        auto [low, high] = of_pair.bands[row];
        const auto far = [&](int j) {
            const auto column = static_cast<std::size_t>(j);
            return of_source[row] + of_hypothesis[column] + of_pair.costs[row * width + column] > slack;
        };
        while (low <= high && far(low)) ++low;
        while (low <= high && far(high)) --high;
        rows_.push_back({low, high, rows_.empty() ? 0 : rows_.back().cell(rows_.back().high + 1)});
    }
    regions_.push_back(region);
}

// The cells of a row, those of the given columns and one more.
void Excess::gather(std::size_t place, int i, const Row& columns, std::vector<std::int16_t>& row) const {
    row.assign(static_cast<std::size_t>(columns.high - columns.low) + 2, none);
    const Row* from = row_of(place, i);
    if (!from) return;
    const int low = std::max(columns.low, from->low), high = std::min(columns.high + 1, from->high);
    if (low <= high)
        std::copy_n(cells_.begin() + static_cast<std::ptrdiff_t>(from->cell(low)), high - low + 1,
                    row.begin() + (low - columns.low));
}

// The least of column + excess over all columns that lead from a cell before the reference token to one after it. At
// the end, where there is none, only columns without reference are left.
void Excess::step_back(const Token* reference, std::size_t after, std::size_t before) {
    const Region& region = regions_[before];
    const Token r = reference ? *reference : 0;
    for (int i = region.last; i >= region.first; --i) {
        const Row& row = rows_[region.row + static_cast<std::size_t>(i - region.first)];
        if (row.low > row.high) continue;
        gather(before, i + 1, row, below_);
        same_.assign(below_.size(), none);
        next_.assign(below_.size(), none);
        if (reference) {
            gather(after, i, row, same_);
            gather(after, i + 1, row, next_);
        } else if (i == static_cast<int>(source_.size()) && row.high == static_cast<int>(hypothesis_.size())) {
            same_.end()[-2] = -two_gaps;  // its own end
        }
        const std::size_t cells = below_.size() - 1;
        const auto low = static_cast<std::size_t>(row.low);
        const std::size_t inner = std::min(cells, hypothesis_.size() - low);  // those with a hypothesis token
        const Token s = i < static_cast<int>(source_.size()) ? source_[static_cast<std::size_t>(i)] : 0;
        const Cost sr = pair_cost(s, r);
        const Token* hypothesis = hypothesis_.data() + low;
        std::int16_t* out = cells_.data() + row.at;
        for (std::size_t x = 0; x < inner; ++x) {
            const Cost sh = pair_cost(s, hypothesis[x]), hr = pair_cost(hypothesis[x], r);
            const int with_gap =
                std::min({int{same_[x]}, next_[x] + sr, int{below_[x]}, same_[x + 1] + hr, below_[x + 1] + sh});
            out[x] = narrow(std::min({with_gap + two_gaps, next_[x + 1] + sh + sr + hr, int{none}}));
        }
        if (inner < cells)
            out[inner] = narrow(
                std::min(std::min({int{same_[inner]}, next_[inner] + sr, int{below_[inner]}}) + two_gaps, int{none}));
        // Apart from the loop above, which the compiler can then vectorise: columns with a hypothesis token alone.
        for (std::size_t x = cells - 1; x-- > 0;) out[x] = narrow(std::min<int>(out[x], out[x + 1] + two_gaps));
    }
}

// For every string, excess at the next node plus what the way there costs more than from landmark to landmark.
void Excess::set_before(Node node, const std::vector<std::vector<Token>>& strings) {
    const std::size_t here = places_.at(node), after = places_.at(node + 1);
    const Region& region = regions_[here];
    const std::span<const Row> rows(rows_.data() + region.row,
                                    static_cast<std::size_t>(region.last - region.first) + 1);
    const std::span<std::int16_t> cells(cells_.data() + rows.front().at,
                                        rows.back().cell(rows.back().high + 1) - rows.front().at);
    std::vector<std::int16_t> least(cells.size(), none);
    for (std::size_t n = 0; n < strings.size(); ++n) {
        const std::vector<Token>& reference = strings[n];
        for (std::size_t k = reference.size(); k-- > 0;)
            step_back(&reference[k], k + 1 < reference.size() ? places_.inside(node, n, k + 1) : after,
                      k > 0 ? places_.inside(node, n, k) : here);
        if (reference.empty())
            for (int i = region.first; i <= region.last; ++i) {
                const Row& row = rows[static_cast<std::size_t>(i - region.first)];
                if (row.low > row.high) continue;
                gather(after, i, row, same_);
                std::copy_n(same_.begin(), row.high - row.low + 1,
                            cells_.begin() + static_cast<std::ptrdiff_t>(row.at));
            }
        const Cost passage = passages_[places_.string(node, n)];
        for (std::size_t c = 0; c < cells.size(); ++c)
            if (cells[c] != none) least[c] = std::min(least[c], narrow(cells[c] - passage));
    }
    std::ranges::copy(least, cells.begin());
    // A cell has no excess over itself. Knowing that keeps what is lost at one slot from adding up over all before it.
    const Landmark landmark = landmarks_[node];
    cells_[row_of(here, landmark.i)->cell(landmark.j)] = 0;
}

}  // namespace gecval::imeasure
