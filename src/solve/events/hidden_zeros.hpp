// Zeros of event functions, of arguments of abs, sign, min and max among them, that neither samples of a step
// nor the functions' series at its start show: exp(−(t − 3)²/w) − 1/2 is −1/2 far from 3 to the last digit.
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
  /// Of series of the motion up to this order.
  HiddenZeros(const System& system, int max_order);

  /// Whether no function can hide a zero.
  bool empty() const { return !enclosure_; }

  /// The part of a step h from the start of the motion's series within which the functions' own series show
  /// all changes of their signs.
  double shown_share(const StepPolynomials<double>& motion, double h);
  /// Behind shown_share(): the first two changes of a sign of one function within its part, in time from the
  /// start; 0: there are none.
  struct Pair {
    double first = 0, second = 0;
  };
  Pair first_zeros() const { return pair_; }

 private:
  void read(const StepPolynomials<double>& motion);
  double prove();
  bool is_shown(double from, double to);
  void find_zeros(double length);

  const System& system_;
  std::vector<Scaled> functions_;  // that can hide something
  Series<double> series_;
  std::optional<StepEnclosure<double>> enclosure_;
  SignChangeLocator<double> locator_;
  std::vector<SignChangeLocator<double>::Zero> zeros_;
  std::vector<double> coefficients_;
  int order_ = 0;
  double direction_ = 1;
  Pair pair_;
};

}  // namespace dalembert
