#include "ranking/trueskill.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace gecval {

namespace {

double density(double x) { return std::exp(-0.5 * x * x) / std::sqrt(2 * std::numbers::pi); }
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

}  // namespace gecval
