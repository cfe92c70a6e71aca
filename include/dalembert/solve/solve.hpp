// Simulate a system by a method chosen by name.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <dalembert/expr/scalar.hpp>
#include <dalembert/settings/option.hpp>
#include <dalembert/solve/options.hpp>
#include <dalembert/system/start.hpp>
#include <dalembert/system/system.hpp>
#include <dalembert/trajectory/report.hpp>
#include <dalembert/trajectory/sample.hpp>

namespace dalembert {

class EventWatch;
class KinematicSystem;

/// Everything a method needs besides its options.
struct Problem {
  const System& system;
  Start start;                      ///< consistent state at the start time
  std::vector<std::size_t> active;  ///< independent constraints; the others depend on them
  std::vector<std::string>
      notes;  ///< what the user should know: redundant constraints, non-analytic functions
  std::vector<std::string> not_unique = {};  ///< see RunReport
  EventWatch* events = nullptr;              ///< for the driver: what it looks for within steps
  const System* with_kinks = nullptr;        ///< where `system` holds their signs: to look ahead
  double least_q = 0, least_v = 0;           ///< sizes that q and v have had before an event
  std::vector<double> row_sizes = {};        ///< the largest norm of each row of C around the start
};

/// Finds the consistent start and the independent constraints. Throws Error when there is no start.
Problem make_problem(const System& system, double start_time);
/// The same of a system that differs from that of another problem by its parameters. Where its constraints
/// are clearly independent, as the other's are, nothing is searched around the start.
Problem make_problem_like(const Problem& other, const System& system, double start_time);
/// The same from t, q and v that are consistent.
Problem make_problem(const System& system, Start start);

struct Method {
  std::string_view name;
  std::string_view summary;
  std::span<const std::string_view> options;  ///< keys of what it takes beside what all take
  double tolerance;                           ///< the default; 0: steps are constant
  RunReport (*run)(const Problem&, const SolveOptions&, const SampleSink<double>&);
  RunReport (*run_digits)(const Problem&, const SolveOptions&,
                          const SampleSink<Real>&) = nullptr;  ///< null: doubles only
  /// Why the method cannot treat a problem with these options; empty: it can. Null: it takes every problem.
  std::string (*refuse)(const Problem&, const SolveOptions&) = nullptr;
  bool kinematic = false;         ///< takes kinematic systems
  bool multiplier_forces = true;  ///< takes forces that depend on multipliers
};

/// All methods, in the order of the documentation.
std::span<const Method> methods();
/// Throws Error with the nearest name.
const Method& find_method(std::string_view name);

/// Whether a method looks at an option.
bool takes(const Method& method, const Option& option);
/// Whether every method does.
bool is_common(const Option& option);
/// The names of those that do.
std::vector<std::string> methods_with(const Option& option);

/// Whether steps are constant: by the method, or by the Runge-Kutta method that it steps by.
bool has_constant_step(const SolveOptions& options);

/// An option that a call gives.
struct GivenOption {
  const Option* option;
  OptionValue value;
};
/// Throws Error with the nearest key.
GivenOption give(std::string_view key, OptionValue value);

/// The options that a model asks for, with defaults for the rest.
SolveOptions options_of(const ModelData& model);
/// Without what options.method does not look at.
SolveOptions restricted(SolveOptions options);
/// What a call gives, and of the model's options those that the method takes. Throws Error where its method
/// has no use for one of them, or where they contradict each other.
SolveOptions options_for(const ModelData& model, std::span<const GivenOption> given,
                         Spelling spelling = Spelling::key);

/// With the defaults of the method in place of what was left open.
SolveOptions complete(const SolveOptions& options);
/// Throws Error where a run would leave the data of an input that does not hold its values.
void refuse_outside_of_inputs(const ModelData& model, const SolveOptions& options);

/// Decimal digits of the numbers of a run with options.digits: a few more than it promises.
unsigned working_digits(const SolveOptions& options);

/// Runs options.method. The caller's mistakes throw Error; a computation that cannot go on is an outcome.
RunReport solve(const System& system, const SolveOptions& options, const SampleSink<double>& sink);
RunReport solve(const KinematicSystem& system, const SolveOptions& options, const SampleSink<double>& sink);
/// The same from a start that was found before, for many runs of one system.
RunReport solve(const Problem& problem, const SolveOptions& options, const SampleSink<double>& sink);
/// The same in options.digits decimal digits.
RunReport solve(const System& system, const SolveOptions& options, const SampleSink<Real>& sink);

}  // namespace dalembert
