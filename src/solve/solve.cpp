#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <dalembert/base/error.hpp>
#include <dalembert/base/text.hpp>
#include <dalembert/expr/digits.hpp>
#include <dalembert/solve/dense_output.hpp>
#include <dalembert/solve/solve.hpp>
#include <dalembert/system/start_changes.hpp>
#include <dalembert/system/structure.hpp>
#include <dalembert/system/uniqueness.hpp>

#include "events/event_run.hpp"
#include "events/held_switches.hpp"
#include "methods/kinematic.hpp"
#include "run/verdict.hpp"

namespace dalembert {
namespace {

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

void note_negative_inertia(const System& system, const Inertia& inertia, Problem& problem) {
  if (inertia.negative.empty()) return;
  std::vector<std::string> names;
  for (const std::size_t i : inertia.negative) names.push_back("'" + system.coordinate_name(i) + "'");
  problem.notes.push_back("negative kinetic energy in motions of " + join(names, ", ") +
                          " that the constraints allow: check the masses");
}

}  // namespace

namespace {

void find_active(const System& system, Problem& problem) {
  const Structure structure = analyse_structure(system, problem.start);
  problem.row_sizes = structure.row_sizes;
  note_negative_inertia(system, structure.inertia, problem);
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
  if (!system.is_symmetric() && !structure.redundant.empty())
    problem.notes.push_back(
        "forces depend on multipliers and constraints are redundant: how these share their force, and with "
        "it "
        "the motion, is a choice");
}

}  // namespace

Problem make_problem(const System& system, double start_time) {
  Problem problem{system, find_start(system, start_time), {}, system.model().warnings};
  note_changed_start(system, problem);
  find_active(system, problem);
  return problem;
}

Problem make_problem_like(const Problem& other, const System& system, double start_time) {
  if (other.active.size() != system.m()) return make_problem(system, start_time);
  Problem problem{system, find_start(system, start_time), other.active, system.model().warnings};
  note_changed_start(system, problem);
  if (const auto inertia = find_usual_inertia(system, problem.start, other.row_sizes)) {
    note_negative_inertia(system, *inertia, problem);
  } else {
    problem.active.clear();
    find_active(system, problem);
  }
  return problem;
}

Problem make_problem(const System& system, Start start) {
  Problem problem{system, std::move(start), {}, {}};
  solve_accelerations(system, problem.start);
  find_active(system, problem);
  return problem;
}

namespace {

void check_accepted(const Problem& problem, const SolveOptions& options) {
  const Method& method = find_method(options.method);
  refuse_outside_of_inputs(problem.system.model(), options);
  if (options.start != problem.start.t) {
    throw Error(fmt::format("the run starts at t = {}, its prepared start is of t = {}", options.start,
                            problem.start.t));
  }
  const std::string refusal = method.refuse == nullptr ? "" : method.refuse(problem, options);
  if (!refusal.empty()) throw Error(fmt::format("method '{}' {}", method.name, refusal));
  const DenseOutput* dense = options.dense_output;
  if (dense != nullptr && ((method.name != "adomian" && !dense->takes_any_method()) || options.digits > 0)) {
    throw Error(fmt::format("method '{}' keeps no dense output; 'adomian' in doubles does", method.name));
  }
}

Problem make_accepted_problem(const System& system, const SolveOptions& options) {
  Problem problem = make_problem(system, options.start);
  check_accepted(problem, options);
  return problem;
}

RunReport run(const Problem& problem, const SolveOptions& options, const SampleSink<double>& sink) {
  if (const auto held = hold_switches(problem, options)) return run_with_events(held->problem, options, sink);
  if (has_events(problem.system.model())) return run_with_events(problem, options, sink);
  return find_method(options.method).run(problem, options, sink);
}

RunReport judged(RunReport report, const SolveOptions& options) {
  judge(report, options);
  return report;
}

}  // namespace

RunReport solve(const System& system, const SolveOptions& options, const SampleSink<double>& sink) {
  const SolveOptions all = complete(options);
  if (system.has_inputs()) {
    const System at_start = system.with_inputs_at(all.start, all.duration < 0);
    return judged(run(make_accepted_problem(at_start, all), all, sink), all);
  }
  return judged(run(make_accepted_problem(system, all), all, sink), all);
}

RunReport solve(const Problem& problem, const SolveOptions& options, const SampleSink<double>& sink) {
  const SolveOptions all = complete(options);
  check_accepted(problem, all);
  return judged(run(problem, all, sink), all);
}

RunReport solve(const KinematicSystem& system, const SolveOptions& options, const SampleSink<double>& sink) {
  const SolveOptions all = complete(options);
  if (all.digits > 0) throw Error("kinematic systems are computed in doubles only");
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

RunReport solve(const System& system, const SolveOptions& options, const SampleSink<Real>& sink) {
  const SolveOptions all = complete(options);
  const Method& method = find_method(all.method);
  if (method.run_digits == nullptr) {
    throw Error(fmt::format("method '{}' computes in doubles only", method.name));
  }
  if (has_events(system.model()))
    throw Error("events, contacts and inputs are computed in doubles: digits cannot be chosen");
  const DigitsScope precision(working_digits(all));
  return judged(method.run_digits(make_accepted_problem(system, all), all, sink), all);
}

}  // namespace dalembert
