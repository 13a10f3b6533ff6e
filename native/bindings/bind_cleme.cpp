#include <nanobind/stl/array.h>

#include <deque>
#include <limits>
#include <mutex>

#include "bindings/bindings.hpp"
#include "bindings/gold_edits.hpp"
#include "bindings/parallel.hpp"
#include "cleme/cleme.hpp"

namespace gecval {

namespace {

using Weights = std::array<std::array<double, 3>, 3>;

/// Rows (hit, wrong, over, missed, kept) for each reference, or one for each sentence; and b. A reference that is not
/// `kept` takes no part, and its row is 0.
nb::tuple cleme(Ids source_ids, Offsets source_offsets, const GoldEdits& hypotheses, const GoldEdits& references,
                Offsets reference_slots, Array1<bool> kept, bool independent, const Weights& weights, int jobs) {
    const Texts sources = texts(source_ids, source_offsets);
    const Slots of = slots(reference_slots);
    const std::size_t count = independent ? of.size : references.slots_count();
    if (hypotheses.slots_count() != of.size || sources.size != of.size || kept.shape(0) != references.slots_count())
        throw nb::value_error("the layouts are of different corpora");
    NewArray<double> rows(count, kClemeColumns);
    std::fill_n(rows.data.get(), count * kClemeColumns, 0.0);
    double mean_length = std::numeric_limits<double>::quiet_NaN();
    {
        nb::gil_scoped_release release;
        std::deque<ClemeJudge> judges;  // one for each thread
        std::mutex lock;
        parallel_for(of.size, jobs, [&] {
            const std::lock_guard hold(lock);
            ClemeJudge& judge = judges.emplace_back();
            return [&, targets = std::vector<std::span<const GoldEdit>>(),
                    written = std::vector<std::size_t>()](std::size_t i) mutable {
                targets.assign(1, hypotheses.of_slot(i));
                written.assign(independent ? 1 : 0, i);
                for (std::size_t slot = of.begin(i); slot < of.end(i); ++slot) {
                    if (!kept(slot)) continue;
                    targets.push_back(references.of_slot(slot));
                    if (!independent) written.push_back(slot);
                }
                judge.read(sources[i], targets, independent, written);
                for (const std::size_t row : written)
                    rows.data[row * kClemeColumns + kKept] = static_cast<double>(judge.chunks.unchanged());
            };
        });
        std::int64_t lengths = 0, changes = 0;
        for (const ClemeJudge& judge : judges) lengths += judge.lengths, changes += judge.changes;
        if (changes > 0) mean_length = static_cast<double>(lengths) / static_cast<double>(changes);
        LengthWeights by_length;
        for (std::size_t k = 0; k < by_length.size(); ++k) by_length[k] = {weights[k][0], weights[k][1], weights[k][2]};
        for (const ClemeJudge& judge : judges) {
            for (const Judged& chunk : judge.judged)
                rows.data[chunk.row * kClemeColumns + chunk.outcome] += chunk_weight(chunk, mean_length, by_length);
        }
    }
    return nb::make_tuple(rows.release(), mean_length);
}

}  // namespace

void bind_cleme(nb::module_& module) {
    using nb::arg;
    module.def("cleme", &cleme, arg("source_ids"), arg("source_offsets"), arg("hypotheses"), arg("references"),
               arg("reference_slots"), arg("kept"), nb::kw_only(), arg("independent"), arg("weights"), arg("jobs"));
}

}  // namespace gecval
