#include "axis.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>

namespace dalembert {
namespace {

// 1, 2 or 5 times a power of ten.
double round_step(double at_least) {
  const double power = std::pow(10.0, std::floor(std::log10(at_least)));
  for (const double digit : {1.0, 2.0, 5.0}) {
    if (digit * power >= 0.999 * at_least) return digit * power;
  }
  return 10 * power;
}

// 10⁻³
std::string power_of_ten(int exponent) {
  static constexpr const char* digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string result = "10";
  for (const char c : std::to_string(exponent))
    result += c == '-' ? "⁻" : digits[static_cast<std::size_t>(c - '0')];
  return result;
}

std::string with_proper_minus(const std::string& text) {
  std::string result;
  for (const char c : text) result += c == '-' ? std::string("−") : std::string(1, c);
  return result;
}

// Very large and very small numbers by their power of ten, all of an axis of this size alike.
std::string number_text(double value, double size, int digits = 6) {
  if (value == 0 || (size < 1e6 && size >= 1e-3))
    return with_proper_minus(fmt::format("{:.{}g}", value, digits));
  const std::string scientific = fmt::format("{:.{}e}", value, digits - 1);
  const std::size_t e = scientific.find('e');
  std::string front = scientific.substr(0, scientific.find_last_not_of('0', e - 1) + 1);
  if (front.back() == '.') front.pop_back();
  front = front == "1" ? "" : front == "-1" ? "-" : front + "·";
  return with_proper_minus(front) + power_of_ten(std::stoi(scientific.substr(e + 1)));
}

}  // namespace

double Axis::part(double value) const {
  if (logarithmic) return std::log(value / low) / std::log(high / low);
  return (value - low) / (high - low);
}

std::vector<double> Axis::ticks(int wanted) const {
  std::vector<double> list;
  if (logarithmic) {
    const int first = static_cast<int>(std::ceil(std::log10(low) - 1e-9));
    const int last = static_cast<int>(std::floor(std::log10(high) + 1e-9));
    const int step = std::max(1, (last - first + wanted) / wanted);
    for (int exponent = first; exponent <= last; exponent += step) list.push_back(std::pow(10.0, exponent));
    return list;
  }
  const double step = round_step((high - low) / wanted);
  const double first = std::ceil(low / step - 1e-9);
  for (int i = 0; (first + i) * step <= high + 1e-9 * step; ++i) {
    const double tick = (first + i) * step;
    list.push_back(std::abs(tick) < 1e-9 * step ? 0.0 : tick);
  }
  return list;
}

std::vector<std::string> Axis::texts(std::span<const double> ticks) const {
  std::vector<std::string> list;
  const double size = std::max(std::abs(low), std::abs(high));
  for (const double tick : ticks) {
    list.push_back(logarithmic ? power_of_ten(static_cast<int>(std::lround(std::log10(tick))))
                               : number_text(tick, size));
  }
  if (std::adjacent_find(list.begin(), list.end()) == list.end()) return list;
  list[0] = number_text(ticks[0], size, 12);  // what one can add to
  for (std::size_t i = 1; i < list.size(); ++i)
    list[i] = fmt::format("+{}", number_text(ticks[i] - ticks[0], ticks.back() - ticks[0]));
  return list;
}

Axis make_axis(std::span<const std::vector<double>> curves, bool logarithmic) {
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  for (const std::vector<double>& curve : curves) {
    for (const double value : curve) {
      if (!std::isfinite(value) || (logarithmic && value <= 0)) continue;
      low = std::min(low, value);
      high = std::max(high, value);
    }
  }
  if (low > high) return logarithmic ? Axis{1e-17, 1e-15, true} : Axis{0, 1, false};
  if (logarithmic) {
    low = std::pow(10.0, std::floor(std::log10(low)));
    high = std::pow(10.0, std::ceil(std::log10(high)));
    return {low, high > low ? high : 10 * low, true};
  }
  const double margin = high > low ? 0.05 * (high - low) : high != 0 ? 0.1 * std::abs(high) : 1;
  return {low - margin, high + margin, false};
}

}  // namespace dalembert
