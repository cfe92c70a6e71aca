// One run of one method on one model, with what is needed to compare it.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <dalembert/solve/solve.hpp>

namespace dalembert::campaign {

struct TrialSettings {
  std::string method;
  double tolerance = 0;      ///< 0: the method's own
  double least_steps = 0;    ///< the duration over the longest step; 0: the method's own
  std::size_t samples = 24;  ///< equally spaced behind the start
  double begin = 0;          ///< where the run starts, as a share of the motion
  std::size_t max_steps = 20000;
  double seconds = 3;  ///< of processor time, for what the limit of steps does not end
};

struct TrialState {
  std::vector<double> q, v, lambda;
  double energy = 0, work = 0;
};

struct Trial {
  std::string method;
  double tolerance = 0;  ///< that was used
  RunReport report;
  std::string refusal;             ///< not empty: the method did not run, and why
  std::vector<TrialState> states;  ///< at the start and the samples; fewer where the run stopped

  bool finished() const { return refusal.empty() && reached_end(report.outcome); }
  bool started() const { return refusal.empty() && !states.empty(); }
  /// Why there is no end, with the time.
  std::string why_not() const;
  /// It said itself that its result is not to be trusted.
  bool doubted() const;
};

Trial run_trial(const Problem& problem, const TrialSettings& settings);

}  // namespace dalembert::campaign
