// Steps of a classical method as steps of a run: with accelerations and multipliers, and with an eye on what
// the method itself takes no account of - constraints that it loses or that lose rank, branches and poles
// that it crosses, pulses that hide between two states.
#pragma once

#include <cmath>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <dalembert/solve/solve.hpp>

#include "run/constraint_guard.hpp"
#include "run/state_stepper.hpp"
#include "run/stepper.hpp"
#include "runge_kutta/accelerations.hpp"
#include "series/enclosure_foresight.hpp"
#include "singular/rank_loss_monitor.hpp"
#include "switches/switch_monitor.hpp"

namespace dalembert {

class BalancedState;

class WatchedStepper : public MotionStepper<double> {
 public:
  WatchedStepper(const Problem& problem, const SolveOptions& options, StateStepper& steps);
  /// The report of the run: its residuals and the length of its steps so far say what is large.
  void follow(const RunReport& report) { report_ = &report; }

  bool restart(const double& t, std::span<const double> q, std::span<const double> v) override;
  bool step(const double& limit) override;
  bool leave_step() override;
  double t() const override { return time_; }
  std::optional<State> at(const double& t, Detail detail) override;
  void eval_curve(double t, std::span<double> q, std::span<double> v) override { steps_.eval(t, q, v); }
  double work_to(const double& to, Observer<double>& observer) override;
  Size size() const override { return {std::abs(time_ - begin_), steps_.counters.order}; }
  int quadrature_points() const override {
    return 4;
  }  // exact through degree 7, that of the best dense output
  void tell(RunReport& report) const override;
  std::vector<std::string> notes() const override;

 private:
  bool fail(const std::string& why);
  double limit_of(double limit);
  bool look_for_rank_loss();
  ConstraintGuard::Step guarded(double end) const;
  bool eval_accelerations(double t, const State& state, const BalancedState* balanced);
  Accelerations& accelerations();

  const Problem& problem_;
  const SolveOptions& options_;
  StateStepper& steps_;
  const RunReport* report_ = nullptr;
  ConstraintGuard guard_;
  RankLossMonitor rank_losses_;
  SwitchMonitor sides_;
  std::optional<EnclosureForesight> foresight_;  // made where steps are chosen
  std::optional<Accelerations> accelerations_;   // made when first asked for
  std::vector<double> q_, v_, a_, lambda_;
  double direction_;                 // of time, 1 or −1
  double begin_, time_;              // of the last step
  double limit_ = 0;                 // that it was given
  double last_step_ = 0;             // its length; 0: there was none
  double work_time_ = 0;             // how far in this step the work was counted
  bool lost_accelerations_ = false;  // where the work was counted
};

}  // namespace dalembert
