// Edits as rows of integers, as Python hands them over and the M2 reader makes them: no object for each of millions.
#pragma once

#include "text/tokens.hpp"

namespace gecval {

/// Source tokens start .. end become one of the alternatives in entry `corrections` of a list; `type` is in another.
struct EditRow {
    Token start, end, corrections, type, required;
};

/// The edits of each reference: row begin .. end. Two references may share rows.
struct EditTable {
    struct Span {
        std::int64_t begin, end;
    };

    std::span<const Span> spans;
    std::span<const EditRow> rows;

    std::span<const EditRow> operator[](std::size_t reference) const {
        const auto [begin, end] = spans[reference];
        return rows.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin));
    }
};

}  // namespace gecval
