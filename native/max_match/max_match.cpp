#include "max_match/max_match.hpp"

#include <algorithm>

namespace gecval {

bool matches(const GoldEdit& gold, const ProposedEdit& edit, Sentence hypothesis, bool any_correction) {
    if (gold.start != edit.start || gold.end != edit.end) return false;
    if (gold.end - gold.start != edit.i1 - edit.i0) return false;  // a misplaced edit has other words
    if (any_correction) return true;
    const Sentence correction =
        hypothesis.subspan(static_cast<std::size_t>(edit.j0), static_cast<std::size_t>(edit.j1 - edit.j0));
    return std::any_of(gold.alternatives.begin(), gold.alternatives.end(), [&](Sentence alternative) {
        return std::equal(alternative.begin(), alternative.end(), correction.begin(), correction.end());
    });
}

void MaxMatch::read(Sentence source, Sentence hypothesis) {
    source_ = source;
    hypothesis_ = hypothesis;
    too_large_ = false;
    identical_ = std::equal(source.begin(), source.end(), hypothesis.begin(), hypothesis.end());
    if (identical_) return;
    grid_.build(source, hypothesis, options_.lattice);
    if (options_.lattice == Lattice::paper) return;
    too_large_ = grid_.vertices() > options_.max_vertices;
    if (!too_large_) arcs_.build(grid_, source, hypothesis, options_.max_unchanged, options_.row_zero);
}

const std::vector<ProposedEdit>& MaxMatch::edits(std::span<const GoldEdit> golds) {
    edits_.clear();
    if (identical_) return edits_;
    const bool any_correction = options_.level != Level::correction;
    if (too_large_ || options_.lattice == Lattice::paper) {
        edits_ = widest_match(grid_, source_, hypothesis_, golds, options_.max_unchanged, any_correction);
    } else {
        const auto& best = arcs_.best(golds, hypothesis_, any_correction);
        if (!options_.folded) return best;
        edits_ = best;
    }
    if (options_.folded) std::erase_if(edits_, [&](const auto& edit) { return changes_only_form(edit); });
    return edits_;
}

bool MaxMatch::changes_only_form(const ProposedEdit& edit) const {
    std::string before, after;
    for (int i = edit.i0; i < edit.i1; ++i) {
        before += (*options_.folded)[static_cast<std::size_t>(source_[static_cast<std::size_t>(i)])];
    }
    for (int j = edit.j0; j < edit.j1; ++j) {
        after += (*options_.folded)[static_cast<std::size_t>(hypothesis_[static_cast<std::size_t>(j)])];
    }
    return before == after;
}

Counts MaxMatch::count(std::span<const ProposedEdit> edits, std::span<const GoldEdit> golds) const {
    const auto overlap = [](const ProposedEdit& edit, const GoldEdit& gold) {
        // An insertion has no width of its own: it overlaps what it touches.
        if (edit.i0 == edit.i1 || gold.start == gold.end) return edit.i0 <= gold.end && gold.start <= edit.i1;
        return edit.i0 < gold.end && gold.start < edit.i1;
    };
    // In the paper, an edit is right if the annotation has it, wherever it stands there; the search has said which are.
    // The scorer walks through both lists side by side.
    const bool anywhere = options_.lattice == Lattice::paper && options_.level != Level::detection;
    double correct = 0;
    std::vector<bool> found(options_.bonus ? golds.size() : 0);
    std::size_t next = 0;
    const ProposedEdit* last = nullptr;
    for (const auto& edit : edits) {
        const bool inserts_again = last && last->i0 == edit.i1;  // at the place of the last one
        if (anywhere && !inserts_again) next = 0;
        last = &edit;
        if (anywhere && !edit.matched) continue;
        for (std::size_t g = next; g < golds.size(); ++g) {
            const bool hit = options_.level == Level::detection
                                 ? overlap(edit, golds[g])
                                 : matches(golds[g], edit, hypothesis_, options_.level == Level::recognition);
            if (!hit) continue;
            ++correct;
            if (options_.bonus) found[g] = true;
            next = g + 1;
            // The scorer goes on to the end of the list here, so that equal gold edits in a row all count.
            if (options_.level != Level::correction || anywhere) break;
        }
    }
    double bonus = 0;
    for (std::size_t g = 0; g < found.size(); ++g) bonus += golds[g].optional && !found[g];
    return {correct + bonus, static_cast<double>(edits.size()) + bonus, static_cast<double>(golds.size())};
}

}  // namespace gecval
