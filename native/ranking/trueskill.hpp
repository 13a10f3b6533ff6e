// One pass of TrueSkill (Herbrich, Minka & Graepel 2006) over sentence scores: of two systems, the better score wins.
// The formulas are those of src/gecval/stats/ranking.py.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
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

/// A function applied to each number of an array in place, such as exp.
using Elementwise = std::function<void(std::span<double>)>;

/// Many runs of WMT's sampling procedure side by side; its steps are explained in src/gecval/stats/ranking.py.
///
/// A run is a long chain of draws, and another last bit would make it another run. So the caller gives exp and Φ: those
/// of numpy and scipy. They are applied to a group of runs at once. Tables are [run, system, system] or [run, system].
class TrueSkillRuns {
public:
    static constexpr std::size_t group = 25;

    /// The shares of a's judgments of b that a won, and that decide; `met` is 1 where there is one. `absent` systems
    /// are never chosen. `margin` is Φ⁻¹((1 + probability of a draw) / 2)·√2·β.
    TrueSkillRuns(std::size_t systems, std::vector<double> won, std::vector<double> decided, std::vector<double> met,
                  std::span<const std::uint8_t> absent, double sigma, double beta, double margin);

    /// The next steps of a group of runs, from `uniforms` [step, 2, run]. Groups do not touch each other's numbers.
    void play(std::size_t number, std::span<const double> uniforms, const Elementwise& exp, const Elementwise& below);

    std::size_t groups() const { return (runs() + group - 1) / group; }
    std::size_t runs() const { return mu_.size() / systems_; }
    std::size_t systems() const { return systems_; }
    std::span<const double> mu() const { return mu_; }
    std::span<const double> variance() const { return variance_; }

private:
    struct Step;

    void choose(Step& step) const;
    void meet(Step& step, std::span<const double> uniforms) const;
    void update(const Step& step);

    std::size_t systems_;
    std::vector<double> won_, decided_, met_;
    double beta_, margin_;
    std::vector<double> mu_, variance_;
};

}  // namespace gecval
