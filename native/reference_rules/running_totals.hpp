// Totals of many lists of sentences under the running choice of annotator (best_by_running_total.hpp). What no list can
// choose is left out before.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "reference_rules/best_by_running_total.hpp"

namespace gecval {

constexpr double kClearly = 1e-3;

/// Whether counts with the merits a are preferred to those with b, whatever is summed before. They must differ clearly,
/// so that no rounding makes F of the better totals the lower one, or makes a tie of what is none.
inline bool always_ahead(const Merits& a, const Merits& b) {
    for (std::size_t k = 0; k < a.size(); ++k) {
        if (a[k] != b[k] && !(a[k] - b[k] > kClearly)) return false;
    }
    return a != b;
}

/// Whether merits are the same but for rounding, or differ clearly. Where they are neither, a row can tie with two
/// others that do not tie with each other. Then a row that is not chosen can still decide which one is.
inline bool same_or_clear(const Merits& a, const Merits& b) {
    constexpr double rounding = 1e-12;
    for (std::size_t k = 0; k < a.size(); ++k) {
        const double difference = std::abs(a[k] - b[k]);
        if (difference > rounding && difference <= kClearly) return false;
    }
    return true;
}

/// Lists of at most `longest` sentences, each of which chooses its rows. A row that is never chosen, since another of
/// its sentence equals it or is always ahead, is left out from the start.
template <class Preference>
class RunningTotals {
public:
    using Counts = typename Preference::Counts;

    RunningTotals(const Counts* rows, const Slots& of, const Preference& prefers, std::size_t longest)
        : prefers_(prefers) {
        const bool small = add_up_to_small_numbers(rows, of, static_cast<double>(longest));
        offsets_.reserve(of.size + 1);
        offsets_.push_back(0);
        for (std::size_t i = 0; i < of.size; ++i) {
            const std::size_t begin = rows_.size();
            const bool leaves_out = small && ties_are_clear(rows + of.begin(i), rows + of.end(i));
            for (std::size_t r = of.begin(i); r < of.end(i); ++r) {
                const auto same = [&](const Counts& kept) { return kept == rows[r]; };
                const auto ahead = [&](const Counts& other) { return is_always_ahead(other, rows[r]); };
                if (std::none_of(rows_.begin() + static_cast<std::ptrdiff_t>(begin), rows_.end(), same) &&
                    !(leaves_out && std::any_of(rows + of.begin(i), rows + of.end(i), ahead)))
                    rows_.push_back(rows[r]);
            }
            offsets_.push_back(rows_.size());
        }
    }

    /// Totals with sentence i after `totals`.
    Counts with(const Counts& totals, std::size_t i) const {
        const std::size_t begin = offsets_[i], end = offsets_[i + 1];
        const bool single = end - begin == 1;
        return totals + rows_[single ? begin : preferred_row(begin, end, rows_.data(), totals, prefers_)];
    }

private:
    static constexpr bool has_merits = requires(Preference p, Counts c) { p.merits(c); };

    /// Whether totals are so small that F of clearly better ones is higher as a floating-point number too.
    bool add_up_to_small_numbers(const Counts* rows, const Slots& of, double longest) const {
        if constexpr (has_merits) {
            constexpr double most = 1 << 20;
            const auto small = [&](const Counts& c) {
                const auto [helps, harms, harms_too] = prefers_.merits(c);
                return helps >= 0 && harms <= 0 && harms_too <= 0 && prefers_.possible(c) &&
                       longest * std::max({helps, -harms, -harms_too}) <= most;
            };
            return prefers_.beta >= 0.1 && prefers_.beta <= 10 && of.size > 0 &&
                   std::all_of(rows + of.begin(0), rows + of.end(of.size - 1), small);
        }
        return false;
    }

    bool is_always_ahead(const Counts& a, const Counts& b) const {
        if constexpr (has_merits) return always_ahead(prefers_.merits(a), prefers_.merits(b));
        return false;
    }

    /// Whether all ties between rows of a sentence are those of equal ones.
    bool ties_are_clear(const Counts* begin, const Counts* end) const {
        if constexpr (has_merits && requires(Counts c) { c.wins_tie(c); }) {
            return std::all_of(begin, end, [&](const Counts& a) {
                return std::all_of(
                    begin, end, [&](const Counts& b) { return same_or_clear(prefers_.merits(a), prefers_.merits(b)); });
            });
        }
        return true;
    }

    Preference prefers_;
    std::vector<Counts> rows_;
    std::vector<std::size_t> offsets_;
};

}  // namespace gecval
