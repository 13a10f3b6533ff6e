#include "bindings/bindings.hpp"
#include "resampling/sign_flips.hpp"

namespace gecval {

namespace {

nb::object flip_sums(Array2<double> tables, Array2<std::uint8_t> signs) {
    if (tables.shape(1) != 256) throw nb::value_error("a table has a sum for each of 256 choices of signs");
    if (tables.shape(0) != signs.shape(0)) throw nb::value_error("there is a table for each group of signs");
    NewArray<double> sums(signs.shape(1), 1);
    {
        nb::gil_scoped_release release;
        sign_flip_sums(tables.data(), signs.data(), signs.shape(0), signs.shape(1), sums.data.get());
    }
    return sums.release_flat();
}

}  // namespace

void bind_resampling(nb::module_& module) {
    using nb::arg;
    module.def("sign_flip_sums", &flip_sums, arg("tables"), arg("signs"));
}

}  // namespace gecval
