// Chunks that several corrections of a sentence share (CLEME, Ye et al. 2023, §3.1).
//
//     all edits of all targets, by start: an edit that starts within the current interval or at its end joins it
//
// A target is the hypothesis or a reference. In a target, an interval that holds one of its edits is changed.
#pragma once

#include <vector>

#include "max_match/max_match.hpp"

namespace gecval {

struct Interval {
    Token start, end;
};

/// One target, cut at the shared intervals. An unchanged chunk's text is that of the source.
class ChunkedText {
public:
    void read(Sentence source, std::vector<GoldEdit>& sorted_edits, std::span<const Interval> intervals);

    bool changed(std::size_t k) const { return changed_[k]; }
    Sentence text(std::size_t k) const { return {tokens_.data() + offsets_[k], offsets_[k + 1] - offsets_[k]}; }

private:
    std::vector<Token> tokens_, piece_;
    std::vector<std::size_t> offsets_;
    std::vector<bool> changed_;
};

class Chunks {
public:
    /// Cut the source and its targets.
    void read(Sentence source, std::span<const std::span<const GoldEdit>> targets);

    std::size_t size() const { return intervals_.size(); }
    const Interval& operator[](std::size_t k) const { return intervals_[k]; }
    const ChunkedText& target(std::size_t t) const { return texts_[t]; }
    /// How many stretches of the source lie outside the intervals. A sentence without any edit is one, even if empty.
    std::size_t unchanged() const { return unchanged_; }

private:
    std::vector<Interval> intervals_;
    std::vector<std::vector<GoldEdit>> edits_;  // of each target, in the order in which they apply
    std::vector<ChunkedText> texts_;
    std::size_t unchanged_ = 0;
};

}  // namespace gecval
