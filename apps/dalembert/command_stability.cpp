// dalembert stability MODEL
#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <dalembert/base/error.hpp>
#include <dalembert/base/text.hpp>
#include <dalembert/output/run_record.hpp>
#include <dalembert/solve/solve.hpp>
#include <dalembert/solve/stability.hpp>

#include "command.hpp"

namespace dalembert::app {
namespace {

struct StabilityArguments {
  ModelArguments model;
  std::vector<std::string> box;
  double a = 0.99;
  double epsilon = 0.1;
  std::optional<double> step;
};

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
std::vector<Interval> visited_box(const Visited& visited) {
  if (!reached_end(visited.report.outcome)) {
    throw Error(
        fmt::format("the run that should tell the box stopped: {}; give --box", visited.report.reason));
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
std::vector<Interval> parse_box(const std::vector<std::string>& texts, const ModelData& model) {
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
    if (!sides[i]) throw Error(fmt::format("--box says nothing of '{}'", names[i]));
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

std::string question_text(const ModelData& model, const StabilityQuestion& question,
                          const StabilityEstimate& estimate, const std::vector<double>& start) {
  std::string text = heading_of(model) + "\n";
  const auto out = std::back_inserter(text);
  for (std::size_t i = 0; i < question.box.size(); ++i) {
    fmt::format_to(out, "  {:15}{} from {:.6g} to {:.6g}\n", i == 0 ? "box" : "", model.coordinates[i].name,
                   question.box[i].low, question.box[i].high);
  }
  fmt::format_to(out, "  {:15}t from {:.6g} to {:.6g}\n", "", question.time.low, question.time.high);
  fmt::format_to(out, "  {:15}a = {}, epsilon = {}, step = {}\n", "asked for", shortest(question.a),
                 shortest(question.epsilon), shortest(question.step));
  fmt::format_to(out, "  {:15}|f| = {:.1e}{}\n", "start", estimate.start_residual,
                 estimate.start_residual > question.epsilon ? ", beyond epsilon: the conditions say nothing"
                 : is_inside(start, question.box)           ? ""
                                                  : ", outside the box: the conditions say nothing");
  return text;
}

std::string conditions_text(const StabilityEstimate& estimate) {
  const SecondDerivativeBound& bound = estimate.bound;
  std::string text = "\nEuler's method with F = k f keeps |f| <= epsilon in the box if\n";
  const auto out = std::back_inserter(text);
  fmt::format_to(out, "  |1 + step k| <= a{:23}{:.6g} <= k <= {:.6g}\n", "", estimate.contraction.low,
                 estimate.contraction.high);
  fmt::format_to(out, "  |f''| <= 2 (1 - a) epsilon / step^2 = {:.6g}\n", estimate.allowed);
  if (!std::isfinite(bound.A + bound.B + bound.D)) {
    return text +
           "    f_q^+ is not bounded where |f| <= epsilon: nothing follows; try a smaller box or epsilon\n";
  }
  fmt::format_to(out, "    where |f''| <= {:.6g} + {:.6g} |k| + {:.6g} k^2  (intervals, {} cells)\n", bound.A,
                 bound.B, bound.D, bound.cells);
  if (estimate.largest_gain) fmt::format_to(out, "{:42}|k| <= {:.6g}\n", "", *estimate.largest_gain);
  if (estimate.admissible) {
    fmt::format_to(out, "  admissible{:30}{:.6g} <= k <= {:.6g}\n", "", estimate.admissible->low,
                   estimate.admissible->high);
  } else {
    text += "  no gain is admissible at this step\n";
  }
  if (estimate.largest_step) {
    fmt::format_to(out, "  there are admissible gains up to        step = {:.6g}\n", *estimate.largest_step);
  }
  return text;
}

// K where the motion goes; once, where it is the same everywhere.
std::vector<Eigen::MatrixXd> gains_along(const KinematicSystem& system, const Visited& visited) {
  KinematicEvaluation at(system);
  std::vector<Eigen::MatrixXd> gains;
  for (std::size_t i = 0; i < visited.t.size(); ++i) {
    at.eval(visited.t[i], visited.q[i]);
    if (gains.empty() || at.K != gains.back()) gains.emplace_back(at.K);
  }
  return gains;
}

std::string limits_text(const KinematicSystem& system, const StabilityQuestion& question,
                        const Visited& visited) {
  const std::vector<Eigen::MatrixXd> gains = gains_along(system, visited);
  std::string text = fmt::format(
      "\nErrors of f' = K f decay, exact limits of the methods:\n"
      "  method    step |k| <=   k at this step       longest step for the model's K{}\n",
      gains.size() > 1 ? fmt::format(" from t = {:.6g} to {:.6g}", visited.t.front(), visited.t.back()) : "");
  for (const RungeKuttaTable& table : runge_kutta_tables()) {
    const double limit = real_stability_limit(table);
    double longest = std::numeric_limits<double>::infinity();
    for (const Eigen::MatrixXd& K : gains) longest = std::min(longest, stable_step(table, K));
    const std::string step = longest == 0          ? "none, K makes errors grow"
                             : std::isinf(longest) ? "any, K is zero"
                                                   : fmt::format("{:.6g}", longest);
    fmt::format_to(std::back_inserter(text), "  {:8}  {:<12.5f}  {:>10.6g} <= k < 0   {}\n", table.name,
                   limit, -limit / question.step, step);
  }
  return text;
}

// Beshaw's estimate for example 1, with what is wrong in it.
std::string published_text(const ModelData& model, const StabilityQuestion& question) {
  const bool is_example = model.source.starts_with("Beshaw") && model.source.ends_with("example 1");
  if (!is_example || question.a != 0.99 || question.epsilon != 0.1 || question.step != 0.002) return "";
  const double corrected = *solve_gain({81.9, 37.9, 3.4, 0}, 500);
  return fmt::format(
      "\nPublished for these numbers: -359.6 <= k <= -0.5. It differs because\n"
      "  - |1 + step k| <= a gives k <= (a - 1)/step = -5, not -0.5;\n"
      "  - its own bound 81.9 + 37.9 |k| + 3.4 k^2 <= 500 gives |k| <= {:.4g}, not 359.6: together {:.4g} <= "
      "k <= -5;\n"
      "  - that bound lets f be as large as anywhere in the box. The conditions are about |f| <= epsilon, "
      "where\n"
      "    the terms with k are small: the intervals above use it.\n",
      corrected, -corrected);
}

void stability(const StabilityArguments& arguments) {
  const Model model = arguments.model.load();
  if (model->kind != ModelKind::kinematic) {
    throw Error(
        "gains and steps are estimated for kinematic models (kind = \"kinematic\"); this one has "
        "equations of motion",
        {model->file, 0, 0});
  }
  if (!(arguments.a > 0 && arguments.a < 1)) throw Error("--a must lie between 0 and 1");
  if (!(arguments.epsilon > 0)) throw Error("--epsilon must be positive");
  const KinematicSystem system(model);
  if (system.m() == 0)
    throw Error("this model has no constraints that a motion could leave: every gain and step will do",
                {model->file, 0, 0});
  SolveOptions options = options_of(*model);
  StabilityQuestion question;
  question.a = arguments.a;
  question.epsilon = arguments.epsilon;
  question.step = arguments.step.value_or(options.step > 0 ? options.step : 0.002);
  if (!(question.step > 0)) throw Error("--step must be positive");
  question.time = {options.start, options.start + options.duration};
  const Visited visited = follow_motion(system, options);
  question.box = arguments.box.empty() ? visited_box(visited) : parse_box(arguments.box, *model);
  const StabilityEstimate estimate = estimate_stability(system, question);
  if (estimate.bound.cells == 0) {
    throw Error(
        fmt::format("no point of the box has |f| <= {}: there is nothing to estimate", question.epsilon));
  }
  fmt::print("{}{}{}{}", question_text(*model, question, estimate, system.given_positions()),
             conditions_text(estimate), limits_text(system, question, visited),
             published_text(*model, question));
}

}  // namespace

void add_stability(CLI::App& app) {
  const auto arguments = std::make_shared<StabilityArguments>();
  CLI::App* command = app.add_subcommand("stability", "admissible gains and steps of a kinematic model");
  arguments->model.add_to(*command);
  command->add_option("--box", arguments->box, "x=-1:1,y=-3:3; by default what a run visits and a tenth more")
      ->delimiter(',');
  command->add_option("--a", arguments->a, "contraction per step (0.99)");
  command->add_option("--epsilon", arguments->epsilon, "largest deviation |f| (0.1)");
  command->add_option("--step", arguments->step, "step of the method; the model's, or 0.002");
  command->footer(
      "Examples:\n"
      "  dalembert stability ellipse\n"
      "  dalembert stability ellipse --box x=-1.1:1.1,y=-3.1:3.1 --epsilon 0.01 --step 0.001");
  command->callback([arguments] { stability(*arguments); });
}

}  // namespace dalembert::app
