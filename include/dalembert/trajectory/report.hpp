// How a run ended and what it cost.
#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace dalembert {

enum class Outcome {
  finished,       ///< reached the end time, and its own checks agree
  doubtful,       ///< reached the end time, but its own checks contradict the numbers: `doubts` says which
  stopped_early,  ///< could not go on; what was computed is kept, `reason` says why
  interrupted,    ///< the caller asked to stop
};

inline bool reached_end(Outcome outcome) {
  return outcome == Outcome::finished || outcome == Outcome::doubtful;
}

/// An event of a motion: what it was, the state before and behind it.
struct EventRecord {
  double t = 0;
  std::string name;
  std::string kind;          ///< rising, falling, touching, time; of contacts impact, rest, opening
  std::vector<double> q, v;  ///< before
  std::vector<double> q_after, v_after;  ///< empty: the same
  /// Of constraints and contacts, by name: M (v_after − v) is the sum of their −Cᵀ Λ.
  std::vector<std::pair<std::string, double>> impulses;
  double energy_change = 0;
  std::string note;  ///< what else is to be said, as when bounces accumulate
};

struct RunReport {
  std::string method;
  Outcome outcome = Outcome::finished;
  std::string reason;  ///< why it stopped, and what to do
  double start_time = 0;
  double end_time = 0;  ///< reached

  std::size_t steps = 0;
  std::size_t rejected = 0;
  std::size_t samples = 0;
  std::size_t evaluations = 0;     ///< of the accelerations or of the residual; 0: not counted
  std::size_t factorizations = 0;  ///< of Newton's matrices; 0: not counted
  std::size_t iterations = 0;      ///< of Newton's method; 0: not counted
  int lowest_order = 0;
  int highest_order = 0;
  double smallest_step = 0;
  double largest_step = 0;

  double max_position_residual = 0;  ///< max |g| over all steps and samples, in the units of each constraint
  double max_velocity_residual = 0;  ///< max |C v + c|
  /// The same beside what they would be if each coordinate, or velocity, were off by its own size.
  double relative_position_residual = 0;
  double relative_velocity_residual = 0;
  bool conservative = true;  ///< no force does work: the energy itself must stay
  double start_energy = 0;
  double end_energy = 0;
  double work = 0;                    ///< done by all other forces since the start
  double max_energy_error = 0;        ///< max |E(t) − E(0) − work(t)|
  double energy_scale = 0;            ///< the largest |K| + |V| seen, to compare it with
  double explained_energy_error = 0;  ///< how large max_energy_error may be by tolerance, step and round-off

  /// What speaks against the numbers, a sentence each: errors beyond what tolerance, step and round-off
  /// explain. A run that reached its end with one of them is doubtful.
  std::vector<std::string> doubts;

  /// Estimated error of q and v at the end, beside their largest values; not a number: not estimated.
  double end_error = std::numeric_limits<double>::quiet_NaN();
  /// How much of it is growth: end_error beside the sum of the errors that the steps made.
  double error_growth = std::numeric_limits<double>::quiet_NaN();

  std::vector<EventRecord> events;  ///< in the order of time
  double event_energy = 0;          ///< what events and impacts have added to the energy; part of `work`

  /// Where constraints lost rank and the motion went on along its smooth branch.
  std::vector<double> singular_times;

  /// Outputs and multipliers that redundant constraints leave open; those of least norm are given.
  std::vector<std::string> not_unique;

  double seconds = 0;          ///< wall time
  int threads = 1;             ///< that shared the work
  std::string native;          ///< whether compiled code was used, and why not; empty: the method has none
  bool native_counts = false;  ///< it was used, or would have been worth it
  std::vector<std::string> warnings;
  std::string advice;  ///< a method that suits the model better
};

}  // namespace dalembert
