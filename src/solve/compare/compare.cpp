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
#include <dalembert/base/text.hpp>
#include <dalembert/solve/compare.hpp>
#include <dalembert/system/kinematic_system.hpp>

#include "compare/reference_check.hpp"
#include "compare/sampled_states.hpp"
#include "events/event_run.hpp"
#include "series/as_double.hpp"

namespace dalembert {
namespace {

// the least that dop853 meets in doubles
constexpr double kinematic_reference_tolerance = 1e-14;

// Of equations of motion the start is found once for all runs.
Problem prepare(const System& system, const CompareOptions& options) {
  return make_problem(system, options.run.start);
}
const KinematicSystem& prepare(const KinematicSystem& system, const CompareOptions&) { return system; }

// Events are followed in doubles.
int digits_of(const System& system, const CompareOptions& options) {
  return has_events(system.model()) ? 0 : options.digits;
}
int digits_of(const KinematicSystem&, const CompareOptions& options) { return options.digits; }

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
    options_.digits = digits_of(system, options);
    run_.tolerance = run_.step = 0;
    if (options.go_on) run_.progress = [this](const Progress&) { return goes_on(); };
  }

  MethodsCompared run() {
    std::vector<std::string> names = options_.methods;
    if (names.empty())
      for (const Method& method : methods()) names.emplace_back(method.name);
    for (const std::string& name : names) find_method(name);  // misspelt ones before the work
    MethodsCompared result;
    find_reference();
    if (goes_on()) result.reference = check_reference();
    tell_computed(result);
    for (const std::string& name : names)
      for (const double setting : settings(find_method(name))) {
        if (!goes_on()) break;
        result.runs.push_back(run_method(find_method(name), setting));
        tell_computed(result);
        if (!result.runs.back().refusal.empty()) break;
      }
    result.interrupted = !goes_on();
    return result;
  }

 private:
  bool goes_on() const { return !options_.go_on || options_.go_on(); }
  void tell_computed(const MethodsCompared& result) const {
    if (options_.computed) options_.computed(result);
  }

  bool constant_step(const Method& method) const {
    SolveOptions asked = run_;
    asked.method = method.name;
    return has_constant_step(asked);
  }

  std::vector<double> settings(const Method& method) const {
    if (!constant_step(method)) return options_.tolerances;
    if (!options_.steps.empty()) return options_.steps;
    return {std::abs(run_.duration) / 1000, std::abs(run_.duration) / 10000};
  }

  template <class S>
  SampleSink<S> keep(SampledStates& states) {
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
    asked.index_form.clear();
    asked.runge_kutta.clear();
    asked.progress = [this, begin = std::chrono::steady_clock::now(),
                      told = false](const Progress& p) mutable {
      // after which people wonder
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
    reference_doubts_ = report.doubts;
    if (report.outcome != Outcome::stopped_early) return;
    const std::string why =
        fmt::format("the reference stopped at t = {}: {}", report.end_time, report.reason);
    if (reference_.t.empty()) throw Error(why);
    note(why + "; errors are those up to there");
  }

  // By the first method that confirms it; all that contradict it are named.
  ReferenceCheck check_reference() {
    std::vector<std::string> contradictions, silent;
    for (const std::string& doubt : reference_doubts_)
      contradictions.push_back("its own checks doubt it: " + doubt);
    for (const auto& [name, tolerance] : witnesses()) {
      const Testimony said = hear(run_witness(name, tolerance), reference_, run_.duration);
      if (said.kind == Testimony::Kind::agrees && contradictions.empty())
        return {true, "confirmed by " + said.text};
      if (said.kind == Testimony::Kind::contradicts) contradictions.push_back(said.text);
      if (said.kind == Testimony::Kind::nothing) silent.push_back(said.text);
      if (said.kind == Testimony::Kind::agrees) silent.push_back("it agrees with " + said.text);
    }
    contradictions.insert(contradictions.end(), silent.begin(), silent.end());
    return {false, "not confirmed: " + join(contradictions, "; ")};
  }

  // Other formulas, other steps, other treatment of constraints.
  static std::vector<std::pair<const char*, double>> witnesses() {
    if constexpr (std::is_same_v<AnySystem, KinematicSystem>) return {{"dopri5", 1e-12}};
    return {{"dop853", 1e-12}, {"bdf", 1e-10}};
  }

  Witness run_witness(const char* name, double tolerance) {
    if (options_.progress) options_.progress(fmt::format("reference: is it confirmed by {}?", name));
    // so that its error, about a hundred times as large, says how far the finer one may be off
    constexpr double coarser = 100;
    Witness witness{name, tolerance, {}, {}, ""};
    witness.rough = run_witness(witness, coarser * tolerance);
    if (!witness.rough.t.empty()) witness.fine = run_witness(witness, tolerance);
    return witness;
  }
  // Empty, and `failure` says why, where it does not come as far as the reference.
  SampledStates run_witness(Witness& witness, double tolerance) {
    SolveOptions asked = run_;
    asked.index_form.clear();
    asked.runge_kutta.clear();
    asked.method = witness.name;
    asked.tolerance = tolerance;
    // for a second opinion, which the comparison can do without
    constexpr std::chrono::seconds patience(20);
    asked.progress = [this, deadline = std::chrono::steady_clock::now() + patience](const Progress&) {
      return goes_on() && std::chrono::steady_clock::now() < deadline;
    };
    SampledStates found;
    try {
      const RunReport report = solve(prepared_, asked, keep<double>(found));
      witness.failure = report.outcome == Outcome::interrupted ? "it takes too long" : report.reason;
    } catch (const Error& error) {
      witness.failure = error.message();
    }
    return found.t.size() < reference_.t.size() ? SampledStates{} : found;
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
    asked = restricted(asked);
    (result.constant_step ? asked.step : asked.tolerance) = setting;
    if (options_.progress) options_.progress(fmt::format("{} {:.0e}", method.name, setting));
    try {
      run_once(asked, result);
    } catch (const Error& error) {
      result.refusal = error.message();
      return result;
    }
    // s; noise of a scheduler is milliseconds: shorter runs are repeated and the least time counts
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
    SampledStates states;
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
                result.drift.position.push_back(largest_of(sample.position_residual));
                result.drift.velocity.push_back(largest_of(sample.velocity_residual));
                result.drift.energy.push_back(std::abs(sample.energy - start_energy - sample.work));
                return kept(sample);
              }));
    result.error_q = error_of(states.q, reference_.q);
    result.error_v = error_of(states.v, reference_.v, least_speed(reference_, run_.duration));
    result.error_lambda = error_of(states.lambda, reference_.lambda);
  }

  const AnySystem& system_;
  CompareOptions options_;
  decltype(prepare(std::declval<const AnySystem&>(), std::declval<const CompareOptions&>())) prepared_;
  SolveOptions run_;
  SampledStates reference_;
  std::vector<std::string> reference_doubts_;
};

}  // namespace

MethodsCompared compare_methods(const System& system, const CompareOptions& options) {
  return Comparer(system, options).run();
}

MethodsCompared compare_methods(const KinematicSystem& system, const CompareOptions& options) {
  return Comparer(system, options).run();
}

std::string reference_name(const System& system, const CompareOptions& options) {
  return digits_of(system, options) > 0 ? fmt::format("adomian with {} digits", options.digits)
                                        : "adomian in doubles";
}

std::string reference_name(const KinematicSystem&, const CompareOptions&) {
  return fmt::format("dop853 at {:.0e}", kinematic_reference_tolerance);
}

}  // namespace dalembert
