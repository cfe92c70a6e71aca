// Trajectories of a batch in the lanes of SIMD registers: they share their steps.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include <dalembert/solve/adomian_step.hpp>
#include <dalembert/solve/batch.hpp>
#include <dalembert/solve/schedule.hpp>
#include <dalembert/solve/solve.hpp>

#include "adomian.hpp"
#include "domain_watch.hpp"
#include "lanes_step.hpp"
#include "passing_step.hpp"
#include "run/clock.hpp"
#include "step_sampler.hpp"

namespace dalembert {

/// A case with everything it needs to run.
struct LaneTrajectory {
  std::size_t number;
  ParameterValues parameters;  // empty: the model's own
  std::vector<double> q, v;
};

template <class S>
S in_all_lanes(double x) {
  return LaneMath<S>::of(0) + x;
}
template <class S>
double lane(const S& x, std::size_t i) {
  return reinterpret_cast<const double*>(&x)[i];
}

/// Trajectories in lanes, as many as S has or fewer; the lanes that are left repeat the last one.
template <class S, int W>
class LanesRun {
 public:
  static constexpr std::size_t lanes = LaneMath<S>::lanes;

  LanesRun(const Problem& problem, const SolveOptions& options, const BatchSink& sink, BatchReport& report,
           std::span<LaneTrajectory> trajectories)
      : problem_(problem),
        options_(options),
        sink_(sink),
        report_(report),
        trajectories_(trajectories),
        steps_(problem, options, parameters()),
        step_(steps_.step()),
        domains_(problem.system, step_.max_order(), options.duration < 0 ? -1 : 1),
        end_(options.start + options.duration),
        direction_(options.duration < 0 ? -1 : 1) {
    q_.assign(problem.system.n(), in_all_lanes<S>(0));
    v_ = q_;
    place_states();
  }

  bool has_own_parameters() const { return has_own_parameters(trajectories_); }
  static bool has_own_parameters(std::span<const LaneTrajectory> trajectories) {
    return std::any_of(trajectories.begin(), trajectories.end(),
                       [](const LaneTrajectory& one) { return !one.parameters.empty(); });
  }
  /// Other trajectories, with the model's parameters as those before.
  void restart(std::span<LaneTrajectory> trajectories) {
    trajectories_ = trajectories;
    steps_.restart();
    place_states();
  }

  /// From a time on; returns false where it cannot go on, with the states there in the trajectories.
  bool run(Clock<double>& clock, Schedule& schedule, std::string& reason) {
    const bool at_start = clock.high == options_.start;
    constexpr int newton_steps = 8;
    if (!step_.set_state(in_all_lanes<S>(clock.high), q_, v_, at_start ? newton_steps : 0)) {
      reason = singular_reason;
      return false;
    }
    keep(clock);
    if (at_start) sample_end(clock, schedule);
    while (direction_ * (end_ - clock.high) > 0) {
      if (!advance(clock, schedule, reason)) return false;
    }
    return true;
  }

 private:
  const LaneTrajectory& in_lane(std::size_t i) const {
    return trajectories_[std::min(i, trajectories_.size() - 1)];
  }
  void place_states() {
    for (std::size_t i = 0; i < lanes; ++i) {
      for (std::size_t j = 0; j < q_.size(); ++j) {
        reinterpret_cast<double*>(&q_[j])[i] = in_lane(i).q[j];
        reinterpret_cast<double*>(&v_[j])[i] = in_lane(i).v[j];
      }
    }
  }
  // Of every lane; none where all are the model's.
  std::vector<ParameterValues> parameters() const {
    std::vector<ParameterValues> values;
    if (!has_own_parameters()) return values;
    for (std::size_t i = 0; i < lanes; ++i) {
      values.push_back(in_lane(i).parameters);
      if (values.back().empty()) values.back() = problem_.system.template parameter_values<double>();
    }
    return values;
  }

  bool advance(Clock<double>& clock, Schedule& schedule, std::string& reason) {
    step_.expand();
    double h = step_.proposed_step();
    if (std::isnan(h)) {
      reason = not_finite_reason;
      return false;
    }
    if (options_.max_step > 0) h = std::min(h, options_.max_step);
    const double remaining = direction_ * (end_ - clock.high);
    h = domains_.limit(step_, std::min(steps_.prepare(clock.high, h), remaining));
    // one lane ends, the others go on alone
    if (domains_.ends_at(smallest_step(options_, clock.high)) || (lanes > 1 && domains_.has_end())) {
      reason = domains_.reason();
      return false;
    }
    const double rest = (end_ - clock.high) - clock.low;
    double wanted = h >= remaining * (1 - 1e-12) ? rest : direction_ * h;
    wanted *= step_.proven_share(in_all_lanes<S>(wanted));
    const std::size_t rejected = steps_.rejected();
    const TakenStep<S> attempt =
        steps_.take({clock.high, remaining, in_all_lanes<S>(rest)}, in_all_lanes<S>(wanted));
    report_.rejected += steps_.rejected() - rejected;
    if (attempt.failure != StepFailure::none) {
      reason = reason_of(attempt.failure);
      return false;
    }
    ++report_.steps;
    const double taken = lane(attempt.h, 0);
    singular_tau_.reset();
    if (const auto time = steps_.finish(clock.high, clock.high + taken)) {
      report_.cases[trajectories_[0].number].singular_times.push_back(*time);
      singular_tau_ = *time - clock.high;
    }
    if (!sample_within(clock, taken, schedule)) {
      reason = singular_reason;
      return false;
    }
    clock.add(taken);
    keep(clock);
    sample_end(clock, schedule);
    if (direction_ * (end_ - clock.high) > 0 && domains_.ends_at(std::abs(taken))) {
      reason = domains_.reason();
      return false;
    }
    return true;
  }

