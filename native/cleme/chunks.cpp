#include "cleme/chunks.hpp"

#include <algorithm>

#include "edits/apply_edits.hpp"

namespace gecval {

void ChunkedText::read(Sentence source, std::vector<GoldEdit>& edits, std::span<const Interval> intervals) {
    tokens_.clear();
    offsets_.assign(1, 0);
    changed_.clear();
    std::size_t next = 0;
    for (const auto [start, end] : intervals) {
        const std::size_t first = next;
        while (next < edits.size() && edits[next].start <= end) ++next;
        const Sentence piece = source.subspan(static_cast<std::size_t>(start), static_cast<std::size_t>(end - start));
        changed_.push_back(next > first);
        if (next > first) {
            apply_edits(piece, std::span(edits).subspan(first, next - first), piece_, start);
            tokens_.insert(tokens_.end(), piece_.begin(), piece_.end());
        } else {
            tokens_.insert(tokens_.end(), piece.begin(), piece.end());
        }
        offsets_.push_back(tokens_.size());
    }
}

void Chunks::read(Sentence source, std::span<const std::span<const GoldEdit>> targets) {
    const auto length = static_cast<Token>(source.size());
    edits_.resize(std::max(edits_.size(), targets.size()));
    texts_.resize(std::max(texts_.size(), targets.size()));
    intervals_.clear();
    for (std::size_t t = 0; t < targets.size(); ++t) {
        edits_[t].assign(targets[t].begin(), targets[t].end());
        for (GoldEdit& edit : edits_[t]) {  // whoever found them: nothing beyond the sentence is read
            edit.start = std::clamp<Token>(edit.start, 0, length);
            edit.end = std::clamp<Token>(edit.end, edit.start, length);
            intervals_.push_back({edit.start, edit.end});
        }
        sort_edits(edits_[t]);
    }
    std::ranges::sort(intervals_, {}, &Interval::start);
    std::size_t kept = 0;
    for (const Interval edit : intervals_) {
        if (kept > 0 && edit.start <= intervals_[kept - 1].end) {
            intervals_[kept - 1].end = std::max(intervals_[kept - 1].end, edit.end);
        } else {
            intervals_[kept++] = edit;
        }
    }
    intervals_.resize(kept);
    for (std::size_t t = 0; t < targets.size(); ++t) texts_[t].read(source, edits_[t], intervals_);
    // Intervals do not touch, so there is a stretch between any two; one before and one after, unless they reach there.
    unchanged_ = kept == 0 ? 1 : kept - 1 + (intervals_[0].start > 0) + (intervals_[kept - 1].end < length);
}

}  // namespace gecval
