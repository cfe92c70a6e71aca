#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <dalembert/base/error.hpp>
#include <dalembert/base/text.hpp>
#include <dalembert/base/unit.hpp>

namespace dalembert {
namespace {

constexpr double same = 1e-9;  // factors of equal units differ by rounding alone

struct NamedUnit {
  std::string_view name;
  Unit unit;
  bool takes_prefix = false;  // km, kN
};

// Of kg, m, s, A, K.
const std::vector<NamedUnit>& known_units() {
  constexpr double pi = std::numbers::pi;
  constexpr double pound = 0.45359237;
  constexpr double standard_gravity = 9.80665;
  static const std::vector<NamedUnit> units{
      {"1", {1, {}}},
      {"m", {1, {0, 1}}, true},
      {"g", {1e-3, {1}}, true},
      {"s", {1, {0, 0, 1}}, true},
      {"A", {1, {0, 0, 0, 1}}, true},
      {"K", {1, {0, 0, 0, 0, 1}}, true},
      {"rad", {1, {}}, true},
      {"N", {1, {1, 1, -2}}, true},
      {"J", {1, {1, 2, -2}}, true},
      {"W", {1, {1, 2, -3}}, true},
      {"Pa", {1, {1, -1, -2}}, true},
      {"Hz", {1, {0, 0, -1}}, true},
      {"V", {1, {1, 2, -3, -1}}, true},
      {"ohm", {1, {1, 2, -3, -2}}, true},
      {"Ω", {1, {1, 2, -3, -2}}, true},
      {"deg", {pi / 180, {}}},
      {"°", {pi / 180, {}}},
      {"turn", {2 * pi, {}}},
      {"rev", {2 * pi, {}}},
      {"rpm", {2 * pi / 60, {0, 0, -1}}},
      {"min", {60, {0, 0, 1}}},
      {"h", {3600, {0, 0, 1}}},
      {"t", {1000, {1}}},
      {"bar", {1e5, {1, -1, -2}}},
      {"l", {1e-3, {0, 3}}},
      {"in", {0.0254, {0, 1}}},
      {"ft", {0.3048, {0, 1}}},
      {"lb", {pound, {1}}},
      {"lbf", {pound * standard_gravity, {1, 1, -2}}},
      {"%", {0.01, {}}},
  };
  return units;
}

constexpr std::array<std::pair<std::string_view, double>, 9> prefixes{{{"G", 1e9},
                                                                       {"M", 1e6},
                                                                       {"k", 1e3},
                                                                       {"d", 1e-1},
                                                                       {"c", 1e-2},
                                                                       {"m", 1e-3},
                                                                       {"µ", 1e-6},
                                                                       {"u", 1e-6},
                                                                       {"n", 1e-9}}};

const NamedUnit* find_unit(std::string_view name) {
  const auto& units = known_units();
  const auto found =
      std::find_if(units.begin(), units.end(), [&](const NamedUnit& one) { return one.name == name; });
  return found == units.end() ? nullptr : &*found;
}

Unit unit_called(std::string_view word) {
  if (const NamedUnit* unit = find_unit(word)) return unit->unit;
  for (const auto& [prefix, factor] : prefixes) {
    if (!word.starts_with(prefix)) continue;
    const NamedUnit* unit = find_unit(word.substr(prefix.size()));
    if (unit == nullptr || !unit->takes_prefix) continue;
    Unit result = unit->unit;
    result.factor *= factor;
    return result;
  }
  std::vector<std::string> names{"kg", "mm"};
  for (const NamedUnit& unit : known_units()) names.emplace_back(unit.name);
  throw Error(fmt::format("'{}' is no unit that is known{}", word, suggestion(word, names)));
}

constexpr std::array<std::string_view, 10> superscripts{"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};

// unit = factor { ["*" | "·" | "/"] factor }, factor = name ["^" number] | "(" unit ")"
class Parser {
 public:
  explicit Parser(std::string_view text) : rest_(text) {}

  Unit whole() {
    const Unit unit = product();
    if (!rest_.empty()) throw Error(fmt::format("'{}' is not expected in a unit", rest_));
    return unit;
  }

 private:
  bool take(std::string_view word) {
    while (rest_.starts_with(' ')) rest_.remove_prefix(1);
    if (!rest_.starts_with(word)) return false;
    rest_.remove_prefix(word.size());
    return true;
  }

  Unit product() {
    constexpr int deepest = 20;
    if (++depth_ > deepest) throw Error("the unit is nested too deeply");
    Unit result = factor();
    for (;;) {
      if (take("/")) {
        result = result / factor();
      } else if (take("*") || take("·")) {
        result = result * factor();
      } else {
        while (rest_.starts_with(' ')) rest_.remove_prefix(1);
        if (rest_.empty() || rest_.starts_with(')')) break;
        result = result * factor();
      }
    }
    --depth_;
    return result;
  }

  Unit factor() {
    Unit unit;
    if (take("(")) {
      unit = product();
      if (!take(")")) throw Error("a '(' in the unit is never closed");
    } else {
      unit = unit_called(word());
    }
    return power(unit, exponent());
  }

  std::string_view word() {
    while (rest_.starts_with(' ')) rest_.remove_prefix(1);
    std::size_t end = 0;
    const auto ends = [&] {
      constexpr std::string_view marks = " */^()-";
      if (marks.find(rest_[end]) != std::string_view::npos) return true;
      const std::string_view here = rest_.substr(end);
      if (here.starts_with("·") || here.starts_with("⁻")) return true;
      return std::any_of(superscripts.begin(), superscripts.end(),
                         [&](std::string_view digit) { return here.starts_with(digit); });
    };
    while (end < rest_.size() && !ends()) ++end;
    if (end == 0) throw Error(rest_.empty() ? "a unit is missing" : fmt::format("'{}' is no unit", rest_));
    const std::string_view found = rest_.substr(0, end);
    rest_.remove_prefix(end);
    return found;
  }

  double exponent() {
    if (take("^")) {
      double value = 0;
      const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
      if (error != std::errc() || !(std::abs(value) <= 9))
        throw Error("a unit's exponent is a number from -9 to 9");
      rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
      return value;
    }
    const bool negative = rest_.starts_with("⁻");
    if (negative) rest_.remove_prefix(std::string_view("⁻").size());
    for (std::size_t digit = 0; digit < superscripts.size(); ++digit) {
      if (!rest_.starts_with(superscripts[digit])) continue;
      rest_.remove_prefix(superscripts[digit].size());
      return negative ? -static_cast<double>(digit) : static_cast<double>(digit);
    }
    if (negative) throw Error("a unit's exponent is missing");
    return 1;
  }

  std::string_view rest_;
  int depth_ = 0;
};

std::string with_exponent(std::string_view name, double exponent) {
  if (exponent == 1) return std::string(name);
  if (exponent == std::floor(exponent) && exponent < 10)
    return fmt::format("{}{}", name, superscripts[static_cast<std::size_t>(exponent)]);
  return fmt::format("{}^{:g}", name, exponent);
}

std::string trimmed(std::string_view text) {
  const std::size_t begin = std::min(text.find_first_not_of(' '), text.size());
  return std::string(text.substr(begin, text.find_last_not_of(' ') + 1 - begin));
}

}  // namespace

bool Unit::has_dimension_of(const Unit& other) const {
  for (std::size_t i = 0; i < powers.size(); ++i) {
    if (std::abs(powers[i] - other.powers[i]) > same) return false;
  }
  return true;
}

bool Unit::equals(const Unit& other) const {
  return has_dimension_of(other) && std::abs(factor / other.factor - 1) < same;
}

Unit operator*(const Unit& a, const Unit& b) {
  Unit result{a.factor * b.factor, a.powers};
  for (std::size_t i = 0; i < result.powers.size(); ++i) result.powers[i] += b.powers[i];
  return result;
}

Unit power(const Unit& unit, double exponent) {
  Unit result{std::pow(unit.factor, exponent), unit.powers};
  for (double& one : result.powers) one *= exponent;
  return result;
}

Unit operator/(const Unit& a, const Unit& b) { return a * power(b, -1); }

Unit parse_unit(std::string_view text) { return Parser(text).whole(); }

std::string unit_text(const Unit& unit) {
  constexpr std::array common{"1", "rad/s", "rad/s²", "m",  "mm",  "kg",   "s",   "N",     "kN",   "J",
                              "W", "V",     "A",      "Pa", "m/s", "m/s²", "N/m", "N s/m", "mm/s", "mm/s²"};
  for (const char* name : common) {
    if (parse_unit(name).equals(unit)) return name;
  }
  constexpr std::array<std::string_view, 5> base{"kg", "m", "s", "A", "K"};
  std::string above = std::abs(unit.factor - 1) < same ? "" : fmt::format("{:.6g}", unit.factor);
  std::string below;
  for (std::size_t i = 0; i < base.size(); ++i) {
    const double exponent = unit.powers[i];
    if (std::abs(exponent) < same) continue;
    std::string& side = exponent > 0 ? above : below;
    side += (side.empty() ? "" : " ") + with_exponent(base[i], std::abs(exponent));
  }
  if (below.empty()) return above.empty() ? "1" : above;
  const bool several = below.find(' ') != std::string::npos;
  return (above.empty() ? "1" : above) + (several ? "/(" + below + ")" : "/" + below);
}

UnitLabel make_label(const Unit& unit) {
  const std::string text = unit_text(unit);
  return {unit, text, text, 1};
}

UnitLabel parse_unit_label(std::string_view text) {
  constexpr std::string_view arrow = "->";
  if (const std::size_t at = text.find(arrow); at != std::string_view::npos) {
    UnitLabel label = parse_unit_label(text.substr(0, at));
    const Unit shown = parse_unit(text.substr(at + arrow.size()));
    label.shown = trimmed(text.substr(at + arrow.size()));
    if (!shown.has_dimension_of(label.unit))
      throw Error(fmt::format("{} cannot be shown in {}", label.text, label.shown));
    label.scale = label.unit.factor / shown.factor;
    return label;
  }
  const Unit unit = parse_unit(text);
  UnitLabel label{unit, trimmed(text), trimmed(text), 1};
  for (const auto& [angle, radians] :
       {std::pair{"deg", "rad"}, {"°", "rad"}, {"turn", "rad"}, {"rpm", "rad/s"}}) {
    if (label.text != angle) continue;
    label.unit = parse_unit(radians);
    label.text = radians;
    label.scale = 1 / unit.factor;
  }
  return label;
}

}  // namespace dalembert
