// How far motions are apart, in units that suit the model.
#pragma once

#include <span>
#include <vector>

#include "campaign/trial.hpp"

namespace dalembert::campaign {

/// The largest size of each coordinate and velocity; none smaller than a thousandth of the largest of its
/// kind, as methods measure errors.
struct Sizes {
  explicit Sizes(const Trial& trial);
  std::vector<double> q, v;
};

/// At every sample that both have: the largest difference of a coordinate or velocity, in its size.
std::vector<double> distances(const Trial& a, const Trial& b, const Sizes& sizes);

/// max of values[j]/values[i] over i <= j, up to every j; at least one.
std::vector<double> growth(std::span<const double> values);

/// Largest |G| |q|, |C| |v|, |v| |M| |v| / 2 and |λ| |G| |q| over the samples: what residuals are measured
/// beside, the energy of what rests, and what rounding errors of positions are multiplied by, dV = −λ dg.
struct ResidualSizes {
  ResidualSizes(const System& system, const Trial& trial, const Sizes& sizes);
  double position = 0, velocity = 0, kinetic = 0, held = 0;
};

}  // namespace dalembert::campaign
