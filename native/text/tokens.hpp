// Sentences as integers. Python hands over one flat array of token ids and the offsets of its sentences;
// the kernels see each sentence as a span.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace gecval {

using Token = std::int32_t;
using Sentence = std::span<const Token>;

/// A ragged array: part i is values[offsets[i] .. offsets[i + 1]).
template <class Value>
struct Ragged {
    const Value* values = nullptr;
    const std::int64_t* offsets = nullptr;
    std::size_t size = 0;

    std::span<const Value> operator[](std::size_t i) const {
        return {values + offsets[i], static_cast<std::size_t>(offsets[i + 1] - offsets[i])};
    }
};

using Texts = Ragged<Token>;

/// Which rows of a flat array belong to sentence i: begin(i) .. end(i).
struct Slots {
    const std::int64_t* offsets = nullptr;
    std::size_t size = 0;

    std::size_t begin(std::size_t i) const { return static_cast<std::size_t>(offsets[i]); }
    std::size_t end(std::size_t i) const { return static_cast<std::size_t>(offsets[i + 1]); }
};

}  // namespace gecval
