#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <fmt/format.h>

#include <dalembert/base/error.hpp>
#include <dalembert/base/text.hpp>
#include <dalembert/session/stability.hpp>
#include <dalembert/solve/solve.hpp>

namespace dalembert::session {
namespace {

struct Visited {  // by a run
  std::vector<double> t;
  std::vector<std::vector<double>> q;
  RunReport report;
};

Visited follow_motion(const KinematicSystem& system, const SolveOptions& options) {
  Visited visited;
  visited.report = solve(system, options, SampleSink<double>([&](const Sample<double>& sample) {
                           visited.t.push_back(sample.t);
                           visited.q.emplace_back(sample.q.begin(), sample.q.end());
                           return true;
                         }));
  return visited;
}

// The part of space that the motion visits, and a tenth more on every side.
std::vector<Interval> visited_box(const Visited& visited, const char* dashes) {
  if (!reached_end(visited.report.outcome)) {
    throw Error(fmt::format("the run that should tell the box stopped: {}; give {}box", visited.report.reason,
                            dashes));
  }
  std::vector<Interval> box(visited.q[0].begin(), visited.q[0].end());
  for (const std::vector<double>& q : visited.q) {
    for (std::size_t i = 0; i < box.size(); ++i) {
      box[i].low = std::min(box[i].low, q[i]);
      box[i].high = std::max(box[i].high, q[i]);
    }
  }
  for (Interval& side : box) {
    const double margin = 0.1 * std::max(side.width(), 1e-3 * side.magnitude());
    side = {side.low - margin, side.high + margin};
  }
  return box;
}

// NAME=LOW:HIGH for every coordinate.
std::vector<Interval> parse_box(const std::vector<std::string>& texts, const ModelData& model,
                                const char* dashes) {
  std::vector<std::string> names;
  for (const Coordinate& coordinate : model.coordinates) names.push_back(coordinate.name);
  std::vector<std::optional<Interval>> sides(names.size());
  for (const std::string& text : texts) {
    const std::size_t equals = text.find('=');
    const std::size_t colon = text.find(':');
    if (equals == std::string::npos || colon == std::string::npos || colon < equals) {
      throw Error(fmt::format("'{}' is not a side of a box; write x=-1:1", text));
    }
    const std::string name = text.substr(0, equals);
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end())
      throw Error(fmt::format("there is no coordinate '{}'{}", name, suggestion(name, names)));
    Interval side;
    try {
      side = {std::stod(text.substr(equals + 1, colon - equals - 1)), std::stod(text.substr(colon + 1))};
    } catch (const std::exception&) {
      throw Error(fmt::format("'{}' is not a side of a box; write x=-1:1", text));
    }
    if (!(side.low < side.high)) throw Error(fmt::format("the side '{}' is empty", text));
    sides[static_cast<std::size_t>(found - names.begin())] = side;
  }
  std::vector<Interval> box;
  for (std::size_t i = 0; i < sides.size(); ++i) {
    if (!sides[i]) throw Error(fmt::format("{}box says nothing of '{}'", dashes, names[i]));
    box.push_back(*sides[i]);
  }
  return box;
}

bool is_inside(const std::vector<double>& q, const std::vector<Interval>& box) {
  for (std::size_t i = 0; i < box.size(); ++i) {
    if (q[i] < box[i].low || q[i] > box[i].high) return false;
  }
  return true;
}

// K where the motion goes; once, where it is the same everywhere.
std::vector<Eigen::MatrixXd> gains_along(const KinematicSystem& system, const Visited& visited) {
  KinematicEvaluation at(system, 0, false);
  std::vector<Eigen::MatrixXd> gains;
  for (std::size_t i = 0; i < visited.t.size(); ++i) {
    at.eval(visited.t[i], visited.q[i]);
    if (gains.empty() || at.K != gains.back()) gains.emplace_back(at.K);
  }
  return gains;
}

void refuse(const LoadedModel& model, const StabilityOptions& options, const char* dashes) {
  const SourceLocation place{model.model()->file, 0, 0};
  if (!model.is_kinematic()) {
    throw Error(
        "gains and steps are estimated for kinematic models (kind = \"kinematic\"); this one has "
        "equations of motion",
        place);
  }
  if (!(options.a > 0 && options.a < 1)) throw Error(fmt::format("{}a must lie between 0 and 1", dashes));
  if (!(options.epsilon > 0)) throw Error(fmt::format("{}epsilon must be positive", dashes));
  if (model.kinematic_system().m() == 0)
    throw Error("this model has no constraints that a motion could leave: every gain and step will do",
                place);
}

void add_limits(StabilityReport& report, const Visited& visited) {
  const std::vector<Eigen::MatrixXd> gains = gains_along(report.model.kinematic_system(), visited);
  if (gains.size() > 1) report.gains_over = Interval{visited.t.front(), visited.t.back()};
  for (const RungeKuttaTable& table : runge_kutta_tables()) {
    double longest = std::numeric_limits<double>::infinity();
    for (const Eigen::MatrixXd& K : gains) longest = std::min(longest, stable_step(table, K));
    report.limits.push_back({table.name, real_stability_limit(table), longest});
  }
}

}  // namespace

StabilityReport stability(const LoadedModel& model, const StabilityOptions& options, Spelling spelling) {
  const char* const dashes = spelling == Spelling::flag ? "--" : "";
  refuse(model, options, dashes);
  const KinematicSystem& system = model.kinematic_system();
  const SolveOptions solve_options = options_of(*model.model());
  StabilityReport report{.model = model, .question = {}, .estimate = {}, .limits = {}, .gains_over = {}};
  StabilityQuestion& question = report.question;
  question.a = options.a;
  question.epsilon = options.epsilon;
  question.step = options.step.value_or(solve_options.step > 0 ? solve_options.step : 0.002);
  if (!(question.step > 0)) throw Error(fmt::format("{}step must be positive", dashes));
  question.time = {solve_options.start, solve_options.start + solve_options.duration};
  const Visited visited = follow_motion(system, solve_options);
  question.box =
      options.box.empty() ? visited_box(visited, dashes) : parse_box(options.box, *model.model(), dashes);
  report.estimate = estimate_stability(system, question);
  if (report.estimate.bound.cells == 0) {
    throw Error(
        fmt::format("no point of the box has |f| <= {}: there is nothing to estimate", question.epsilon));
  }
  report.starts_inside = is_inside(system.given_positions(), question.box);
  add_limits(report, visited);
  return report;
}

}  // namespace dalembert::session
