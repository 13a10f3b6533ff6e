// Gold edits as Python hands them over, laid out for the searches.
#pragma once

#include <vector>

#include "bindings/bindings.hpp"
#include "max_match/max_match.hpp"

namespace gecval {

/// The gold edits of all annotators: annotator slot → its edits → their alternative corrections → token ids.
class GoldEdits {
public:
    /// Entry c of the edits' corrections is made of texts alternatives[c] .. alternatives[c + 1].
    GoldEdits(EditSpans spans, EditRows edits, Offsets alternatives, Ids ids, Offsets offsets)
        : spans_(edit_table(spans, edits).spans), keep_{nb::cast(spans), nb::cast(ids)} {
        const Texts written = texts(ids, offsets);
        texts_.reserve(written.size);
        for (std::size_t t = 0; t < written.size; ++t) texts_.push_back(written[t]);
        const Slots entries = slots(alternatives);
        edits_.reserve(edits.shape(0));
        for (const EditRow& row : edit_table(spans, edits).rows) {
            const auto entry = static_cast<std::size_t>(row.corrections);
            const std::size_t begin = entries.begin(entry);
            edits_.push_back(
                {row.start, row.end, row.required == 0, std::span(texts_).subspan(begin, entries.end(entry) - begin)});
        }
    }

    std::span<const GoldEdit> of_slot(std::size_t slot) const {
        const auto [begin, end] = spans_[slot];
        return std::span(edits_).subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin));
    }
    std::size_t slots_count() const { return spans_.size(); }

private:
    std::span<const EditTable::Span> spans_;
    std::vector<Sentence> texts_;
    std::vector<GoldEdit> edits_;
    std::vector<nb::object> keep_;  // the arrays that the spans point into
};

}  // namespace gecval
