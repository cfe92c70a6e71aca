// Zeros of event functions, of arguments of abs, sign, min and max among them, that neither samples of a step
// nor the functions' series at its start show: exp(−(t − 3)²/w) − 1/2 is −1/2 far from 3 to the last digit,
// and sin(200 t) turns often within a step that suits a slow motion. For methods without polynomials of their
// own; EventWatch follows those.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include <dalembert/solve/step_polynomials.hpp>
#include <dalembert/system/system.hpp>
#include <dalembert/tape/series.hpp>
#include <dalembert/tape/step_enclosure.hpp>

#include "switches/sign_change_locator.hpp"

namespace dalembert {

class HiddenZeros {
 public:
  struct Settings {
    int max_order;         ///< of the motion's series
    double log_tolerance;  ///< to which the functions' series have to converge
  };
  HiddenZeros(const System& system, const Settings& settings);

  /// Whether no function can hide a zero.
  bool empty() const { return functions_.empty(); }

  /// The part of a step h from the start of the motion's series within which the functions' own series show
  /// all changes of their signs.
  double shown_share(const StepPolynomials<double>& motion, double h);
  /// Behind shown_share(): the first two changes of a sign of one function within its part, in time from the
  /// start; 0: there are none.
  struct Pair {
    double first = 0, second = 0;
  };
  Pair first_zeros();

 private:
  void read(const StepPolynomials<double>& motion);
  double prove();
  bool is_shown(double from, double to);
  double converged_length(const Scaled& function, double length);
  void take_coefficients(const Scaled& function);

  const System& system_;
  Settings settings_;
  std::vector<Scaled> functions_;
  std::optional<Series<double>> series_;
  std::optional<StepEnclosure<double>> enclosure_;
  SignChangeLocator<double> locator_;
  std::vector<SignChangeLocator<double>::Zero> zeros_;
  std::vector<double> coefficients_;  // of one function
  int order_ = 0;
  double direction_ = 1;
  double shown_ = 0;  // length
};

}  // namespace dalembert
