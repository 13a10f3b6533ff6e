#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <stdexcept>

#include "bindings/bindings.hpp"
#include "bindings/gold_edits.hpp"
#include "bindings/parallel.hpp"
#include "imeasure/candidates.hpp"
#include "imeasure/imeasure.hpp"

namespace gecval {

namespace {

namespace im = imeasure;

constexpr std::size_t kColumns = 7;

im::Counts counts_of(const double* row) {
    const auto n = [&](std::size_t k) { return static_cast<std::int32_t>(row[k]); };
    return {n(0), n(1), n(2), n(3), n(4), n(5), n(6)};
}

void write(const im::Counts& counts, double* row) {
    const std::int32_t values[kColumns] = {counts.tp,  counts.tn,      counts.fp,     counts.fn,
                                           counts.fpn, counts.base_tn, counts.base_fn};
    std::copy(std::begin(values), std::end(values), row);
}

/// "cwacc", "df", …: the aspect's letter and the measure, as the original's -max.
im::Objective objective_named(const std::string& name, double weight, double beta) {
    using enum im::Measure;
    const std::string_view aspect = std::string_view(name).substr(0, 1);
    const std::string_view measure = std::string_view(name).substr(aspect.size());
    return {named<im::Aspect>("the first letter of maximise", aspect,
                              {{"c", im::Aspect::correction}, {"d", im::Aspect::detection}}),
            named<im::Measure>("the rest of maximise", measure,
                               {{"tp", tp},
                                {"tn", tn},
                                {"fp", fp},
                                {"fn", fn},
                                {"p", p},
                                {"r", r},
                                {"f", f},
                                {"acc", acc},
                                {"wacc", wacc},
                                {"i", i}}),
            weight, beta};
}

/// The clusters of edits of every sentence: sentence → clusters → alternatives → edits.
class ErrorClusters {
public:
    ErrorClusters(Offsets sentence_clusters, Offsets cluster_alternatives, Offsets alternative_edits,
                  Array1<std::int32_t> starts, Array1<std::int32_t> ends, Ids ids, Offsets offsets) {
        const Slots sentences = slots(sentence_clusters), clusters = slots(cluster_alternatives);
        const Slots alternatives = slots(alternative_edits);
        const Texts corrections = texts(ids, offsets);
        for (std::size_t s = 0; s < sentences.size; ++s) {
            std::vector<im::Cluster>& of_sentence = add();
            for (std::size_t c = sentences.begin(s); c < sentences.end(s); ++c) {
                auto& cluster = of_sentence.emplace_back();
                for (std::size_t a = clusters.begin(c); a < clusters.end(c); ++a) {
                    auto& alternative = cluster.emplace_back();
                    for (std::size_t e = alternatives.begin(a); e < alternatives.end(a); ++e) {
                        const Sentence words = corrections[e];
                        alternative.push_back({starts(e), ends(e), {words.begin(), words.end()}});
                    }
                }
            }
        }
    }

    /// Of the edits of references. Neighbours with the very same edits share their clusters.
    ErrorClusters(const GoldEdits& golds, Offsets sentence_slots) {
        const Slots of = slots(sentence_slots);
        std::vector<im::Annotation> before, annotations;
        const auto same = [](im::Annotation a, im::Annotation b) {
            return a.data() == b.data() && a.size() == b.size();
        };
        for (std::size_t i = 0; i < of.size; ++i) {
            annotations.clear();
            for (std::size_t slot = of.begin(i); slot < of.end(i); ++slot) annotations.push_back(golds.of_slot(slot));
            if (i > 0 && std::ranges::equal(annotations, before, same))
                of_sentence_.push_back(of_sentence_.back());
            else
                add() = im::cluster_edits(annotations);
            std::swap(annotations, before);
        }
    }

    std::size_t size() const { return of_sentence_.size(); }
    std::span<const im::Cluster> operator[](std::size_t sentence) const { return clusters_[of_sentence_[sentence]]; }
    bool same(std::size_t sentence, std::size_t other) const {
        return of_sentence_[sentence] == of_sentence_[other] ||
               clusters_[of_sentence_[sentence]] == clusters_[of_sentence_[other]];
    }

private:
    std::vector<im::Cluster>& add() {
        of_sentence_.push_back(clusters_.size());
        return clusters_.emplace_back();
    }

