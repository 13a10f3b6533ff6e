// What the binding files share: numpy arrays in, numpy arrays out.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "edits/edit_table.hpp"
#include "text/tokens.hpp"
#include "text/vocabulary.hpp"

namespace gecval {

namespace nb = nanobind;

template <class Value>
using Array1 = nb::ndarray<const Value, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class Value>
using Array2 = nb::ndarray<const Value, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
template <class Value>
using Array3 = nb::ndarray<const Value, nb::ndim<3>, nb::c_contig, nb::device::cpu>;
using Ids = Array1<Token>;
using Offsets = Array1<std::int64_t>;
using EditSpans = Array2<std::int64_t>;  // [reference, 2]
using EditRows = Array2<Token>;          // [edit, 5]

/// Offsets rise and end within the ids: nothing beyond these is ever read.
inline Texts texts(const Ids& ids, const Offsets& offsets) {
    if (offsets.shape(0) == 0) throw nb::value_error("there are no offsets");
    std::int64_t before = 0;
    for (std::size_t i = 0; i < offsets.shape(0); ++i) {
        if (offsets(i) < before || static_cast<std::size_t>(offsets(i)) > ids.shape(0))
            throw nb::value_error("the offsets do not fit the ids");
        before = offsets(i);
    }
    return {ids.data(), offsets.data(), offsets.shape(0) - 1};
}
inline Slots slots(const Offsets& offsets) { return {offsets.data(), offsets.shape(0) - 1}; }
inline EditTable edit_table(const EditSpans& spans, const EditRows& rows) {
    return {{reinterpret_cast<const EditTable::Span*>(spans.data()), spans.shape(0)},
            {reinterpret_cast<const EditRow*>(rows.data()), rows.shape(0)}};
}

/// The slots of a table that may come from a user's own metric: nothing beyond its rows is ever read.
template <class Value>
Slots slots_within(const Offsets& offsets, const Array2<Value>& rows, std::size_t columns) {
    if (rows.shape(1) != columns) throw nb::value_error("the rows have a wrong number of columns");
    if (offsets.shape(0) == 0) throw nb::value_error("there are no offsets");
    const Slots of = slots(offsets);
    for (std::size_t i = 0; i < of.size; ++i) {
        // As unsigned numbers, so that a negative offset is beyond the rows too.
        if (of.begin(i) >= of.end(i) || of.end(i) > rows.shape(0))
            throw nb::value_error("the offsets do not fit the rows");
    }
    return of;
}

template <class Draws>
void check_draws(const Draws& draws, const Slots& of) {
    for (std::size_t k = 0; k < draws.size(); ++k) {
        if (static_cast<std::size_t>(draws.data()[k]) >= of.size)
            throw nb::value_error("there is no sentence of that number");
    }
}

/// The value that goes by that name; a name that is none of the choices is refused, with all of them.
template <class Value, std::size_t count>
Value named(const char* parameter, std::string_view name, const std::pair<std::string_view, Value> (&choices)[count]) {
    std::string listed;
    for (std::size_t k = 0; k < count; ++k) {
        if (name == choices[k].first) return choices[k].second;
        listed.append(k == 0 ? "" : k + 1 < count ? ", " : " or ").append(choices[k].first);
    }
    throw nb::value_error(std::string(parameter).append(" must be ").append(listed).c_str());
}

/// A numpy array that owns its memory; left uninitialised.
template <class Value>
struct NewArray {
    NewArray(std::size_t of_rows, std::size_t of_columns)
        : rows(of_rows), columns(of_columns), data(new Value[of_rows * of_columns]) {}

    nb::object release() {
        Value* values = data.release();
        nb::capsule owner(values, [](void* p) noexcept { delete[] static_cast<Value*>(p); });
        return nb::cast(nb::ndarray<nb::numpy, Value, nb::ndim<2>>(values, {rows, columns}, owner));
    }
    nb::object release_flat() {
        Value* values = data.release();
        nb::capsule owner(values, [](void* p) noexcept { delete[] static_cast<Value*>(p); });
        return nb::cast(nb::ndarray<nb::numpy, Value, nb::ndim<1>>(values, {rows * columns}, owner));
    }

    std::size_t rows, columns;
    std::unique_ptr<Value[]> data;
};

/// The same memory as a numpy array.
template <class Value>
nb::object to_numpy(std::vector<Value> values) {
    auto* kept = new std::vector<Value>(std::move(values));
    nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<Value>*>(p); });
    return nb::cast(nb::ndarray<nb::numpy, Value, nb::ndim<1>>(kept->data(), {kept->size()}, owner));
}

/// One array of all parts, one after the other; each part is freed once it is copied.
template <class Value>
std::vector<Value> joined(std::vector<std::vector<Value>> parts) {
    std::size_t size = 0;
    for (const auto& part : parts) size += part.size();
    std::vector<Value> all;
    all.reserve(size);
    for (auto& part : parts) {
        all.insert(all.end(), part.begin(), part.end());
        part = {};
    }
    return all;
}

/// Every token, by id.
nb::list tokens(const Vocabulary& vocabulary);

void bind_alignment(nb::module_& module);
void bind_cleme(nb::module_& module);
void bind_edits(nb::module_& module);
void bind_imeasure(nb::module_& module);
void bind_m2_file(nb::module_& module);
void bind_max_match(nb::module_& module);
void bind_ngrams(nb::module_& module);
void bind_plain_edits(nb::module_& module);
void bind_processes(nb::module_& module);
void bind_resampling(nb::module_& module);
void bind_rules(nb::module_& module);
void bind_text(nb::module_& module);
void bind_trueskill(nb::module_& module);

}  // namespace gecval
