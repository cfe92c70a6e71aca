// Random models by formulas: coordinates x0, x1, ... with energies, forces and constraints.
//
// Formulas are drawn from patterns. In a pattern X, Y, Z stand for different coordinates (X' for a velocity),
// A and B for numbers near one, P for a parameter, W for a frequency, K for a stiffness, T for a time within
// the motion, H for a short time.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "campaign/canvas.hpp"

namespace dalembert::campaign {

struct DrawnCoordinate {
  std::string name;
  double start;     ///< in formulas
  double unit = 1;  ///< the model's value is the unit times as large
};

class Formulas {
 public:
  /// `count` coordinates with their start; with `other_units` one unit each, for write_units().
  Formulas(Canvas& canvas, std::size_t count, double duration, bool other_units);

  /// Kinetic and potential energy, now and then dissipation.
  void energies();
  /// [equations] instead: a mass matrix and a force.
  void matrices();
  void smooth_force();
  /// Constraints that the start meets; with time in them where `rheonomic`.
  void holonomic(std::size_t count, bool rheonomic);
  void nonholonomic(std::size_t count);
  void kink();
  /// A coordinate that falls onto something that only pushes.
  void contact();
  void pulse();
  /// Of a coordinate on the ground or on a belt, or of two on each other.
  void friction();
  /// At the end: values in the file are those of the formulas in other units.
  void write_units();

 private:
  // `x`: which coordinate X is; none: any.
  std::string fill(std::string_view pattern, const std::string& x = "");
  std::string draw(std::span<const char* const> patterns) {
    return fill(patterns[dice_.below(patterns.size())]);
  }
  std::string at_start(const std::string& formula) const;
  std::string switch_argument();
  std::string kink_formula();
  void push(const std::string& name, const std::string& force) { canvas_.sketch.add("forces", name, force); }

  Canvas& canvas_;
  Dice& dice_;
  double duration_;
  std::vector<DrawnCoordinate> coordinates_;
};

}  // namespace dalembert::campaign
