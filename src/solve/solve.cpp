#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <dalembert/base/error.hpp>
#include <dalembert/base/text.hpp>
#include <dalembert/solve/solve.hpp>
#include <dalembert/system/structure.hpp>

#include "adomian.hpp"

namespace dalembert {
namespace {

constexpr std::array<Method, 1> all_methods{{
    {"adomian", "multistage Adomian decomposition: series of high order, projected onto the constraints",
     run_adomian, run_adomian_digits},
}};

void check(const SolveOptions& options) {
  if (!(options.tolerance > 0))
    throw Error(fmt::format("the tolerance must be positive, not {}", options.tolerance));
  if (!std::isfinite(options.duration) || options.duration == 0) {
    throw Error(fmt::format("the duration must be finite and not zero, not {}", options.duration));
  }
  if (!std::isfinite(options.start)) throw Error("the start time must be finite");
  if (!(options.output_step >= 0)) throw Error("the output step must not be negative");
  if (options.order != 0 && (options.order < 4 || options.order > 1000)) {
    throw Error(fmt::format("the order must be between 4 and 1000, not {}", options.order));
  }
  if (options.digits != 0 && (options.digits < 17 || options.digits > 10000)) {
    throw Error(fmt::format("the number of digits must be between 17 and 10000, not {}", options.digits));
  }
  const bool forward = options.duration > 0;
  for (std::size_t i = 0; i < options.output_times.size(); ++i) {
    const double elapsed = (options.output_times[i] - options.start) * (forward ? 1 : -1);
    if (!(elapsed >= 0 && elapsed <= std::abs(options.duration))) {
      throw Error(fmt::format("the output time {} is outside the run", options.output_times[i]));
    }
    if (i > 0 && (options.output_times[i] < options.output_times[i - 1]) == forward) {
      throw Error("the output times must be in the order of the run");
    }
  }
}

}  // namespace

Problem make_problem(const System& system, double start_time) {
  Problem problem{system, find_start(system, start_time), {}, {}};
  const Structure structure = analyse_structure(system, problem.start);
  std::vector<bool> dependent(system.m(), false);
  for (const DependentConstraint& row : structure.redundant) {
    dependent[row.constraint] = true;
    std::vector<std::string> others;
    for (const std::size_t other : row.others) others.push_back(system.constraint_name(other));
    problem.notes.push_back(fmt::format("constraint '{}' is redundant{}; it carries no force here",
                                        system.constraint_name(row.constraint),
                                        others.empty() ? "" : ": it depends on " + join(others, ", ")));
  }
  for (std::size_t j = 0; j < system.m(); ++j) {
    if (!dependent[j]) problem.active.push_back(j);
  }
  for (const std::string& call : system.non_analytic()) {
    problem.notes.push_back(fmt::format("{} is not smooth: steps end where its argument changes sign", call));
  }
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

SolveOptions options_of(const ModelData& model) {
  SolveOptions options;
  options.method = model.solve.method.value_or(options.method);
  options.start = model.solve.start.value_or(options.start);
  options.duration = model.solve.duration.value_or(options.duration);
  options.tolerance = model.solve.tolerance.value_or(options.tolerance);
  constexpr double default_samples = 1000;
  options.output_step = model.solve.output_step.value_or(std::abs(options.duration) / default_samples);
  return options;
}

RunReport solve(const System& system, const SolveOptions& options, const SampleSink<double>& sink) {
  check(options);
  return find_method(options.method).run(make_problem(system, options.start), options, sink);
}

RunReport solve(const System& system, const SolveOptions& options, const SampleSink<Real>& sink) {
  check(options);
  const Method& method = find_method(options.method);
  if (method.run_digits == nullptr)
    throw Error(fmt::format("method '{}' computes in doubles only", method.name));
  constexpr unsigned guard_digits = 10;
  Real::default_precision(static_cast<unsigned>(options.digits) + guard_digits);
  return method.run_digits(make_problem(system, options.start), options, sink);
}

}  // namespace dalembert
