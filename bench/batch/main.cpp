// Trajectories per second: one after the other, and 4 or 8 together in the lanes of SIMD registers. Every
// trajectory of a batch starts from a position of its own; lanes share their steps. First the steps alone, by
// the interpreter and in 8 lanes by compiled code, then whole runs as a user calls them, which search the
// start and make their workspaces too: for the end alone, and for the thousand samples that runs have by
// default.
//     bench_batch [tolerance ...]

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include <dalembert/model/read.hpp>
#include <dalembert/model/shipped.hpp>
#include <dalembert/solve/batch.hpp>
#include <dalembert/solve/solve.hpp>

#include "adomian_run.hpp"
#include "timing.hpp"
#include "work_precision.hpp"

namespace dalembert::bench {
namespace {

struct Case {
  const char* model;
  double end_time;
};
constexpr Case cases[] = {
    {"pendulum_cartesian", 10}, {"slider_crank", 1}, {"andrews", 0.03}, {"chain10", 1}, {"car_axis", 3}};

constexpr std::size_t trajectories = 8;
constexpr int repetitions = 20;

class Batch {
 public:
  Batch(const Case& what, double tolerance)
      : system_(read_model(find_model(what.model))),
        active_(system_.m()),
        velocity_(system_.given_velocities<double>()),
        end_time_(what.end_time) {
    std::iota(active_.begin(), active_.end(), std::size_t{0});
    settings_.log_tolerance = std::log(tolerance);
    for (std::size_t i = 0; i < trajectories; ++i) {  // the projection of the start makes them consistent
      starts_.push_back(system_.given_positions<double>());
      starts_.back()[0] += 1e-3 * static_cast<double>(i);
    }
    options_ = options_of(system_.model());
    options_.duration = end_time_;
    options_.tolerance = tolerance;
  }

  /// Of whole runs.
  void set_samples(int count) { options_.output_step = end_time_ / count; }

  /// Some trajectories, in one way of running them; `run` says how many steps they took.
  struct Contestant {
    std::string name;
    std::size_t count;
    std::function<std::size_t()> run;
    std::shared_ptr<double> difference = std::make_shared<double>(0);  // of ends from runs alone, the largest
  };

  /// The first is what the others are compared with.
  std::vector<Contestant> steps() {
    return {steps_alone(), steps_together<4>("4 lanes"), steps_together<8>("8 lanes"),
            steps_together<8>("8 lanes, compiled", make_batch_code(system_))};
  }
  std::vector<Contestant> runs(const std::string& suffix) {
    return {runs_alone("solve" + suffix), runs_together("batch of 4" + suffix, 4, true),
            runs_together("batch of 8" + suffix, 8, true), runs_together("batch of 64" + suffix, 64, true),
            runs_together("motion of 64" + suffix, 64, false)};
  }

 private:
  Contestant steps_alone() {
    ends_.assign(trajectories, {});
    const auto step = std::make_shared<AdomianStep<double>>(system_, active_, settings_);
    return {"one at a time", trajectories, [this, step] {
              std::size_t steps = 0;
              for (std::size_t i = 0; i < trajectories; ++i) {
                steps += run_adomian_steps<double>(*step, starts_[i], velocity_, end_time_).steps;
                ends_[i].assign(step->q().begin(), step->q().end());
              }
              return steps;
            }};
  }

