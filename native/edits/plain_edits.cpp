#include "edits/plain_edits.hpp"

#include <algorithm>
#include <numeric>

namespace gecval {

namespace {

constexpr double kSimilar = 0.6;                          // from here on two words are spellings of one
constexpr int kMatch = 0, kSubstitute = 1, kReorder = 4;  // operations of WordStep

}  // namespace

void PlainEdits::operator()(Sentence source, Sentence corrected, std::vector<PlainEdit>& edits) {
    const auto different = std::ranges::mismatch(source, corrected).in1;
    const auto common = static_cast<std::size_t>(different - source.begin());
    source_ = source.subspan(common);
    corrected_ = corrected.subspan(common);
    offset_ = static_cast<Token>(common);
    edits_ = &edits;
    if (source_.size() * corrected_.size() > kMostCells) {  // hundreds of words without a common one: a rewrite
        edits.push_back({offset_, static_cast<Token>(source.size()), offset_, static_cast<Token>(corrected.size())});
        return;
    }
    // Equal words match whatever the cost, and the search runs backwards. So the common end needs no search.
    while (!source_.empty() && !corrected_.empty() && source_.back() == corrected_.back()) {
        source_ = source_.first(source_.size() - 1);
        corrected_ = corrected_.first(corrected_.size() - 1);
    }
    const auto steps = this->steps();
    for (auto step = steps.begin(); step != steps.end();) {
        const auto apart = [](const WordStep& s) { return s.operation == kMatch || s.operation >= kReorder; };
        const auto end = std::find_if(step, steps.end(), apart);
        if (step != end) add_parts({step, end});
        step = end;
        if (step == steps.end()) break;
        if (step->operation >= kReorder) add({step, step + 1});
        ++step;
    }
}

/// Substitutions cost 1, and a little more for unlike spelling: so little that a longer sequence of edits never wins.
std::vector<WordStep> PlainEdits::steps() {
    const std::size_t n = source_.size(), m = corrected_.size();
    unlike_.resize(n * m);
    costs_.resize(n * m);
    for (std::size_t i = 0; i < n; ++i) {
        const Sentence word = words_.letters[static_cast<std::size_t>(source_[i])];
        common_letters_.take(word);
        for (std::size_t j = 0; j < m; ++j) {
            const Sentence other = words_.letters[static_cast<std::size_t>(corrected_[j])];
            const std::size_t all = word.size() + other.size(), apart = all - 2 * common_letters_.with(other);
            unlike_[i * m + j] = all == 0 ? 0 : static_cast<double>(apart) / static_cast<double>(all);
            costs_[i * m + j] = 1 + unlike_[i * m + j] / static_cast<double>(2 * (n + m));
        }
    }
    kinds_.resize(std::max(n, m));
    std::iota(kinds_.begin(), kinds_.end(), 0);
    number_lower_case();
    const Sentence lower(lower_), kinds(kinds_);
    return word_steps({source_, corrected_, lower.first(n), lower.subspan(n)},
                      {kinds.first(n), kinds.first(m), costs_.data(), m});
}

/// Numbers of lower-case words, counted from 0 in this pair.
void PlainEdits::number_lower_case() {
    lower_.clear();
    for (const Sentence words : {source_, corrected_}) {
        for (const Token word : words) lower_.push_back(words_.lower[static_cast<std::size_t>(word)]);
    }
    lower_numbers_ = lower_;
    std::ranges::sort(lower_numbers_);
    lower_numbers_.erase(std::ranges::unique(lower_numbers_).begin(), lower_numbers_.end());
    for (Token& word : lower_) {
        word = static_cast<Token>(std::ranges::lower_bound(lower_numbers_, word) - lower_numbers_.begin());
    }
}

/// A run of changes in parts, each of which is one edit.
void PlainEdits::add_parts(Run run) {
    // What lies before a part has no part as long as this one: calls are nested for each length once, and what lies
    // after it needs none.
    for (Run part; run.size() > 1 && (respaced(run, part) || recased(run, part));) {
        const auto first = static_cast<std::size_t>(part.data() - run.data());
        add_parts(run.first(first));
        add(part);
        run = run.subspan(first + part.size());
    }
    for (std::size_t first = 0, end = 0; first < run.size(); first = end) {
        const bool alike = similar(run[first]);
        bool alone = true;  // only substitutions
        for (end = first; end < run.size() && similar(run[end]) == alike; ++end) {
            alone = alone && run[end].operation == kSubstitute;
        }
        if (alone) {
            for (std::size_t k = first; k < end; ++k) add(run.subspan(k, 1));
        } else {
            add(run.subspan(first, end - first));
        }
    }
}

void PlainEdits::add(Run part) {
    edits_->push_back({offset_ + part.front().start, offset_ + part.back().end, offset_ + part.front().start_corrected,
                       offset_ + part.back().end_corrected});
}

/// The longest part of a run, of several the first, that has the same letters on both sides.
bool PlainEdits::respaced(Run run, Run& part) {
    before_.clear();
    after_.clear();
    before_starts_.assign(1, 0);
    after_starts_.assign(1, 0);
    const auto append = [&](std::vector<Token>& letters, Sentence words, int start, int end) {
        for (int i = start; i < end; ++i) {
            const Sentence bare = words_.bare[static_cast<std::size_t>(words[static_cast<std::size_t>(i)])];
            letters.insert(letters.end(), bare.begin(), bare.end());
        }
    };
    for (const WordStep& step : run) {
        append(before_, source_, step.start, step.end);
        append(after_, corrected_, step.start_corrected, step.end_corrected);
        before_starts_.push_back(before_.size());
        after_starts_.push_back(after_.size());
    }
    const auto letters = [](const std::vector<Token>& all, const std::vector<std::size_t>& starts, std::size_t first,
                            std::size_t end) {
        return Sentence(all).subspan(starts[first], starts[end] - starts[first]);
    };
    // The same letters are equally many: a part lies between places before which one side has so many more letters.
    // These alone are tried, since a run may be a text of any length that was put in or left out.
    const auto excess = [&](std::size_t place) { return before_starts_[place] - after_starts_[place]; };
    places_.resize(run.size() + 1);
    std::iota(places_.begin(), places_.end(), std::size_t{0});
    std::ranges::stable_sort(places_, {}, excess);
    std::size_t longest = 1, at = 0;
    for (std::size_t begin = 0, end = 0; begin < places_.size(); ++begin) {
        const std::size_t first = places_[begin];
        while (end < places_.size() && excess(places_[end]) == excess(first)) ++end;
        for (std::size_t k = end; --k > begin;) {
            const std::size_t length = places_[k] - first;
            if (length < longest || (length == longest && first >= at)) break;
            if (std::ranges::equal(letters(before_, before_starts_, first, places_[k]),
                                   letters(after_, after_starts_, first, places_[k]))) {
                longest = length;
                at = first;
                break;
            }
        }
    }
    part = run.subspan(at, longest);
    return longest > 1;
}

/// The first change of punctuation that is followed by a change of case only.
bool PlainEdits::recased(Run run, Run& part) const {
    const auto lower = [&](Sentence words, int i) {
        return words_.lower[static_cast<std::size_t>(words[static_cast<std::size_t>(i)])];
    };
    for (std::size_t k = 1; k < run.size(); ++k) {
        const WordStep& word = run[k];
        if (word.operation != kSubstitute || !is_punctuation(run[k - 1])) continue;
        if (lower(source_, word.start) == lower(corrected_, word.start_corrected)) {
            part = run.subspan(k - 1, 2);
            return true;
        }
    }
    return false;
}

bool PlainEdits::similar(const WordStep& step) const {
    if (step.operation != kSubstitute) return false;
    const auto i = static_cast<std::size_t>(step.start), j = static_cast<std::size_t>(step.start_corrected);
    return 1 - unlike_[i * corrected_.size() + j] >= kSimilar;
}

bool PlainEdits::is_punctuation(const WordStep& step) const {
    const auto all = [&](Sentence words, int start, int end) {
        for (int i = start; i < end; ++i) {
            if (!words_.punctuation[static_cast<std::size_t>(words[static_cast<std::size_t>(i)])]) return false;
        }
        return true;
    };
    return all(source_, step.start, step.end) && all(corrected_, step.start_corrected, step.end_corrected);
}

}  // namespace gecval