  bool sample_within(const Clock<double>& clock, double h, Schedule& schedule) {
    while (!schedule.every_step() && !schedule.done()) {
      const double tau = (schedule.next() - clock.high) - clock.low;
      if (direction_ * (tau - h) >= 0) return true;
      if (!set_sample(schedule.next(), tau)) return false;
      emit(*sampler_, schedule.next());
      schedule.advance();
    }
    return true;
  }

  bool set_sample(double t, double tau) {
    if (!sampler_)
      sampler_.emplace(problem_.system, problem_.active, sampler_settings(options_), parameters());
    if constexpr (lanes == 1) {
      sampler_->set(t, tau, step_.polynomials(), singular_tau_);
      return true;
    } else {
      step_.polynomials().eval_q(in_all_lanes<S>(tau), q_);
      step_.polynomials().eval_v(in_all_lanes<S>(tau), v_);
      return sampler_->set_close_state(in_all_lanes<S>(t), q_, v_);
    }
  }

  void sample_end(const Clock<double>& clock, Schedule& schedule) {
    if (schedule.every_step()) return emit(step_, clock.high);
    while (!schedule.done() && direction_ * (schedule.next() - clock.high) <= 0) {
      emit(step_, clock.high);
      schedule.advance();
    }
  }

  template <class At>
  void emit(const At& at, double t) {
    for (std::size_t i = 0; i < trajectories_.size(); ++i) {
      const auto copy = [&](std::vector<double>& to, std::span<const S> from) {
        to.clear();
        for (const S& x : from) to.push_back(lane(x, i));
      };
      copy(sample_q_, at.q());
      copy(sample_v_, at.v());
      copy(sample_a_, at.a());
      copy(sample_lambda_, at.lambda());
      copy(sample_g_, at.position_residual());
      copy(sample_gv_, at.velocity_residual());
      note_residuals(i, at);
      if (sink_) {
        sink_({trajectories_[i].number, t, sample_q_, sample_v_, sample_a_, sample_lambda_, sample_g_,
               sample_gv_});
      }
    }
  }

  template <class At>
  void note_residuals(std::size_t i, const At& at) {
    CaseReport& report = report_.cases[trajectories_[i].number];
    for (const S& g : at.position_residual()) {
      report.max_position_residual = std::max(report.max_position_residual, std::abs(lane(g, i)));
    }
    for (const S& gv : at.velocity_residual()) {
      report.max_velocity_residual = std::max(report.max_velocity_residual, std::abs(lane(gv, i)));
    }
  }

  // The states at the end of a step: from there runs go on, and they are reported.
  void keep(const Clock<double>& clock) {
    for (std::size_t i = 0; i < trajectories_.size(); ++i) {
      LaneTrajectory& to = trajectories_[i];
      for (std::size_t j = 0; j < to.q.size(); ++j) {
        to.q[j] = lane(step_.q()[j], i);
        to.v[j] = lane(step_.v()[j], i);
      }
      note_residuals(i, step_);
      report_.cases[to.number].end_time = clock.high;
    }
  }

  const Problem& problem_;
  const SolveOptions& options_;
  const BatchSink& sink_;
  BatchReport& report_;
  std::span<LaneTrajectory> trajectories_;
  using Steps = std::conditional_t<lanes == 1, PassingStep<S, W>, LanesStep<S, W>>;
  using Sampler = std::conditional_t<lanes == 1, StepSampler<S, W>, AdomianStep<S, W>>;
  Steps steps_;
  AdomianStep<S, W>& step_;
  DomainWatch<S, W> domains_;
  std::optional<Sampler> sampler_;      // made when it is needed first
  std::optional<double> singular_tau_;  // where this step passes a singular configuration
  std::vector<S> q_, v_;
  std::vector<double> sample_q_, sample_v_, sample_a_, sample_lambda_, sample_g_, sample_gv_;
  double end_;
  double direction_;
};

}  // namespace dalembert
