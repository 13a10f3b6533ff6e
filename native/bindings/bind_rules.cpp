#include <nanobind/stl/array.h>
#include <nanobind/stl/string.h>

#include "bindings/bindings.hpp"
#include "bindings/parallel.hpp"
#include "reference_rules/best_by_running_total.hpp"
#include "reference_rules/drawn_sums.hpp"
#include "reference_rules/macro_best.hpp"
#include "reference_rules/running_totals.hpp"

namespace gecval {

namespace {

/// What decides between references: M² and ERRANT and CLEME have a β, CLEME2.0 has factors.
struct Choice {
    std::string preference;
    double beta;
    std::array<double, 4> factors;
};

/// Calls `body` with the preference of that name, the slots of each sentence, and the rows as the counts it compares.
template <class Body>
void with_preference(const Choice& choice, const Array2<double>& rows, const Offsets& offsets, const Body& body) {
    const auto call = [&]<class Preference>(const Preference& prefers) {
        using Counts = typename Preference::Counts;
        static_assert(sizeof(Counts) % sizeof(double) == 0);
        const Slots of = slots_within(offsets, rows, sizeof(Counts) / sizeof(double));
        body(prefers, of, reinterpret_cast<const Counts*>(rows.data()));
    };
    if (choice.preference == "m2") {
        call(M2Preference{choice.beta});
    } else if (choice.preference == "errant") {
        call(ErrantPreference{choice.beta});
    } else if (choice.preference == "exact") {
        call(ExactPreference{choice.beta});
    } else if (choice.preference == "cleme") {
        call(ClemePreference{choice.beta});
    } else if (choice.preference == "cleme2") {
        call(Cleme2Preference{choice.factors});
    } else {
        throw nb::value_error("preference must be m2, errant, exact, cleme or cleme2");
    }
}

/// The row chosen for each sentence, in order.
nb::object choose(Array2<double> rows, Offsets offsets, double beta, const std::string& preference,
                  std::array<double, 4> factors) {
    NewArray<std::int64_t> chosen(offsets.shape(0) == 0 ? 0 : offsets.shape(0) - 1, 1);
    with_preference(
        {preference, beta, factors}, rows, offsets,
        [&]<class Preference, class Counts>(const Preference& prefers, const Slots& of, const Counts* counts) {
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
                  const std::string& preference, std::array<double, 4> factors, int jobs) {
    NewArray<double> sums(draws.shape(0), rows.shape(1));
    with_preference(
        {preference, beta, factors}, rows, offsets,
        [&]<class Preference, class Counts>(const Preference& prefers, const Slots& of, const Counts* counts) {
            check_draws(draws, of);
            nb::gil_scoped_release release;
            const RunningTotals<Preference> running(counts, of, prefers, draws.shape(1));
            parallel_for(draws.shape(0), jobs, [&] {
                return [&](std::size_t b) {
                    Counts total;
                    for (std::size_t k = 0; k < draws.shape(1); ++k)
                        total = running.with(total, static_cast<std::size_t>(draws(b, k)));
                    reinterpret_cast<Counts*>(sums.data.get())[b] = total;
                };
            });
        });
    return sums.release();
}

/// Totals over all sentences but those of each block, a row of first and last + 1. What comes before a block is
/// chosen once for all.
nb::object totals_without(Array2<double> rows, Offsets offsets, Array2<std::int64_t> blocks, double beta,
                          const std::string& preference, std::array<double, 4> factors, int jobs) {
    NewArray<double> sums(blocks.shape(0), rows.shape(1));
    with_preference(
        {preference, beta, factors}, rows, offsets,
        [&]<class Preference, class Counts>(const Preference& prefers, const Slots& of, const Counts* counts) {
            if (blocks.shape(1) != 2) throw nb::value_error("a block has a first sentence and an end");
            for (std::size_t b = 0; b < blocks.shape(0); ++b) {
                // As unsigned numbers, so that a negative one is beyond the sentences too.
                const auto first = static_cast<std::size_t>(blocks(b, 0)), end = static_cast<std::size_t>(blocks(b, 1));
                if (first > end || end > of.size) throw nb::value_error("there is no such block of sentences");
            }
            nb::gil_scoped_release release;
            const RunningTotals<Preference> running(counts, of, prefers, of.size);
            std::vector<Counts> before(of.size + 1);
            for (std::size_t i = 0; i < of.size; ++i) before[i + 1] = running.with(before[i], i);
            parallel_for(blocks.shape(0), jobs, [&] {
                return [&](std::size_t b) {
                    Counts total = before[static_cast<std::size_t>(blocks(b, 0))];
                    for (auto i = static_cast<std::size_t>(blocks(b, 1)); i < of.size; ++i)
                        total = running.with(total, i);
                    reinterpret_cast<Counts*>(sums.data.get())[b] = total;
                };
            });
        });
    return sums.release();
}

/// The slots of rows that hold tp, fp and fn of each type.
Slots macro_slots(const Offsets& offsets, const Array2<double>& rows) {
    if (rows.shape(1) % 3 != 0) throw nb::value_error("the rows have a wrong number of columns");
    return slots_within(offsets, rows, rows.shape(1));
}

/// The row chosen for each sentence, in order, by the mean F of all types.
nb::object macro_best(Array2<double> rows, Offsets offsets, double beta) {
    const Slots of = macro_slots(offsets, rows);
    NewArray<std::int64_t> chosen(of.size, 1);
    MacroTotals totals(rows.shape(1) / 3, beta);
    for (std::size_t i = 0; i < of.size; ++i) {
        const std::size_t row = totals.preferred(rows.data(), of.begin(i), of.end(i));
        totals.add(rows.data() + row * rows.shape(1));
        chosen.data[i] = static_cast<std::int64_t>(row);
    }
    return chosen.release_flat();
}

/// Totals over each list of sentences, by the same choice.
nb::object macro_best_totals(Array2<double> rows, Offsets offsets, Array2<std::int64_t> draws, double beta, int jobs) {
    const Slots of = macro_slots(offsets, rows);
    check_draws(draws, of);
    const std::size_t columns = rows.shape(1);
    NewArray<double> sums(draws.shape(0), columns);
    {
        nb::gil_scoped_release release;
        parallel_for(draws.shape(0), jobs, [&] {
            return [&](std::size_t b) {
                MacroTotals totals(columns / 3, beta);
                for (std::size_t k = 0; k < draws.shape(1); ++k) {
                    const auto i = static_cast<std::size_t>(draws(b, k));
                    totals.add(rows.data() + totals.preferred(rows.data(), of.begin(i), of.end(i)) * columns);
                }
                std::copy(totals.totals().begin(), totals.totals().end(), sums.data.get() + b * columns);
            };
        });
    }
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

/// Sums [column, list, repetition], see drawn_sums.hpp. Whoever calls makes sure that Number holds all of them.
template <class Number>
nb::object all_drawn_sums(Array2<double> base, Array2<Number> differences, Offsets offsets, Array2<Number> weights,
                          Array2<std::uint16_t> choices) {
    const std::size_t columns = differences.shape(1), lists = weights.shape(0);
    const Slots of = slots_within(offsets, differences, columns);
    const DrawnRows<Number> rows{differences.data(), of, columns, choices.data(), choices.shape(0), choices.shape(1)};
    if (base.shape(0) != lists || base.shape(1) != columns || weights.shape(1) != of.size)
        throw nb::value_error("base, weights and rows have different sizes");
    if (rows.sentences == 0 || of.size % rows.sentences != 0)
        throw nb::value_error("the choices are those of other sentences");
    for (std::size_t i = 0; i < of.size; ++i) {
        const std::size_t sentence = i % rows.sentences, count = of.end(i) - of.begin(i);
        if (count != of.end(sentence) - of.begin(sentence))
            throw nb::value_error("systems have different numbers of references");
        const std::uint16_t* of_sentence = choices.data() + sentence * rows.repetitions;
        if (i < rows.sentences &&
            std::any_of(
                of_sentence, of_sentence + rows.repetitions, [&](std::uint16_t choice) { return choice >= count; }))
            throw nb::value_error("there is no reference of that number");
    }
    NewArray<double> sums(columns, lists * rows.repetitions);
    {
        nb::gil_scoped_release release;
        drawn_sums(rows, base.data(), weights.data(), lists, sums.data.get());
    }
    return sums.release();
}

}  // namespace

void bind_rules(nb::module_& module) {
    using nb::arg;
    const std::array<double, 4> none{};
    module.def("running_best", &choose, arg("rows"), arg("offsets"), nb::kw_only(), arg("beta"), arg("preference"),
               arg("factors") = none);
    module.def("running_best_totals", &totals, arg("rows"), arg("offsets"), arg("draws"), nb::kw_only(), arg("beta"),
               arg("preference"), arg("factors") = none, arg("jobs"));
    module.def("running_best_without", &totals_without, arg("rows"), arg("offsets"), arg("blocks"), nb::kw_only(),
               arg("beta"), arg("preference"), arg("factors") = none, arg("jobs"));
    module.def("macro_best", &macro_best, arg("rows"), arg("offsets"), nb::kw_only(), arg("beta"));
    module.def("macro_best_totals", &macro_best_totals, arg("rows"), arg("offsets"), arg("draws"), nb::kw_only(),
               arg("beta"), arg("jobs"));
    module.def("drawn_totals", &drawn_totals, arg("rows"), arg("offsets"), arg("uniform"), nb::kw_only(), arg("jobs"));
    const auto def_drawn_sums = [&]<class Number>(Number) {
        module.def("drawn_sums", &all_drawn_sums<Number>, arg("base"), arg("differences").noconvert(), arg("offsets"),
                   arg("weights").noconvert(), arg("choices").noconvert());
    };
    def_drawn_sums(std::int16_t{});
    def_drawn_sums(std::int32_t{});
    def_drawn_sums(double{});
}

}  // namespace gecval
