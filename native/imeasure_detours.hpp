// Detours: how much dearer a pairwise alignment with a candidate reference gets by passing some position at some place
// of the reference. From there it follows which cells no three-way alignment passes. The names are those of
// docs/metrics/imeasure-exactness.md, which proves what is claimed here.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "imeasure_align.hpp"
#include "imeasure_lattice.hpp"

namespace gecval::imeasure {

// Nodes are the places before each slot of the lattice, and its end. There are places within strings, too.
using Node = std::size_t;

// The places of a lattice, and its strings, by number.
class Places {
public:
    explicit Places(const Lattice& lattice);

    std::size_t size() const { return size_; }
    std::size_t strings() const { return first_inside_.size(); }
    std::size_t at(Node node) const { return nodes_[node].place; }
    std::size_t string(Node node, std::size_t string) const { return nodes_[node].first_string + string; }
    // After some of a string's tokens; 0 < read < tokens.
    std::size_t inside(Node node, std::size_t string, std::size_t read) const {
        return first_inside_[this->string(node, string)] + read - 1;
    }

private:
    struct AtNode {
        std::size_t place, first_string;
    };
    std::vector<AtNode> nodes_;
    std::vector<std::size_t> first_inside_;  // by string
    std::size_t size_ = 0;
};

// The detours of one sentence, the source or the hypothesis. Its landmarks are a position for each node, and never turn
// back. The way along them is what a detour is compared with, so it may also be cheaper.
class Detours {
public:
    Detours(Sentence sentence, std::span<const int> landmarks, const Lattice& lattice, const Places& places);

    using Costs = std::span<const std::int16_t>;

    // By position: at least what the best alignment with any reference that passes there costs more.
    Costs at(std::size_t place) const { return {costs_.data() + place * width_, width_}; }
    Cost passage(std::size_t string) const { return passages_[string]; }  // from landmark to landmark

private:
    std::span<std::int16_t> at(std::size_t place) { return {costs_.data() + place * width_, width_}; }
    void look_back(Node node, const std::vector<std::vector<Token>>& strings, const Places& places);
    void look_forward(Node node, const std::vector<std::vector<Token>>& strings, const Places& places);

    Sentence sentence_;
    std::size_t width_;
    std::vector<std::int16_t> costs_;
    std::vector<Cost> passages_;
    std::vector<std::int16_t> before_;      // from the start to the node that is looked forward from
    std::vector<std::int16_t> now_, next_;  // memory
};

}  // namespace gecval::imeasure
