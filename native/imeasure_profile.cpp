#include "imeasure_profile.hpp"

#include <algorithm>

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

}  // namespace gecval::imeasure
