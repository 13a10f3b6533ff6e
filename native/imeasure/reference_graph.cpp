#include "imeasure/reference_graph.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace gecval::imeasure {

Profiles::Profiles(Sentence source, Sentence hypothesis, const Lattice& lattice, const Places& places,
                   const Detours& of_source)
    : source_(source), hypothesis_(hypothesis), lattice_(lattice), places_(places),
      excess_(source, hypothesis, lattice, places, of_source), found_(lattice.size() + 1) {
    before_.resize(source.size(), hypothesis.size());
    now_.resize(source.size(), hypothesis.size());
}

std::size_t Profiles::start() {
    now_.at(0, 0).cost = 0;
    now_.widen(0, 0);
    advance(source_, hypothesis_, nullptr, before_, now_, Excess::AtPlace{excess_, places_.at(0)}, 0);
    return settle(0).profile;
}

const std::vector<Profiles::Move>& Profiles::moves(std::size_t profile) {
    if (known_[profile].moves.empty()) {
        const Node node = known_[profile].node;
        std::vector<Move> moves;
        for (std::size_t string = 0; string < lattice_[node].strings.size(); ++string) {
            read(node, string, *known_[profile].cells);
            moves.push_back(settle(node + 1));
        }
        known_[profile].moves = std::move(moves);
    }
    return known_[profile].moves;
}

// Leaves in now_ the layer after a string of the slot.
void Profiles::read(Node node, std::size_t string, const Cells& cells) {
    for (const Cell& cell : cells) {
        now_.at(cell.i, cell.j) = {cell.cost, cell.counts};
        now_.widen(cell.i, cell.j);
    }
    const Landmark landmark = excess_.landmark(node);
    const Cost limit = now_.at(landmark.i, landmark.j).cost + excess_.passage(places_.string(node, string));
    const std::vector<Token>& reference = lattice_[node].strings[string];
    for (std::size_t k = 1; k <= reference.size(); ++k) {
        const std::size_t place = k < reference.size() ? places_.inside(node, string, k) : places_.at(node + 1);
        std::swap(before_, now_);
        now_.clear();
        advance(source_, hypothesis_, &reference[k - 1], before_, now_, Excess::AtPlace{excess_, place}, limit);
    }
    before_.clear();
}

// Turns the layer in now_ into a profile of `node`, without the cells that no reference's path passes.
Profiles::Move Profiles::settle(Node node) {
    const Landmark landmark = excess_.landmark(node);
    const Cost limit = now_.at(landmark.i, landmark.j).cost;
    Cells cells;
    Path first;
    for (int i = now_.first; i <= now_.last; ++i)
        for (int j = now_.row(i).low; j < now_.row(i).high; ++j) {
            const Path& path = now_.at(i, j);
            if (path.cost >= unreachable || path.cost + excess_.look(places_.at(node), i, j) > limit) continue;
            if (cells.empty()) first = path;
            cells.push_back({static_cast<std::int16_t>(i), static_cast<std::int16_t>(j), path.cost - first.cost,
                             path.counts - first.counts});
        }
    now_.clear();
    cells_ += static_cast<std::int64_t>(cells.size());
    const auto [entry, is_new] = found_[node].try_emplace(std::move(cells), known_.size());
    if (is_new) known_.push_back({node, &entry->first, {}});
    return {entry->second, first.counts};
}

ColumnCounts Profiles::finish(std::size_t profile) const { return known_[profile].cells->back().counts; }

namespace {

constexpr std::int32_t differs = -1;

// A vertex is a pair of profiles, the hypothesis's and the baseline's.
struct Vertex {
    std::size_t system, baseline;
    std::int32_t matched;  // so many source tokens make up the reference so far; or `differs`
    std::int32_t index;
};

std::vector<int> starts(Sentence source, const Lattice& lattice) {
    std::vector<int> positions;
    for (const Slot& slot : lattice) positions.push_back(slot.start);
    positions.push_back(static_cast<int>(source.size()));
    return positions;
}

class Builder {
public:
    Builder(Candidates& candidates, Sentence hypothesis)
        : source_(candidates.source()), lattice_(candidates.lattice()),
          unchanged_(std::ranges::equal(source_, hypothesis)), baseline_(candidates.shared().baseline) {
        if (!unchanged_) {
            const Candidates::Shared& shared = candidates.shared();
            changed_.emplace(source_, hypothesis, lattice_, shared.places, shared.of_source);
        }
        const ColumnCounts as_pair = against_source(pairwise(source_, hypothesis));
        source_counts_ = with_baseline(as_pair, {static_cast<std::int32_t>(source_.size()), 0});
        source_is_special_ = !unchanged_ && Aligner(source_, hypothesis)(source_).counts != as_pair;
    }

