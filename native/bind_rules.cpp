#include <nanobind/stl/string.h>

#include "bindings.hpp"
#include "parallel.hpp"
#include "running_best.hpp"

namespace gecval {

namespace {

constexpr std::size_t kColumns = 3;

/// Calls `body` with the preference of that name, and the rows as the counts that it compares.
template <class Body>
void with_preference(const std::string& name, double beta, const Array2<double>& rows, const Body& body) {
    const auto call = [&]<class Preference>(const Preference& prefers) {
        static_assert(sizeof(typename Preference::Counts) == kColumns * sizeof(double));
        body(prefers, reinterpret_cast<const typename Preference::Counts*>(rows.data()));
    };
    if (name == "m2") {
        call(M2Preference{beta});
    } else if (name == "errant") {
        call(ErrantPreference{beta});
    } else {
        throw nb::value_error("preference must be m2 or errant");
    }
}

/// The row chosen for each sentence, in order.
nb::object choose(Array2<double> rows, Offsets offsets, double beta, const std::string& preference) {
    const Slots of = slots_within(offsets, rows, kColumns);
    NewArray<std::int64_t> chosen(of.size, 1);
    with_preference(preference, beta, rows,
                    [&]<class Preference, class Counts>(const Preference& prefers, const Counts* counts) {
                        Counts totals;
                        for (std::size_t i = 0; i < of.size; ++i) {
                            const std::size_t row = preferred_row(of.begin(i), of.end(i), counts, totals, prefers);
                            totals = totals + counts[row];
                            chosen.data[i] = static_cast<std::int64_t>(row);
                        }
                    });
    return chosen.release_flat();
}

/// Totals over each list of sentences, the annotators chosen anew. A list may draw sentence i of the first system (i),
/// or of the second, whose rows follow the first's (i + number of sentences).
nb::object totals(Array2<double> rows, Offsets offsets, Array2<std::int64_t> draws, double beta,
                  const std::string& preference, int jobs) {
    const Slots of = slots_within(offsets, rows, kColumns);
    check_draws(draws, of);
    NewArray<double> sums(draws.shape(0), kColumns);
    with_preference(
        preference, beta, rows, [&]<class Preference, class Counts>(const Preference& prefers, const Counts* counts) {
            nb::gil_scoped_release release;
            parallel_for(draws.shape(0), jobs, [&] {
                return [&](std::size_t b) {
                    Counts total;
                    for (std::size_t k = 0; k < draws.shape(1); ++k) {
                        const auto i = static_cast<std::size_t>(draws(b, k));
                        total = total + counts[preferred_row(of.begin(i), of.end(i), counts, total, prefers)];
                    }
                    reinterpret_cast<Counts*>(sums.data.get())[b] = total;
                };
            });
        });
    return sums.release();
}

/// Totals of one drawn row per sentence, for each list of numbers in [0, 1): number u draws row ⌊u · count⌋ of its
/// sentence. Where several systems' rows lie one after the other, they all draw with the same numbers.
nb::object drawn_totals(Array2<double> rows, Offsets offsets, Array2<double> uniform, int jobs) {
    const std::size_t columns = rows.shape(1), sentences = uniform.shape(1);
    const Slots of = slots_within(offsets, rows, columns);
    if (sentences == 0) throw nb::value_error("there are no numbers to draw with");
    NewArray<double> sums(uniform.shape(0), columns);
    {
        nb::gil_scoped_release release;
        parallel_for(uniform.shape(0), jobs, [&] {
            return [&](std::size_t j) {
                double* sum = sums.data.get() + j * columns;
                std::fill(sum, sum + columns, 0.0);
                const double* numbers = uniform.data() + j * sentences;
                for (std::size_t i = 0; i < of.size; ++i) {
                    const double number = numbers[i % sentences], count = static_cast<double>(of.end(i) - of.begin(i));
                    if (!(number >= 0 && number < 1)) throw nb::value_error("numbers to draw with lie in [0, 1)");
                    const auto row = of.begin(i) + static_cast<std::size_t>(number * count);
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
    module.def("running_best", &choose, arg("rows"), arg("offsets"), nb::kw_only(), arg("beta"), arg("preference"));
    module.def("running_best_totals", &totals, arg("rows"), arg("offsets"), arg("draws"), nb::kw_only(), arg("beta"),
               arg("preference"), arg("jobs"));
    module.def("drawn_totals", &drawn_totals, arg("rows"), arg("offsets"), arg("uniform"), nb::kw_only(), arg("jobs"));
}

}  // namespace gecval