  template <int lanes>
  Contestant steps_together(const char* name, const BatchCode& code = {}) {
    using S = Lanes<lanes>;
    StepSettings settings = settings_;
    settings.may_be_compiled = code != nullptr;
    const auto step = std::make_shared<AdomianStep<S>>(system_, active_, settings);
    if (code) step->use_code(code);
    Contestant contestant{name, trajectories, {}};
    contestant.run = [this, step, difference = contestant.difference] {
      std::size_t steps = 0;
      for (std::size_t first = 0; first < trajectories; first += lanes) {
        std::vector<S> q(system_.n()), v;
        for (const double speed : velocity_) v.push_back(S{} + speed);
        for (int lane = 0; lane < lanes; ++lane) {
          const std::vector<double>& own = starts_[first + static_cast<std::size_t>(lane)];
          for (std::size_t i = 0; i < q.size(); ++i) q[i][lane] = own[i];
        }
        steps += lanes * run_adomian_steps<S>(*step, q, v, end_time_).steps;
        for (int lane = 0; lane < lanes; ++lane) {
          const std::vector<double>& end = ends_[first + static_cast<std::size_t>(lane)];
          for (std::size_t i = 0; i < end.size(); ++i)
            *difference = std::max(*difference, std::abs(step->q()[i][lane] - end[i]));
        }
      }
      return steps;
    };
    return contestant;
  }

  Contestant runs_alone(const std::string& name) {
    return {name, trajectories, [this] {
              const SampleSink<double> sum = [&](const Sample<double>& sample) {
                sum_ += sample.q[0];
                return true;
              };
              std::size_t steps = 0;
              for (std::size_t i = 0; i < trajectories; ++i) steps += solve(system_, options_, sum).steps;
              return steps;
            }};
  }

  Contestant runs_together(const std::string& name, std::size_t count, bool has_energies) {
    SolveOptions options = options_;
    options.energies = has_energies;
    std::vector<BatchCase> batch(count);
    for (std::size_t i = 0; i < count; ++i) batch[i].q = starts_[i % trajectories];
    return {name, count, [this, batch, options] {
              const BatchSink sum = [&](const BatchSample& sample) { sum_ += sample.q[0]; };
              const std::size_t lanes = std::min(batch.size(), trajectories);  // share their steps
              return lanes * solve_batch(system_, batch, options, sum).steps;
            }};
  }

  System system_;
  SolveOptions options_;
  std::vector<std::size_t> active_;
  std::vector<std::vector<double>> starts_;
  std::vector<double> velocity_;
  double end_time_;
  StepSettings settings_{};
  double sum_ = 0;  // of what the samples say
  std::vector<std::vector<double>> ends_;
};

void compare(const char* model, double tolerance, const std::vector<Batch::Contestant>& contestants) {
  std::vector<std::size_t> steps(contestants.size());
  std::vector<std::function<void()>> calls;
  for (std::size_t k = 0; k < contestants.size(); ++k)
    calls.emplace_back([&, k] { steps[k] = contestants[k].run(); });
  const std::vector<Timing> timings = time_in_turn(calls, repetitions);
  const double alone = timings[0].median / static_cast<double>(contestants[0].count);
  for (std::size_t k = 0; k < contestants.size(); ++k) {
    const auto& [name, count, run, difference] = contestants[k];
    const double seconds = timings[k].median / static_cast<double>(count);
    std::printf("%-20s %-20s %9.0e %14.0f %9.2f %8zu %12.1e\n", model, name.c_str(), tolerance, 1 / seconds,
                alone / seconds, steps[k] / count, *difference);
  }
}

}  // namespace
}  // namespace dalembert::bench

int main(int argc, char** argv) {
  using namespace dalembert;
  using namespace dalembert::bench;
  std::vector<double> tolerances;
  for (int i = 1; i < argc; ++i) tolerances.push_back(std::atof(argv[i]));
  if (tolerances.empty()) tolerances = {1e-6, 1e-9, 1e-12};
  print_environment("Dalembert alone");
  std::printf("%-20s %-20s %9s %14s %9s %8s %12s\n", "", "", "tolerance", "trajectories/s", "speed-up",
              "steps", "difference");
  for (const Case& what : cases) {
    for (const double tolerance : tolerances) {
      Batch batch(what, tolerance);
      compare(what.model, tolerance, batch.steps());
      for (const int samples : {1, 1000}) {
        batch.set_samples(samples);
        compare(what.model, tolerance, batch.runs(samples == 1 ? "" : ", sampled"));
      }
    }
  }
}
