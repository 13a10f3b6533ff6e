#include <numeric>

#include "bindings/bindings.hpp"
#include "bindings/parallel.hpp"
#include "edits/plain_edits.hpp"

namespace gecval {

namespace {

/// Nothing is read beyond what is known of words.
void check_words(const Ids& ids, std::size_t words) {
    for (std::size_t k = 0; k < ids.size(); ++k) {
        // As an unsigned number, so that a negative one is beyond the words too.
        if (static_cast<std::size_t>(ids.data()[k]) >= words) throw nb::value_error("nothing is known of that word");
    }
}

/// The edits of all pairs, a row each: where they start and end in the source and in the corrected text; and where
/// those of each pair begin.
nb::tuple plain_edits(Ids source_ids, Offsets source_offsets, Ids corrected_ids, Offsets corrected_offsets, Ids letters,
                      Offsets letter_offsets, Ids bare, Offsets bare_offsets, Ids lower,
                      Array1<std::uint8_t> punctuation, int jobs) {
    const Texts sources = texts(source_ids, source_offsets), corrected = texts(corrected_ids, corrected_offsets);
    const PlainWords words{texts(letters, letter_offsets),
                           texts(bare, bare_offsets),
                           {lower.data(), lower.size()},
                           {punctuation.data(), punctuation.size()}};
    if (sources.size != corrected.size) throw nb::value_error("every source has one corrected text");
    if (words.letters.size != lower.size() || words.bare.size != lower.size() || punctuation.size() != lower.size())
        throw nb::value_error("as much must be known of every word");
    check_words(source_ids, lower.size());
    check_words(corrected_ids, lower.size());
    std::vector<std::vector<PlainEdit>> of_pairs(sources.size);
    std::vector<std::int64_t> offsets(sources.size + 1);
    {
        nb::gil_scoped_release release;
        parallel_for(sources.size, jobs, [&] {
            return [&, edits = PlainEdits(words)](std::size_t i) mutable {
                edits(sources[i], corrected[i], of_pairs[i]);
                offsets[i + 1] = static_cast<std::int64_t>(of_pairs[i].size());
            };
        });
    }
    std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
    NewArray<Token> rows(static_cast<std::size_t>(offsets.back()), 4);
    Token* row = rows.data.get();
    for (const auto& edits : of_pairs) {
        for (const PlainEdit& edit : edits) {
            for (const Token place : {edit.start, edit.end, edit.start_corrected, edit.end_corrected}) *row++ = place;
        }
    }
    return nb::make_tuple(rows.release(), to_numpy(std::move(offsets)));
}

}  // namespace

void bind_plain_edits(nb::module_& module) {
    using nb::arg;
    module.attr("MOST_CELLS") = kMostCells;
    module.def("plain_edits", &plain_edits, arg("source_ids"), arg("source_offsets"), arg("corrected_ids"),
               arg("corrected_offsets"), arg("letters"), arg("letter_offsets"), arg("bare"), arg("bare_offsets"),
               arg("lower"), arg("punctuation"), nb::kw_only(), arg("jobs"));
}

}  // namespace gecval
