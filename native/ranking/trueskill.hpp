// One pass of TrueSkill (Herbrich, Minka & Graepel 2006) over sentence scores: of two systems, the better score wins.
// The formulas are those of src/gecval/stats/ranking.py.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace gecval {

class TrueSkillPass {
public:
    /// `margin` is Φ⁻¹((1 + probability of a draw) / 2)·√2·β.
    TrueSkillPass(std::size_t systems, double sigma, double beta, double margin)
        : beta_(beta), margin_(margin), mu_(systems), variance_(systems, sigma * sigma) {}

    /// a won (1), lost (−1) or tied (0) against b.
    void play(std::size_t a, std::size_t b, int result);

    std::span<const double> mu() const { return mu_; }

private:
    double beta_, margin_;
    std::vector<double> mu_, variance_;
};

}  // namespace gecval
