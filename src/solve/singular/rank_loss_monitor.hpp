// Notices where a method passes a configuration at which constraints lose rank, from the states it gives.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include <dalembert/solve/solve.hpp>

#include "runge_kutta/accelerations.hpp"
#include "singular/rank_loss_detector.hpp"

namespace dalembert {

class RankLossMonitor {
 public:
  explicit RankLossMonitor(const Problem& problem);

  struct State {
    double t;
    std::span<const double> q, v;
  };
  /// At the start and after every step; |g| is the largest so far. `at` may be left at another state.
  void look(const State& state, double residual, Accelerations& at);

  /// When constraints lost rank.
  const std::vector<double>& times() const { return times_; }
  /// Why the run must not go on; empty: it may.
  const std::string& reason() const { return reason_; }

 private:
  bool has_moved(const State& state);
  void begin_anew();
  struct Part {  // of the way from the last state to the present one
    double begin, end;
  };
  void follow(const State& state, const Part& part, double residual);
  void check_dip(double now, double residual);
  bool place(const State& state, double share);
  bool find(const State& state, const Part& part);

  const Problem* problem_;
  bool off_;
  Accelerations* at_ = nullptr;
  RowChoice rows_;           // of the problem's constraints
  std::size_t choices_ = 0;  // of rows, at the state that was looked at last
  RankLossDetector<double> watch_, search_;
  std::vector<double> times_;
  std::string reason_;
  double t_ = 0;
  std::vector<double> q_, v_;  // of the state that was looked at last
  std::vector<double> sizes_;  // the largest |q_i| so far
  std::vector<double> middle_q_, middle_v_;
  bool falling_ = false;  // σ², at the state that was looked at last
  double last_ = 0;       // σ² there
  double largest_ = 0;    // so far
  int interval_ = 1;      // steps between looks
  int steps_ = 0;         // until the next
};

}  // namespace dalembert
