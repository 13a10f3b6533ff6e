// SARI (Xu et al. 2016). With R references, S, C and G the n-gram counts of source, hypothesis and all references:
//     keep:   K = min(R·S, R·C),  good = min(K, G),  wanted = min(R·S, G)
//     delete: D = R·S − R·C,      good = D − G,      wanted = R·S − G
//     add:    types of C not in S, good = those in G, wanted = types of G not in S
// SARI.py averages ratios over n-gram types. The corpus form adds up the counts themselves, and a deletion is good as
// far as it is wanted: good = min(D, R·S − G), as in EASSE.
#include <algorithm>

#include "ngrams/ngrams.hpp"

namespace gecval {

namespace {

/// Good against proposed, and good against wanted; the two "good" differ where ratios are averaged over types.
struct Operation {
    double good_of_proposed = 0, proposed = 0, good_of_wanted = 0, wanted = 0;

    void add(SariForm form, double good, double offered, double asked) {
        if (form == SariForm::corpus) {
            good_of_proposed += good;
            proposed += offered;
            good_of_wanted += good;
            wanted += asked;
            return;
        }
        if (offered > 0) {
            good_of_proposed += good / offered;
            proposed += 1;
        }
        if (asked > 0) {
            good_of_wanted += good / asked;
            wanted += 1;
        }
    }
    double precision() const { return proposed > 0 ? good_of_proposed / proposed : 0; }
    double recall() const { return wanted > 0 ? good_of_wanted / wanted : 0; }
    double f1() const {
        const double p = precision(), r = recall();
        return p + r > 0 ? 2 * p * r / (p + r) : 0;
    }
};

struct Operations {
    Operation keep, remove, add;
};

/// The references are sentences first … last of the counter, after source (0) and hypothesis (1).
Operations compare(const NgramCounter& counter, SariForm form, std::size_t first, std::size_t last) {
    Operations total;
    const double references = static_cast<double>(last - first);
    for (std::size_t g = 0; g < counter.types(); ++g) {
        double in_references = 0;
        for (std::size_t r = first; r < last; ++r) in_references += counter.count(r, g);
        const double in_source = references * counter.count(0, g);
        const double in_hypothesis = references * counter.count(1, g);

        const double kept = std::min(in_source, in_hypothesis);
        total.keep.add(form, std::min(kept, in_references), kept, std::min(in_source, in_references));
        const double deleted = std::max(in_source - in_hypothesis, 0.0);
        const double unwanted = std::max(in_source - in_references, 0.0);
        const double deleted_well =
            form == SariForm::corpus ? std::min(deleted, unwanted) : std::max(deleted - in_references, 0.0);
        total.remove.add(form, deleted_well, deleted, unwanted);
        if (in_source == 0) {
            const double added = in_hypothesis > 0, wanted = in_references > 0;
            total.add.add(form, added * wanted, added, wanted);
        }
    }
    return total;
}

}  // namespace

void sari_statistics(NgramCounter& counter, Sentence source, Sentence hypothesis, std::span<const Sentence> references,
                     std::size_t orders, SariForm form, bool pooled, double* rows) {
    std::vector<Sentence> group{source, hypothesis};
    group.insert(group.end(), references.begin(), references.end());
    counter.read(group);
    const std::size_t columns = form == SariForm::tool ? 4 : kSariCounts * orders;
    const std::size_t count = pooled ? 1 : references.size();
    std::fill(rows, rows + count * columns, 0.0);
    for (std::size_t n = 0; n < orders; ++n) {
        counter.next_order();
        for (std::size_t r = 0; r < count; ++r) {
            const Operations found = compare(counter, form, 2 + r, pooled ? group.size() : 3 + r);
            double* row = rows + r * columns;
            if (form == SariForm::tool) {
                row[0] += found.keep.f1() / static_cast<double>(orders);
                row[1] += found.remove.precision() / static_cast<double>(orders);
                row[2] += found.add.f1() / static_cast<double>(orders);
                row[3] = 1;
                continue;
            }
            const auto& [keep, remove, add] = found;
            const double counts[kSariCounts] = {keep.good_of_proposed,   keep.proposed,   keep.wanted,
                                                remove.good_of_proposed, remove.proposed, remove.wanted,
                                                add.good_of_proposed,    add.proposed,    add.wanted};
            std::copy(std::begin(counts), std::end(counts), row + n * kSariCounts);
        }
    }
}

}  // namespace gecval
