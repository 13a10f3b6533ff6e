// One pass of TrueSkill (Herbrich, Minka & Graepel 2006) over sentence scores: of two systems, the better score wins.
// The formulas are those of src/gecval/stats/ranking.py.
#pragma once

#include <cstddef>
#include <cstdint>
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

/// Many runs of WMT's sampling procedure side by side; its steps are explained in src/gecval/stats/ranking.py.
///
/// A step has three parts. Between them the caller computes exp and Φ of all runs at once, by numpy and scipy: a run is
/// a long chain of draws, and another last bit would make it another run. Tables are [run, system, system] or
/// [run, system]; ``low`` and ``high`` bounds of all runs lie one after the other.
class TrueSkillRuns {
public:
    /// The shares of a's judgments of b that a won, and that decide; `met` is 1 where there is one. `absent` systems
    /// are never chosen. `margin` is Φ⁻¹((1 + probability of a draw) / 2)·√2·β.
    TrueSkillRuns(std::size_t systems, std::vector<double> won, std::vector<double> decided, std::vector<double> met,
                  std::span<const std::uint8_t> absent, double sigma, double beta, double margin);

    /// Chooses the first system of each run; −|μ_a − μ| of all systems.
    void choose(std::span<double> distances);
    /// Chooses the second by `uniforms`, given exp of the distances, and how they did: the bounds of x, and −x²/2.
    void meet(std::span<const double> chances, std::span<const double> uniforms, std::span<double> bounds,
              std::span<double> exponents);
    /// Updates both, given exp of the exponents, and Φ of the bounds.
    void update(std::span<const double> bounds, std::span<const double> exponentials, std::span<const double> masses);

    std::size_t runs() const { return first_.size(); }
    std::size_t systems() const { return systems_; }
    std::span<const double> mu() const { return mu_; }
    std::span<const double> variance() const { return variance_; }

private:
    std::size_t systems_;
    std::vector<double> won_, decided_, met_;
    double beta_, margin_;
    std::vector<double> mu_, variance_, cumulated_;
    std::vector<std::size_t> first_, second_;  // of each run: where μ and σ² of the two systems are
};

}  // namespace gecval
