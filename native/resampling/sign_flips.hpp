// Sums of contributions under random signs, for the studentised test of paired differences.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace gecval {

/// The sum of each trial: a byte of signs chooses, in the table of each eight contributions, what they add up to.
/// tables is [group, 256], signs is [group, trial]. Groups are added in their order, so that a sum has the same bits as
/// one that is added up alone.
inline void sign_flip_sums(const double* tables, const std::uint8_t* signs, std::size_t groups, std::size_t trials,
                           double* sums) {
    constexpr std::size_t near = 2048;  // trials at a time: their sums stay next to the processor
    std::fill(sums, sums + trials, 0.0);
    for (std::size_t begin = 0; begin < trials; begin += near) {
        const std::size_t end = std::min(begin + near, trials);
        for (std::size_t g = 0; g < groups; ++g) {
            const double* table = tables + g * 256;
            const std::uint8_t* of_group = signs + g * trials;
            for (std::size_t t = begin; t < end; ++t) sums[t] += table[of_group[t]];
        }
    }
}

}  // namespace gecval
