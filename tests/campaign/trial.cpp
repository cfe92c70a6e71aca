#include "campaign/trial.hpp"

#include <cmath>
#include <ctime>

#include <fmt/format.h>

#include <dalembert/base/error.hpp>

namespace dalembert::campaign {
namespace {

double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

SolveOptions options_for(const Problem& problem, const TrialSettings& settings) {
  SolveOptions options = options_of(problem.system.model());
  options.method = settings.method;
  options.tolerance = settings.tolerance;
  options.max_steps = settings.max_steps;
  options.threads = 1;
  options.start = problem.start.t;
  options.duration *= 1 - settings.begin;
  if (settings.least_steps > 0) options.max_step = std::abs(options.duration) / settings.least_steps;
  for (std::size_t k = 0; k <= settings.samples; ++k) {
    const double share = static_cast<double>(k) / static_cast<double>(settings.samples);
    options.output_times.push_back(options.start + share * options.duration);
  }
  const double end = processor_seconds() + settings.seconds;
  options.progress = [end](const Progress&) { return processor_seconds() < end; };
  return complete(options);
}

std::vector<double> kept(std::span<const double> values) { return {values.begin(), values.end()}; }

}  // namespace

std::string Trial::why_not() const {
  if (!refusal.empty()) return refusal;
  return fmt::format("{} (t = {:.6g})", report.reason, report.end_time);
}

bool Trial::doubted() const { return report.outcome == Outcome::doubtful || !report.singular_times.empty(); }

Trial run_trial(const Problem& problem, const TrialSettings& settings) {
  Trial trial;
  trial.method = settings.method;
  try {
    const SolveOptions options = options_for(problem, settings);
    trial.tolerance = options.tolerance;
    trial.report = solve(problem, options, SampleSink<double>([&](const Sample<double>& s) {
                           // where a run stops it gives a sample of that time
                           const std::size_t k = trial.states.size();
                           if (k < options.output_times.size() && s.t == options.output_times[k]) {
                             trial.states.push_back({kept(s.q), kept(s.v), kept(s.lambda), s.energy, s.work});
                           }
                           return true;
                         }));
  } catch (const Error& error) {
    trial.refusal = error.what();
  }
  return trial;
}

}  // namespace dalembert::campaign
