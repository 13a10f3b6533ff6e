// Gold edits as Python hands them over, laid out for the searches.
#pragma once

#include <vector>

#include "bindings.hpp"
#include "max_match.hpp"

namespace gecval {

/// The gold edits of all annotators: annotator slot → its edits → their alternative corrections → token ids.
class GoldEdits {
public:
    GoldEdits(Offsets slot_edits, Array1<std::int32_t> starts, Array1<std::int32_t> ends, Array1<bool> optional,
              Offsets edit_alternatives, Ids ids, Offsets offsets)
        : slots_(slots(slot_edits)), keep_{nb::cast(slot_edits), nb::cast(ids)} {
        const Texts corrections = texts(ids, offsets);
        corrections_.reserve(corrections.size);
        for (std::size_t c = 0; c < corrections.size; ++c) corrections_.push_back(corrections[c]);
        const Slots alternatives = slots(edit_alternatives);
        edits_.reserve(alternatives.size);
        for (std::size_t e = 0; e < alternatives.size; ++e) {
            const std::size_t begin = alternatives.begin(e);
            edits_.push_back({starts(e), ends(e), optional(e),
                              std::span(corrections_).subspan(begin, alternatives.end(e) - begin)});
        }
    }

    std::span<const GoldEdit> of_slot(std::size_t slot) const {
        return std::span(edits_).subspan(slots_.begin(slot), slots_.end(slot) - slots_.begin(slot));
    }
    std::size_t slots_count() const { return slots_.size; }

private:
    Slots slots_;
    std::vector<Sentence> corrections_;
    std::vector<GoldEdit> edits_;
    std::vector<nb::object> keep_;  // the arrays that the spans point into
};

}  // namespace gecval
