#include "bindings/bindings.hpp"
#include "processes/end_with_parent.hpp"

void gecval::bind_processes(nb::module_& module) { module.def("end_with_parent", &end_with_parent, nb::arg("parent")); }
