#include "alignment.hpp"

#include <algorithm>

namespace gecval {

std::vector<bool> ChangedWords::operator()(Sentence source, Sentence corrected) {
    const std::size_t width = corrected.size() + 1;
    cost_.resize((source.size() + 1) * width);
    for (std::size_t j = 0; j < width; ++j) cost_[j] = static_cast<int>(j);
    for (std::size_t i = 1; i <= source.size(); ++i) {
        int* here = cost_.data() + i * width;
        const int* above = here - width;
        here[0] = static_cast<int>(i);
        for (std::size_t j = 1; j < width; ++j) {
            here[j] = std::min(above[j - 1] + (source[i - 1] != corrected[j - 1]), std::min(above[j], here[j - 1]) + 1);
        }
    }
    std::vector<bool> changed(source.size(), false);
    for (std::size_t i = source.size(), j = corrected.size(); i > 0;) {
        const int* here = cost_.data() + i * width + j;
        if (j > 0) {
            const bool differ = source[i - 1] != corrected[j - 1];
            if (*here == *(here - width - 1) + differ) {
                changed[--i] = differ;
                --j;
                continue;
            }
        }
        if (*here == *(here - width) + 1) {
            changed[--i] = true;
        } else {
            --j;
        }
    }
    return changed;
}

}  // namespace gecval
