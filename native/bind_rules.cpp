#include "bindings.hpp"
#include "parallel.hpp"
#include "running_best.hpp"

namespace gecval {

namespace {

const EditCounts* counts(const Array2<double>& rows) { return reinterpret_cast<const EditCounts*>(rows.data()); }

/// The row chosen for each sentence, in order.
nb::object choose(Array2<double> rows, Offsets offsets, double beta) {
    const Slots of = slots(offsets);
    const M2Preference prefers{beta};
    NewArray<std::int64_t> chosen(of.size, 1);
    EditCounts totals;
    for (std::size_t i = 0; i < of.size; ++i) {
        const std::size_t row = preferred_row(of.begin(i), of.end(i), counts(rows), totals, prefers);
        totals = totals + counts(rows)[row];
        chosen.data[i] = static_cast<std::int64_t>(row);
    }
    return chosen.release_flat();
}

/// Totals over each list of sentences, the annotators chosen anew. A list may draw sentence i of the first system (i),
/// or of the second, whose rows follow the first's (i + number of sentences).
nb::object totals(Array2<double> rows, Offsets offsets, Array2<std::int64_t> draws, double beta, int jobs) {
    const Slots of = slots(offsets);
    const M2Preference prefers{beta};
    NewArray<double> sums(draws.shape(0), 3);
    {
        nb::gil_scoped_release release;
        parallel_for(draws.shape(0), jobs, [&] {
            return [&](std::size_t b) {
                EditCounts total;
                for (std::size_t k = 0; k < draws.shape(1); ++k) {
                    const auto i = static_cast<std::size_t>(draws(b, k));
                    total = total + counts(rows)[preferred_row(of.begin(i), of.end(i), counts(rows), total, prefers)];
                }
                double* sum = sums.data.get() + b * 3;
                sum[0] = total.correct;
                sum[1] = total.proposed;
                sum[2] = total.gold;
            };
        });
    }
    return sums.release();
}

/// Totals of one drawn row per sentence, for each list of numbers in [0, 1): number u draws row ⌊u · count⌋ of its sentence.
/// Where several systems' rows lie one after the other, they all draw with the same numbers.
nb::object drawn_totals(Array2<double> rows, Offsets offsets, Array2<double> uniform, int jobs) {
    const Slots of = slots(offsets);
    const std::size_t columns = rows.shape(1), sentences = uniform.shape(1);
    NewArray<double> sums(uniform.shape(0), columns);
    {
        nb::gil_scoped_release release;
        parallel_for(uniform.shape(0), jobs, [&] {
            return [&](std::size_t j) {
                double* sum = sums.data.get() + j * columns;
                std::fill(sum, sum + columns, 0.0);
                const double* numbers = uniform.data() + j * sentences;
                for (std::size_t i = 0; i < of.size; ++i) {
                    const double count = static_cast<double>(of.end(i) - of.begin(i));
                    const auto row = of.begin(i) + static_cast<std::size_t>(numbers[i % sentences] * count);
                    const double* values = rows.data() + row * columns;
                    for (std::size_t k = 0; k < columns; ++k) sum[k] += values[k];
                }
            };
        });
    }
    return sums.release();
}

}  // namespace

void bind_rules(nb::module_& module) {
    using nb::arg;
    module.def("running_best", &choose, arg("rows"), arg("offsets"), nb::kw_only(), arg("beta"));
    module.def("running_best_totals", &totals, arg("rows"), arg("offsets"), arg("draws"), nb::kw_only(), arg("beta"),
               arg("jobs"));
    module.def("drawn_totals", &drawn_totals, arg("rows"), arg("offsets"), arg("uniform"), nb::kw_only(), arg("jobs"));
}

}  // namespace gecval
