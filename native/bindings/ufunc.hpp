// The loops behind numpy's functions of one number, to call them from kernels without the interpreter.
#pragma once

#include <cstddef>
#include <span>

#include "bindings/bindings.hpp"

namespace gecval {

/// The inner loop of a ufunc of one number for float64: the very function that calls from Python end in.
class UfuncLoop {
public:
    explicit UfuncLoop(nb::handle ufunc) {
        // The first fields of PyUFuncObject, which numpy documents (C API, "Python types and C-structures").
        struct Layout {
            PyObject_HEAD int nin, nout, nargs, identity;
            Loop* const* functions;
            void* const* data;
            int ntypes, reserved;
            const char *name, *types;
        };
        if (!nb::isinstance(ufunc, nb::module_::import_("numpy").attr("ufunc")))
            throw nb::type_error("the function must be a ufunc of numpy");
        const auto* known = reinterpret_cast<const Layout*>(ufunc.ptr());
        const auto says = [&](const char* name) { return nb::cast<int>(ufunc.attr(name)); };
        if (known->nin != says("nin") || known->nout != says("nout") || known->ntypes != says("ntypes"))
            throw nb::type_error("this numpy lays out its functions in another way");
        constexpr char float64 = 12;  // NPY_DOUBLE
        if (known->nin == 1 && known->nout == 1) {
            for (int i = 0; i < known->ntypes && loop_ == nullptr; ++i) {
                if (known->types[2 * i] != float64 || known->types[2 * i + 1] != float64) continue;
                loop_ = known->functions[i];
                data_ = known->data == nullptr ? nullptr : known->data[i];
            }
        }
        if (loop_ == nullptr) throw nb::type_error("the function must take a float64 and give one");
    }

    void operator()(std::span<double> values) const {
        char* both[] = {reinterpret_cast<char*>(values.data()), reinterpret_cast<char*>(values.data())};
        const std::ptrdiff_t count = static_cast<std::ptrdiff_t>(values.size()),
                             strides[] = {sizeof(double), sizeof(double)};
        loop_(both, &count, strides, data_);
    }

private:
    using Loop = void(char** arrays, const std::ptrdiff_t* dimensions, const std::ptrdiff_t* strides, void* data);

    Loop* loop_ = nullptr;
    void* data_ = nullptr;
};

}  // namespace gecval
