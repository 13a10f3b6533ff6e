#include <algorithm>

#include "bindings/bindings.hpp"
#include "bindings/parallel.hpp"
#include "edits/alignment.hpp"
#include "edits/word_steps.hpp"
#include "text/line_alignment.hpp"

namespace gecval {

namespace {

/// For each reference: 1 if the hypothesis changes just the source words that the reference changes, else 0.
nb::object index_match(Ids source_ids, Offsets source_offsets, Ids hypothesis_ids, Offsets hypothesis_offsets,
                       Ids reference_ids, Offsets reference_offsets, Offsets reference_slots, int jobs) {
    const Texts sources = texts(source_ids, source_offsets), hypotheses = texts(hypothesis_ids, hypothesis_offsets);
    const Texts references = texts(reference_ids, reference_offsets);
    const Slots of = slots(reference_slots);
    NewArray<double> matched(references.size, 1);
    {
        nb::gil_scoped_release release;
        parallel_for(of.size, jobs, [&] {
            return [&, changed_words = ChangedWords()](std::size_t i) mutable {
                const auto by_hypothesis = changed_words(sources[i], hypotheses[i]);
                for (std::size_t r = of.begin(i); r < of.end(i); ++r) {
                    matched.data[r] = by_hypothesis == changed_words(sources[i], references[r]);
                }
            };
        });
    }
    return matched.release_flat();
}

Sentence sentence(const Ids& ids) { return {ids.data(), ids.shape(0)}; }

/// Every word has a kind, and there is a cost for it.
void check_kinds(const Ids& kinds, std::size_t words, std::size_t costs) {
    if (kinds.shape(0) != words) throw nb::value_error("every word has one kind");
    for (std::size_t i = 0; i < words; ++i) {
        // As an unsigned number, so that a negative kind is beyond the costs too.
        if (static_cast<std::size_t>(kinds.data()[i]) >= costs) throw nb::value_error("there is no cost for that kind");
    }
}

/// The steps from source to corrected words: a list of (operation, start, end, start corrected, end corrected).
nb::list steps(Ids source, Ids corrected, Ids lower, Ids lower_corrected, Ids kinds, Ids kinds_corrected,
               Array2<double> costs) {
    const WordPair pair{sentence(source), sentence(corrected), sentence(lower), sentence(lower_corrected)};
    check_kinds(kinds, source.shape(0), costs.shape(0));
    check_kinds(kinds_corrected, corrected.shape(0), costs.shape(1));
    const SubstitutionCosts substitution{sentence(kinds), sentence(kinds_corrected), costs.data(), costs.shape(1)};
    nb::list found;
    for (const auto& step : word_steps(pair, substitution)) {
        found.append(nb::make_tuple(step.operation, step.start, step.end, step.start_corrected, step.end_corrected));
    }
    return found;
}

/// For each word or line break of the source: how much of the output lies before its end, and 1 if its last is its own.
nb::tuple lines(Ids source, Ids source_stems, Ids output, Ids output_stems) {
    if (source.shape(0) != source_stems.shape(0) || output.shape(0) != output_stems.shape(0))
        throw nb::value_error("every word has one stem");
    LinePlaces found;
    {
        nb::gil_scoped_release release;
        found = align_lines({sentence(source), sentence(source_stems)}, {sentence(output), sentence(output_stems)});
    }
    NewArray<std::int32_t> places(found.places.size(), 1);
    NewArray<std::uint8_t> paired(found.paired.size(), 1);
    std::copy(found.places.begin(), found.places.end(), places.data.get());
    std::copy(found.paired.begin(), found.paired.end(), paired.data.get());
    return nb::make_tuple(places.release_flat(), paired.release_flat());
}

}  // namespace

void bind_alignment(nb::module_& module) {
    using nb::arg;
    module.def("index_match", &index_match, arg("source_ids"), arg("source_offsets"), arg("hypothesis_ids"),
               arg("hypothesis_offsets"), arg("reference_ids"), arg("reference_offsets"), arg("reference_slots"),
               nb::kw_only(), arg("jobs"));
    module.def("word_steps", &steps, arg("source"), arg("corrected"), arg("lower"), arg("lower_corrected"),
               arg("kinds"), arg("kinds_corrected"), arg("costs"));
    module.def("align_lines", &lines, arg("source"), arg("source_stems"), arg("output"), arg("output_stems"));
}

}  // namespace gecval
