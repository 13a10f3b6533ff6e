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
struct Step {
    double v, w;
};

Step after_win(double t, double margin) {
    const double x = t - margin, mass = std::max(mass_below(x), std::numeric_limits<double>::min());
    const double v = density(x) / mass;
    return {v, v * (v + x)};
}

Step after_tie(double t, double margin) {
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

TrueSkillRuns::TrueSkillRuns(std::size_t systems, std::vector<double> won, std::vector<double> decided,
                             std::vector<double> met, std::span<const std::uint8_t> absent, double sigma, double beta,
                             double margin)
    : systems_(systems), won_(std::move(won)), decided_(std::move(decided)), met_(std::move(met)), beta_(beta),
      margin_(margin), mu_(absent.size()), variance_(absent.size(), sigma * sigma), cumulated_(systems),
      first_(absent.size() / systems), second_(first_.size()) {
    for (std::size_t i = 0; i < absent.size(); ++i)
        if (absent[i]) variance_[i] = 0;  // never the largest
}

void TrueSkillRuns::choose(std::span<double> distances) {
    for (std::size_t run = 0, start = 0; run < runs(); ++run, start += systems_) {
        const auto begin = variance_.begin() + static_cast<std::ptrdiff_t>(start);
        const auto end = begin + static_cast<std::ptrdiff_t>(systems_);
        first_[run] = static_cast<std::size_t>(std::max_element(begin, end) - variance_.begin());
        for (std::size_t i = start; i < start + systems_; ++i) distances[i] = -std::abs(mu_[i] - mu_[first_[run]]);
    }
}

void TrueSkillRuns::meet(std::span<const double> chances, std::span<const double> uniforms, std::span<double> bounds,
                         std::span<double> exponents) {
    for (std::size_t run = 0, start = 0; run < runs(); ++run, start += systems_) {
        const std::size_t a = first_[run], row = a * systems_;
        double total = 0;
        for (std::size_t i = 0; i < systems_; ++i) cumulated_[i] = total += chances[start + i] * met_[row + i];
        const double pick = uniforms[run] * total, outcome = uniforms[runs() + run];
        std::size_t chosen = 0;
        while (chosen + 1 < systems_ && cumulated_[chosen] <= pick) ++chosen;
        const std::size_t b = second_[run] = start + chosen, cell = row + chosen;
        const double c = std::sqrt(2 * beta_ * beta_ + variance_[a] + variance_[b]);
        const double t = (mu_[a] - mu_[b]) / c, margin = margin_ / c;
        const bool a_won = outcome < won_[cell], b_won = !a_won && outcome < decided_[cell];
        const double low = b_won ? -infinity : (a_won ? margin : -margin) - t;
        const double high = a_won ? infinity : (b_won ? -margin : margin) - t;
        bounds[run] = low;
        bounds[runs() + run] = high;
        exponents[run] = -0.5 * low * low;
        exponents[runs() + run] = -0.5 * high * high;
    }
}

void TrueSkillRuns::update(std::span<const double> bounds, std::span<const double> exponentials,
                           std::span<const double> masses) {
    const double root = std::sqrt(2 * std::numbers::pi);
    for (std::size_t run = 0; run < runs(); ++run) {
        const std::size_t a = first_[run], b = second_[run], above = runs() + run;
        const double squared = 2 * beta_ * beta_ + variance_[a] + variance_[b], c = std::sqrt(squared);
        const double density_low = exponentials[run] / root, density_high = exponentials[above] / root;
        const double mass = masses[above] - masses[run];
        const double v = (density_low - density_high) / mass;
        const double w = v * v - (bounds[run] * density_low - bounds[above] * density_high) / mass;
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
