#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <dalembert/base/error.hpp>
#include <dalembert/base/text.hpp>
#include <dalembert/expr/evaluate.hpp>
#include <dalembert/solve/batch.hpp>
#include <dalembert/solve/schedule.hpp>
#include <dalembert/solve/solve.hpp>

#include "lanes_run.hpp"
#include "run/clock.hpp"

namespace dalembert {
namespace {

// None where the case has the model's own.
ParameterValues parameters_of(const System& system, const BatchCase& given) {
  ParameterValues values;
  if (given.parameters.empty()) return values;
  std::vector<std::string> names;
  for (const Parameter& parameter : system.model().parameters) names.push_back(parameter.name);
  for (const auto& [name, value] : given.parameters) {
    if (std::find(names.begin(), names.end(), name) == names.end()) {
      throw Error(fmt::format("there is no parameter '{}'{}", name, suggestion(name, names)));
    }
  }
  for (const Parameter& parameter : system.model().parameters) {
    const auto is_it = [&](const auto& other) { return other.first == parameter.name; };
    const auto other = std::find_if(given.parameters.begin(), given.parameters.end(), is_it);
    const bool differs = other != given.parameters.end();
    values[parameter.symbol.id()] = differs ? other->second : evaluate<double>(parameter.value, values);
  }
  return values;
}

std::vector<double> start_of(const System& system, const std::vector<double>& given,
                             const ParameterValues& own, Expr Coordinate::*expression) {
  if (!given.empty() && given.size() != system.n()) {
    throw Error(fmt::format("a case has {} values, the system {} coordinates", given.size(), system.n()));
  }
  std::vector<double> start = given;
  if (!start.empty()) return start;
  const ParameterValues values = own.empty() ? system.parameter_values<double>() : own;
  for (std::size_t i = 0; i < system.n(); ++i) {
    start.push_back(evaluate<double>(system.model().coordinates[i].*expression, values));
  }
  return start;
}

class Batch {
 public:
  Batch(const System& system, std::span<const BatchCase> cases, const SolveOptions& options,
        const BatchSink& sink)
      : problem_(make_problem(system, options.start)), options_(options), sink_(sink) {
    if (system.switches().size() > 0) {
      throw Error(
          fmt::format("{} is not smooth: such systems run one at a time", system.switches().calls[0].text));
    }
    report_.cases.resize(cases.size());
    for (std::size_t i = 0; i < cases.size(); ++i) {
      const BatchCase& given = cases[i];
      ParameterValues values = parameters_of(system, given);
      const bool is_models_own = values.empty() && given.q.empty() && given.v.empty();
      std::vector<double> q =
          is_models_own ? problem_.start.q : start_of(system, given.q, values, &Coordinate::position);
      std::vector<double> v =
          is_models_own ? problem_.start.v : start_of(system, given.v, values, &Coordinate::velocity);
      const auto is_finite = [](double x) { return std::isfinite(x); };
      if (!std::all_of(q.begin(), q.end(), is_finite) || !std::all_of(v.begin(), v.end(), is_finite)) {
        throw Error(fmt::format("the start of case {} is not finite", i));
      }
      trajectories_.push_back({i, std::move(values), std::move(q), std::move(v)});
    }
  }

  BatchReport run() {
    for (std::size_t first = 0; first < trajectories_.size();) {
      const std::size_t rest = trajectories_.size() - first;
      const std::size_t count = std::min<std::size_t>(rest, rest > narrow ? wide : narrow);
      const std::span<LaneTrajectory> group = std::span(trajectories_).subspan(first, count);
      count == 1 ? run_alone(group) : count > narrow ? run_group<wide>(group) : run_group<narrow>(group);
      first += count;
    }
    for (const LaneTrajectory& trajectory : trajectories_) {
      report_.cases[trajectory.number].q = trajectory.q;
      report_.cases[trajectory.number].v = trajectory.v;
    }
    return std::move(report_);
  }

 private:
  void run_alone(std::span<LaneTrajectory> one) {
    Clock<double> clock{options_.start, 0};
    Schedule schedule(options_);
    go_on_alone(one, clock, schedule);
  }

  template <int lanes>
  void run_group(std::span<LaneTrajectory> group) {
    Clock<double> clock{options_.start, 0};
    Schedule schedule(options_);
    std::string reason;
    std::optional<LanesRun<Lanes<lanes>, 1>>& run = lanes_run<lanes>();
    if (!run || run->has_own_parameters() || run->has_own_parameters(group)) {
      run.emplace(problem_, options_, sink_, report_, group);
    } else {
      run->restart(group);
    }
    if (run->run(clock, schedule, reason)) return;
    for (std::size_t i = 0; i < group.size(); ++i) go_on_alone(group.subspan(i, 1), clock, schedule);
  }

  void go_on_alone(std::span<LaneTrajectory> one, Clock<double> clock, Schedule schedule) {
    CaseReport& report = report_.cases[one[0].number];
    LanesRun<double, native_lanes> run(problem_, options_, sink_, report_, one);
    report.end_time = clock.high;
    if (!run.run(clock, schedule, report.reason)) report.outcome = Outcome::stopped_early;
  }

  template <int lanes>
  auto& lanes_run() {
    if constexpr (lanes == wide) {
      return wide_run_;
    } else {
      return narrow_run_;
    }
  }

  static constexpr int wide = 8;
  static constexpr int narrow = 4;
  Problem problem_;
  const SolveOptions& options_;
  const BatchSink& sink_;
  std::vector<LaneTrajectory> trajectories_;
  BatchReport report_;
  std::optional<LanesRun<Lanes<wide>, 1>> wide_run_;  // of the group before
  std::optional<LanesRun<Lanes<narrow>, 1>> narrow_run_;
};

}  // namespace

BatchReport solve_batch(const System& system, std::span<const BatchCase> cases, const SolveOptions& options,
                        const BatchSink& sink) {
  SolveOptions all = complete(options);
  all.threads = 1;
  return Batch(system, cases, all, sink).run();
}

}  // namespace dalembert
