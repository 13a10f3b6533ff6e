#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bindings/bindings.hpp"
#include "bindings/gold_edits.hpp"
#include "bindings/parallel.hpp"
#include "max_match/max_match.hpp"

namespace gecval {

namespace {

Level level_named(const std::string& name) {
    return named<Level>(
        "level", name,
        {{"detection", Level::detection}, {"recognition", Level::recognition}, {"correction", Level::correction}});
}

RowZero row_zero_of(const std::string& version) {
    return named<RowZero>("version", version, {{"head", RowZero::head}, {"3.2", RowZero::version_3_2}});
}

Lattice lattice_named(const std::string& name) {
    return named<Lattice>("lattice", name, {{"paper", Lattice::paper}, {"tool", Lattice::tool}});
}

MaxMatchOptions options(const std::string& lattice, int max_unchanged, const std::string& level, bool bonus,
                        const FoldedTokens& folded, std::size_t max_vertices, const std::string& version) {
    if (max_unchanged < 0) throw nb::value_error("max_unchanged must not be negative");
    return {lattice_named(lattice), max_unchanged,       level_named(level), bonus, folded.empty() ? nullptr : &folded,
            max_vertices,           row_zero_of(version)};
}

/// (correct, proposed, gold) for every annotator slot, and the number of sentences too large for the arc search.
nb::tuple max_match(Ids source_ids, Offsets source_offsets, Ids hypothesis_ids, Offsets hypothesis_offsets,
                    const GoldEdits& golds, Offsets sentence_slots, const std::string& lattice, int max_unchanged,
                    const std::string& level, bool bonus, const FoldedTokens& folded, std::size_t max_vertices,
                    const std::string& version, int jobs) {
    const Texts sources = texts(source_ids, source_offsets), hypotheses = texts(hypothesis_ids, hypothesis_offsets);
    const Slots of = slots(sentence_slots);
    const auto chosen = options(lattice, max_unchanged, level, bonus, folded, max_vertices, version);
    NewArray<double> rows(golds.slots_count(), 3);
    std::atomic<std::size_t> too_large{0};
    {
        nb::gil_scoped_release release;
        parallel_for(of.size, jobs, [&] {
            return [&, search = MaxMatch(chosen)](std::size_t i) mutable {
                search.read(sources[i], hypotheses[i]);
                too_large += search.too_large();
                for (std::size_t slot = of.begin(i); slot < of.end(i); ++slot) {
                    const auto gold = golds.of_slot(slot);
                    const Counts counts = search.count(search.edits(gold), gold);
                    double* row = rows.data.get() + slot * 3;
                    row[0] = counts.correct;
                    row[1] = counts.proposed;
                    row[2] = counts.gold;
                }
            };
        });
    }
    return nb::make_tuple(rows.release(), too_large.load());
}

/// The edit sequence chosen against one annotator of one sentence: a list of (i0, i1, j0, j1, start, end, matched).
nb::list max_match_edits(Ids source, Ids hypothesis, const GoldEdits& golds, std::size_t slot,
                         const std::string& lattice, int max_unchanged, const std::string& level,
                         const FoldedTokens& folded, std::size_t max_vertices, const std::string& version) {
    if (slot >= golds.slots_count()) throw nb::value_error("there is no annotator of that number");
    MaxMatch search(options(lattice, max_unchanged, level, false, folded, max_vertices, version));
    search.read({source.data(), source.shape(0)}, {hypothesis.data(), hypothesis.shape(0)});
    nb::list edits;
    for (const auto& edit : search.edits(golds.of_slot(slot))) {
        edits.append(nb::make_tuple(edit.i0, edit.i1, edit.j0, edit.j1, edit.start, edit.end, edit.matched));
    }
    return edits;
}

}  // namespace

void bind_max_match(nb::module_& module) {
    using nb::arg;
    module.def("max_match", &max_match, arg("source_ids"), arg("source_offsets"), arg("hypothesis_ids"),
               arg("hypothesis_offsets"), arg("golds"), arg("sentence_slots"), nb::kw_only(), arg("lattice"),
               arg("max_unchanged"), arg("level"), arg("bonus"), arg("folded"), arg("max_vertices"), arg("version"),
               arg("jobs"));
    module.def("max_match_edits", &max_match_edits, arg("source"), arg("hypothesis"), arg("golds"), arg("slot"),
               nb::kw_only(), arg("lattice"), arg("max_unchanged"), arg("level"), arg("folded"), arg("max_vertices"),
               arg("version"));
}

}  // namespace gecval
