// Units of measurement: m, N m, kg*m^2, rad/s, kN/mm, rpm.
//
// A unit is a factor times powers of kg, m, s, A, K. The radian is 1, as in SI; degrees, turns and
// revolutions per minute are multiples of it.
#pragma once

#include <array>
#include <string>
#include <string_view>

namespace dalembert {

struct Unit {
  double factor = 1;               ///< in terms of the coherent unit of SI
  std::array<double, 5> powers{};  ///< of kg, m, s, A, K

  bool is_pure() const { return has_dimension_of(Unit{}); }
  bool has_dimension_of(const Unit& other) const;
  /// The same dimension and factor, up to rounding.
  bool equals(const Unit& other) const;
};

Unit operator*(const Unit& a, const Unit& b);
Unit operator/(const Unit& a, const Unit& b);
Unit power(const Unit& unit, double exponent);

/// Throws Error that says which word is not known.
Unit parse_unit(std::string_view text);

/// N, J, kg m²/s: a name where the unit has one, else powers of others; "1" for a pure number.
std::string unit_text(const Unit& unit);

/// How a quantity is written in the model and how it is shown: "rad -> deg". "deg", "rpm" and "turn" alone
/// are for display: expressions are in radians.
struct UnitLabel {
  Unit unit;          ///< of the numbers
  std::string text;   ///< of the numbers: m
  std::string shown;  ///< in pictures and pages: mm
  double scale = 1;   ///< shown number = scale * number
};

UnitLabel parse_unit_label(std::string_view text);
/// The label of a unit that was derived, not written.
UnitLabel make_label(const Unit& unit);

}  // namespace dalembert
