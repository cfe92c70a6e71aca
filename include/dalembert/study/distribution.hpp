// Distributions that --sample draws from.
#pragma once

#include <array>
#include <string>

namespace dalembert::study {

struct Distribution {
  enum class Kind {
    uniform,     ///< from a to b
    normal,      ///< mean, standard deviation
    lognormal,   ///< of the logarithm: mean, standard deviation
    triangular,  ///< least, most likely, largest
  };
  Kind kind = Kind::uniform;
  std::array<double, 3> parameters{};

  /// The number below which a share u of all is, 0 < u < 1.
  double quantile(double u) const;
};

/// "normal(0.3, 0.05)"; throws Error, which begins with `context`.
Distribution parse_distribution(const std::string& text, const std::string& context);

/// Numbers separated by commas, each a constant expression like pi/4; throws Error, which begins with
/// `context`.
double parse_number(const std::string& text, const std::string& context);

/// The number below which a share u of all is, of the normal distribution with mean 0 and deviation 1.
double normal_quantile(double u);

}  // namespace dalembert::study
