#include "ranking/trueskill.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

namespace gecval {

namespace {

double density(double x) { return std::exp(-0.5 * x * x) / std::sqrt(2 * std::numbers::pi); }
constexpr double infinity = 40;  // φ and 1 − Φ are 0 there, and 40·0 is a number, unlike ∞·0

double mass_below(double x) { return 0.5 * std::erfc(-x / std::numbers::sqrt2); }

/// How far the means move, and how much the variances shrink, in units of c.
struct Shift {
    double v, w;
};

Shift after_win(double t, double margin) {
    const double x = t - margin, mass = std::max(mass_below(x), std::numeric_limits<double>::min());
    const double v = density(x) / mass;
    return {v, v * (v + x)};
}

Shift after_tie(double t, double margin) {
    const double low = -margin - t, high = margin - t;
    const double mass = std::max(mass_below(high) - mass_below(low), std::numeric_limits<double>::min());
    const double v = (density(low) - density(high)) / mass;
    return {v, v * v + (high * density(high) - low * density(low)) / mass};
}

}  // namespace

void TrueSkillPass::play(std::size_t a, std::size_t b, int result) {
    const std::size_t winner = result < 0 ? b : a, loser = result < 0 ? a : b;
    const double squared = 2 * beta_ * beta_ + variance_[winner] + variance_[loser], c = std::sqrt(squared);
    const double t = (mu_[winner] - mu_[loser]) / c, margin = margin_ / c;
    const auto [v, w] = result == 0 ? after_tie(t, margin) : after_win(t, margin);
    mu_[winner] += variance_[winner] / c * v;
    mu_[loser] -= variance_[loser] / c * v;
    variance_[winner] *= 1 - variance_[winner] / squared * w;
    variance_[loser] *= 1 - variance_[loser] / squared * w;
}

/// What one step needs of each run of a group. Bounds come in pairs: the lower ones of all runs, then the upper ones.
struct TrueSkillRuns::Step {
    Step(std::size_t first_run, std::size_t count, std::size_t systems)
        : first(first_run), runs(count), a(count), b(count), cumulated(systems), chances(count * systems),
          bounds(2 * count), densities(2 * count), masses(2 * count) {}

    std::size_t first, runs;
    std::vector<std::size_t> a, b;  // where μ and σ² of the two systems are
    std::vector<double> cumulated, chances, bounds, densities, masses;
};

TrueSkillRuns::TrueSkillRuns(std::size_t systems, std::vector<double> won, std::vector<double> decided,
                             std::vector<double> met, std::span<const std::uint8_t> absent, double sigma, double beta,
                             double margin)
    : systems_(systems), won_(std::move(won)), decided_(std::move(decided)), met_(std::move(met)), beta_(beta),
      margin_(margin), mu_(absent.size()), variance_(absent.size(), sigma * sigma) {
    for (std::size_t i = 0; i < absent.size(); ++i)
        if (absent[i]) variance_[i] = 0;  // never the largest
}

void TrueSkillRuns::play(std::size_t number, std::span<const double> uniforms, const Elementwise& exp,
                         const Elementwise& below) {
    const std::size_t first = number * group;
    Step step(first, std::min(runs(), first + group) - first, systems_);
    for (std::size_t start = 0; start < uniforms.size(); start += 2 * runs()) {
        choose(step);
        exp(step.chances);
        meet(step, uniforms.subspan(start, 2 * runs()));
        exp(step.densities);
        below(step.masses);
        update(step);
    }
}

/// The first system of each run, of largest σ; −|μ_a − μ| of all systems.
void TrueSkillRuns::choose(Step& step) const {
    for (std::size_t run = 0, start = step.first * systems_; run < step.runs; ++run, start += systems_) {
        const auto begin = variance_.begin() + static_cast<std::ptrdiff_t>(start);
        const auto end = begin + static_cast<std::ptrdiff_t>(systems_);
        const std::size_t a = step.a[run] = static_cast<std::size_t>(std::max_element(begin, end) - variance_.begin());
        for (std::size_t i = 0; i < systems_; ++i)
            step.chances[run * systems_ + i] = -std::abs(mu_[start + i] - mu_[a]);
    }
}

/// The second system, given exp of the distances, and how they did: the bounds of x, and −x²/2.
void TrueSkillRuns::meet(Step& step, std::span<const double> uniforms) const {
    for (std::size_t run = 0; run < step.runs; ++run) {
        const std::size_t start = (step.first + run) * systems_, a = step.a[run], row = a * systems_;
        const double* chances = step.chances.data() + run * systems_;
        double total = 0;
        for (std::size_t i = 0; i < systems_; ++i) step.cumulated[i] = total += chances[i] * met_[row + i];
        const double pick = uniforms[step.first + run] * total, outcome = uniforms[runs() + step.first + run];
        std::size_t chosen = 0;  // counted, not looked for: where a search ends nobody can guess, a processor neither
        for (std::size_t i = 0; i + 1 < systems_; ++i) chosen += step.cumulated[i] <= pick;
        const std::size_t b = step.b[run] = start + chosen, cell = row + chosen;
        const double c = std::sqrt(2 * beta_ * beta_ + variance_[a] + variance_[b]);
        const double t = (mu_[a] - mu_[b]) / c, margin = margin_ / c;
        const bool a_won = outcome < won_[cell], b_won = !a_won && outcome < decided_[cell];
        const double low = b_won ? -infinity : (a_won ? margin : -margin) - t;
        const double high = a_won ? infinity : (b_won ? -margin : margin) - t;
        const std::size_t above = step.runs + run;
        step.bounds[run] = step.masses[run] = low;
        step.bounds[above] = step.masses[above] = high;
        step.densities[run] = -0.5 * low * low;
        step.densities[above] = -0.5 * high * high;
    }
}

/// Both after the step, given exp of −x²/2, and Φ of the bounds.
void TrueSkillRuns::update(const Step& step) {
    const double root = std::sqrt(2 * std::numbers::pi);
    for (std::size_t run = 0; run < step.runs; ++run) {
        const std::size_t a = step.a[run], b = step.b[run], above = step.runs + run;
        const double squared = 2 * beta_ * beta_ + variance_[a] + variance_[b], c = std::sqrt(squared);
        const double density_low = step.densities[run] / root, density_high = step.densities[above] / root;
        const double mass = step.masses[above] - step.masses[run];
        const double v = (density_low - density_high) / mass;
        const double w = v * v - (step.bounds[run] * density_low - step.bounds[above] * density_high) / mass;
        const double up = variance_[a] / c * v, down = variance_[b] / c * v;
        const double of_a = 1 - variance_[a] / squared * w, of_b = 1 - variance_[b] / squared * w;
        // Where one system is both, as in a resample that judges nobody, what b becomes stands.
        const double mu_b = mu_[b] - down, variance_b = variance_[b] * of_b;
        mu_[a] += up;
        variance_[a] *= of_a;
        mu_[b] = mu_b;
        variance_[b] = variance_b;
    }
}

}  // namespace gecval
