// The arguments of calls with branches along a step, as series.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include <dalembert/solve/size_math.hpp>
#include <dalembert/system/system.hpp>
#include <dalembert/tape/series.hpp>

namespace dalembert {

template <class S>
class SwitchArguments {
 public:
  SwitchArguments(const System& system, int max_order, double log_tolerance)
      : system_(&system),
        log_tolerance_(log_tolerance),
        room_(static_cast<std::size_t>(max_order) + 1),
        series_(system.series_plan(system.switches().program), system.constants<S>(system.switches().program),
                system.switches().size() > 0 ? max_order : 0),
        coefficients_(system.switches().size() * room_, S(0)),
        cuts_(coefficients_.size(), S(0)) {}

  void set_order(int order) { order_ = order; }
  /// The program of the switches at coefficient k of its inputs, after those before.
  void evaluate(int k, const S& t, std::span<const S> q, std::span<const S> v) {
    series_.inputs(System::input_t(), 1, k)[0] = t;
    std::copy(q.begin(), q.end(), series_.inputs(system_->input_q(0), q.size(), k).begin());
    std::copy(v.begin(), v.end(), series_.inputs(system_->input_v(0), v.size(), k).begin());
    series_.run(Stage::position, k);
    series_.run(Stage::velocity, k);
  }
  void hold_side(std::size_t i, int side) { series_.hold_side(call(i).call, S(side)); }
  /// As evaluate() has found it.
  S argument(std::size_t i, int k) const { return series_.get(call(i).argument, k); }
  void take_cut(std::size_t i, int k, const S& factor) {
    if (call(i).cut != no_register) cuts_[place(i, k)] = series_.get(call(i).cut, k) * factor;
  }

  /// Coefficient k of call i, as the steps have it.
  S& at(std::size_t i, int k) { return coefficients_[place(i, k)]; }
  const S& at(std::size_t i, int k) const { return coefficients_[place(i, k)]; }
  std::span<const S> of(std::size_t i) const { return {coefficients_.data() + i * room_, count()}; }
  std::span<const S> cut(std::size_t i) const { return {cuts_.data() + i * room_, count()}; }

  /// max |c_k| length^k over k >= from.
  S largest_term(std::size_t i, const S& length, std::size_t from) const {
    const std::span<const S> c = of(i);
    S largest(0);
    S power(1);
    for (std::size_t k = 0; k < c.size(); ++k) {
      const S term = size_of(c[k]) * power;
      if (k >= from && term > largest) largest = term;
      power *= length;
    }
    return largest;
  }
  /// 0 for rounding errors.
  int sign_at_start(std::size_t i, double length, bool slides) const {
    const S& value = at(i, 0);
    const S noise = S(16 * rounding_of<S>()) * largest_term(i, S(limit_of(i, length, slides)), 0);
    return value > noise ? 1 : -value > noise ? -1 : 0;
  }
  /// The sign just behind a zero: of the first coefficient that is more than rounding errors.
  int side_ahead(std::size_t i, const S& length) const {
    const std::span<const S> c = of(i);
    const S least = largest_term(i, length, 1) * S(std::pow(rounding_of<S>(), 0.625));
    S power(1);
    for (std::size_t k = 1; k < c.size(); ++k) {
      power *= length;
      const S term = c[k] * power;
      if (term > least) return 1;
      if (-term > least) return -1;
    }
    return 0;
  }
  /// The length, at most h, over which the last two terms are below the tolerance of the largest; of the
  /// value of a sign that slides, of 1.
  double limit_of(std::size_t i, double h, bool slides) const {
    constexpr int most_rounds = 50;  // some suffice: the largest term changes with h a few times at most
    for (int round = 0; round < most_rounds; ++round) {
      const double log_h = std::log(h);
      double scale = slides ? 0 : -std::numeric_limits<double>::infinity();
      for (int k = 0; k < order_ - 1; ++k) scale = std::max(scale, log_term(i, k, log_h));
      if (!std::isfinite(scale)) break;
      double shorter = 0;
      for (const int k : {order_ - 1, order_}) {
        const double excess = log_term(i, k, log_h) - scale - log_tolerance_;
        if (excess > 0) shorter = std::min(shorter, -std::min(excess, 10.0 * k) / k);
      }
      if (shorter == 0) break;
      h *= std::exp(1.01 * shorter);
    }
    return h;
  }

 private:
  static S size_of(const S& x) { return x < 0 ? S(-x) : x; }
  const Switch& call(std::size_t i) const { return system_->switches().calls[i]; }
  std::size_t count() const { return static_cast<std::size_t>(order_) + 1; }
  std::size_t place(std::size_t i, int k) const { return i * room_ + static_cast<std::size_t>(k); }
  double log_term(std::size_t i, int k, double log_h) const {
    return SizeMath<S>::log(SizeMath<S>::of(at(i, k))) + k * log_h;
  }

  const System* system_;
  double log_tolerance_;
  std::size_t room_;
  Series<S> series_;
  std::vector<S> coefficients_, cuts_;  // [call][order]
  int order_ = 0;
};

}  // namespace dalembert