    std::optional<CountGraph> build(std::int64_t steps) {
        // Where the source as reference counts differently as a pair, the path that spells it is kept apart and
        // replaced.
        level_ = {{system().start(), baseline_.start(), source_is_special_ ? 0 : differs, 0}};
        for (std::size_t slot = 0; slot < lattice_.size(); ++slot)
            if (!extend(slot, steps)) return std::nullopt;

        graph_.end = graph_.vertices++;
        for (const Vertex& vertex : level_)
            if (vertex.matched == static_cast<std::int32_t>(source_.size()))
                graph_.edges.push_back({0, graph_.end, source_counts_});
            else
                graph_.edges.push_back({vertex.index, graph_.end,
                                        total(system().finish(vertex.system), baseline_.finish(vertex.baseline))});
        return std::move(graph_);
    }

private:
    Profiles& system() { return unchanged_ ? baseline_ : *changed_; }

    Counts total(const ColumnCounts& system, const ColumnCounts& baseline) const {
        const Pairwise pair = as_pairwise(baseline);
        return with_baseline(unchanged_ ? unchanged(pair) : system, pair);
    }

    std::int32_t match(std::int32_t matched, const std::vector<Token>& string) const {
        if (matched == differs || static_cast<std::size_t>(matched) + string.size() > source_.size()) return differs;
        return std::ranges::equal(string, source_.subspan(static_cast<std::size_t>(matched), string.size()))
                   ? matched + static_cast<std::int32_t>(string.size())
                   : differs;
    }

    bool extend(std::size_t slot, std::int64_t steps) {
        std::map<std::tuple<std::size_t, std::size_t, std::int32_t>, std::int32_t> known;
        std::vector<Vertex> next;
        for (const Vertex& vertex : level_) {
            const auto first_edge = static_cast<std::ptrdiff_t>(graph_.edges.size());
            const auto& system_moves = system().moves(vertex.system);
            const auto& baseline_moves = baseline_.moves(vertex.baseline);
            for (std::size_t n = 0; n < lattice_[slot].strings.size(); ++n) {
                const auto &system = system_moves[n], &baseline = baseline_moves[n];
                const std::int32_t matched = match(vertex.matched, lattice_[slot].strings[n]);
                const auto [entry, is_new] =
                    known.try_emplace({system.profile, baseline.profile, matched}, graph_.vertices);
                if (is_new) next.push_back({system.profile, baseline.profile, matched, graph_.vertices++});
                const CountGraph::Edge edge{vertex.index, entry->second, total(system.counts, baseline.counts)};
                const bool repeated =
                    std::any_of(graph_.edges.begin() + first_edge, graph_.edges.end(),
                                [&](const auto& other) { return other.to == edge.to && other.counts == edge.counts; });
                if (!repeated) graph_.edges.push_back(edge);
            }
            if (static_cast<std::int64_t>(graph_.edges.size()) + system().cells() + baseline_.cells() > steps)
                return false;
        }
        level_ = std::move(next);
        return true;
    }

    Sentence source_;
    const Lattice& lattice_;
    bool unchanged_;
    Profiles& baseline_;
    std::optional<Profiles> changed_;
    Counts source_counts_;
    bool source_is_special_ = false;
    std::vector<Vertex> level_;
    CountGraph graph_;
};

}  // namespace

Candidates::Shared::Shared(Sentence source, const Lattice& lattice)
    : places(lattice), of_source(source, starts(source, lattice), lattice, places),
      baseline(source, {}, lattice, places, of_source) {}

Candidates::Shared& Candidates::shared() {
    if (!shared_) shared_.emplace(source_, lattice_);
    return *shared_;
}

std::optional<CountGraph> make_graph(Candidates& candidates, Sentence hypothesis, std::int64_t steps) {
    return Builder(candidates, hypothesis).build(steps);
}

Counts with_baseline(const ColumnCounts& system, const Pairwise& baseline) {
    return {system.tp, system.tn, system.fp, system.fn, system.fpn, baseline.equal, baseline.different};
}

ColumnCounts unchanged(const Pairwise& baseline) {
    return {.tn = static_cast<std::int16_t>(baseline.equal), .fn = static_cast<std::int16_t>(baseline.different)};
}

ColumnCounts against_source(const Pairwise& changes) {
    return {.tn = static_cast<std::int16_t>(changes.equal), .fp = static_cast<std::int16_t>(changes.different)};
}

}  // namespace gecval::imeasure
