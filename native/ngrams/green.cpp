// GREEN (Koyama 2024). With s, r, c the counts of an n-gram in source, reference and hypothesis:
//     right:    kept min(s, r, c), deleted max(s − max(r, c), 0), inserted max(min(r, c) − s, 0)
//     too much: deleted max(min(s, r) − c, 0), inserted max(c − max(s, r), 0)
//     too little: deleted max(min(s, c) − r, 0), inserted max(r − max(s, c), 0)
// A row against one reference: right, too much and too little, for each order n.
#include <algorithm>

#include "ngrams/ngrams.hpp"

namespace gecval {

void green_statistics(NgramCounter& counter, Sentence source, Sentence hypothesis, std::span<const Sentence> references,
                      std::size_t orders, double* rows) {
    std::vector<Sentence> group{source, hypothesis};
    group.insert(group.end(), references.begin(), references.end());
    counter.read(group);
    for (std::size_t n = 0; n < orders; ++n) {
        counter.next_order();
        const auto in_source = counter.counts(0), in_hypothesis = counter.counts(1);
        for (std::size_t r = 0; r < references.size(); ++r) {
            const auto in_reference = counter.counts(2 + r);
            std::int64_t right = 0, too_much = 0, too_little = 0;
            for (std::size_t g = 0; g < counter.types(); ++g) {
                const std::int64_t s = in_source[g], c = in_hypothesis[g], t = in_reference[g];
                const std::int64_t zero = 0;
                right += std::min({s, t, c}) + std::max(s - std::max(t, c), zero) + std::max(std::min(t, c) - s, zero);
                too_much += std::max(std::min(s, t) - c, zero) + std::max(c - std::max(s, t), zero);
                too_little += std::max(std::min(s, c) - t, zero) + std::max(t - std::max(s, c), zero);
            }
            double* counts = rows + (r * orders + n) * kGreenCounts;
            counts[0] = static_cast<double>(right);
            counts[1] = static_cast<double>(too_much);
            counts[2] = static_cast<double>(too_little);
        }
    }
}

}  // namespace gecval
