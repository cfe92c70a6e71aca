// What all generators share: the dice, the sketch, and numbers that are sometimes parameters.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include <fmt/format.h>

#include "campaign/dice.hpp"
#include "campaign/sketch.hpp"

namespace dalembert::campaign {

class Canvas {
 public:
  explicit Canvas(std::uint64_t seed) : dice(seed) {}

  Dice dice;
  Sketch sketch;

  /// A number as a formula: a numeral, or with a probability a parameter of that value.
  std::string number(double low, double high, double named_by = 0.3) {
    return named(dice.number(low, high), named_by);
  }
  std::string magnitude(double low, double high, double named_by = 0.3) {
    return named(dice.magnitude_text(low, high), named_by);
  }

  /// The formula in brackets, or the name of a definition that stands for it.
  std::string part(const std::string& formula) {
    if (!dice.chance(0.3)) return "(" + formula + ")";
    const std::string name = fmt::format("s{}", definitions_++);
    sketch.add("definitions", name, formula);
    return name;
  }

  /// [solve]: `duration`, and most of the time a tolerance.
  void solve(double duration) {
    sketch.set("solve", "duration", shortest(duration));
    if (dice.chance(0.6)) sketch.set("solve", "tolerance", fmt::format("1e-{}", dice.between(4, 13)));
  }

 private:
  std::string named(const std::string& numeral, double probability) {
    if (!dice.chance(probability)) return numeral;
    const std::string name = fmt::format("p{}", parameters_++);
    const bool negative = numeral.front() == '(';
    sketch.set("parameters", name, negative ? numeral.substr(1, numeral.size() - 2) : numeral);
    return name;
  }

  std::size_t parameters_ = 0;
  std::size_t definitions_ = 0;
};

}  // namespace dalembert::campaign
