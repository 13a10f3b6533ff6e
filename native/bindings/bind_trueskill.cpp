#include "bindings/bindings.hpp"
#include "bindings/parallel.hpp"
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

}  // namespace

void bind_trueskill(nb::module_& module) {
    using nb::arg;
    module.def("trueskill_passes", &trueskill_passes, arg("scores"), arg("orders"), nb::kw_only(), arg("sigma"),
               arg("beta"), arg("margin"), arg("jobs"));
}

}  // namespace gecval
