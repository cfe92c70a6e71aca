#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <dalembert/base/error.hpp>
#include <dalembert/solve/compare.hpp>
#include <dalembert/system/kinematic_system.hpp>

#include "as_double.hpp"

namespace dalembert {
namespace {

constexpr double kinematic_reference_tolerance = 1e-14;

struct States {
  std::vector<double> t;
  std::vector<std::vector<double>> q, v, lambda;
};

template <class S>
std::vector<double> rounded(std::span<const S> values) {
  std::vector<double> result;
  for (const S& value : values) result.push_back(as_double(value));
  return result;
}

double largest(std::span<const double> values) {
  double result = 0;
  for (const double value : values)
    if (!(std::abs(value) <= result)) result = std::abs(value);  // what is not a number counts
  return result;
}

double largest(const std::vector<std::vector<double>>& lists) {
  double result = 0;
  for (const std::vector<double>& values : lists) result = std::max(result, largest(values));
  return result;
}

// The largest difference of two lists of vectors, as far as both go, beside the largest value of the
// reference, or `least` where that is larger.
double error_of(const std::vector<std::vector<double>>& found,
                const std::vector<std::vector<double>>& reference, double least = 0) {
  double error = 0;
  const double size = std::max(largest(reference), least);
  for (std::size_t k = 0; k < std::min(found.size(), reference.size()); ++k) {
    for (std::size_t i = 0; i < reference[k].size(); ++i) {
      const double difference = std::abs(found[k][i] - reference[k][i]);
      if (!(difference <= error)) error = difference;
    }
  }
  return size > 0 ? error / size : error;
}

// Of equations of motion the start is found once for all runs.
Problem prepare(const System& system, const CompareOptions& options) {
  return make_problem(system, options.run.start);
}
const KinematicSystem& prepare(const KinematicSystem& system, const CompareOptions&) { return system; }

template <class AnySystem>
class Comparer {
 public:
  Comparer(const AnySystem& system, const CompareOptions& options)
      : system_(system), options_(options), prepared_(prepare(system, options)) {
    run_ = options.run;
    run_.threads = 1;  // of all methods, which are compared by their time
    run_.output_times.clear();
    for (std::size_t k = 1; k <= options.samples; ++k) {
      const double fraction = static_cast<double>(k) / static_cast<double>(options.samples);
      run_.output_times.push_back(k == options.samples ? run_.start + run_.duration
                                                       : run_.start + run_.duration * fraction);
    }
    run_.tolerance = run_.step = 0;
    if (options.go_on) run_.progress = [this](const Progress&) { return goes_on(); };
  }

  std::vector<ComparedRun> run() {
    std::vector<std::string> names = options_.methods;
    if (names.empty())
      for (const Method& method : methods()) names.emplace_back(method.name);
    for (const std::string& name : names) find_method(name);  // misspelt ones before the work
    find_reference();
    std::vector<ComparedRun> runs;
    for (const std::string& name : names)
      for (const double setting : settings(find_method(name))) {
        runs.push_back(run_method(find_method(name), setting));
        if (!runs.back().refusal.empty()) break;
        if (runs.back().report.outcome == Outcome::interrupted) return runs;
      }
    return runs;
  }

 private:
  bool goes_on() const { return !options_.go_on || options_.go_on(); }

  // Also where the formulation is a Runge-Kutta method of constant step.
  bool constant_step(const Method& method) const {
    const auto all = methods();
    return method.tolerance == 0 || std::any_of(all.begin(), all.end(), [&](const Method& inner) {
             return inner.name == run_.formulation && inner.tolerance == 0;
           });
  }

  std::vector<double> settings(const Method& method) const {
    if (!constant_step(method)) return options_.tolerances;
    if (!options_.steps.empty()) return options_.steps;
    return {std::abs(run_.duration) / 1000, std::abs(run_.duration) / 10000};
  }

  template <class S>
  SampleSink<S> keep(States& states) {
    return [&](const Sample<S>& sample) {
      if (states.t.size() == run_.output_times.size()) return true;
      const double t = as_double(sample.t);
      if (t != run_.output_times[states.t.size()]) return goes_on();  // the start, or where a run stopped
      states.t.push_back(t);
      states.q.push_back(rounded(sample.q));
      states.v.push_back(rounded(sample.v));
      states.lambda.push_back(rounded(sample.lambda));
      return goes_on();
    };
  }

