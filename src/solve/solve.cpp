#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <dalembert/base/error.hpp>
#include <dalembert/base/text.hpp>
#include <dalembert/expr/digits.hpp>
#include <dalembert/solve/solve.hpp>
#include <dalembert/system/start_changes.hpp>
#include <dalembert/system/structure.hpp>
#include <dalembert/system/uniqueness.hpp>

#include "adomian.hpp"
#include "augmented_lagrangian.hpp"
#include "bdf.hpp"
#include "explicit.hpp"
#include "generalized_alpha.hpp"
#include "kinematic.hpp"
#include "ndf.hpp"
#include "nullspace.hpp"
#include "partition.hpp"
#include "rattle.hpp"
#include "verdict.hpp"

namespace dalembert {
namespace {

std::string refuse_adomian(const Problem&, const SolveOptions& options) {
  return options.order == 0 || options.order >= 4 ? "" : "needs at least order 4";
}

constexpr std::array all_methods{
    Method{"adomian",
           "multistage Adomian decomposition: series of high order, projected onto the constraints",
           1e-15,  // what doubles can hold
           run_adomian, run_adomian_digits, refuse_adomian},
    Method{"euler", "Euler's method, order 1, constant step", 0, run_euler, nullptr, refuse_explicit, true},
    Method{"heun", "Heun's method, order 2, constant step", 0, run_heun, nullptr, refuse_explicit, true},
    Method{"kutta3", "Kutta's method of order 3, constant step", 0, run_kutta3, nullptr, refuse_explicit,
           true},
    Method{"rk4", "the classical Runge-Kutta method, order 4, constant step", 0, run_rk4, nullptr,
           refuse_explicit, true},
    Method{"dopri5", "Runge-Kutta method of Dormand & Prince, order 5(4), adaptive", 1e-9, run_dopri5,
           nullptr, refuse_explicit, true},
    Method{"dop853", "Runge-Kutta method of Dormand & Prince, order 8(5,3), adaptive", 1e-9, run_dop853,
           nullptr, refuse_explicit, true},
    Method{"nullspace", "multipliers eliminated by a basis of the kernel of C; any Runge-Kutta method", 1e-9,
           run_nullspace, nullptr, refuse_linear},
    Method{"partition", "independent coordinates alone (Wehage & Haug); any Runge-Kutta method", 1e-9,
           run_partition, nullptr, refuse_partition},
    Method{"augmented_lagrangian", "Bayo's penalties with iteration and projections; any Runge-Kutta method",
           1e-9, run_augmented_lagrangian, nullptr, refuse_augmented_lagrangian},
    Method{"bdf", "backward differentiation formulas of order 1 to 5 (SUNDIALS IDA), exact Jacobians", 1e-9,
           run_bdf, nullptr, refuse_bdf},
    Method{"ndf", "numerical differentiation formulas of order 1 to 5, as in ode15s, exact Jacobians", 1e-8,
           run_ndf, nullptr, refuse_ndf},
    Method{"rattle", "RATTLE, order 2, constant step: symplectic and symmetric, for holonomic constraints", 0,
           run_rattle, nullptr, refuse_rattle},
    Method{"generalized_alpha", "generalized-alpha method on the index-3 equations, order 2, constant step",
           0, run_generalized_alpha, nullptr, refuse_generalized_alpha},
};

constexpr std::array<std::string_view, 4> stabilization_names{"none", "baumgarte", "linear", "projection"};

// Doubles far from zero are far apart: a step must reach another one, a run some.
void check_resolution(const SolveOptions& options) {
  const double end = options.start + options.duration;
  if (!std::isfinite(end)) throw Error("the end of the run is beyond the largest number");
  const double farthest = std::max(std::abs(options.start), std::abs(end));
  const double apart = farthest * std::numeric_limits<double>::epsilon();
  constexpr double least_of_a_run = 1000;  // times are then right to a thousandth of the run
  constexpr double least_of_a_step = 2;
  struct Span {
    const char* name;
    double size, least;
  };
  for (const auto& [name, size, least] : {Span{"duration", std::abs(options.duration), least_of_a_run},
                                          Span{"output step", options.output_step, least_of_a_step},
                                          Span{"step", options.step, least_of_a_step},
                                          Span{"longest step", options.max_step, least_of_a_step}}) {
    if (size == 0 || size >= least * apart) continue;
    throw Error(fmt::format(
        "the {} of {} is too short near t = {:g}: neighbouring times are {:.1e} apart there; let the "
        "time begin at 0",
        name, size, farthest, apart));
  }
}

void check(const SolveOptions& options) {
  if (!(options.tolerance >= 0) || !std::isfinite(options.tolerance))
    throw Error(fmt::format("the tolerance must be positive and finite, not {}", options.tolerance));
  if (!std::isfinite(options.duration) || options.duration == 0) {
    throw Error(fmt::format("the duration must be finite and not zero, not {}", options.duration));
  }
  if (!std::isfinite(options.start)) throw Error("the start time must be finite");
  if (!(options.step >= 0) || !std::isfinite(options.step)) {
    throw Error(fmt::format("the step must be positive, not {}", options.step));
  }
  if (!(options.output_step >= 0)) throw Error("the output step must not be negative");
  constexpr double most_samples = 1e15;  // then neighbours differ by a rounding error
  if (options.output_step > 0 && std::abs(options.duration) / options.output_step > most_samples) {
    throw Error(
        fmt::format("an output step of {} gives more than {:g} samples", options.output_step, most_samples));
  }
  if (options.order < 0 || options.order > 1000) {
    throw Error(fmt::format("the order must be between 1 and 1000, not {}", options.order));
  }
  if (options.digits != 0 && (options.digits < 17 || options.digits > 10000)) {
    throw Error(fmt::format("the number of digits must be between 17 and 10000, not {}", options.digits));
  }
  constexpr int most_threads = 256;
  if (options.threads < 0 || options.threads > most_threads) {
    throw Error(
        fmt::format("the number of threads must be between 1 and {}, not {}", most_threads, options.threads));
  }
  if (!(options.max_step >= 0)) throw Error("the longest step must be positive");
  if (options.digits == 0) check_resolution(options);
  const bool forward = options.duration > 0;
  for (std::size_t i = 0; i < options.output_times.size(); ++i) {
    const double end =
        options.start + options.duration;  // as the run ends: a difference could round beyond it
    const auto [first, last] = std::minmax(options.start, end);
    if (!(options.output_times[i] >= first && options.output_times[i] <= last)) {
      throw Error(fmt::format("the output time {} is outside the run", options.output_times[i]));
    }
    if (i > 0 && (options.output_times[i] < options.output_times[i - 1]) == forward) {
      throw Error("the output times must be in the order of the run");
    }
  }
}

// Given values that had to change; guesses are there to be changed.
void note_changed_start(const System& system, Problem& problem) {
  std::vector<std::string> changes;
  constexpr double least = 1e-6;  // what a person would see of a value
  for (const StartChange& change : sort_changes(system, problem.start, least).given) {
    changes.push_back(fmt::format("{} from {:.9g} to {:.9g}", change.name, change.from, change.to));
  }
  if (changes.empty()) return;
  constexpr std::size_t most = 3;
  const std::string more = changes.size() > most ? fmt::format(", and {} more", changes.size() - most) : "";
  changes.resize(std::min(changes.size(), most));
  problem.notes.push_back(
      "the given start did not meet the constraints and was changed: " + join(changes, ", ") + more);
}

void note_negative_inertia(const System& system, const Structure& structure, Problem& problem) {
  if (structure.inertia.negative.empty()) return;
  std::vector<std::string> names;
  for (const std::size_t i : structure.inertia.negative)
    names.push_back("'" + system.coordinate_name(i) + "'");
  problem.notes.push_back("negative kinetic energy in motions of " + join(names, ", ") +
                          " that the constraints allow: check the masses");
}

}  // namespace

Problem make_problem(const System& system, double start_time) {
  Problem problem{system, find_start(system, start_time), {}, system.model().warnings};
  note_changed_start(system, problem);
  const Structure structure = analyse_structure(system, problem.start);
  note_negative_inertia(system, structure, problem);
  std::vector<bool> dependent(system.m(), false);
  for (const DependentConstraint& row : structure.redundant) {
    dependent[row.constraint] = true;
    std::vector<std::string> others;
    for (const std::size_t other : row.others) others.push_back(system.constraint_name(other));
    problem.notes.push_back(fmt::format("constraint '{}' is redundant{}; multipliers are those of least norm",
                                        system.constraint_name(row.constraint),
                                        others.empty() ? "" : ": it depends on " + join(others, ", ")));
  }
  for (std::size_t j = 0; j < system.m(); ++j) {
    if (!dependent[j]) problem.active.push_back(j);
  }
  problem.not_unique = names_of(system, find_not_unique(system, problem.start, structure));
  return problem;
}

std::span<const Method> methods() { return all_methods; }

const Method& find_method(std::string_view name) {
  std::vector<std::string> names;
  for (const Method& method : all_methods) {
    if (method.name == name) return method;
    names.emplace_back(method.name);
  }
  throw Error(fmt::format("there is no method '{}'{}", name, suggestion(name, names)));
}

bool has_constant_step(const SolveOptions& options) {
  return find_method(options.method).tolerance == 0 ||
         std::any_of(all_methods.begin(), all_methods.end(), [&](const Method& inner) {
           return inner.name == options.formulation && inner.tolerance == 0;
         });
}

Stabilization find_stabilization(std::string_view name) {
  const auto found = std::find(stabilization_names.begin(), stabilization_names.end(), name);
  if (found == stabilization_names.end()) {
    const std::vector<std::string> names(stabilization_names.begin(), stabilization_names.end());
    throw Error(fmt::format("there is no stabilization '{}'{}", name, suggestion(name, names)));
  }
  return static_cast<Stabilization>(found - stabilization_names.begin());
}

std::string_view name_of(Stabilization stabilization) {
  return stabilization_names.at(static_cast<std::size_t>(stabilization));
}

namespace {

// Methods are not known where the file is read: its word is looked at here.
void check_method_of(const ModelData& model) {
  if (!model.solve.method) return;
  try {
    find_method(*model.solve.method);
  } catch (const Error& error) {
    const SourceLocation& place = model.solve.method_place;
    std::istringstream lines(model.text);
    std::string line;
    for (int k = 0; k < place.line; ++k) std::getline(lines, line);
    throw Error(error.message(), {model.file, place.line, place.column},
                place.line > 0 ? caret_excerpt(line, place.column) : "");
  }
}

}  // namespace

SolveOptions options_of(const ModelData& model) {
  check_method_of(model);
  SolveOptions options;
  const bool kinematic = model.kind == ModelKind::kinematic;
  options.method = model.solve.method.value_or(kinematic ? "dop853" : options.method);
  options.start = model.solve.start.value_or(options.start);
  options.duration = model.solve.duration.value_or(options.duration);
  options.tolerance = model.solve.tolerance.value_or(options.tolerance);
  options.step = model.solve.step.value_or(options.step);
  constexpr double default_samples = 1000;
  options.output_step = model.solve.output_step.value_or(std::abs(options.duration) / default_samples);
  const auto value = [&](const char* key) -> std::optional<double> {
    const auto found = model.solve.options.find(key);
    return found == model.solve.options.end() ? std::nullopt : std::optional(found->second);
  };
  const auto count = [&](const char* key, double most) {
    const double number = value(key).value_or(0);
    if (number != std::floor(number) || number > most)
      throw Error(fmt::format("[solve] {} must be a whole number up to {:g}, not {}", key, most, number),
                  {model.file, 0, 0});
    return static_cast<std::size_t>(number);
  };
  constexpr double most_steps = 1e15;
  constexpr double most_of_others = 1e6;  // each has a limit of its own below it
  options.order = static_cast<int>(count("order", most_of_others));
  options.max_step = value("max_step").value_or(0);
  options.max_steps = count("max_steps", most_steps);
  options.threads = static_cast<int>(count("threads", most_of_others));
  options.alpha = value("alpha");
  options.beta = value("beta");
  options.rho = value("rho");
  return options;
}

SolveOptions complete(const SolveOptions& options) {
  check(options);
  const Method& method = find_method(options.method);
  SolveOptions result = options;
  if (result.tolerance == 0) result.tolerance = method.tolerance;
  // forces that are felt for a short time only are met by the end of some step
  constexpr double least_steps = 20;
  const bool is_adaptive = method.tolerance > 0 && options.step == 0;
  if (result.max_step == 0 && is_adaptive) result.max_step = std::abs(options.duration) / least_steps;
  constexpr double default_steps = 10000;
  if (result.step == 0) result.step = std::abs(options.duration) / default_steps;
  return result;
}

namespace {

void check_accepted(const Problem& problem, const SolveOptions& options) {
  const Method& method = find_method(options.method);
  if (options.start != problem.start.t) {
    throw Error(fmt::format("the run starts at t = {}, its prepared start is of t = {}", options.start,
                            problem.start.t));
  }
  const std::string refusal = method.refuse == nullptr ? "" : method.refuse(problem, options);
  if (!refusal.empty()) throw Error(fmt::format("method '{}' {}", method.name, refusal));
  if (options.dense_output != nullptr && (method.name != "adomian" || options.digits > 0)) {
    throw Error(fmt::format("method '{}' keeps no dense output; 'adomian' in doubles does", method.name));
  }
}

Problem make_accepted_problem(const System& system, const SolveOptions& options) {
  Problem problem = make_problem(system, options.start);
  check_accepted(problem, options);
  return problem;
}

RunReport judged(RunReport report, const SolveOptions& options) {
  judge(report, options);
  return report;
}

}  // namespace

RunReport solve(const System& system, const SolveOptions& options, const SampleSink<double>& sink) {
  const SolveOptions all = complete(options);
  return judged(find_method(all.method).run(make_accepted_problem(system, all), all, sink), all);
}

RunReport solve(const Problem& problem, const SolveOptions& options, const SampleSink<double>& sink) {
  const SolveOptions all = complete(options);
  check_accepted(problem, all);
  return judged(find_method(all.method).run(problem, all, sink), all);
}

RunReport solve(const KinematicSystem& system, const SolveOptions& options, const SampleSink<double>& sink) {
  const SolveOptions all = complete(options);
  if (!find_method(all.method).kinematic) {
    std::vector<std::string> names;
    for (const Method& method : methods()) {
      if (method.kinematic) names.emplace_back(method.name);
    }
    throw Error(
        fmt::format("method '{}' does not take kinematic systems; {} do", all.method, join(names, ", ")));
  }
  return judged(run_kinematic(system, all, sink), all);
}

unsigned working_digits(const SolveOptions& options) {
  constexpr unsigned guard_digits = 10;
  return static_cast<unsigned>(options.digits) + guard_digits;
}

RunReport solve(const System& system, const SolveOptions& options, const SampleSink<Real>& sink) {
  const SolveOptions all = complete(options);
  const Method& method = find_method(all.method);
  if (method.run_digits == nullptr) {
    throw Error(fmt::format("method '{}' computes in doubles only", method.name));
  }
  const DigitsScope precision(working_digits(all));
  return judged(method.run_digits(make_accepted_problem(system, all), all, sink), all);
}

}  // namespace dalembert
