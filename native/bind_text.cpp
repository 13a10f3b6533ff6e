#include <nanobind/stl/string.h>

#include <cstring>
#include <vector>

#include "bindings.hpp"
#include "vocabulary.hpp"

namespace gecval {

namespace {

std::string_view utf8(nb::handle text) {
    Py_ssize_t size = 0;
    const char* bytes = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
    if (!bytes) throw nb::python_error();
    return {bytes, static_cast<std::size_t>(size)};
}

Blanks blanks_named(const std::string& name) {
    if (name == "unicode") return Blanks::unicode;
    return name == "ascii" ? Blanks::ascii : Blanks::space;
}

/// The texts' token ids, where each text starts, and whether every way to split would give the same.
nb::tuple encode(Vocabulary& vocabulary, nb::list lines, const std::string& blanks) {
    const Blanks between = blanks_named(blanks);
    std::vector<Token> ids;
    NewArray<std::int64_t> offsets(lines.size() + 1, 1);
    offsets.data[0] = 0;
    std::size_t i = 0;
    bool same_for_all = true;
    for (nb::handle line : lines) {
        same_for_all &= vocabulary.encode(utf8(line), between, ids);
        offsets.data[++i] = static_cast<std::int64_t>(ids.size());
    }
    NewArray<Token> copy(ids.size(), 1);
    if (!ids.empty()) std::memcpy(copy.data.get(), ids.data(), ids.size() * sizeof(Token));
    return nb::make_tuple(copy.release_flat(), offsets.release_flat(), same_for_all);
}

nb::list tokens(const Vocabulary& vocabulary) {
    nb::list all;
    for (std::size_t id = 0; id < vocabulary.size(); ++id) {
        const auto token = vocabulary[static_cast<Token>(id)];
        all.append(nb::str(token.data(), token.size()));
    }
    return all;
}

}  // namespace

void bind_text(nb::module_& module) {
    nb::class_<Vocabulary>(module, "Vocabulary", "Token strings to integers and back.")
        .def(nb::init<>())
        .def("encode", &encode, nb::arg("lines"), nb::kw_only(), nb::arg("blanks") = "unicode")
        .def("tokens", &tokens, "Every token, by id.")
        .def("__len__", &Vocabulary::size);
}

}  // namespace gecval