  void find_reference() {
    if (options_.progress) options_.progress("reference: " + reference_name(system_, options_));
    SolveOptions asked = run_;
    asked.formulation.clear();
    asked.progress = [this, begin = std::chrono::steady_clock::now(),
                      told = false](const Progress& p) mutable {
      constexpr std::chrono::seconds patience(5);
      if (!told && options_.digits > 0 && std::chrono::steady_clock::now() - begin > patience) {
        told = true;
        note(fmt::format(
            "the reference with {} digits takes its time, {:.0f} % so far; --digits 0 takes doubles",
            options_.digits, 100 * p.fraction));
      }
      return goes_on();
    };
    const RunReport report = run_reference(asked);
    if (report.outcome == Outcome::finished) return;
    const std::string why =
        fmt::format("the reference stopped at t = {}: {}", report.end_time, report.reason);
    if (report.outcome == Outcome::interrupted || reference_.t.empty()) throw Error(why);
    note(why + "; errors are those up to there");
  }
  void note(const std::string& text) const {
    if (options_.note) options_.note(text);
  }

  RunReport run_reference(SolveOptions asked) {
    if constexpr (std::is_same_v<AnySystem, KinematicSystem>) {
      asked.method = "dop853";
      asked.tolerance = kinematic_reference_tolerance;
      asked.max_step = std::abs(asked.duration) / 1000;  // short, so that samples within steps are as good
    } else {
      asked.method = "adomian";
      asked.digits = options_.digits;
      if (options_.digits > 0) return solve(system_, asked, keep<Real>(reference_));
    }
    return solve(system_, asked, keep<double>(reference_));
  }

  ComparedRun run_method(const Method& method, double setting) {
    ComparedRun result;
    result.method = method.name;
    result.setting = setting;
    result.constant_step = constant_step(method);
    SolveOptions asked = run_;
    asked.method = method.name;
    (result.constant_step ? asked.step : asked.tolerance) = setting;
    if (options_.progress) options_.progress(fmt::format("{} {:.0e}", method.name, setting));
    try {
      run_once(asked, result);
    } catch (const Error& error) {
      result.refusal = error.message();
      return result;
    }
    constexpr double short_run = 0.05;
    for (int repeat = 0; repeat < 2 && result.report.seconds < short_run; ++repeat) {
      const RunReport again =
          solve(prepared_, asked, SampleSink<double>([this](const auto&) { return goes_on(); }));
      if (again.outcome != result.report.outcome) break;  // interrupted
      result.report.seconds = std::min(result.report.seconds, again.seconds);
    }
    return result;
  }

  void run_once(const SolveOptions& asked, ComparedRun& result) {
    States states;
    const SampleSink<double> kept = keep<double>(states);
    double start_energy = 0;
    bool first = true;
    SolveOptions with_start = asked;
    with_start.output_times.insert(with_start.output_times.begin(), asked.start);
    result.report =
        solve(prepared_, with_start, SampleSink<double>([&](const Sample<double>& sample) {
                if (first) start_energy = sample.energy;
                first = false;
                result.drift.t.push_back(sample.t);
                result.drift.position.push_back(largest(sample.position_residual));
                result.drift.velocity.push_back(largest(sample.velocity_residual));
                result.drift.energy.push_back(std::abs(sample.energy - start_energy - sample.work));
                return kept(sample);
              }));
    result.error_q = error_of(states.q, reference_.q);
    // velocities that move nothing are round-off
    constexpr double rest = 1e-12;
    const double least_speed = rest * largest(reference_.q) / std::abs(run_.duration);
    result.error_v = error_of(states.v, reference_.v, least_speed);
    result.error_lambda = error_of(states.lambda, reference_.lambda);
  }

  const AnySystem& system_;
  const CompareOptions& options_;
  decltype(prepare(std::declval<const AnySystem&>(), std::declval<const CompareOptions&>())) prepared_;
  SolveOptions run_;
  States reference_;
};

}  // namespace

std::vector<ComparedRun> compare_methods(const System& system, const CompareOptions& options) {
  return Comparer(system, options).run();
}

std::vector<ComparedRun> compare_methods(const KinematicSystem& system, const CompareOptions& options) {
  return Comparer(system, options).run();
}

std::string reference_name(const System&, const CompareOptions& options) {
  return options.digits > 0 ? fmt::format("adomian with {} digits", options.digits) : "adomian in doubles";
}

std::string reference_name(const KinematicSystem&, const CompareOptions&) {
  return fmt::format("dop853 at {:.0e}", kinematic_reference_tolerance);
}

}  // namespace dalembert
