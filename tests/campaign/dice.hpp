// Random choices that depend on a seed alone, on every machine.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include <dalembert/base/text.hpp>

namespace dalembert::campaign {

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : random_(seed) {}

  std::size_t below(std::size_t n) { return static_cast<std::size_t>(random_() % n); }
  std::size_t between(std::size_t least, std::size_t most) { return least + below(most - least + 1); }
  bool chance(double probability) { return unit() < probability; }

  /// Uniform between `low` and `high`, with two decimals.
  double value(double low, double high) { return std::round((low + (high - low) * unit()) * 100) / 100; }
  /// The same as text, in brackets where it is negative, so that it may stand anywhere in a formula.
  std::string number(double low, double high) { return text_of(value(low, high)); }
  /// Never smaller than 0.1 in size.
  double off_zero(double size) {
    const double x = value(0.1, size);
    return chance(0.5) ? x : -x;
  }
  /// Uniform in the logarithm, with two significant digits.
  double magnitude(double low, double high) {
    const double x = low * std::pow(high / low, unit());
    const double digit = std::pow(10, std::floor(std::log10(x)) - 1);
    return std::round(x / digit) * digit;
  }
  std::string magnitude_text(double low, double high) { return text_of(magnitude(low, high)); }

  template <class T>
  const T& pick(const std::vector<T>& list) {
    return list[below(list.size())];
  }
  template <std::size_t n>
  const char* pick(const std::array<const char*, n>& list) {
    return list[below(n)];
  }

  static std::string text_of(double x) {
    const double rounded = std::stod(shortest(x));
    return rounded < 0 ? "(" + shortest(rounded) + ")" : shortest(rounded);
  }

 private:
  double unit() { return static_cast<double>(random_() >> 11U) * 0x1p-53; }
  std::mt19937_64 random_;
};

}  // namespace dalembert::campaign
