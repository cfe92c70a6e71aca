// Every function that has a recurrence, with a place where it is analytic.
#pragma once

#include <functional>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "tape/expansion.hpp"

namespace dalembert {

struct FunctionCase {
  std::string name;
  std::function<Expr(Expr x, Expr y, Expr c)> make;
  Rational x0;
  std::optional<Rational> y0 = {};  ///< of functions of two variables
  std::optional<Rational> c = {};   ///< of functions with a parameter

  friend std::ostream& operator<<(std::ostream& out, const FunctionCase& f) { return out << f.name; }
};

inline std::vector<FunctionCase> function_cases() {
  const auto fixed_power = [](long above, long below) {
    return [=](Expr x, Expr, Expr) { return pow(x, x.graph().number(fraction(above, below))); };
  };
  const auto power = [](Expr x, Expr, Expr c) { return pow(x, c); };
  const auto angle = [](Expr y, Expr x, Expr) { return atan2(y, x); };
  const Rational half = fraction(1, 2);
  const Rational place = fraction(7, 10);
  const auto one = [](Expr (*f)(Expr)) { return [f](Expr x, Expr, Expr) { return f(x); }; };
  return {
      {"product", [](Expr x, Expr y, Expr) { return x * y; }, place, half},
      {"square", [](Expr x, Expr, Expr) { return pow(x, 2); }, place},
      {"cube", [](Expr x, Expr, Expr) { return pow(x, 3); }, place},
      {"square_at_zero", [](Expr x, Expr, Expr) { return pow(x, 2); }, 0},
      {"seventh_power_at_zero", [](Expr x, Expr, Expr) { return pow(x, 7); }, 0},
      {"quotient", [](Expr x, Expr y, Expr) { return x / y; }, place, fraction(-3, 2)},
      {"inverse", [](Expr x, Expr, Expr) { return 1 / x; }, place},
      {"sqrt", one(sqrt), fraction(12, 5)},
      {"power_3_2", fixed_power(3, 2), fraction(6, 5)},
      {"power_minus_2", fixed_power(-2, 1), fraction(-6, 5)},
      {"power_minus_1_2", fixed_power(-1, 2), fraction(6, 5)},
      {"power_minus_3_2", fixed_power(-3, 2), fraction(6, 5)},
      {"power_1_3", fixed_power(1, 3), fraction(6, 5)},
      {"power_c_3_2", power, fraction(6, 5), {}, fraction(3, 2)},
      {"power_c_minus_2", power, fraction(-6, 5), {}, Rational(-2)},
      {"power_c_minus_1_2", power, fraction(6, 5), {}, fraction(-1, 2)},
      {"power_c_1_3", power, fraction(6, 5), {}, fraction(1, 3)},
      {"power_variable_exponent", [](Expr x, Expr y, Expr) { return pow(x, y); }, fraction(6, 5), place},
      {"exp", one(exp), place},
      {"log", one(log), place},
      {"sin", one(sin), place},
      {"cos", one(cos), place},
      {"tan", one(tan), place},
      {"sinh", one(sinh), place},
      {"cosh", one(cosh), place},
      {"tanh", one(tanh), place},
      {"asin", one(asin), half},
      {"acos", one(acos), fraction(-1, 2)},
      {"atan", one(atan), place},
      {"atan2_first_quadrant", angle, place, half},
      {"atan2_second_quadrant", angle, place, Rational(-half)},
      {"atan2_third_quadrant", angle, Rational(-place), Rational(-half)},
      {"atan2_fourth_quadrant", angle, Rational(-place), half},
      {"erf", one(erf), place},
      {"erf_at_zero", one(erf), 0},
      {"abs", one(abs), Rational(-place)},
      {"min", [](Expr x, Expr y, Expr) { return min(x, y); }, place, half},
      {"max", [](Expr x, Expr y, Expr) { return max(x, y); }, place, half},
  };
}

}  // namespace dalembert