    std::vector<std::vector<im::Cluster>> clusters_;
    std::vector<std::size_t> of_sentence_;  // place among the clusters
};

/// For each cluster of a sentence, for each alternative: start, end and token ids of its edits.
nb::list listed(const ErrorClusters& clusters, std::size_t sentence) {
    if (sentence >= clusters.size()) throw nb::index_error("there is no sentence of that number");
    nb::list of_sentence;
    for (const im::Cluster& cluster : clusters[sentence]) {
        nb::list of_cluster;
        for (const im::Alternative& alternative : cluster) {
            nb::list edits;
            for (const im::Edit& edit : alternative)
                edits.append(nb::make_tuple(edit.start, edit.end, nb::cast(edit.correction)));
            of_cluster.append(edits);
        }
        of_sentence.append(of_cluster);
    }
    return of_sentence;
}

/// Each annotator's reference as I-measure makes it: edits of one span joined, spliced in from the last to the first.
nb::tuple references(Ids source_ids, Offsets source_offsets, const GoldEdits& golds, Offsets sentence_slots) {
    const Texts sources = texts(source_ids, source_offsets);
    const Slots of = slots(sentence_slots);
    std::vector<Token> all;
    NewArray<std::int64_t> offsets(golds.slots_count() + 1, 1);
    offsets.data[0] = 0;
    for (std::size_t i = 0; i < of.size; ++i) {
        for (std::size_t slot = of.begin(i); slot < of.end(i); ++slot) {
            im::Alternative edits;
            for (const GoldEdit& gold : golds.of_slot(slot)) {
                const auto same_span = std::find_if(edits.begin(), edits.end(), [&](const im::Edit& edit) {
                    return edit.start == gold.start && edit.end == gold.end;
                });
                const Sentence words = gold.alternatives.front();
                if (same_span != edits.end()) {
                    same_span->correction.insert(same_span->correction.end(), words.begin(), words.end());
                } else {
                    edits.push_back({gold.start, gold.end, {words.begin(), words.end()}});
                }
            }
            const im::Cluster cluster{std::move(edits)};
            const std::size_t first = 0;
            const auto reference = im::apply(sources[i], {&cluster, 1}, {&first, 1});
            all.insert(all.end(), reference->begin(), reference->end());
            offsets.data[slot + 1] = static_cast<std::int64_t>(all.size());
        }
    }
    NewArray<Token> ids(all.size(), 1);
    std::copy(all.begin(), all.end(), ids.data.get());
    return nb::make_tuple(ids.release_flat(), offsets.release_flat());
}

/// (tp, tn, fp, fn, fpn, base tn, base fn) against each reference.
nb::object rows(Ids source_ids, Offsets source_offsets, Ids hypothesis_ids, Offsets hypothesis_offsets,
                Ids reference_ids, Offsets reference_offsets, Offsets reference_slots, int jobs) {
    const Texts sources = texts(source_ids, source_offsets), hypotheses = texts(hypothesis_ids, hypothesis_offsets);
    const Texts all = texts(reference_ids, reference_offsets);
    const Slots of = slots(reference_slots);
    NewArray<double> out(all.size, kColumns);
    {
        nb::gil_scoped_release release;
        parallel_for(of.size, jobs, [&] {
            return [&](std::size_t i) {
                std::vector<std::vector<Token>> group;
                for (std::size_t r = of.begin(i); r < of.end(i); ++r) group.emplace_back(all[r].begin(), all[r].end());
                const auto found = im::count_each(sources[i], hypotheses[i], group);
                for (std::size_t r = 0; r < found.size(); ++r) {
                    write(found[r], out.data.get() + (of.begin(i) + r) * kColumns);
                }
            };
        });
    }
    return out.release();
}

std::size_t choose_row(const Array2<double>& table, const Slots& of, std::size_t i, const im::Objective& objective,
                       const im::Counts& offset) {
    std::vector<im::Counts> group;
    for (std::size_t r = of.begin(i); r < of.end(i); ++r) group.push_back(counts_of(table.data() + r * kColumns));
    return of.begin(i) + im::choose(group, objective, offset);
}

/// The row chosen for each sentence of a list, by itself or with the totals so far.
nb::object choose(Array2<double> table, Offsets offsets, Array1<std::int64_t> draws, const std::string& maximise,
                  double weight, double beta, bool running) {
    const Slots of = slots_within(offsets, table, kColumns);
    check_draws(draws, of);
    const auto objective = objective_named(maximise, weight, beta);
    NewArray<std::int64_t> chosen(draws.shape(0), 1);
    nb::gil_scoped_release release;
    im::Counts totals;
    for (std::size_t k = 0; k < draws.shape(0); ++k) {
        const std::size_t row =
            choose_row(table, of, static_cast<std::size_t>(draws(k)), objective, running ? totals : im::Counts{});
        totals = totals + counts_of(table.data() + row * kColumns);
        chosen.data[k] = static_cast<std::int64_t>(row);
    }
    nb::gil_scoped_acquire acquire;
    return chosen.release_flat();
}

/// Where runs of neighbours with the same source and clusters begin, and the end: studies have many corrections of one
/// sentence.
std::vector<std::size_t> runs(const Texts& sources, const ErrorClusters& clusters) {
    std::vector<std::size_t> begins;
    for (std::size_t i = 0; i < sources.size; ++i)
        if (i == 0 || !std::ranges::equal(sources[i], sources[i - 1]) || !clusters.same(i, i - 1)) begins.push_back(i);
    begins.push_back(sources.size);
    return begins;
}

/// Each sentence against every combination of its clusters: counts, whether they are proven best, and bounds if not.
nb::tuple mixed(Ids source_ids, Offsets source_offsets, Ids hypothesis_ids, Offsets hypothesis_offsets,
                const ErrorClusters& clusters, const std::string& maximise, double weight, double beta, bool running,
                int jobs) {
    const Texts sources = texts(source_ids, source_offsets), hypotheses = texts(hypothesis_ids, hypothesis_offsets);
    const auto objective = objective_named(maximise, weight, beta);
    NewArray<double> out(sources.size, kColumns), bounds(sources.size, 3);
    im::Counts totals;
    {
        nb::gil_scoped_release release;
        const std::vector<std::size_t> begins = runs(sources, clusters);
        const auto score_run = [&](std::size_t run) {
            im::MixedReferences references(sources[begins[run]], clusters[begins[run]], objective);
            for (std::size_t i = begins[run]; i < begins[run + 1]; ++i) {
                const auto found = references(hypotheses[i], running ? totals : im::Counts{});
                if (running) totals = totals + found.counts;
                write(found.counts, out.data.get() + i * kColumns);
                double* bound = bounds.data.get() + i * 3;
                bound[0] = found.exact;
                bound[1] = found.lower;
                bound[2] = found.upper;
            }
        };
        // With the totals so far each sentence waits for the one before it.
        parallel_for(begins.size() - 1, running ? 1 : jobs, [&] { return score_run; }, 8);
    }
    return nb::make_tuple(out.release(), bounds.release());
}

}  // namespace

void bind_imeasure(nb::module_& module) {
    using nb::arg;
    nb::class_<ErrorClusters>(module, "ErrorClusters", "The clusters of alternative edits of every sentence.")
        .def(nb::init<Offsets, Offsets, Offsets, Array1<std::int32_t>, Array1<std::int32_t>, Ids, Offsets>(),
             arg("sentence_clusters"), arg("cluster_alternatives"), arg("alternative_edits"), arg("starts"),
             arg("ends"), arg("ids"), arg("offsets"))
        .def(nb::init<const GoldEdits&, Offsets>(), arg("golds"), arg("sentence_slots"))
        .def("of_sentence", &listed, arg("sentence"));
    module.def("imeasure_references", &references, arg("source_ids"), arg("source_offsets"), arg("golds"),
               arg("sentence_slots"));
    module.def("imeasure_rows", &rows, arg("source_ids"), arg("source_offsets"), arg("hypothesis_ids"),
               arg("hypothesis_offsets"), arg("reference_ids"), arg("reference_offsets"), arg("reference_slots"),
               nb::kw_only(), arg("jobs"));
    module.def("imeasure_choose", &choose, arg("rows"), arg("offsets"), arg("draws"), nb::kw_only(), arg("maximise"),
               arg("weight"), arg("beta"), arg("running"));
    module.def("imeasure_mixed", &mixed, arg("source_ids"), arg("source_offsets"), arg("hypothesis_ids"),
               arg("hypothesis_offsets"), arg("clusters"), nb::kw_only(), arg("maximise"), arg("weight"), arg("beta"),
               arg("running"), arg("jobs"));
}

}  // namespace gecval
