#include <nanobind/stl/string.h>

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "bindings/bindings.hpp"
#include "bindings/parallel.hpp"

namespace gecval {

namespace {

constexpr const char* kHalves = "surrogatepass";

/// The bytes of a text. Half of a surrogate pair, which UTF-8 lacks, counts as a letter; its bytes are in `made`.
std::string_view utf8(nb::handle text, std::vector<nb::bytes>& made) {
    Py_ssize_t size = 0;
    if (const char* bytes = PyUnicode_AsUTF8AndSize(text.ptr(), &size)) return {bytes, static_cast<std::size_t>(size)};
    if (!PyErr_ExceptionMatches(PyExc_UnicodeEncodeError)) throw nb::python_error();
    PyErr_Clear();
    PyObject* encoded = PyUnicode_AsEncodedString(text.ptr(), "utf-8", kHalves);
    if (!encoded) throw nb::python_error();
    made.push_back(nb::steal<nb::bytes>(encoded));
    return {made.back().c_str(), made.back().size()};
}

Blanks blanks_named(const std::string& name) {
    return named<Blanks>("blanks", name,
                         {{"unicode", Blanks::unicode}, {"ascii", Blanks::ascii}, {"space", Blanks::space}});
}

/// The texts' token ids, where each text starts, and whether every way to split would give the same.
nb::tuple result(std::vector<Token> ids, std::vector<std::int64_t> sizes, bool same_for_all) {
    std::partial_sum(sizes.begin(), sizes.end(), sizes.begin());
    return nb::make_tuple(to_numpy(std::move(ids)), to_numpy(std::move(sizes)), same_for_all);
}

/// A stretch of the texts, which one thread encodes by a vocabulary of its own.
struct Part {
    Vocabulary words;
    std::vector<Token> ids;
    bool same_for_all = true;
};

nb::tuple encode(Vocabulary& vocabulary, nb::list lines, const std::string& blanks, int jobs) {
    constexpr std::size_t smallest_part = 4096;    // texts
    constexpr std::size_t most_at_once = 1 << 20;  // bytes: milliseconds
    const Blanks between = blanks_named(blanks);
    std::vector<nb::bytes> made;
    std::vector<std::string_view> texts;
    texts.reserve(lines.size());
    std::size_t bytes = 0;
    for (nb::handle line : lines) {
        texts.push_back(utf8(line, made));
        bytes += texts.back().size();
    }
    std::vector<std::int64_t> sizes(texts.size() + 1);
    const auto encode_text = [&](std::size_t i, Vocabulary& words, std::vector<Token>& ids) {
        const std::size_t before = ids.size();
        const bool same_for_all = words.encode(texts[i], between, ids);
        sizes[i + 1] = static_cast<std::int64_t>(ids.size() - before);
        return same_for_all;
    };

    // A few parts for each thread, so that nobody waits long for the last.
    const std::size_t most_parts = jobs > 1 ? 4 * static_cast<std::size_t>(jobs) : 1;
    const auto count = std::clamp<std::size_t>(texts.size() / smallest_part, 1, most_parts);
    if (count == 1 && bytes <= most_at_once) {
        std::vector<Token> ids;
        bool same_for_all = true;
        for (std::size_t i = 0; i < texts.size(); ++i) same_for_all &= encode_text(i, vocabulary, ids);
        return result(std::move(ids), std::move(sizes), same_for_all);
    }
    // More would keep Python's other threads waiting. They may use this vocabulary meanwhile, so that parts need their
    // own.
    std::vector<Part> parts(count);
    const auto for_each_part = [&](auto work) {
        nb::gil_scoped_release release;
        parallel_for(parts.size(), jobs, [&] { return work; }, 1);
    };
    for_each_part([&](std::size_t p) {
        Part& part = parts[p];
        const std::size_t end = texts.size() * (p + 1) / parts.size();
        for (std::size_t i = texts.size() * p / parts.size(); i < end; ++i) {
            part.same_for_all &= encode_text(i, part.words, part.ids);
        }
    });
    // Taken in by the order of the texts, tokens get the ids that a single thread would give them.
    std::vector<std::vector<Token>> renumbered;
    for (const Part& part : parts) renumbered.push_back(vocabulary.add(part.words));
    for_each_part([&](std::size_t p) {
        for (Token& id : parts[p].ids) id = renumbered[p][static_cast<std::size_t>(id)];
    });
    std::vector<std::vector<Token>> ids;
    for (Part& part : parts) ids.push_back(std::move(part.ids));
    return result(joined(std::move(ids)), std::move(sizes), std::ranges::all_of(parts, &Part::same_for_all));
}

}  // namespace

nb::list tokens(const Vocabulary& vocabulary) {
    nb::list all;
    for (std::size_t id = 0; id < vocabulary.size(); ++id) {
        const auto token = vocabulary[static_cast<Token>(id)];
        all.append(nb::steal(PyUnicode_DecodeUTF8(token.data(), static_cast<Py_ssize_t>(token.size()), kHalves)));
    }
    return all;
}

void bind_text(nb::module_& module) {
    nb::class_<Vocabulary>(module, "Vocabulary", "Token strings to integers and back.")
        .def(nb::init<>())
        .def("encode", &encode, nb::arg("lines"), nb::kw_only(), nb::arg("blanks") = "unicode", nb::arg("jobs") = 1)
        .def("tokens", &tokens, "Every token, by id.")
        .def("__len__", &Vocabulary::size);
}

}  // namespace gecval
