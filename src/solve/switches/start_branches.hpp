// The branches of abs, sign, min and max that a series at the start follows: where an argument is zero there,
// the one that its own series goes to as time goes on. A sign that either side drives back slides (Sliding).
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include <fmt/format.h>

#include <dalembert/base/error.hpp>
#include <dalembert/system/expansion.hpp>
#include <dalembert/system/system.hpp>
#include <dalembert/tape/series.hpp>

#include "switches/sign_change_locator.hpp"

namespace dalembert {

template <class S>
class StartBranches {
 public:
  StartBranches(const System& system, int order)
      : system_(system),
        order_(order),
        series_(system.series_plan(system.switches().program), system.constants<S>(system.switches().program),
                order),
        directions_(
            switch_directions(system.switches(), system.constants<double>(system.switches().program))),
        sides_(system.switches().size(), 0),
        is_zero_(sides_.size(), false),
        tried_(sides_.size(), 0) {}

  /// Calls expand(), which fills the expansion, until it follows the branches that it leads to.
  template <class Expand>
  void find(Expansion<S>& expansion, const S& t, Expand expand) {
    if (sides_.empty()) return expand();
    expand();
    read(expansion, t);
    for (std::size_t i = 0; i < sides_.size(); ++i) {
      sides_[i] = sign(i, 0);
      is_zero_[i] = sides_[i] == 0;
      try_side(i, sides_[i]);
    }
    constexpr int most_rounds = 8;
    std::size_t culprit = sides_.size();
    for (int round = 0; round < most_rounds; ++round) {
      hold(expansion);
      expand();
      read(expansion, t);
      culprit = follow(expansion);
      if (culprit == sides_.size()) return;
    }
    throw Error(fmt::format(
        "the motion starts on the switch of '{}' and stays on it: no series follows it on either side",
        system_.switches().calls[culprit].text));
  }

  /// The calls whose arguments are zero at the start: their series holds in one direction of time.
  std::vector<std::string> calls() const {
    std::vector<std::string> calls;
    for (std::size_t i = 0; i < sides_.size(); ++i) {
      if (is_zero_[i]) calls.push_back(system_.switches().calls[i].text);
    }
    return calls;
  }

 private:
  static double rounding() {
    if constexpr (std::is_same_v<S, Rational>) {
      return 0;
    } else {
      return rounding_of<S>();
    }
  }
  S coefficient(std::size_t i, int k) const { return series_.get(system_.switches().calls[i].argument, k); }

  // 0 for rounding errors.
  int sign(std::size_t i, int k) const {
    constexpr double operations = 64;
    S largest(0);
    for (int j = 0; j <= order_; ++j) {
      const S c = coefficient(i, j);
      largest = std::max<S>(largest, c < 0 ? S(-c) : c);
    }
    const S noise = largest * S(operations * rounding());
    const S c = coefficient(i, k);
    return c > noise ? 1 : (-c > noise ? -1 : 0);
  }

  static constexpr int sliding = Expansion<S>::sliding;
  void try_side(std::size_t i, int side) { tried_[i] |= 1U << static_cast<unsigned>(side + 1); }
  bool was_tried(std::size_t i, int side) const {
    return (tried_[i] >> static_cast<unsigned>(side + 1) & 1U) != 0;
  }

  // Takes the sides that the arguments go to; returns one that changed, or the number of arguments.
  std::size_t follow(const Expansion<S>& expansion) {
    std::size_t changed = sides_.size();
    for (std::size_t i = 0; i < sides_.size(); ++i) {
      if (!is_zero_[i] || system_.switches().calls[i].leader != i) continue;
      const int side = sides_[i] == sliding ? side_of_sliding(i, expansion) : side_ahead(i);
      if (side != sides_[i]) changed = i;
      sides_[i] = side;
      try_side(i, side);
    }
    return changed;
  }
  int side_ahead(std::size_t i) const {
    int ahead = 0;
    for (int k = 1; k <= order_ && ahead == 0; ++k) ahead = sign(i, k);
    const Switch& call = system_.switches().calls[i];
    const bool is_driven_back =
        ahead != 0 && ahead != sides_[i] && was_tried(i, ahead) && was_tried(i, -ahead);
    return is_driven_back && branch_of(call.op) == Branch::jump && !call.is_nested ? sliding : ahead;
  }
  // It slides while its value is between −1 and 1.
  int side_of_sliding(std::size_t i, const Expansion<S>& expansion) const {
    const S& value = expansion.branch_value(i, 0);
    if (!expansion.can_slide()) return 0;
    return value > 1 ? 1 : value < -1 ? -1 : sliding;
  }

  void hold(Expansion<S>& expansion) {
    for (std::size_t i = 0; i < sides_.size(); ++i) {
      const std::size_t leader = system_.switches().calls[i].leader;
      if (leader == i) continue;
      const bool slides = sides_[leader] == sliding && directions_[i] != 0;
      sides_[i] = slides ? sliding : directions_[i] * sides_[leader];
    }
    expansion.hold_sides(sides_);
    for (std::size_t i = 0; i < sides_.size(); ++i) {
      const Switch& call = system_.switches().calls[i];
      if (call.is_nested) series_.hold_side(call.call, S(sides_[i]));
    }
  }

  void read(const Expansion<S>& expansion, const S& t) {
    for (int k = 0; k <= order_; ++k) {
      series_.inputs(System::input_t(), 1, k)[0] = k == 0 ? t : S(k == 1 ? 1 : 0);
      for (std::size_t i = 0; i < system_.n(); ++i) {
        series_.inputs(system_.input_q(i), 1, k)[0] = expansion.q(k)[i];
        series_.inputs(system_.input_v(i), 1, k)[0] = expansion.v(k)[i];
      }
      series_.run(Stage::position, k);
      series_.run(Stage::velocity, k);
    }
  }

  const System& system_;
  int order_;
  Series<S> series_;
  std::vector<int> directions_;  // of calls beside those that lead them
  std::vector<int> sides_;
  std::vector<bool> is_zero_;
  std::vector<unsigned> tried_;  // a bit for each side
};

}  // namespace dalembert
