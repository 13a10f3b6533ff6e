#include "bindings/bindings.hpp"
#include "bindings/parallel.hpp"
#include "bindings/ufunc.hpp"
#include "ranking/trueskill.hpp"

namespace gecval {

namespace {

/// μ of each system after a pass over the sentences in each order. Every two systems meet on every sentence.
nb::object trueskill_passes(Array2<double> scores, Array2<std::int64_t> orders, double sigma, double beta,
                            double margin, int jobs) {
    const std::size_t sentences = scores.shape(0), systems = scores.shape(1);
    check_draws(orders, Slots{nullptr, sentences});
    NewArray<double> mu(orders.shape(0), systems);
    {
        nb::gil_scoped_release release;
        parallel_for(
            orders.shape(0), jobs,
            [&] {
                return [&](std::size_t run) {
                    TrueSkillPass pass(systems, sigma, beta, margin);
                    for (std::size_t k = 0; k < orders.shape(1); ++k) {
                        const double* of_sentence = scores.data() + static_cast<std::size_t>(orders(run, k)) * systems;
                        for (std::size_t a = 0; a < systems; ++a) {
                            for (std::size_t b = a + 1; b < systems; ++b)
                                pass.play(a, b, (of_sentence[a] > of_sentence[b]) - (of_sentence[a] < of_sentence[b]));
                        }
                    }
                    std::copy(pass.mu().begin(), pass.mu().end(), mu.data.get() + run * systems);
                };
            },
            1);
    }
    return mu.release();
}

using Table = Array3<double>;
std::vector<double> copied(const Table& table) { return {table.data(), table.data() + table.size()}; }

nb::object copy_rows(const TrueSkillRuns& state, std::span<const double> values) {
    NewArray<double> made(state.runs(), state.systems());
    std::copy(values.begin(), values.end(), made.data.get());
    return made.release();
}

}  // namespace

void bind_trueskill(nb::module_& module) {
    using nb::arg;
    module.def("trueskill_passes", &trueskill_passes, arg("scores"), arg("orders"), nb::kw_only(), arg("sigma"),
               arg("beta"), arg("margin"), arg("jobs"));
    nb::class_<TrueSkillRuns>(module, "TrueSkillRuns", "Many runs of WMT's sampling procedure side by side.")
        .def(
            "__init__",
            [](TrueSkillRuns* made, const Table& won, const Table& decided, const Table& met,
               const Array2<std::uint8_t>& absent, double sigma, double beta, double margin) {
                const std::size_t systems = absent.shape(1);
                for (const Table* table : {&won, &decided, &met}) {
                    if (table->shape(0) != absent.shape(0) || table->shape(1) != systems || table->shape(2) != systems)
                        throw nb::value_error("the tables have different sizes");
                }
                new (made) TrueSkillRuns(systems, copied(won), copied(decided), copied(met),
                                         {absent.data(), absent.size()}, sigma, beta, margin);
            },
            arg("won"), arg("decided"), arg("met"), arg("absent"), nb::kw_only(), arg("sigma"), arg("beta"),
            arg("margin"))
        .def(
            "play",
            [](TrueSkillRuns& state, const Array3<double>& uniforms, nb::handle exp, nb::handle below, int jobs) {
                if (uniforms.shape(1) != 2 || uniforms.shape(2) != state.runs())
                    throw nb::value_error("there must be two uniform numbers for each run");
                const Elementwise exp_loop = UfuncLoop(exp), below_loop = UfuncLoop(below);
                const std::span<const double> drawn{uniforms.data(), uniforms.size()};
                nb::gil_scoped_release release;
                parallel_for(
                    state.groups(), jobs,
                    [&] { return [&](std::size_t group) { state.play(group, drawn, exp_loop, below_loop); }; }, 1);
            },
            arg("uniforms"), nb::kw_only(), arg("exp"), arg("below"), arg("jobs"))
        .def_prop_ro("mu", [](const TrueSkillRuns& state) { return copy_rows(state, state.mu()); })
        .def_prop_ro("variance", [](const TrueSkillRuns& state) { return copy_rows(state, state.variance()); });
}

}  // namespace gecval
