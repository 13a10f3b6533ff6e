#include "bindings/bindings.hpp"
#include "bindings/parallel.hpp"
#include "ngrams/ngrams.hpp"

namespace gecval {

namespace {

/// Run write(counter, i, references of i) for every sentence, in parallel.
template <class Write>
void for_each_sentence(const Texts& references, const Slots& slots, int jobs, Write write) {
    nb::gil_scoped_release release;
    parallel_for(slots.size, jobs, [&] {
        return [&, counter = NgramCounter(), group = std::vector<Sentence>()](std::size_t i) mutable {
            group.clear();
            for (std::size_t r = slots.begin(i); r < slots.end(i); ++r) group.push_back(references[r]);
            write(counter, i, group);
        };
    });
}

nb::object gleu(Ids source_ids, Offsets source_offsets, Ids hypothesis_ids, Offsets hypothesis_offsets,
                Ids reference_ids, Offsets reference_offsets, Offsets reference_slots, std::size_t orders,
                bool paper_form, int jobs) {
    const Texts sources = texts(source_ids, source_offsets), hypotheses = texts(hypothesis_ids, hypothesis_offsets);
    const Texts references = texts(reference_ids, reference_offsets);
    const Slots of = slots(reference_slots);
    NewArray<double> rows(references.size, 2 + 2 * orders);
    for_each_sentence(references, of, jobs, [&](NgramCounter& counter, std::size_t i, std::span<const Sentence> group) {
        gleu_statistics(counter, sources[i], hypotheses[i], group, orders,
                        paper_form ? GleuForm::paper : GleuForm::tool, rows.data.get() + of.begin(i) * rows.columns);
    });
    return rows.release();
}

nb::object green(Ids source_ids, Offsets source_offsets, Ids hypothesis_ids, Offsets hypothesis_offsets,
                 Ids reference_ids, Offsets reference_offsets, Offsets reference_slots, std::size_t orders, int jobs) {
    const Texts sources = texts(source_ids, source_offsets), hypotheses = texts(hypothesis_ids, hypothesis_offsets);
    const Texts references = texts(reference_ids, reference_offsets);
    const Slots of = slots(reference_slots);
    NewArray<double> rows(references.size, kGreenCounts * orders);
    for_each_sentence(references, of, jobs, [&](NgramCounter& counter, std::size_t i, std::span<const Sentence> group) {
        green_statistics(counter, sources[i], hypotheses[i], group, orders,
                         rows.data.get() + of.begin(i) * rows.columns);
    });
    return rows.release();
}

nb::object bleu(Ids hypothesis_ids, Offsets hypothesis_offsets, Ids reference_ids, Offsets reference_offsets,
                Offsets reference_slots, std::size_t orders, int jobs) {
    const Texts hypotheses = texts(hypothesis_ids, hypothesis_offsets);
    const Texts references = texts(reference_ids, reference_offsets);
    NewArray<double> rows(hypotheses.size, 3 + 2 * orders);
    for_each_sentence(references, slots(reference_slots), jobs,
                      [&](NgramCounter& counter, std::size_t i, std::span<const Sentence> group) {
                          bleu_statistics(counter, hypotheses[i], group, orders, rows.data.get() + i * rows.columns);
                      });
    return rows.release();
}

/// `lower` has the id of each token's lower-cased form.
nb::object sari(Ids source_ids, Offsets source_offsets, Ids hypothesis_ids, Offsets hypothesis_offsets,
                Ids reference_ids, Offsets reference_offsets, Offsets reference_slots, Ids lower, std::size_t orders,
                bool corpus_form, bool pooled, int jobs) {
    const Texts sources = texts(source_ids, source_offsets), hypotheses = texts(hypothesis_ids, hypothesis_offsets);
    const Texts references = texts(reference_ids, reference_offsets);
    const Slots of = slots(reference_slots);
    NewArray<double> rows(pooled ? hypotheses.size : references.size, corpus_form ? kSariCounts * orders : 4);
    for_each_sentence(references, of, jobs, [&](NgramCounter& counter, std::size_t i, std::span<Sentence> group) {
        std::size_t size = sources[i].size() + hypotheses[i].size();
        for (const Sentence reference : group) size += reference.size();
        std::vector<Token> lowered;
        lowered.reserve(size);  // so that the spans below stay where they are
        const auto to_lower = [&](Sentence text) {
            for (const Token token : text) lowered.push_back(lower(static_cast<std::size_t>(token)));
            return std::span(lowered).last(text.size());
        };
        const Sentence source = to_lower(sources[i]), hypothesis = to_lower(hypotheses[i]);
        for (Sentence& reference : group) reference = to_lower(reference);
        sari_statistics(counter, source, hypothesis, group, orders, corpus_form ? SariForm::corpus : SariForm::tool,
                        pooled, rows.data.get() + (pooled ? i : of.begin(i)) * rows.columns);
    });
    return rows.release();
}

}  // namespace

void bind_ngrams(nb::module_& module) {
    using nb::arg;
    module.def("gleu", &gleu, arg("source_ids"), arg("source_offsets"), arg("hypothesis_ids"),
               arg("hypothesis_offsets"), arg("reference_ids"), arg("reference_offsets"), arg("reference_slots"),
               nb::kw_only(), arg("orders"), arg("paper_form"), arg("jobs"));
    module.def("green", &green, arg("source_ids"), arg("source_offsets"), arg("hypothesis_ids"),
               arg("hypothesis_offsets"), arg("reference_ids"), arg("reference_offsets"), arg("reference_slots"),
               nb::kw_only(), arg("orders"), arg("jobs"));
    module.def("bleu", &bleu, arg("hypothesis_ids"), arg("hypothesis_offsets"), arg("reference_ids"),
               arg("reference_offsets"), arg("reference_slots"), nb::kw_only(), arg("orders"), arg("jobs"));
    module.def("sari", &sari, arg("source_ids"), arg("source_offsets"), arg("hypothesis_ids"),
               arg("hypothesis_offsets"), arg("reference_ids"), arg("reference_offsets"), arg("reference_slots"),
               nb::kw_only(), arg("lower"), arg("orders"), arg("corpus_form"), arg("pooled"), arg("jobs"));
}

}  // namespace gecval
