#include <nanobind/stl/string.h>

#include <utility>
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

/// The same memory as a numpy array.
nb::object to_numpy(std::vector<Token> ids) {
    auto* kept = new std::vector<Token>(std::move(ids));
    nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<Token>*>(p); });
    return nb::cast(nb::ndarray<nb::numpy, Token, nb::ndim<1>>(kept->data(), {kept->size()}, owner));
}

/// The texts' token ids, and where each text starts.
nb::tuple encode(Vocabulary& vocabulary, nb::list lines, bool ascii) {
    const Blanks blanks = ascii ? Blanks::ascii : Blanks::unicode;
    std::vector<Token> ids;
    NewArray<std::int64_t> offsets(lines.size() + 1, 1);
    offsets.data[0] = 0;
    std::size_t i = 0;
    for (nb::handle line : lines) {
        vocabulary.encode(utf8(line), blanks, ids);
        offsets.data[++i] = static_cast<std::int64_t>(ids.size());
    }
    return nb::make_tuple(to_numpy(std::move(ids)), offsets.release_flat());
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
        .def("encode", &encode, nb::arg("lines"), nb::kw_only(), nb::arg("ascii") = false)
        .def("tokens", &tokens, "Every token, by id.")
        .def("__len__", &Vocabulary::size);
}

}  // namespace gecval
