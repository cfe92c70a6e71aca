// The options of a run: what a model and a call say, checked together, with the method's own for the rest.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <dalembert/base/error.hpp>
#include <dalembert/base/text.hpp>
#include <dalembert/solve/solve.hpp>

namespace dalembert {
namespace {

constexpr double default_samples = 1000;  // enough for a smooth curve

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
  check_ranges(options);
  constexpr double most_samples = 1e15;  // then neighbours differ by a rounding error
  if (options.output_step > 0 && std::abs(options.duration) / options.output_step > most_samples) {
    throw Error(
        fmt::format("an output step of {} gives more than {:g} samples", options.output_step, most_samples));
  }
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

// Methods are not known where the file is read: its word is looked at here.
void check_method_of(const ModelData& model, const SolveSetting& setting) {
  try {
    find_method(std::get<std::string>(setting.value));
  } catch (const Error& error) {
    const SourceLocation& place = setting.where;
    std::istringstream lines(model.text);
    std::string line;
    for (int k = 0; k < place.line; ++k) std::getline(lines, line);
    throw Error(error.message(), {model.file, place.line, place.column},
                place.line > 0 ? caret_excerpt(line, place.column) : "");
  }
}

// Explicit methods project unless another stabilization was chosen.
void switch_projection_off(SolveOptions& options, Spelling spelling) {
  const Option& stabilization = *find_option("stabilization");
  if (options.project || !takes(find_method(options.method), stabilization)) return;
  if (options.stabilization.value_or(Stabilization::none) != Stabilization::none)
    throw Error(fmt::format("{} contradicts {} {}", spell(*find_option("projection"), spelling),
                            spell(stabilization, spelling), name_of(*options.stabilization)));
  options.stabilization = Stabilization::none;
}

bool is_given(std::span<const GivenOption> given, std::string_view key) {
  return std::ranges::any_of(given, [&](const GivenOption& one) { return one.option->key == key; });
}

// An option that the method would not look at is a mistake of the call.
void refuse_idle(std::span<const GivenOption> given, const SolveOptions& options, Spelling spelling) {
  const Method& method = find_method(options.method);
  if (is_given(given, "step") && !has_constant_step(options))
    throw Error(fmt::format("method '{}' chooses its steps itself; {} limits them", method.name,
                            spell(*find_option("max_step"), spelling)));
  for (const GivenOption& one : given) {
    if (takes(method, *one.option)) continue;
    throw Error(fmt::format("method '{}' has no use for {}; it is for {}", method.name,
                            spell(*one.option, spelling), join(methods_with(*one.option), ", ")));
  }
  const bool has_gains = is_given(given, "alpha") || is_given(given, "beta");
  if (has_gains && options.stabilization != Stabilization::baumgarte)
    throw Error(fmt::format("{} and {} are gains of {} baumgarte", spell(*find_option("alpha"), spelling),
                            spell(*find_option("beta"), spelling),
                            spell(*find_option("stabilization"), spelling)));
}

SolveOptions with_defaults(const ModelData& model) {
  SolveOptions options;
  if (model.kind == ModelKind::kinematic) options.method = "dop853";
  for (const SolveSetting& setting : model.solve.settings) {
    if (setting.option->key == "method") check_method_of(model, setting);
    set_option(options, *setting.option, setting.value);
  }
  return options;
}

}  // namespace

GivenOption give(std::string_view key, OptionValue value) {
  const Option* const option = find_option(key);
  if (option != nullptr) return {option, std::move(value)};
  const std::string retired = retired_option(key, Spelling::key);
  std::vector<std::string> keys;
  for (const Option& known : dalembert::options()) keys.emplace_back(known.key);
  throw Error(retired.empty() ? fmt::format("there is no option '{}'{}", key, suggestion(key, keys))
                              : retired);
}

SolveOptions options_of(const ModelData& model) {
  SolveOptions options = with_defaults(model);
  if (options.output_step == 0) options.output_step = std::abs(options.duration) / default_samples;
  return options;
}

SolveOptions restricted(SolveOptions options) {
  const Method& method = find_method(options.method);
  for (const Option& option : dalembert::options())
    if (!takes(method, option)) reset_option(options, option);
  return options;
}

SolveOptions options_for(const ModelData& model, std::span<const GivenOption> given, Spelling spelling) {
  SolveOptions options = with_defaults(model);
  for (const GivenOption& one : given) set_option(options, *one.option, one.value, spelling);
  if (model.kind == ModelKind::kinematic && options.digits > 0)  // rather than that its method takes none
    throw Error("kinematic systems are computed in doubles only");
  if (options.output_step == 0) options.output_step = std::abs(options.duration) / default_samples;
  refuse_idle(given, options, spelling);
  options = restricted(options);
  switch_projection_off(options, spelling);
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
  constexpr double default_steps = 10000;  // a thousandth of a second of ten seconds; chosen, not measured
  if (result.step == 0) result.step = std::abs(options.duration) / default_steps;
  return result;
}

unsigned working_digits(const SolveOptions& options) {
  constexpr unsigned guard_digits = 10;  // what rounding of long runs takes; chosen, not measured
  return static_cast<unsigned>(options.digits) + guard_digits;
}

void refuse_outside_of_inputs(const ModelData& model, const SolveOptions& options) {
  const double end = options.start + options.duration;
  for (const Input& input : model.inputs) {
    if (input.curve.covers(options.start, end)) continue;
    throw Error(
        fmt::format("the run from t = {} to {} leaves the data of the input '{}', which are from {} to {}: "
                    "outside = \"hold\" keeps the value of its ends",
                    shortest(options.start), shortest(end), input.name, shortest(input.curve.first_time()),
                    shortest(input.curve.last_time())),
        input.where);
  }
}

}  // namespace dalembert
