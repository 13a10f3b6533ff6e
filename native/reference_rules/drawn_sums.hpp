// Sums over lists of sentences, such as resamples, where every repetition draws one row of each sentence.
//
//     sum[k][b][j] = base[b][k] + Σᵢ weight[b][i] · difference[i, choice[i][j]][k]
//
// A difference is that of a row to the first row of its sentence. Instead of one product per sentence, some sentences
// are a group: a table holds what each combination of their choices adds to a few lists, and a repetition looks it up.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "text/tokens.hpp"

namespace gecval {

/// What is summed. Where several systems' rows lie one after the other, they share the choices of a sentence.
template <class Number>
struct DrawnRows {
    const Number* differences;  // [row, column]
    Slots of;
    std::size_t columns;
    const std::uint16_t* choices;  // [sentence, repetition]
    std::size_t sentences, repetitions;
};

/// Adds up one column over a few lists at a time.
template <class Number>
class DrawnSums {
public:
    static constexpr std::size_t lanes =
        128 / sizeof(Number);  // lists at a time; a row of the table is two cache lines
    using Lanes = std::array<Number, lanes>;

    explicit DrawnSums(const DrawnRows<Number>& rows)
        : rows_(rows), most_(std::clamp<std::size_t>(rows.repetitions / 8, 1, 64)), sums_(rows.repetitions),
          combination_(rows.repetitions) {}

    /// The sums of each repetition, for lists whose weights are weights[sentence].
    const std::vector<Lanes>& operator()(std::size_t column, const std::vector<Lanes>& weights) {
        std::fill(sums_.begin(), sums_.end(), Lanes{});
        start_group();
        for (std::size_t i = 0; i < rows_.sentences; ++i) {
            if (!add_up(i, column, weights)) continue;  // all its references count the same
            if (table_.size() > 1 && table_.size() * (added_.size() + 1) > most_) end_group();
            const std::size_t combinations = table_.size();
            table_.resize(combinations * (added_.size() + 1));
            for (std::size_t t = combinations; t < table_.size(); ++t) {
                table_[t] = table_[t % combinations];
                add(table_[t], added_[t / combinations - 1]);
            }
            const std::uint16_t* choices = rows_.choices + i * rows_.repetitions;
            const auto stride = static_cast<std::uint16_t>(combinations);
            for (std::size_t j = 0; j < rows_.repetitions; ++j)
                combination_[j] = static_cast<std::uint16_t>(combination_[j] + stride * choices[j]);
        }
        end_group();
        return sums_;
    }

private:
    /// What the references of a sentence but the first add; false if they add nothing.
    bool add_up(std::size_t sentence, std::size_t column, const std::vector<Lanes>& weights) {
        added_.assign(rows_.of.end(sentence) - rows_.of.begin(sentence) - 1, Lanes{});
        bool any = false;
        for (std::size_t i = sentence; i < rows_.of.size; i += rows_.sentences) {
            const std::size_t first = rows_.of.begin(i);
            for (std::size_t c = 0; c < added_.size(); ++c) {
                const Number difference = rows_.differences[(first + 1 + c) * rows_.columns + column];
                if (difference == 0) continue;
                any = true;
                for (std::size_t l = 0; l < lanes; ++l)
                    added_[c][l] = static_cast<Number>(added_[c][l] + weights[i][l] * difference);
            }
        }
        return any;
    }

    void start_group() {
        table_.assign(1, Lanes{});
        std::fill(combination_.begin(), combination_.end(), 0);
    }

    void end_group() {
        if (table_.size() > 1) {
            for (std::size_t j = 0; j < rows_.repetitions; ++j) add(sums_[j], table_[combination_[j]]);
        }
        start_group();
    }

    static void add(Lanes& sums, const Lanes& added) {
        for (std::size_t l = 0; l < lanes; ++l) sums[l] = static_cast<Number>(sums[l] + added[l]);
    }

    DrawnRows<Number> rows_;
    std::size_t most_;  // combinations in a table: to make it must take less time than to look it up
    std::vector<Lanes> sums_, table_, added_;
    std::vector<std::uint16_t> combination_;
};

/// All sums [column, list, repetition]; base is [list, column], weights are [list, sentence].
template <class Number>
void drawn_sums(const DrawnRows<Number>& rows, const double* base, const Number* weights, std::size_t lists,
                double* sums) {
    DrawnSums<Number> sum(rows);
    constexpr std::size_t lanes = DrawnSums<Number>::lanes, near = 64;
    std::vector<typename DrawnSums<Number>::Lanes> of_lists(rows.of.size);
    for (std::size_t first = 0; first < lists; first += lanes) {
        const std::size_t some = std::min(lanes, lists - first);
        for (std::size_t l = 0; l < some; ++l) {
            for (std::size_t i = 0; i < rows.of.size; ++i) of_lists[i][l] = weights[(first + l) * rows.of.size + i];
        }
        for (std::size_t k = 0; k < rows.columns; ++k) {
            const auto& of_column = sum(k, of_lists);
            for (std::size_t begin = 0; begin < rows.repetitions; begin += near) {  // what is read stays at hand
                const std::size_t end = std::min(begin + near, rows.repetitions);
                for (std::size_t l = 0; l < some; ++l) {
                    const double of_list = base[(first + l) * rows.columns + k];
                    double* to = sums + (k * lists + first + l) * rows.repetitions;
                    for (std::size_t j = begin; j < end; ++j) to[j] = of_list + of_column[j][l];
                }
            }
        }
    }
}

}  // namespace gecval
