#include "text/line_alignment.hpp"

#include <algorithm>
#include <cmath>

namespace gecval {

namespace {

using Cost = std::int32_t;

constexpr Cost kWord = 4, kBreak = 1, kOther = 7, kAlike = 2;
// A word and a line break apart are cheaper than one for the other, so this needs no rule of its own.
static_assert(kWord + kBreak < kOther);

enum class Step : std::uint8_t { both, source, output };

Cost alone(Token word) { return word == kLineBreak ? kBreak : kWord; }

class Rows {
public:
    Rows(const BrokenText& source, const BrokenText& output)
        : source_(source), output_(output), added_(output.words.size()), row_(added_.size() + 1), above_(row_) {
        for (std::size_t j = 0; j < added_.size(); ++j) {
            added_[j] = alone(output.words[j]);
            row_[j + 1] = row_[j] + added_[j];
        }
    }

    const std::vector<Cost>& row() const { return row_; }
    void restart(const std::vector<Cost>& row) { row_ = row; }

    /// The row of costs after one more word of the source.
    void advance(std::size_t i) {
        std::swap(row_, above_);
        const Token word = source_.words[i], stem = source_.stems[i];
        const Cost erased = alone(word);
        for (std::size_t j = 0; j < added_.size(); ++j) {
            row_[j + 1] = std::min(above_[j] + pair(word, stem, j), above_[j + 1] + erased);
        }
        row_[0] = above_[0] + erased;
        for (std::size_t j = 0; j < added_.size(); ++j) row_[j + 1] = std::min(row_[j + 1], row_[j] + added_[j]);
    }

    /// How each cell of the last row was reached.
    void steps(std::size_t i, Step* steps) const {
        const Token word = source_.words[i], stem = source_.stems[i];
        const Cost erased = alone(word);
        steps[0] = Step::source;
        for (std::size_t j = 0; j < added_.size(); ++j) {
            const Cost best = row_[j + 1];
            const Step otherwise = best == above_[j + 1] + erased ? Step::source : Step::output;
            steps[j + 1] = best == above_[j] + pair(word, stem, j) ? Step::both : otherwise;
        }
    }

private:
    Cost pair(Token word, Token stem, std::size_t j) const {
        const Cost different = stem == output_.stems[j] ? kAlike : kOther;
        return word == output_.words[j] ? 0 : different;
    }

    BrokenText source_, output_;
    std::vector<Cost> added_, row_, above_;
};

}  // namespace

// The steps of all cells would take memory for the product of both lengths. So every k-th row of costs is kept, and on
// the way back the steps of the k rows after it are found again: twice the time, and about √n rows of memory.
LinePlaces align_lines(const BrokenText& source, const BrokenText& output) {
    const std::size_t n = source.words.size(), width = output.words.size() + 1;
    const std::size_t block = static_cast<std::size_t>(std::sqrt(static_cast<double>(n))) + 1;
    Rows rows(source, output);
    std::vector<std::vector<Cost>> kept;
    for (std::size_t i = 0; i < n; ++i) {
        if (i % block == 0) kept.push_back(rows.row());
        rows.advance(i);
    }

    LinePlaces found{std::vector<std::int32_t>(n), std::vector<std::uint8_t>(n)};
    std::vector<Step> steps(std::min(block, n) * width);
    std::size_t j = width - 1;
    for (std::size_t first = kept.size() * block; first > 0;) {
        first -= block;
        const std::size_t end = std::min(first + block, n);
        rows.restart(kept[first / block]);
        for (std::size_t i = first; i < end; ++i) {
            rows.advance(i);
            rows.steps(i, steps.data() + (i - first) * width);
        }
        for (std::size_t i = end; i > first;) {
            const Step step = steps[(i - 1 - first) * width + j];
            if (step == Step::output) {
                --j;
                continue;
            }
            --i;
            found.places[i] = static_cast<std::int32_t>(j);
            found.paired[i] = step == Step::both;
            if (step == Step::both) --j;
        }
    }
    return found;
}

}  // namespace gecval
