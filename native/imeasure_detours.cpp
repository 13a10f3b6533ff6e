#include "imeasure_detours.hpp"

#include <algorithm>
#include <limits>

namespace gecval::imeasure {
namespace {

constexpr Cost gap = 2;
constexpr std::int16_t most = std::numeric_limits<std::int16_t>::max();

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
    std::ranges::fill(here, most);
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
    std::vector<std::int16_t> after(width_, most);
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

}  // namespace gecval::imeasure
